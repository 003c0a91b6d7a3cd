"""Sentences of a narration with their programs and boards."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from groundling.boards.hexes import Board
from groundling.games.hexagons.program import Program, run
from groundling.games.hexagons.program.values import AnyStatement


class Piece(Struct, frozen=True):
    """A sentence and the program that it describes."""

    text: str
    program: Program
    level: int
    """Abstraction level: 0 tiles, 1 lines, 2 objects, 3 mechanisms over objects."""


class Told(Struct, frozen=True):
    """A step of a narration: a sentence, its program and the resulting board."""

    text: str
    program: Program
    level: int
    board: Board


def piece(text: str, level: int, *statements: AnyStatement) -> Piece:
    return Piece(text, Program(statements), level)


def effective(pieces: Iterable[Piece], board: Board) -> list[Piece]:
    """Drop the sentences whose programs change nothing."""
    kept = []
    for one in pieces:
        after = run(one.program, board)
        if after != board:
            kept.append(one)
            board = after
    return kept


def carried_out(pieces: Iterable[Piece]) -> list[Told]:
    """Run the sentences' programs and add the resulting boards."""
    board, told = Board.empty(), []
    for one in effective(pieces, board):
        board = run(one.program, board)
        told.append(Told(one.text, one.program, one.level, board))
    return told
