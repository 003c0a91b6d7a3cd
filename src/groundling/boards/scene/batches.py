"""Batches: many scenes as one numpy array, to compare, store and learn from them at once.

A batch is an int16 array of shape (scenes, 3, 58). For every kind it holds x, y and the look, which is size +
3 · flip + 6 · (5 · pose + expression), or -1 where that kind is not on the canvas (x and y are then 0)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from groundling.boards.scene.kinds import KINDS
from groundling.boards.scene.pieces import Piece, Scene
from groundling.boards.scene.scene_strings import PlacedPiece, parse_scene_string

Batch: TypeAlias = NDArray[np.int16]

X, Y, LOOK = range(3)
ABSENT = -1
SHAPE = (3, len(KINDS))


def pack_scene_batch(scenes: Iterable[Scene]) -> Batch:
    return _fill_batch([[piece.placed_piece for piece in scene.pieces] for scene in scenes])


def pack_scene_text_batch(texts: Iterable[str]) -> Batch:
    """Pack scene strings, much faster than through Scene objects."""
    return _fill_batch([_check_no_duplicates(parse_scene_string(text)) for text in texts])


def unpack_scene_batch(batch: Batch) -> list[Scene]:
    scenes = []
    for x, y, look in check_batch(batch):
        pieces = []
        for kind in np.flatnonzero(look >= 0).tolist():
            rest, size = divmod(int(look[kind]), 3)
            figure, flip = divmod(rest, 2)
            pieces.append(
                Piece.from_placed(PlacedPiece(kind, int(x[kind]), int(y[kind]), size, flip, figure))
            )
        scenes.append(Scene(tuple(pieces)))
    return scenes


def check_batch(batch: Batch) -> Batch:
    """Return the batch, or raise ValueError if its shape or type is wrong."""
    if batch.ndim != 3 or batch.shape[1:] != SHAPE or batch.dtype != np.int16:
        raise ValueError(
            f"packed scenes are int16 of shape (n, 3, {len(KINDS)}), not {batch.dtype} of {batch.shape}"
        )
    return batch


def _check_no_duplicates(pieces: list[PlacedPiece]) -> list[PlacedPiece]:
    for one, other in pairwise(pieces):
        if one.kind == other.kind:
            raise ValueError(f"{KINDS[one.kind]} is in the scene twice: there is one piece of a kind at most")
    return pieces


def _fill_batch(scenes: Sequence[Sequence[PlacedPiece]]) -> Batch:
    batch = np.zeros((len(scenes), *SHAPE), np.int16)
    batch[:, LOOK] = ABSENT
    rows = np.repeat(np.arange(len(scenes)), [len(pieces) for pieces in scenes])
    pieces = np.array([piece for pieces in scenes for piece in pieces], np.int16).reshape(
        -1, len(PlacedPiece._fields)
    )
    kind, x, y, size, flip, figure = pieces.T
    batch[rows, X, kind] = x
    batch[rows, Y, kind] = y
    batch[rows, LOOK, kind] = size + 3 * flip + 6 * figure
    return batch
