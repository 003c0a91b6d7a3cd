"""How procedures are varied, mixed and put together to batches, the same way for the same seed and step."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from msgspec import Struct

from groundling.games.hexagons.neural.notation import Tile
from groundling.games.hexagons.neural.procedures import (
    Procedure,
    permute_procedure_colours,
    spoil_procedure_boards,
)
from groundling.games.hexagons.neural.situations import Situation, make_situation

WINDOW = 32
"""Batches that are sorted by length together: padding is paid for in time."""


class Lesson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How procedures are varied and mixed."""

    colours: float = 0.7
    """The share of procedures that are learned from in other colours."""
    spoiled: float = 0.5
    """The share of procedures in which earlier steps may have been carried out wrongly …"""
    slips: float = 0.2
    """… and the share of such steps in them."""
    narrated: float = 0.6
    """The share of the narrator's procedures in a batch, in the first part of the training."""
    painted: float = 1.0
    """What a tile to paint counts more than one to leave alone, for a classifier."""
    slow: float = 1.0
    """The share of the learning rate for what is pretrained."""


def vary_lesson_step(
    procedure: Procedure, context: str, lesson: Lesson, lot: Random
) -> tuple[Situation, dict[Tile, str]]:
    """A random step of a procedure, varied as the lesson asks, and its actions."""
    if lot.random() < lesson.colours:
        procedure = permute_procedure_colours(procedure, lot)
    number = lot.randrange(len(procedure.texts))
    boards = procedure.boards
    if context.startswith("predicted") and lot.random() < lesson.spoiled:
        boards, _ = spoil_procedure_boards(procedure, number, lesson.slips, lot)
    return make_situation(context, procedure.texts, boards, number), procedure.step_changes(number)


class LessonBatches:
    """Batches of procedures, each with its random numbers. Those of similar length come together."""

    def __init__(
        self,
        people: Sequence[Procedure],
        narrated: Sequence[Procedure],
        *,
        batch: int,
        alone: int,
        seed: int,
        lesson: Lesson,
        by_step: bool,
    ) -> None:
        """With `by_step` a procedure is drawn as often as it has steps, of which one is learned from. From
        the step `alone` on people's procedures alone are drawn; 0: never."""
        self.people, self.narrated = people, narrated
        self._sums = [
            np.cumsum([len(one.texts) if by_step else 1 for one in found]) for found in (people, narrated)
        ]
        self.batch, self.alone, self.seed, self.lesson = batch, alone, seed, lesson
        self._last: tuple[int, list[Procedure], list[int]] = -1, [], []

    def batch_at(self, step: int) -> list[tuple[Procedure, Random]]:
        window, place = divmod(step, WINDOW)
        if self._last[0] != window:
            self._last = window, *self._draw_window(window)
        _, choices, order = self._last
        start = order[place] * self.batch
        part = choices[start : start + self.batch]
        return [(one, Random(f"{self.seed} {step} {number}")) for number, one in enumerate(part)]

    def _draw_window(self, window: int) -> tuple[list[Procedure], list[int]]:
        """The procedures of many batches, sorted by length, and the order of the batches."""
        lot = np.random.default_rng([self.seed, window])
        alone = 0 < self.alone < (window + 1) * WINDOW or not self.narrated
        told = lot.random(WINDOW * self.batch) < (0.0 if alone else self.lesson.narrated)
        choices = [self._draw(bool(one), lot) for one in told]
        choices.sort(key=lambda one: sum(map(len, one.texts)))
        return choices, lot.permutation(WINDOW).tolist()

    def _draw(self, told: bool, lot: np.random.Generator) -> Procedure:
        sums = self._sums[told]
        place = int(np.searchsorted(sums, lot.integers(sums[-1]), side="right"))
        return (self.narrated if told else self.people)[place]
