"""Scene similarity of many pairs at once with numpy; equal to `similarity` up to rounding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from groundling.boards.scene import HEIGHT, WIDTH, Scene
from groundling.boards.scene.batches import (
    LOOK,
    Batch,
    X,
    Y,
    check_batch,
    pack_scene_batch,
    pack_scene_text_batch,
)
from groundling.boards.scene.kinds import EXPRESSIONS, POSES, SIZES
from groundling.games.codraw.similarity import BEST, Ties, check_similarity_ties

Floats: TypeAlias = NDArray[np.float64]
Scenes: TypeAlias = Sequence[Scene | str] | Batch

CHUNK = 4096
"""The number of pairs in a chunk, so that its arrays stay in the processor's cache."""


def _make_loss_tables() -> dict[str, Floats]:
    """Return the points lost by one look in place of another, by attribute."""
    looks = np.arange(2 * len(SIZES) * len(POSES) * len(EXPRESSIONS))
    rest, size = np.divmod(looks, len(SIZES))
    figure, flip = np.divmod(rest, 2)
    pose, expression = np.divmod(figure, len(EXPRESSIONS))
    parts = {"flip": (flip, 1.0), "size": (size, 1.0), "pose": (pose, 0.5), "expression": (expression, 0.5)}
    return {part: weight * (values[:, None] != values) for part, (values, weight) in parts.items()}


LOSS_TABLES = _make_loss_tables()
LOOK_LOSSES: Floats = np.sum(list(LOSS_TABLES.values()), axis=0)


