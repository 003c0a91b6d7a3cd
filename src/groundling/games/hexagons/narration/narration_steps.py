"""Sentences of a narration with their programs and boards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from groundling.boards.hexes import Board
from groundling.games.hexagons.program import Program, run_program
from groundling.games.hexagons.program.statements import AnyStatement


class NarratedSentence(Struct, frozen=True):
    """A sentence and the program that it describes."""

    text: str
    program: Program
    level: int
    """Abstraction level: 0 tiles, 1 lines, 2 objects, 3 mechanisms over objects."""


class NarrationStep(Struct, frozen=True):
    """A step of a narration: a sentence, its program and the resulting board."""

    text: str
    program: Program
    level: int
    board: Board
    words: Literal["narrator", "people", "network"] = "narrator"
    """Whose words these are."""


def make_narrated_sentence(text: str, level: int, *statements: AnyStatement) -> NarratedSentence:
    return NarratedSentence(text, Program(statements), level)


def drop_narration_steps(pieces: Iterable[NarratedSentence], board: Board) -> list[NarratedSentence]:
    """Drop the sentences whose programs change nothing."""
    kept = []
    for one in pieces:
        after = run_program(one.program, board)
        if after != board:
            kept.append(one)
            board = after
    return kept


def run_narration_steps(pieces: Iterable[NarratedSentence]) -> list[NarrationStep]:
    """Run the sentences' programs and add the resulting boards."""
    board, told = Board.empty(), []
    for one in drop_narration_steps(pieces, board):
        board = run_program(one.program, board)
        told.append(NarrationStep(one.text, one.program, one.level, board))
    return told
