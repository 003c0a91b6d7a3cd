"""Batches: many scenes as one numpy array, to compare, store and learn from them at once.

A batch is an int16 array of shape (scenes, 3, 58). For every kind it holds x, y and the look, which is size +
3 · flip + 6 · (5 · pose + expression), or -1 where that kind is not on the canvas (x and y are then 0)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from groundling.boards.scene.kinds import INDEX, KINDS, PEOPLE
from groundling.boards.scene.pieces import Piece, Scene
from groundling.boards.scene.scene_strings import PlacedPiece, parse_scene_string

Batch: TypeAlias = NDArray[np.int16]
Column: TypeAlias = NDArray[np.int16]

X, Y, LOOK = range(3)
ABSENT = -1
SHAPE = (3, len(KINDS))


def pack_scene_batch(scenes: Iterable[Scene]) -> Batch:
    """Pack scenes column by column: a tuple for each piece would take several times as long."""
    groups = [scene.pieces for scene in scenes]
    pieces = list(chain.from_iterable(groups))
    kind = np.array([INDEX[piece.kind] for piece in pieces], np.int16)
    figure = np.zeros(len(pieces), np.int16)
    people = np.flatnonzero(np.isin(kind, [INDEX[person] for person in PEOPLE])).tolist()
    figure[people] = [pieces[number].figure for number in people]
    return _fill_batch(
        [len(group) for group in groups],
        kind,
        np.array([piece.x for piece in pieces], np.int16),
        np.array([piece.y for piece in pieces], np.int16),
        np.array([piece.size for piece in pieces], np.int16),
        np.array([piece.flip for piece in pieces], np.int16),
        figure,
    )


def pack_scene_text_batch(texts: Iterable[str]) -> Batch:
    """Pack scene strings, much faster than through Scene objects."""
    groups = [_check_no_duplicates(parse_scene_string(text)) for text in texts]
    pieces = np.array([piece for group in groups for piece in group], np.int16)
    return _fill_batch([len(group) for group in groups], *pieces.reshape(-1, len(PlacedPiece._fields)).T)


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


def _fill_batch(
    counts: Sequence[int], kind: Column, x: Column, y: Column, size: Column, flip: Column, figure: Column
) -> Batch:
    """Fill a batch from the number of pieces in each scene and the fields of all pieces in order."""
    batch = np.zeros((len(counts), *SHAPE), np.int16)
    batch[:, LOOK] = ABSENT
    rows = np.repeat(np.arange(len(counts)), counts)
    batch[rows, X, kind] = x
    batch[rows, Y, kind] = y
    batch[rows, LOOK, kind] = size + 3 * flip + 6 * figure
    return batch
