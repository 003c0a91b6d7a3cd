"""Sets of cells that the rule giver can name in one phrase: lines, products of rows and columns, frames,
diagonals, corners, checkerboards, triangles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import combinations

from msgspec import Struct

from groundling.boards.letter_grid import Cell

Mask = int
"""A set of cells, one bit each, row by row from the top left."""


class GridStroke(Struct, frozen=True):
    mask: Mask
    phrase: str
    whole: bool
    """Whether it is whole lines or a shape, said with "fill … with X"; otherwise "put X in …"."""

    @property
    def is_simple(self) -> bool:
        """Whether it can be joined to another by "and" without being misread."""
        return self.whole and not any(word in self.phrase for word in (" from ", " of ", "checkerboard"))

    @property
    def phrase_cost(self) -> int:
        """The characters of the phrase and its share of the instruction around it."""
        return len(self.phrase) + (2 if not self.whole else 8 if self.is_simple else 12)


def grid_stroke_mask(cells: Iterable[Cell], size: int) -> Mask:
    return sum(1 << ((r - 1) * size + c - 1) for r, c in set(cells))


def useful_strokes(allowed: Mask, needed: Mask, size: int) -> list[GridStroke]:
    """List the strokes within allowed cells that cover a needed one; only the cheapest of equal ones."""
    best: dict[Mask, GridStroke] = {}
    inside = [stroke for stroke in _fixed_strokes(size) if not stroke.mask & ~allowed]
    for stroke in (*inside, *_product_strokes(allowed, needed, size)):
        covered = stroke.mask & needed
        if not covered:
            continue
        known = best.get(covered)
        if known is None or (stroke.phrase_cost, stroke.phrase) < (known.phrase_cost, known.phrase):
            best[covered] = stroke
    return sorted(
        best.values(),
        key=lambda stroke: (stroke.phrase_cost / (stroke.mask & needed).bit_count(), stroke.phrase),
    )


@cache
def ground_strokes(size: int) -> tuple[GridStroke, ...]:
    """The strokes that can be painted first for any picture: every shape, block and run of lines."""
    full = (1 << size * size) - 1
    return (*_fixed_strokes(size), *_product_strokes(full, full, size))


@cache
def _fixed_strokes(size: int) -> tuple[GridStroke, ...]:
    return (*_shape_strokes(size), *_frame_strokes(size), *_diagonal_strokes(size))


def _shape_strokes(size: int) -> Iterator[GridStroke]:
    span = range(1, size + 1)
    every = [(r, c) for r in span for c in span]
    falling, rising = [(i, i) for i in span], [(size + 1 - i, i) for i in span]
    named = {
        "the grid": every,
        "the border": [(r, c) for r, c in every if {r, c} & {1, size}],
        "the main diagonal": falling,
        "the anti-diagonal": rising,
        "both diagonals": falling + rising,
        "the corners": [(1, 1), (1, size), (size, 1), (size, size)],
        "the upper left triangle": [(r, c) for r, c in every if r + c <= size + 1],
        "the upper right triangle": [(r, c) for r, c in every if r <= c],
        "the lower left triangle": [(r, c) for r, c in every if r >= c],
        "the lower right triangle": [(r, c) for r, c in every if r + c >= size + 1],
        "a checkerboard": [(r, c) for r, c in every if (r + c) % 2 == 0],
        "a checkerboard from row 1, column 2": [(r, c) for r, c in every if (r + c) % 2],
    }
    for phrase, cells in named.items():
        yield GridStroke(grid_stroke_mask(cells, size), phrase, True)


def _frame_strokes(size: int) -> Iterator[GridStroke]:
    spans = [(a, b) for a in range(1, size + 1) for b in range(a + 2, size + 1)]
    for top, bottom in spans:
        for left, right in spans:
            cells = [(r, c) for r in (top, bottom) for c in range(left, right + 1)]
            cells += [(r, c) for c in (left, right) for r in range(top, bottom + 1)]
            rows, columns = _list_numbers(range(top, bottom + 1)), _list_numbers(range(left, right + 1))
            where = f"rows {rows}, columns {columns}"
            yield GridStroke(grid_stroke_mask(cells, size), f"the border of {where}", True)


def _diagonal_strokes(size: int) -> Iterator[GridStroke]:
    """Yield the segments of diagonals."""
    for r, c in ((r, c) for r in range(1, size + 1) for c in range(1, size + 1)):
        for step in (1, -1):
            for length in range(3, size + 1):
                cells = [(r + i, c + step * i) for i in range(length)]
                row, column = cells[-1]
                if row <= size and 1 <= column <= size:
                    yield GridStroke(
                        grid_stroke_mask(cells, size),
                        f"the diagonal from ({r},{c}) to ({row},{column})",
                        True,
                    )


def _product_strokes(allowed: Mask, needed: Mask, size: int) -> Iterator[GridStroke]:
    """Yield products of some rows and some columns, from one cell to the whole grid."""
    seen: set[tuple[int, int]] = set()
    for turned in (False, True):
        free, wanted = (_line_masks(mask, size, turned) for mask in (allowed, needed))
        sets = {line for line in free if line} | {line for line in wanted if line}
        sets |= {one & two for one, two in combinations(sorted(sets), 2) if one & two}
        sets |= {(1 << b) - (1 << a) for a in range(size) for b in range(a + 1, size + 1)}
        for across in sorted(sets):
            fitting = [i for i in range(size) if not across & ~free[i]]
            for lines in _line_choices(fitting, [i for i in fitting if across & wanted[i]]):
                down = sum(1 << i for i in lines)
                rows, columns = (across, down) if turned else (down, across)
                if down and (rows, columns) not in seen:
                    seen.add((rows, columns))
                    yield _make_product_stroke(rows, columns, size)


def _line_choices(fitting: list[int], useful: list[int]) -> Iterator[list[int]]:
    """Yield choices of fitting lines: all, the useful ones, each run of neighbours, each useful one."""
    yield fitting
    yield useful
    run: list[int] = []
    for i in [*fitting, -9]:
        if run and i != run[-1] + 1:
            yield run
            run = []
        run = [*run, i]
    yield from ([i] for i in useful)


def _line_masks(mask: Mask, size: int, turned: bool) -> list[int]:
    rows = [(mask >> (i * size)) & ((1 << size) - 1) for i in range(size)]
    return [sum(((row >> i) & 1) << j for j, row in enumerate(rows)) for i in range(size)] if turned else rows


@lru_cache(1 << 15)
def _make_product_stroke(rows: int, columns: int, size: int) -> GridStroke:
    full = (1 << size) - 1
    mask = sum(columns << (i * size) for i in range(size) if rows >> i & 1)
    if columns == full:
        return GridStroke(mask, _name_lines("row", rows, size), True)
    if rows == full:
        return GridStroke(mask, _name_lines("column", columns, size), True)
    return GridStroke(
        mask, f"{_name_lines('row', rows, size, False)}, {_name_lines('column', columns, size, False)}", False
    )


def _name_lines(noun: str, lines: int, size: int, parity: bool = True) -> str:
    at = [i for i in range(1, size + 1) if lines >> (i - 1) & 1]
    if parity and len(at) > 2 and at in (list(range(start, size + 1, 2)) for start in (1, 2)):
        return f"the {'odd' if at[0] == 1 else 'even'} {noun}s"
    return f"{noun}{'s' * (len(at) > 1)} {_list_numbers(at)}"


def _list_numbers(numbers: Iterable[int]) -> str:
    """Write "1, 3 and 5", "2-4", "1, 2 and 4-6"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [part for run in runs for part in ([f"{run[0]}-{run[-1]}"] if len(run) > 2 else map(str, run))]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
