"""Recognition of the shape that a set of tiles forms."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from groundling.boards import hexes
from groundling.boards.hexes import COLUMNS, HEADINGS, ROWS, Tile, step_on_lattice
from groundling.games.hexagons.program.frame import move_frame_tile
from groundling.games.hexagons.program.shapes import (
    ColumnShape,
    DiscShape,
    FlowerShape,
    LineShape,
    OutlineShape,
    RhombusShape,
    RingShape,
    RowShape,
    Shape,
    TileReference,
    TriangleShape,
)


def recognised_tile(tile: Tile) -> TileReference:
    return TileReference(tile)


def recognise_shape(tiles: Sequence[Tile]) -> Shape | None:
    """Return a tile, line, column, row, flower, ring, filled hexagon, triangle or horizontal rhombus, or the
    outline of one of the last two. Return None if the tiles form no such shape."""
    found = set(tiles)
    if len(found) == 1:
        return recognised_tile(tiles[0])
    for shape, its in _candidate_shapes(found):
        if its == found:
            return shape
    ordered = list(tiles)
    for order in (ordered, sorted(ordered, key=lambda tile: (tile[1], tile[0]))):
        way = recognise_line_heading(order)
        if way:
            return LineShape(recognised_tile(order[0]), way, len(order))
    return None


def recognise_line_heading(tiles: Sequence[Tile], gap: int = 1) -> str | None:
    """Return the heading of tiles in a line with a constant number of steps between them."""
    for way in (*HEADINGS, "right", "left"):
        if all(move_frame_tile(tiles[0], way, n * gap) == tile for n, tile in enumerate(tiles)):
            return way
    return None


def _candidate_shapes(found: Collection[Tile]) -> Iterator[tuple[Shape, set[Tile]]]:
    """Return the shapes that these tiles could form, by their number and position."""
    count = len(found)
    left, right = min(column for _, column in found), max(column for _, column in found)
    lefts, rights = ([row for row, column in found if column == side] for side in (left, right))
    first = (min(lefts), left)
    if count == ROWS:
        yield ColumnShape(left), {(row, left) for row in range(1, ROWS + 1)}
    if count == COLUMNS:
        yield RowShape(first[0]), {(first[0], column) for column in range(1, COLUMNS + 1)}
    for radius in range(1, 5):
        centre = step_on_lattice(first, "down-right", radius)
        if count == 6 * radius:
            yield (
                FlowerShape(recognised_tile(centre))
                if radius == 1
                else RingShape(recognised_tile(centre), radius),
                set(hexes.lattice_ring(centre, radius)),
            )
        if count == 1 + 3 * radius * (radius + 1):
            yield DiscShape(recognised_tile(centre), radius), set(hexes.lattice_disc(centre, radius))
    for side in range(2, 10):
        tips = [(first, "up-right")] * (len(lefts) == 1) + [((rights[0], right), "down-left")] * (
            len(rights) == 1
        )
        if count in (side * (side + 1) // 2, 3 * (side - 1)):
            for tip, way in tips:
                yield _solid_or_outline(
                    TriangleShape(recognised_tile(tip), way, side),
                    hexes.lattice_triangle(tip, way, side),
                    count,
                )
        if count in (side * side, 4 * (side - 1)) and len(lefts) == 1:
            yield _solid_or_outline(
                RhombusShape(recognised_tile(first), "up-right", side),
                hexes.lattice_rhombus(first, "up-right", side),
                count,
            )


def _solid_or_outline(
    shape: TriangleShape | RhombusShape, tiles: list[Tile], count: int
) -> tuple[Shape, set[Tile]]:
    """Return the shape, or its outline if that has this number of tiles."""
    inside = set(tiles)
    if count == len(inside):
        return shape, inside
    return OutlineShape(shape), {tile for tile in tiles if not inside.issuperset(hexes.lattice_ring(tile, 1))}


def recognise_line_cover(tiles: Collection[Tile]) -> list[list[Tile]]:
    """Cover the tiles with straight lines that do not cross, longest first."""
    left, lines = set(tiles), []
    while left:
        best = max(
            (
                _longest_line(tile, way, left)
                for tile in sorted(left)
                for way in ("down", "down-right", "up-right")
            ),
            key=len,
        )
        lines.append(best)
        left -= set(best)
    return lines


def _longest_line(tile: Tile, way: str, left: set[Tile]) -> list[Tile]:
    line = [tile]
    while (ahead := step_on_lattice(line[-1], way)) in left:
        line.append(ahead)
    return line
