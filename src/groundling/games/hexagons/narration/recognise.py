"""Recognition of the shape that a set of tiles forms."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from groundling.boards import hexes
from groundling.boards.hexes import COLUMNS, HEADINGS, ROWS, Tile, step
from groundling.games.hexagons.program.frame import move
from groundling.games.hexagons.program.shapes import (
    Column,
    Disc,
    Flower,
    Line,
    Outline,
    Place,
    Rhombus,
    Ring,
    Row,
    Shape,
    Triangle,
)


def at(tile: Tile) -> Place:
    return Place(tile)


def recognise(tiles: Sequence[Tile]) -> Shape | None:
    """Return a tile, line, column, row, flower, ring, filled hexagon, triangle or horizontal rhombus, or the
    outline of one of the last two. Return None if the tiles form no such shape."""
    found = set(tiles)
    if len(found) == 1:
        return at(tiles[0])
    for shape, its in _candidates(found):
        if its == found:
            return shape
    ordered = list(tiles)
    for order in (ordered, sorted(ordered, key=lambda tile: (tile[1], tile[0]))):
        way = straight(order)
        if way:
            return Line(at(order[0]), way, len(order))
    return None


def straight(tiles: Sequence[Tile], gap: int = 1) -> str | None:
    """Return the heading of tiles in a line with a constant number of steps between them."""
    for way in (*HEADINGS, "right", "left"):
        if all(move(tiles[0], way, n * gap) == tile for n, tile in enumerate(tiles)):
            return way
    return None


def _candidates(found: Collection[Tile]) -> Iterator[tuple[Shape, set[Tile]]]:
    """Return the shapes that these tiles could form, by their number and position."""
    count = len(found)
    left, right = min(column for _, column in found), max(column for _, column in found)
    lefts, rights = ([row for row, column in found if column == side] for side in (left, right))
    first = (min(lefts), left)
    if count == ROWS:
        yield Column(left), {(row, left) for row in range(1, ROWS + 1)}
    if count == COLUMNS:
        yield Row(first[0]), {(first[0], column) for column in range(1, COLUMNS + 1)}
    for radius in range(1, 5):
        centre = step(first, "down-right", radius)
        if count == 6 * radius:
            yield (
                Flower(at(centre)) if radius == 1 else Ring(at(centre), radius),
                set(hexes.ring(centre, radius)),
            )
        if count == 1 + 3 * radius * (radius + 1):
            yield Disc(at(centre), radius), set(hexes.disc(centre, radius))
    for side in range(2, 10):
        tips = [(first, "up-right")] * (len(lefts) == 1) + [((rights[0], right), "down-left")] * (
            len(rights) == 1
        )
        if count in (side * (side + 1) // 2, 3 * (side - 1)):
            for tip, way in tips:
                yield _solid(Triangle(at(tip), way, side), hexes.triangle(tip, way, side), count)
        if count in (side * side, 4 * (side - 1)) and len(lefts) == 1:
            yield _solid(Rhombus(at(first), "up-right", side), hexes.rhombus(first, "up-right", side), count)


def _solid(shape: Triangle | Rhombus, tiles: list[Tile], count: int) -> tuple[Shape, set[Tile]]:
    """Return the shape, or its outline if that has this number of tiles."""
    inside = set(tiles)
    if count == len(inside):
        return shape, inside
    return Outline(shape), {tile for tile in tiles if not inside.issuperset(hexes.ring(tile, 1))}


def lines_of(tiles: Collection[Tile]) -> list[list[Tile]]:
    """Cover the tiles with straight lines that do not cross, longest first."""
    left, lines = set(tiles), []
    while left:
        best = max(
            (
                _longest(tile, way, left)
                for tile in sorted(left)
                for way in ("down", "down-right", "up-right")
            ),
            key=len,
        )
        lines.append(best)
        left -= set(best)
    return lines


def _longest(tile: Tile, way: str, left: set[Tile]) -> list[Tile]:
    line = [tile]
    while (ahead := step(line[-1], way)) in left:
        line.append(ahead)
    return line
