"""Draws the hexagon board as SVG."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt

from groundling.boards.hexes.board_text import LETTERS
from groundling.boards.hexes.lattice import COLUMNS, ROWS, Tile
from groundling.boards.picture import text_at

FILLS = ("#ffffff", "#23272e", "#f7d548", "#3fa35b", "#d8433b", "#3572c6", "#b891e6", "#f08c2e")
INKS = ("#b8c0c8", "#ffffff", "#5c4a00", "#ffffff", "#ffffff", "#ffffff", "#3d1f66", "#5a2d00")
EDGES = ("#c3cad1", "#0f1114", "#c9a818", "#2b7a41", "#a82b24", "#23539a", "#8f66c4", "#c0660f")
BLANK = "\N{NO-BREAK SPACE}"
"""The letter of a white tile on a live board."""

_MARGIN = 1.5
"""The margin for numbers above and to the left, in sides of a tile."""


def picture_tile_centre(tile: Tile, side: float = 1) -> tuple[float, float]:
    """The centre of a tile, from the top left corner of the board."""
    row, column = tile
    return side * (1.5 * column - 0.5), side * sqrt(3) * (row - 0.5 + (0 if column % 2 else 0.5))


def board_picture_size(side: float, *, numbers: bool = False) -> tuple[float, float]:
    """Width and height of the whole picture."""
    margin = _MARGIN * side if numbers else 0
    return side * (1.5 * COLUMNS + 0.5) + margin, side * sqrt(3) * (ROWS + 0.5) + margin


def draw_board_picture(
    cells: str, name: str, x: float, y: float, side: float, *, letters: bool, numbers: bool, live: bool
) -> str:
    margin = _MARGIN * side if numbers else 0
    parts = [f'<g id="{name}" class="hexes" data-rows="{ROWS}" data-columns="{COLUMNS}">']
    if numbers:
        parts.append(_draw_numbers(x, y, side))
    left, top = x + margin, y + margin
    for row in range(ROWS):
        parts.append(
            _draw_row(
                row + 1, cells[row * COLUMNS : (row + 1) * COLUMNS], name, left, top, side, letters, live
            )
        )
    parts.append("</g>")
    return "".join(parts)


@lru_cache(2048)  # a board is drawn again with every step, and few of its rows differ …
def _draw_row(
    row: int, cells: str, name: str, left: float, top: float, side: float, letters: bool, live: bool
) -> str:
    digits = enumerate(map(int, cells), 1)
    return "".join(
        _draw_tile(name, (row, column), digit, left, top, side, letters, live) for column, digit in digits
    )


@lru_cache(16384)  # … and few of their tiles
def _draw_tile(
    name: str, tile: Tile, digit: int, left: float, top: float, side: float, letters: bool, live: bool
) -> str:
    row, column = tile
    across, down = picture_tile_centre(tile, side)
    across, down, tall = across + left, down + top, side * sqrt(3) / 2
    corners = " ".join(
        f"{round(across + a * side, 1):g},{round(down + b * tall, 1):g}"
        for a, b in ((-1, 0), (-0.5, -1), (0.5, -1), (1, 0), (0.5, 1), (-0.5, 1))
    )
    letter = ""
    if letters and (digit or live):
        sign = LETTERS[digit] if digit else BLANK
        letter = text_at(sign, across, down + side * 0.3, side * 0.85, fill=INKS[digit], anchor="middle")
    colour = f' data-colour="{digit}"' if live else ""
    return (
        f'<g id="{name}-{row}-{column}" data-tile="{row},{column}"{colour}>'
        f'<polygon points="{corners}" fill="{FILLS[digit]}" stroke="{EDGES[digit]}"/>{letter}</g>'
    )


@lru_cache(64)
def _draw_numbers(x: float, y: float, side: float) -> str:
    """Number the columns along the top and the rows down the left."""
    margin, size, grey = _MARGIN * side, side * 0.8, "#5b6673"
    parts = []
    for column in range(1, COLUMNS + 1):
        across, down = picture_tile_centre((1, column), side)
        top = y + margin + down - side * 1.15
        parts.append(text_at(str(column), x + margin + across, top, size, fill=grey, anchor="middle"))
    for row in range(1, ROWS + 1):
        down = y + margin + picture_tile_centre((row, 1), side)[1] + side * 0.3
        parts.append(text_at(str(row), x + margin - side * 0.35, down, size, fill=grey, anchor="end"))
    return "".join(parts)
