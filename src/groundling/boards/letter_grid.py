"""A square grid of cells, each empty or holding a capital letter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property

from msgspec import Struct

from groundling.boards.picture import text_at

EMPTY = "▢"
_EMPTIES = "▢□."
_NOTHING = str.maketrans("./", "!!")
_LINE = re.compile(rf"[A-Z{_EMPTIES}](?: ?[A-Z{_EMPTIES}])*")
_SIZES = {n * (n + 1) - 1: n for n in range(1, 27)}
"""The size of a grid by the length of its `cells` string."""

Cell = tuple[int, int]
"""Row and column, counted from 1 at the top left."""


@cache
def _square(length: int) -> re.Pattern[str]:
    """Return what matches `cells` strings of this length; nothing where it is not the length of a square."""
    n = _SIZES.get(length)
    return re.compile(rf"[A-Z.]{{{n}}}(?:/[A-Z.]{{{n}}}){{{n - 1}}}" if n else r"(?!)")


class Grid(Struct, frozen=True, dict=True):
    cells: str
    """The rows from the top, separated by `/`, with `.` for an empty cell."""

    def __post_init__(self) -> None:
        if not _square(len(self.cells)).fullmatch(self.cells):
            raise ValueError(
                "a grid has as many rows as columns (1 to 26), of capital letters and '.', separated by '/': "
                f"{self.cells}"
            )

    @classmethod
    def from_rows(cls, rows: Iterable[str]) -> Grid:
        return cls("/".join(rows))

    @classmethod
    def parse(cls, text: str) -> Grid:
        """Read rows of cells, with or without blanks between; empty cells may be ▢, □ or a full stop."""
        lines = [line.strip() for line in text.strip().splitlines()]
        for number, line in enumerate(lines, 1):
            if not _LINE.fullmatch(line):
                raise ValueError(f"row {number} is not a row of capital letters and {EMPTY}: {line!r}")
        return cls.from_rows(re.sub(f"[{_EMPTIES}]", ".", line.replace(" ", "")) for line in lines)

    @classmethod
    def from_cells(cls, size: int, cells: Iterable[Cell], letter: str) -> Grid:
        """Make a grid that has the letter in these cells."""
        filled = set(cells)
        span = range(1, size + 1)
        return cls.from_rows("".join(letter if (r, c) in filled else "." for c in span) for r in span)

    @classmethod
    @cache
    def empty(cls, size: int) -> Grid:
        return cls.from_cells(size, (), ".")

    @cached_property
    def rows(self) -> tuple[str, ...]:
        return tuple(self.cells.split("/"))

    def text(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        return " ".join(self.cells).replace(" / ", "\n").replace(".", EMPTY)

    @property
    def size(self) -> int:
        return _SIZES[len(self.cells)]

    @cached_property
    def letters_by_cell(self) -> dict[Cell, str]:
        """The letters by cell, row by row."""
        return {
            (r, c): letter
            for r, row in enumerate(self.rows, 1)
            for c, letter in enumerate(row, 1)
            if letter != "."
        }

    @cached_property
    def letter_numbers(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each row: 0 if empty, else the number of the letter from 1 to 26."""
        return tuple(tuple(0 if cell == "." else ord(cell) - 64 for cell in row) for row in self.rows)

    def iter_cells(self) -> Iterator[Cell]:
        span = range(1, self.size + 1)
        return ((r, c) for r in span for c in span)

    @property
    def filled_count(self) -> int:
        return len(self.cells) - self.cells.count(".") - self.cells.count("/")

    @cached_property
    def _comparable_cells(self) -> str:
        """The cells, with a character that no grid holds in place of `.` and `/`."""
        return self.cells.translate(_NOTHING)

    def count_matching(self, other: Grid) -> int:
        """Count the cells that hold the same letter in both grids."""
        return _count_equal_places(self._comparable_cells, other.cells)

    def with_cell(self, cell: Cell, letter: str) -> Grid:
        """Return the grid with one cell changed; `.` empties it."""
        r, c = cell
        row = self.rows[r - 1]
        return Grid.from_rows([*self.rows[: r - 1], row[: c - 1] + letter + row[c:], *self.rows[r:]])

    def count_differing(self, other: Grid) -> int:
        """Count the cells in which two grids of one size differ."""
        return 0 if other is self else len(self.cells) - _count_equal_places(self.cells, other.cells)

    def svg(self, name: str, x: float = 0, y: float = 0, cell: float = 24) -> str:
        """Draw the cells as an SVG group, each with an id made from `name` and its place in `data-cell`."""
        parts = [f'<g id="{name}" class="grid" data-size="{self.size}">']
        for r, c in self.iter_cells():
            letter = self.letters_by_cell.get((r, c))
            left, top = x + (c - 1) * cell, y + (r - 1) * cell
            paint = 'fill="#1f4e79" stroke="#163a5a"' if letter else 'fill="#ffffff" stroke="#b8c0c8"'
            parts.append(
                f'<g id="{name}-{r}-{c}" data-cell="{r},{c}"><rect x="{left:g}" y="{top:g}" width="{cell:g}" '
                f'height="{cell:g}" {paint}/>'
            )
            if letter:
                parts.append(
                    text_at(
                        letter,
                        left + cell / 2,
                        top + cell * 0.72,
                        cell * 0.62,
                        fill="#ffffff",
                        anchor="middle",
                    )
                )
            parts.append("</g>")
        return "".join(parts) + "</g>"


def _count_equal_places(one: str, other: str) -> int:
    """Count the places in which two ASCII texts of one length agree, comparing them as two integers."""
    differing = int.from_bytes(one.encode()) ^ int.from_bytes(other.encode())
    return differing.to_bytes(len(one)).count(0)
