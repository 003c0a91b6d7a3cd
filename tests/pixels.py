"""Reads the pixels of the PNGs that we draw ourselves: 8 bits a channel, not interlaced."""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray


def pixels(data: bytes) -> NDArray[np.uint8]:
    """Rows of pixels of red, green, blue and alpha."""
    width, height = (int.from_bytes(data[at : at + 4]) for at in (16, 20))
    channels = {2: 3, 6: 4}[data[25]]
    packed, at = b"", 8
    while at < len(data):
        length, kind = int.from_bytes(data[at : at + 4]), data[at + 4 : at + 8]
        if kind == b"IDAT":
            packed += data[at + 8 : at + 8 + length]
        at += 12 + length
    raw = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * channels)
    lines = np.zeros((height, width, channels), np.uint8)
    above = np.zeros((width, channels), np.uint8)
    for row in range(height):
        above = lines[row] = _line(int(raw[row, 0]), raw[row, 1:].reshape(width, channels), above)
    return lines


def _line(filtered: int, line: NDArray[np.uint8], above: NDArray[np.uint8]) -> NDArray[np.uint8]:
    match filtered:
        case 0:
            return line
        case 1:
            return np.cumsum(line, axis=0, dtype=np.uint8)
        case 2:
            return line + above
    out = np.zeros_like(line)
    left = corner = np.zeros(line.shape[1], np.int16)
    for x in range(len(line)):
        up = above[x].astype(np.int16)
        if filtered == 3:
            guess = (left + up) // 2
        else:
            near = np.abs([up - corner, left - corner, left + up - 2 * corner])
            guess = np.where(
                (near[0] <= near[1]) & (near[0] <= near[2]), left, np.where(near[1] <= near[2], up, corner)
            )
        out[x] = line[x] + guess.astype(np.uint8)
        left, corner = out[x].astype(np.int16), up
    return out
