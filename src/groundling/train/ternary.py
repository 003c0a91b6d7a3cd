"""Matrices whose rows hold only -1, 0 and 1 times a step of the row: about 1.4 bits a number."""

from __future__ import annotations

import zlib
from itertools import product

import numpy as np
import torch
from torch import Tensor

COARSENESS = 0.999
"""What is smaller than this share of a row's mean magnitude becomes 0: more zeros need fewer bits. Below
1, so that of equal magnitudes all are kept."""
_EACH = 5
"""Numbers in a byte."""
_DIGITS = np.array(list(product((-1, 0, 1), repeat=_EACH)), np.int8)
_PLACES = 3 ** np.arange(_EACH - 1, -1, -1)


def round_to_ternary(rows: Tensor) -> Tensor:
    """The nearest such matrix; of one that is such a matrix, itself."""
    sizes = rows.abs()
    kept = sizes > COARSENESS * sizes.mean(-1, keepdim=True)
    step = (sizes * kept).sum(-1, keepdim=True) / kept.sum(-1, keepdim=True).clamp(min=1)
    return rows.sign() * kept * step


def is_ternary(rows: Tensor) -> bool:
    sizes = rows.abs()
    return bool(((sizes == 0) | (sizes == sizes.amax(1, keepdim=True))).all())


def pack_ternary(rows: Tensor) -> tuple[Tensor, Tensor]:
    """The signs as bytes, of which the first says how many signs of the last are none, and the step of each
    row."""
    signs = rows.sign().to(torch.int8).flatten().numpy()
    left = -len(signs) % _EACH
    padded = np.concatenate([signs, np.zeros(left, np.int8)])
    numbers = ((padded.reshape(-1, _EACH) + 1) @ _PLACES).astype(np.uint8)
    packer = zlib.compressobj(9, zlib.DEFLATED, 15, 9, zlib.Z_HUFFMAN_ONLY)
    packed = packer.compress(bytes([left]) + numbers.tobytes()) + packer.flush()
    return torch.frombuffer(bytearray(packed), dtype=torch.uint8), rows.abs().amax(1, keepdim=True).half()


def unpack_ternary(packed: Tensor, step: Tensor) -> Tensor:
    left, *_ = content = zlib.decompress(packed.numpy().tobytes())
    signs = _DIGITS[np.frombuffer(content, np.uint8, offset=1)].reshape(-1)
    return torch.from_numpy(signs[: len(signs) - left]).view(len(step), -1) * step.float()
