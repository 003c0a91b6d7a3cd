"""Scores of many boards at once. Arguments are arrays with a row of 180 digits for each board. Results have a
row of precision, recall, F1 and exact match for each pair, equal to those of `tile_scores`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groundling.boards.hexes import COLOURS, TILES

UNPAINTED = 255
"""Marks a tile that is not painted in an array of actions."""
CHUNK = 2_048
"""Number of boards in a chunk, small enough for the cache."""

BoardArray: TypeAlias = NDArray[np.uint8]
TileSets: TypeAlias = tuple[NDArray[np.bool_], BoardArray]
"""Masks of the tiles in a set, and their colours."""


def board_scores_batch(gold: ArrayLike, drawn: ArrayLike) -> NDArray[np.float64]:
    """Return `board_scores` of each pair of rows."""
    boards = _checked_boards(gold, drawn)
    return _score_chunks(boards, lambda gold, drawn: ((gold != 0, gold), (drawn != 0, drawn)))


def action_scores_batch(
    gold_before: ArrayLike, gold_after: ArrayLike, drawn_before: ArrayLike, drawn_after: ArrayLike
) -> NDArray[np.float64]:
    """Return `action_scores` of each quadruple of rows."""
    boards = _checked_boards(gold_before, gold_after, drawn_before, drawn_after)
    return _score_chunks(boards, lambda a, b, c, d: ((a != b, b), (c != d, d)))


def emitted_scores_batch(
    gold_before: ArrayLike, gold_after: ArrayLike, actions: ArrayLike
) -> NDArray[np.float64]:
    """Return `emitted_scores` of triples of rows. Actions are the colours of painted tiles, or UNPAINTED."""
    painted = np.asarray(actions)
    boards = _checked_boards(gold_before, gold_after, np.where(painted == UNPAINTED, 0, painted))
    return _score_chunks(
        (*boards[:2], painted.astype(np.uint8)), lambda a, b, c: ((a != b, b), (c != UNPAINTED, c))
    )


def _checked_boards(*boards: ArrayLike) -> tuple[BoardArray, ...]:
    arrays = [np.asarray(board) for board in boards]
    for array in arrays:
        if array.ndim != 2 or array.shape[1] != len(TILES) or array.shape != arrays[0].shape:
            raise ValueError(f"boards are arrays of as many rows of {len(TILES)} digits, not {array.shape}")
        if array.size and not (array.min() >= 0 and array.max() < len(COLOURS)):
            raise ValueError(f"the digits of a board are 0 to {len(COLOURS) - 1}")
    return tuple(np.ascontiguousarray(array, dtype=np.uint8) for array in arrays)


def _score_chunks(boards: tuple[BoardArray, ...], sets: Any) -> NDArray[np.float64]:
    counts = [_count_tiles(*sets(*chunk)) for chunk in _split_chunks(boards)]
    both, wanted, found = np.concatenate(counts, axis=1) if counts else np.zeros((3, 0), dtype=np.int64)
    empty = (wanted == 0) & (found == 0)
    scores = np.zeros((len(both), 4))
    np.divide(both, found, out=scores[:, 0], where=found > 0)
    np.divide(both, wanted, out=scores[:, 1], where=wanted > 0)
    np.divide(2 * both, wanted + found, out=scores[:, 2], where=~empty)
    scores[:, 3] = (both == wanted) & (both == found)
    scores[empty] = 1.0
    return scores


def _split_chunks(boards: tuple[BoardArray, ...]) -> Iterator[tuple[BoardArray, ...]]:
    for start in range(0, len(boards[0]), CHUNK):
        yield tuple(board[start : start + CHUNK] for board in boards)


def _count_tiles(gold: TileSets, found: TileSets) -> NDArray[np.int64]:
    """Return the sizes of the overlap and of the two sets. A board has fewer tiles than a byte can count."""
    both = gold[0] & found[0] & (gold[1] == found[1])
    return np.stack(
        [part.view(np.uint8).sum(axis=1, dtype=np.uint8) for part in (both, gold[0], found[0])]
    ).astype(np.int64)
