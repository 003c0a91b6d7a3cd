"""Boards as arrays, and the paint of a step as an action, for policies that learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundling.boards.hexes import COLOURS, COLUMNS, TILES, Board
from groundling.games.hexagons.moves import (
    ExecutorView,
    HexagonsMove,
    HexagonsView,
    InstructorView,
    Next,
    PaintTile,
)


def boards(view: HexagonsView) -> Mapping[str, Sequence[Any]]:
    """Return the boards that the seat sees, as numbers of colours, 0 for white."""
    seen = {"board": view.board}
    if isinstance(view, InstructorView):
        seen["target"] = view.target
    return {name: _board_rows(board) for name, board in seen.items() if board}


def _board_rows(board: Board) -> list[list[int]]:
    cells = [int(digit) for digit in board.cells]
    return [cells[start : start + COLUMNS] for start in range(0, len(cells), COLUMNS)]


def sizes(view: HexagonsView) -> Sequence[int]:
    """The executor says of each tile, row by row, 0 to leave it or the number of a colour plus 1."""
    return [len(COLOURS) + 1] * len(TILES) if isinstance(view, ExecutorView) else ()


def moves(view: ExecutorView, numbers: Sequence[int]) -> tuple[HexagonsMove, ...]:
    painted = [
        PaintTile(*tile, COLOURS[number - 1]) for tile, number in zip(TILES, numbers, strict=True) if number
    ]
    return (*painted, Next())
