"""How procedures are varied, mixed and put together to batches, the same way for the same seed and step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from operator import itemgetter
from random import Random
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from groundling.games.hexagons.neural.notation import Tile, changed_notation_tiles, write_action_notation
from groundling.games.hexagons.neural.procedures import (
    BLANK,
    Procedure,
    permute_procedure_colours,
    spoil_procedure_boards,
)
from groundling.games.hexagons.neural.situations import Situation, make_situation

_MARK = re.compile(r"[^a-zA-Z ]")
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
    found: float = 0.3
    """The share of steps with a known program that show the one that is found for their tiles, as at play,
    and are not learned from."""
    painted: float = 1.0
    """What a tile to paint counts more than one to leave alone, for a classifier."""
    slow: float = 1.0
    """The share of the learning rate for what is pretrained."""


class Example(NamedTuple):
    """What a row of a batch is made of."""

    procedure: Procedure
    number: int
    """The step to learn from, counted from 0; the last one where a whole procedure is learned from."""
    lot: Random


def vary_lesson_step(example: Example, context: str, lesson: Lesson) -> tuple[Situation, dict[Tile, str]]:
    """The step of an example, varied as the lesson asks, and its actions."""
    procedure, number, lot = example
    if lot.random() < lesson.colours:
        procedure = permute_procedure_colours(procedure, lot)
    boards = procedure.boards
    if context.startswith("predicted") and lot.random() < lesson.spoiled:
        boards, _ = spoil_procedure_boards(procedure, number, lesson.slips, lot)
    return make_situation(context, procedure.texts, boards, number), procedure.step_changes(number)


class LessonBatches:
    """Batches of examples. Those of similar length come together."""

    def __init__(
        self,
        sources: Sequence[tuple[Sequence[Procedure], float]],
        *,
        context: str,
        batch: int,
        alone: int,
        seed: int,
        lesson: Lesson,
        by_step: bool,
        answered: bool,
    ) -> None:
        """Sources have their shares of the batches. With `by_step` an example is one step of a procedure,
        else a whole procedure; with `answered` its text contains the actions. From the step `alone` of the
        training on, the procedures of the last source alone are drawn; 0: never."""
        self.batch, self.alone, self.seed, self.lesson = batch, alone, seed, lesson
        sources = [(found, share) for found, share in sources if found]
        self._shares = np.cumsum([share for _, share in sources])
        self._sources = [
            [
                (_count_letters(one, context, number, answered), one, number)
                for one in found
                for number in (range(len(one.texts)) if by_step else [len(one.texts) - 1])
            ]
            for found, _ in sources
        ]
        self._last: tuple[int, list[tuple[Procedure, int]], list[int]] = -1, [], []

    def batch_at(self, step: int) -> list[Example]:
        window, place = divmod(step, WINDOW)
        if self._last[0] != window:
            self._last = window, *self._draw_window(window)
        _, choices, order = self._last
        start = order[place] * self.batch
        part = choices[start : start + self.batch]
        return [Example(*one, Random(f"{self.seed} {step} {number}")) for number, one in enumerate(part)]

    def _draw_window(self, window: int) -> tuple[list[tuple[Procedure, int]], list[int]]:
        """The examples of many batches, sorted by length, and the order of the batches."""
        lot = np.random.default_rng([self.seed, window])
        drawn = lot.random(WINDOW * self.batch) * self._shares[-1]
        places = np.searchsorted(self._shares, drawn, side="right")
        if 0 < self.alone < (window + 1) * WINDOW:
            places[:] = len(self._sources) - 1
        found = (self._sources[place] for place in places)
        choices = sorted((those[lot.integers(len(those))] for those in found), key=itemgetter(0))
        return [(one, number) for _, one, number in choices], lot.permutation(WINDOW).tolist()


def _count_letters(procedure: Procedure, context: str, number: int, answered: bool) -> int:
    """About how long the text of a step is, with the board and the actions that are part of it. A figure or a
    mark is a token of its own, as about four letters are."""
    situation = make_situation(context, procedure.texts, procedure.boards, number)
    texts = list(situation.texts)
    if answered:
        boards = (BLANK, *situation.boards, procedure.boards[number + 1])
        if not situation.boards:
            boards = procedure.boards[number : number + 2]
        texts += [
            write_action_notation(changed_notation_tiles(old, new), "runs") for old, new in pairwise(boards)
        ]
    return sum(len(text) + 3 * len(_MARK.findall(text)) for text in texts)