class BatchSimilarity:
    """The pieces that two batches share, pair of scenes by pair of scenes."""

    def __init__(self, one: Batch, other: Batch, ties: Ties) -> None:
        here, there = one[:, LOOK] >= 0, other[:, LOOK] >= 0
        self.rows, kinds = np.nonzero(here & there)
        self.looks, self.others = one[self.rows, LOOK, kinds], other[self.rows, LOOK, kinds]
        self.xy = [one[self.rows, axis, kinds].astype(np.int32) for axis in (X, Y)]
        self.others_xy = [other[self.rows, axis, kinds].astype(np.int32) for axis in (X, Y)]
        self.counts = np.bincount(self.rows, minlength=len(one))
        self.union = here.sum(1) + there.sum(1) - self.counts
        self.ties = ties

    def kind_share(self) -> Floats:
        shared: Floats = self.counts / np.maximum(self.union, 1)
        return np.where(self.union > 0, shared, 1.0)

    def share_losses(self, lost: Floats) -> Floats:
        """Average the losses of single pieces over all pieces of a pair."""
        shared: Floats = np.bincount(self.rows, lost, len(self.union)) / np.maximum(self.union, 1)
        return shared

    def distance_losses(self) -> Floats:
        (x, y), (x2, y2) = self.xy, self.others_xy
        return _capped_distance(x - x2, y - y2)

    def order_losses(self) -> Floats:
        """Average the losses of pairs of pieces over the union and over one less than the shared pieces."""
        after = np.cumsum(self.counts)[self.rows] - np.arange(len(self.rows)) - 1
        first = np.flatnonzero(after)
        wrong = np.zeros(len(self.rows))
        for step in range(1, int(self.counts.max(initial=0))):
            first = first[after[first] >= step]
            wrong[first] += self._count_wrong_axes(first, first + step)
        shared: Floats = self.share_losses(wrong) / np.maximum(self.counts - 1, 1)
        return shared

    def _count_wrong_axes(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> NDArray[np.int8]:
        wrong = np.zeros(len(first), np.int8)
        for mine, theirs in zip(self.xy, self.others_xy, strict=True):
            product = (mine[first] - mine[second]) * (theirs[first] - theirs[second])
            wrong += product <= 0 if self.ties == "release" else product < 0
        return wrong


def _capped_distance(across: NDArray[np.integer], down: NDArray[np.integer]) -> Floats:
    """Return distances as shares of the canvas, at most 1."""
    return np.minimum(1.0, np.sqrt((across / WIDTH) ** 2 + (down / HEIGHT) ** 2))


def batch_similarities(targets: Scenes, drawn: Scenes, ties: Ties = "release") -> Floats:
    """Return the similarity of each pair."""
    found = [
        BEST * common.kind_share()
        - common.share_losses(LOOK_LOSSES[common.looks, common.others] + common.distance_losses())
        - common.order_losses()
        for common in _align_chunks(targets, drawn, ties)
    ]
    return np.concatenate([np.empty(0), *found])


def batch_components(targets: Scenes, drawn: Scenes, ties: Ties = "release") -> dict[str, Floats]:
    """Return the components of each similarity, under the names of `Components`."""
    found = [
        np.stack(
            [
                common.kind_share(),
                *(common.share_losses(table[common.looks, common.others]) for table in LOSS_TABLES.values()),
                common.share_losses(common.distance_losses()),
                common.order_losses(),
            ]
        )
        for common in _align_chunks(targets, drawn, ties)
    ]
    names = ("kinds", *LOSS_TABLES, "distance", "order")
    return dict(zip(names, np.concatenate([np.empty((len(names), 0)), *found], axis=1), strict=True))


def _align_chunks(targets: Scenes, drawn: Scenes, ties: Ties) -> Iterator[BatchSimilarity]:
    check_similarity_ties(ties)
    one, other = to_similarity_batch(targets), to_similarity_batch(drawn)
    if len(one) != len(other):
        raise ValueError(f"there are {len(one)} targets and {len(other)} drawn scenes: give as many of both")
    for start in range(0, len(one), CHUNK):
        yield BatchSimilarity(one[start : start + CHUNK], other[start : start + CHUNK], ties)


def batch_similarity_to_each(scene: Scene | str, many: Scenes, ties: Ties = "release") -> Floats:
    """Return the similarity of one scene to each of many."""
    check_similarity_ties(ties)
    one, batch = to_similarity_batch([scene])[0], to_similarity_batch(many)
    kinds = np.flatnonzero(one[LOOK] >= 0)
    mine = np.ascontiguousarray(one[:, kinds])
    found = [
        _similarity_to_chunk(mine, batch[start : start + CHUNK], kinds, ties)
        for start in range(0, len(batch), CHUNK)
    ]
    return np.concatenate([np.empty(0), *found])


def _similarity_to_chunk(
    mine: NDArray[np.int16], batch: Batch, kinds: NDArray[np.intp], ties: Ties
) -> Floats:
    """Work on the kinds of the one scene only, each of them a column."""
    theirs = np.ascontiguousarray(batch[:, :, kinds].transpose(1, 2, 0))
    there = theirs[LOOK] >= 0
    counts = there.sum(0)
    union = len(kinds) + (batch[:, LOOK] >= 0).sum(1) - counts
    lost = np.zeros(len(batch))
    for number in range(len(kinds)):
        x, y, look = theirs[:, number]
        distance = _capped_distance(x - mine[X, number], y - mine[Y, number])
        lost += np.where(there[number], LOOK_LOSSES[mine[LOOK, number]][look] + distance, 0.0)
    order = np.zeros(len(batch), np.int16)
    for a, b in combinations(range(len(kinds)), 2):
        both = there[a] & there[b]
        for axis in (X, Y):
            if (
                wrong := _out_of_order_mask(
                    int(mine[axis, a]) - int(mine[axis, b]), theirs[axis, a], theirs[axis, b], ties
                )
            ) is not None:
                order += wrong & both
    found: Floats = (BEST * counts - lost - order / np.maximum(counts - 1, 1)) / np.maximum(union, 1)
    return np.where(union > 0, found, BEST)


def _out_of_order_mask(
    mine: int, a: NDArray[np.int16], b: NDArray[np.int16], ties: Ties
) -> NDArray[np.bool_] | None:
    """Mark where the sign of a - b differs from its sign in the one scene; None if it never does."""
    if mine == 0:
        return np.ones(len(a), np.bool_) if ties == "release" else None
    low, high = (a, b) if mine > 0 else (b, a)
    return np.less_equal(low, high) if ties == "release" else np.less(low, high)


def to_similarity_batch(scenes: Scenes) -> Batch:
    if isinstance(scenes, np.ndarray):
        return check_batch(scenes)
    if set(map(type, scenes)) == {Scene}:
        return pack_scene_batch(cast("Sequence[Scene]", scenes))
    return pack_scene_text_batch(scene if isinstance(scene, str) else scene.text() for scene in scenes)
