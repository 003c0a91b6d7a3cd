"""Named shapes, drawn at any size, to compare a grid with them."""

from __future__ import annotations

from functools import cache

from groundling.boards.letter_grid import Cell

Cells = frozenset[Cell]

_FONT = """
.###. ####. .#### ####. ##### ##### .#### #...# ##### ..### #...# #.... #...# #...# .###. ####. .###. ####.
#...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #..#. #.... ##.## ##..# #...# #...# #...# #...#
##### ####. #.... #...# ####. ####. #..## ##### ..#.. ...#. ###.. #.... #.#.# #.#.# #...# ####. #.#.# ####.
#...# #...# #.... #...# #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...# #..## #...# #.... #..#. #..#.
#...# ####. .#### ####. ##### #.... .#### #...# ##### .##.. #...# ##### #...# #...# .###. #.... .##.# #...#

.#### ##### #...# #...# #...# #...# #...# ##### .#.#. ##### ..#..
#.... ..#.. #...# #...# #...# .#.#. .#.#. ...#. ##### ....# .###.
.###. ..#.. #...# #...# #.#.# ..#.. ..#.. ..#.. ##### ..##. #.#.#
....# ..#.. #...# .#.#. ##.## .#.#. ..#.. .#... .###. .#... ..#..
####. ..#.. ##### ..#.. #...# #...# ..#.. ##### ..#.. #.... ..#..
"""
_NAMES = ("ABCDEFGHIJKLMNOPQR", ("S", "T", "U", "V", "W", "X", "Y", "Z", "heart", "seven", "arrow"))

SHAPE_WORDS = {
    word: shape
    for shape, words in {
        **{name: name for name in ("plus", "saltire", "square", "heart", "seven", "arrow")},
        "cross": "cross crosses",
        "ring": "ring circle oval",
        "diamond": "diamond rhombus lozenge",
        "stairs": "stairs staircase stairway triangle triangular pyramid",
        "checks": "checkerboard checkered chequered chessboard chess checker",
    }.items()
    for word in words.split()
}


@cache
def shape_templates(name: str, size: int) -> tuple[Cells, ...]:
    """The ways in which a shape can fill a grid of this size; none for an unknown name."""
    span = range(1, size + 1)
    every = [(r, c) for r in span for c in span]
    border = frozenset((r, c) for r, c in every if {r, c} & {1, size})
    falling = frozenset((i, i) for i in span)
    rising = frozenset((size + 1 - i, i) for i in span)
    middles = sorted({(size + 1) // 2, size // 2 + 1})
    pluses = tuple(frozenset((r, c) for r, c in every if r == i or c == j) for i in middles for j in middles)
    corners = {(1, 1), (1, size), (size, 1), (size, size)}
    if name == "plus":
        return pluses
    if name == "saltire":
        return (falling | rising,)
    if name == "diagonal":
        return falling, rising
    if name == "cross":
        return (*pluses, falling | rising)
    if name == "ring":
        return (border - corners, border)
    if name == "square":
        return (border, frozenset(every))
    if name == "diamond":
        inside = [abs(2 * r - size - 1) + abs(2 * c - size - 1) for r, c in every]
        reach = size - 1
        solid = frozenset(cell for cell, far in zip(every, inside, strict=True) if far <= reach)
        return solid, frozenset(
            cell for cell, far in zip(every, inside, strict=True) if reach - 2 < far <= reach
        )
    if name == "stairs":
        lower = frozenset((r, c) for r, c in every if c <= r)
        right = frozenset((r, size + 1 - c) for r, c in lower)
        upside = tuple(frozenset((size + 1 - r, c) for r, c in cells) for cells in (lower, right))
        return lower, right, *upside
    if name == "checks":
        return tuple(frozenset((r, c) for r, c in every if (r + c) % 2 == start) for start in (0, 1))
    bitmap = _letter_bitmaps().get(name)
    if bitmap is None:
        return ()
    drawn = [
        frozenset(
            (r, c)
            for r, c in every
            if bitmap[(r * 2 - 1) * 5 // (size * 2)][(c * 2 - 1) * 5 // (size * 2)] == "#"
        )
    ]
    # An enlarged bitmap has thick strokes, but people draw these letters with thin ones.
    if name == "X":
        drawn = [falling | rising]
    elif name == "N":
        drawn.append(frozenset((r, c) for r, c in every if c in (1, size)) | falling)
    elif name == "Z":
        drawn.append(frozenset((r, c) for r, c in every if r in (1, size)) | rising)
    elif name in "HTLUEFIO":
        drawn.append(_thin_letter(name, size))
    return tuple(drawn)


def _thin_letter(name: str, size: int) -> Cells:
    middle = (size + 1) // 2
    rows = {
        "H": {middle},
        "T": {1},
        "L": {size},
        "U": {size},
        "E": {1, middle, size},
        "F": {1, middle},
        "I": {1, size},
    }
    columns = {"H": {1, size}, "T": {middle}, "L": {1}, "U": {1, size}, "E": {1}, "F": {1}, "I": {middle}}
    across, down = rows.get(name, {1, size}), columns.get(name, {1, size})
    return frozenset(
        (r, c) for r in range(1, size + 1) for c in range(1, size + 1) if r in across or c in down
    )


@cache
def _letter_bitmaps() -> dict[str, tuple[str, ...]]:
    blocks = (
        zip(*(line.split() for line in block.splitlines()), strict=True)
        for block in _FONT.strip().split("\n\n")
    )
    return {
        name: rows
        for names, block in zip(_NAMES, blocks, strict=True)
        for name, rows in zip(names, block, strict=True)
    }


def shape_likeness(cells: Cells, name: str, size: int) -> float:
    """The overlap (intersection over union) of the cells with the best template, from 0 to 1."""
    return max(
        (len(cells & shape) / (len(cells | shape) or 1) for shape in shape_templates(name, size)), default=0.0
    )
