"""Claims about a grid. The degree of truth of a claim goes from 0.0, false, to 1.0, true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from groundling.boards.english import named_shapes
from groundling.boards.letter_grid import Cell, Grid

LineAxis: TypeAlias = Literal["row", "column"]
_ALMOST = 0.6  # the most that a claim counts that is true of some of its cells only


class FilledClaim(Struct, frozen=True):
    """These cells are all filled, with the letter if one is given, or all empty."""

    cells: frozenset[Cell]
    filled: bool
    letter: str | None = None
    weight: float = 1.0

    def truth_degree(self, grid: Grid, lineup: Sequence[Grid]) -> float:
        if not self.cells:
            return 0.0
        held = grid.letters_by_cell
        if not self.filled:
            right = sum(
                held.get(cell) != self.letter if self.letter else cell not in held for cell in self.cells
            )
        else:
            right = sum(held.get(cell) == self.letter if self.letter else cell in held for cell in self.cells)
        return 1.0 if right == len(self.cells) else _ALMOST * right / len(self.cells)


class CountClaim(Struct, frozen=True):
    """Between `low` and `high` of these cells are filled, or empty."""

    cells: frozenset[Cell]
    low: int
    high: int
    filled: bool = True
    letter: str | None = None
    weight: float = 1.0

    def truth_degree(self, grid: Grid, lineup: Sequence[Grid]) -> float:
        count = sum(
            grid.letters_by_cell.get(cell) == self.letter if self.letter else cell in grid.letters_by_cell
            for cell in self.cells
        )
        if not self.filled:
            count = len(self.cells) - count
        off = max(self.low - count, count - self.high, 0)
        return _ALMOST / (1 + off) if off else 1.0


class LineCountClaim(Struct, frozen=True):
    """Exactly `count` rows or columns are full, or empty."""

    axis: LineAxis
    count: int
    filled: bool
    weight: float = 1.0

    def truth_degree(self, grid: Grid, lineup: Sequence[Grid]) -> float:
        lines = grid.rows if self.axis == "row" else tuple(map("".join, zip(*grid.rows, strict=True)))
        off = abs(self.count - sum("." not in line if self.filled else set(line) == {"."} for line in lines))
        return _ALMOST / (1 + off) if off else 1.0


class DrawnRowClaim(Struct, frozen=True):
    """Some row, it is not known which, looks like this."""

    cells: tuple[str, ...]
    weight: float = 1.0

    def truth_degree(self, grid: Grid, lineup: Sequence[Grid]) -> float:
        return float("".join(self.cells) in grid.rows)


class ShapeClaim(Struct, frozen=True):
    """The grid looks like a shape, to a degree."""

    shape: str
    weight: float = 1.0

    def truth_degree(self, grid: Grid, lineup: Sequence[Grid]) -> float:
        return named_shapes.shape_likeness(frozenset(grid.letters_by_cell), self.shape, grid.size)


class SymmetryClaim(Struct, frozen=True):
    """The grid equals its mirror image: left to right ("column"), top to bottom ("row"), or either."""

    axis: LineAxis | None = None
    holds: bool = True
    weight: float = 1.0

    def truth_degree(self, grid: Grid, lineup: Sequence[Grid]) -> float:
        across = all(row == row[::-1] for row in grid.rows)
        down = grid.rows == grid.rows[::-1]
        found = {"column": across, "row": down, None: across or down}[self.axis]
        return float(found == self.holds)


class ExtremeClaim(Struct, frozen=True):
    """The grid has the most letters of the lineup, or the fewest."""

    most: bool
    weight: float = 1.0

    def truth_degree(self, grid: Grid, lineup: Sequence[Grid]) -> float:
        counts = [len(other.letters_by_cell) for other in lineup]
        return float(len(grid.letters_by_cell) == (max(counts) if self.most else min(counts)))


Claim: TypeAlias = (
    FilledClaim | CountClaim | LineCountClaim | DrawnRowClaim | ShapeClaim | SymmetryClaim | ExtremeClaim
)
