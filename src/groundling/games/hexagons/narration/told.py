"""One sentence of a narration with what it means."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from groundling.boards.hexes import Board
from groundling.games.hexagons.program import Program, run
from groundling.games.hexagons.program.values import AnyStatement


class Piece(Struct, frozen=True):
    """A sentence and the program that it stands for."""

    text: str
    program: Program
    level: int
    """How abstract it is: 0 tiles, 1 lines, 2 objects, 3 mechanisms over objects."""


class Told(Struct, frozen=True):
    """A step of a narration: the sentence, its program, and the board once that is carried out."""

    text: str
    program: Program
    level: int
    board: Board


def piece(text: str, level: int, *statements: AnyStatement) -> Piece:
    return Piece(text, Program(statements), level)


def effective(pieces: Iterable[Piece], board: Board) -> list[Piece]:
    """The pieces without those that change nothing: what they say is already there."""
    kept = []
    for one in pieces:
        after = run(one.program, board)
        if after != board:
            kept.append(one)
            board = after
    return kept


def carried_out(pieces: Iterable[Piece]) -> list[Told]:
    """The pieces with the boards they lead to."""
    board, told = Board.empty(), []
    for one in effective(pieces, board):
        board = run(one.program, board)
        told.append(Told(one.text, one.program, one.level, board))
    return told
