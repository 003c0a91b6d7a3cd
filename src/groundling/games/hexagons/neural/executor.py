"""What all executors that learn have in common, and how well one carries out whole procedures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import torch
from torch import nn

from groundling.boards.hexes import TILES
from groundling.games.hexagons.batch import UNPAINTED, emitted_scores_batch
from groundling.games.hexagons.neural.notation import Tile, paint_notation_cells
from groundling.games.hexagons.neural.procedures import BLANK, Procedure
from groundling.games.hexagons.neural.situations import Situation, make_situation


class TilePainter(Protocol):
    def paint_tiles(self, situations: Sequence[Situation]) -> list[dict[Tile, str]]: ...


class LearnedExecutor(nn.Module, ABC):
    settings: Any
    """A Struct with all that the model is built from; its `context` is the one that it was trained in."""

    def __init__(self) -> None:
        super().__init__()
        # cuDNN prepares attention again for every length of text, which takes longer than computing it
        torch.backends.cuda.enable_cudnn_sdp(False)

    @abstractmethod
    def paint_tiles(self, situations: Sequence[Situation]) -> list[dict[Tile, str]]:
        """The tiles that each situation asks for, with their colours."""

    @property
    def where(self) -> torch.device:
        return next(self.parameters()).device


def run_executor(
    executor: TilePainter, procedures: Sequence[Procedure], context: str, at_once: int = 96
) -> list[list[dict[Tile, str]]]:
    """The actions of each step of each procedure. Boards are the executor's own, but in oracle contexts."""
    done: list[list[dict[Tile, str]]] = [[] for _ in procedures]
    boards = [[BLANK] for _ in procedures]
    oracle = context.startswith("oracle")
    alone = oracle or not context.startswith("predicted")
    rounds: list[list[tuple[int, int]]] = []
    for row, procedure in enumerate(procedures):
        if oracle:
            boards[row] = list(procedure.boards)
        for number in range(len(procedure.texts)):
            place = 0 if alone else number
            rounds += [[] for _ in range(place + 1 - len(rounds))]
            rounds[place].append((row, number))
    for asked in rounds:
        ordered = sorted(asked, key=lambda one: sum(map(len, procedures[one[0]].texts[: one[1] + 1])))
        answers: dict[tuple[int, int], dict[Tile, str]] = {}
        for start in range(0, len(ordered), at_once):
            part = ordered[start : start + at_once]
            made = [
                make_situation(context, procedures[row].texts, boards[row], number) for row, number in part
            ]
            answers |= dict(zip(part, executor.paint_tiles(made), strict=True))
        for row, number in asked:
            done[row].append(answers[row, number])
            if not alone:
                boards[row].append(paint_notation_cells(boards[row][number], answers[row, number]))
    return done


def score_executor_actions(
    procedures: Sequence[Procedure], done: Sequence[Sequence[Mapping[Tile, str]]]
) -> np.ndarray[Any, Any]:
    """Precision, recall, F1 and exact match, a row for each step of all procedures."""
    before, after, painted = [], [], []
    for procedure, answers in zip(procedures, done, strict=True):
        for number, answer in enumerate(answers):
            before.append(_board_digits(procedure.boards[number]))
            after.append(_board_digits(procedure.boards[number + 1]))
            cells = _board_digits(paint_notation_cells(BLANK, answer))
            there = np.array([tile in answer for tile in TILES])
            painted.append(np.where(there, cells, UNPAINTED))
    return emitted_scores_batch(np.stack(before), np.stack(after), np.stack(painted))


def measure_executor(
    executor: LearnedExecutor, procedures: Sequence[Procedure], context: str
) -> dict[str, float]:
    """F1 and exact match, means over instructions."""
    found = score_executor_actions(procedures, run_executor(executor, procedures, context)).mean(0)
    return {"f1": float(found[2]), "exact": float(found[3])}


def _board_digits(cells: str) -> np.ndarray[Any, Any]:
    return np.frombuffer(cells.encode("ascii"), np.uint8) - ord("0")
