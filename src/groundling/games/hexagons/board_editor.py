"""Boards, as 180 digits, that annotators see and correct."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from groundling.boards.hexes import Board, board_picture_size
from groundling.boards.picture import add_description
from groundling.core.desk import Desk
from groundling.core.values import Illegal
from groundling.games.hexagons.desk import EDGE, PALETTE, SIDE, board_document, painting_desk_panel
from groundling.games.hexagons.judge import draw_tile_marks
from groundling.games.hexagons.moves import HexagonsMove, PaintTile


def draw_edited_board(cells: str, against: str) -> str:
    """Draw a board; rings mark the tiles in which it differs from the other."""
    board = Board(cells)
    name = f"seen{crc32((cells + against).encode()):x}"  # a page has several boards
    body, listing = board.svg(name, EDGE, EDGE, SIDE, numbers=True), board.to_listing()
    if against:
        changed = Board(against).changes_to(board)
        margin = EDGE + board_picture_size(SIDE, numbers=True)[0] - board_picture_size(SIDE)[0]
        body += draw_tile_marks(f"{name}-changed", changed, margin, margin, "ring", SIDE)
        told = ", ".join(f"{row} {column}" for row, column in changed)
        listing += f"\nMarked tiles, row and column: {told or 'none'}"
    return add_description(board_document("Board", body), listing)


def board_editor_desk(cells: str) -> Desk:
    return Desk(
        "Paint the board as it should be.",
        (painting_desk_panel(Board(cells)),),
        tool="hexes",
        facts={"palette": PALETTE, "step": 0},
    )


def paint_edited_board(cells: str, moves: Sequence[HexagonsMove]) -> str:
    try:
        board = Board(cells)
    except ValueError as trouble:
        raise Illegal(str(trouble)) from None
    for move in moves:
        if not isinstance(move, PaintTile):
            raise Illegal("a board is only painted")
        board = board.paint_tile((move.row, move.column), move.colour)
    return board.cells


def board_changes(before: str, after: str) -> list[PaintTile]:
    """The moves that make one board of another."""
    changed = Board(before).changes_to(Board(after))
    return [PaintTile(row, column, colour) for (row, column), colour in changed.items()]
