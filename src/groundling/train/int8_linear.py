"""Linear layers with dynamic int8 quantization, which some CPUs multiply several times as fast as floats.

Every row of weights and every input row has its own scale, so the result of a row does not depend on the rows
beside it."""

from __future__ import annotations

import warnings

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

INT8_MAX = 127.0
_RANGE_PADDING = (-INT8_MAX, INT8_MAX + 1) * 8
"""Padding of every input row, multiplied with zero weights. torch derives a common scale from the smallest
and the greatest number of all rows; with this padding the scale is 1. Multiples of 16 columns are the
fastest."""
_MIN_SCALE = 1e-8
_ROUNDING_MARGIN = 1 + 2**-23
"""Keeps rounding from making a number of a row greater than INT8_MAX, which would change the common scale."""


class Int8Linear(nn.Module):
    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        weight, bias = weight.detach(), bias.detach()
        scale = weight.abs().amax(1).clamp(min=_MIN_SCALE) / INT8_MAX
        self.packed = _pack_int8(F.pad(weight / scale[:, None], (0, len(_RANGE_PADDING))))
        self.register_buffer("scale", scale, persistent=False)
        self.register_buffer("bias", bias, persistent=False)
        self.register_buffer("ends", torch.tensor(_RANGE_PADDING), persistent=False)

    def forward(self, rows: Tensor) -> Tensor:
        top = rows.abs().amax(-1, keepdim=True).clamp(min=_MIN_SCALE) / INT8_MAX * _ROUNDING_MARGIN
        ends = self.ends.expand(*rows.shape[:-1], -1)  # type: ignore[operator]
        given = torch.cat([rows / top, ends], dim=-1)
        found: Tensor = torch.ops.quantized.linear_dynamic(given, self.packed, False)
        return found.mul_(self.scale).mul_(top).add_(self.bias)  # type: ignore[arg-type]


def quantize_linear_layers(model: nn.Module) -> None:
    """Replace all linear layers by int8 ones, in place. The model cannot be trained any more."""
    for name, part in list(model.named_children()):
        if isinstance(part, nn.Linear):
            setattr(model, name, Int8Linear(part.weight, part.bias))
        else:
            quantize_linear_layers(part)


def _pack_int8(numbers: Tensor) -> torch.ScriptObject:
    before = torch.backends.quantized.engine
    torch.backends.quantized.engine = "onednn"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch announces that this API will move
            whole = torch.quantize_per_tensor(numbers, 1.0, 0, torch.qint8)
        packed: torch.ScriptObject = torch.ops.quantized.linear_prepack(whole, None)
    finally:
        torch.backends.quantized.engine = before
    return packed
