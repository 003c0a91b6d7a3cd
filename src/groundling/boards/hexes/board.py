"""A painted board: 180 tiles, each of one of eight colours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property

from msgspec import Struct

from groundling.boards.hexes.board_picture import draw_board_picture
from groundling.boards.hexes.board_text import list_painted_text, parse_board_text, write_board_text
from groundling.boards.hexes.lattice import COLUMNS, ROWS, TILES, Tile, check_lattice_tile

COLOURS = ("white", "black", "yellow", "green", "red", "blue", "purple", "orange")
"""The index of a colour is its digit. White is an unpainted tile."""

SIZE = ROWS * COLUMNS
_DIGITS = re.compile(f"[0-{len(COLOURS) - 1}]{{{SIZE}}}")
_KNOWN = frozenset(str(number) for number in range(len(COLOURS)))
_MEANING = "the digits of a board are " + ", ".join(f"{number} {name}" for number, name in enumerate(COLOURS))
_PLACE = {tile: number for number, tile in enumerate(TILES)}


def board_colour_number(colour: str) -> int:
    if colour not in COLOURS:
        raise ValueError(f"there is no colour {colour!r}: choose from {', '.join(COLOURS)}")
    return COLOURS.index(colour)


class Board(Struct, frozen=True, dict=True):
    cells: str
    """One digit per tile, row by row."""

    def __post_init__(self) -> None:
        if not _DIGITS.fullmatch(self.cells):
            Board.from_digits(self.cells)  # raises with the reason

    @classmethod
    def from_digits(cls, digits: str | Sequence[int | str]) -> Board:
        """Make a board from 180 digits 0 to 7, row by row, as in the published data."""
        cells = [str(digit) for digit in digits]
        if len(cells) != SIZE:
            raise ValueError(f"a board has {SIZE} digits, not {len(cells)}")
        for cell in cells:
            if cell not in _KNOWN:
                raise ValueError(f"{cell!r} is no colour: {_MEANING}")
        return cls("".join(cells))

    @classmethod
    @cache
    def empty(cls) -> Board:
        return cls("0" * SIZE)

    @classmethod
    def from_tiles(cls, tiles: Mapping[Tile, str]) -> Board:
        """Make a board with these tiles painted."""
        return cls.empty().with_tiles(tiles)

    @classmethod
    def parse(cls, text: str) -> Board:
        """Read what `text` writes; the heading, the row numbers and the note may be missing."""
        return cls("".join(parse_board_text(text)))

    def to_digits(self) -> str:
        return self.cells

    def colour_at(self, tile: Tile) -> str:
        return COLOURS[int(self.cells[_PLACE[check_lattice_tile(tile)]])]

    @cached_property
    def _painted_tiles(self) -> dict[Tile, str]:
        return {
            tile: COLOURS[int(digit)] for tile, digit in zip(TILES, self.cells, strict=True) if digit != "0"
        }

    def painted_tiles(self) -> dict[Tile, str]:
        """The colours of all tiles that are not white, row by row."""
        return dict(self._painted_tiles)

    @property
    def painted_count(self) -> int:
        """The number of tiles that are not white."""
        return SIZE - self.cells.count("0")

    def paint_tile(self, tile: Tile, colour: str) -> Board:
        """Return the board with one tile painted; white erases."""
        return self.with_tiles({tile: colour})

    def with_tiles(self, tiles: Mapping[Tile, str]) -> Board:
        """Return the board with these tiles painted over."""
        cells = list(self.cells)
        for tile, colour in tiles.items():
            cells[_PLACE[check_lattice_tile(tile)]] = str(board_colour_number(colour))
        return Board("".join(cells))

    def changes_to(self, other: Board) -> dict[Tile, str]:
        """The tiles to paint on this board to turn it into the other."""
        return {
            tile: COLOURS[int(new)]
            for tile, old, new in zip(TILES, self.cells, other.cells, strict=True)
            if old != new
        }

    def text(self, *, note: bool = True) -> str:
        """Ten rows of eighteen letters under their numbers, and a note on how the columns lie."""
        return write_board_text(self.cells, note=note)

    def to_listing(self) -> str:
        """The painted tiles in words, one line per row."""
        return list_painted_text(self.cells, COLOURS)

    def svg(
        self,
        name: str,
        x: float = 0,
        y: float = 0,
        side: float = 14,
        *,
        letters: bool = True,
        numbers: bool = False,
        live: bool = False,
    ) -> str:
        """Draw the tiles as an SVG group, each with an id made from `name` and its place in `data-tile`. With
        `letters` each colour bears its letter, with `numbers` rows and columns are numbered. With `live` all
        tiles, white ones too, consist of the same nodes and have their digit in `data-colour`, so that a
        page can repaint them before the server answers."""
        return draw_board_picture(self.cells, name, x, y, side, letters=letters, numbers=numbers, live=live)


def union_boards(boards: Iterable[Board]) -> Board:
    """Combine the painted tiles of several boards; later ones lie on top."""
    tiles: dict[Tile, str] = {}
    for board in boards:
        tiles |= board.painted_tiles()
    return Board.from_tiles(tiles)
