"""Matrices of whole numbers, a byte each: on some CPUs they are multiplied several times as fast as fractions
are.

Each row of weights has a scale of its own, and so has each row that is multiplied with them: what becomes of
a row does not depend on those beside it."""

from __future__ import annotations

import warnings

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

MOST = 127.0
_ENDS = (-MOST, MOST + 1) * 8
"""Stand beside every row and are multiplied with zeros: torch, which looks for the least and the greatest number in all rows to
find their common scale, then finds it to be 1. There are so many because whole numbers of 16 columns are the quickest."""
_LEAST = 1e-8
_MORE = 1 + 2**-23
"""So that no number of a row is greater than MOST after all, by rounding, and with it the common scale."""


class ByteLinear(nn.Module):
    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        weight, bias = weight.detach(), bias.detach()
        scale = weight.abs().amax(1).clamp(min=_LEAST) / MOST
        self.packed = _pack(F.pad(weight / scale[:, None], (0, len(_ENDS))))
        self.register_buffer("scale", scale, persistent=False)
        self.register_buffer("bias", bias, persistent=False)
        self.register_buffer("ends", torch.tensor(_ENDS), persistent=False)

    def forward(self, rows: Tensor) -> Tensor:
        top = rows.abs().amax(-1, keepdim=True).clamp(min=_LEAST) / MOST * _MORE
        given = torch.cat([rows / top, self.ends.expand(*rows.shape[:-1], -1)], dim=-1)  # type: ignore[operator]
        found: Tensor = torch.ops.quantized.linear_dynamic(given, self.packed, False)
        return found.mul_(self.scale).mul_(top).add_(self.bias)  # type: ignore[arg-type]


def in_bytes(model: nn.Module) -> None:
    """From now on it multiplies in bytes, and learns no more."""
    for name, part in list(model.named_children()):
        if isinstance(part, nn.Linear):
            setattr(model, name, ByteLinear(part.weight, part.bias))
        else:
            in_bytes(part)


def _pack(numbers: Tensor) -> torch.ScriptObject:
    before = torch.backends.quantized.engine
    torch.backends.quantized.engine = "onednn"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that torch will have this elsewhere one day
            whole = torch.quantize_per_tensor(numbers, 1.0, 0, torch.qint8)
        packed: torch.ScriptObject = torch.ops.quantized.linear_prepack(whole, None)
    finally:
        torch.backends.quantized.engine = before
    return packed
