"""Lines, runs, outlines and areas of tiles, and the program shapes that draw them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundling.boards.hexes import (
    COLUMNS,
    HEADINGS,
    ROWS,
    Tile,
    from_axial,
    is_on_lattice,
    lattice_distance,
    lattice_ring,
    neighbours,
    step_on_lattice,
    to_axial,
)
from groundling.games.hexagons.program.shapes import (
    ColumnShape,
    FlowerShape,
    JoinedShape,
    LineShape,
    Shape,
    TileReference,
    TilesShape,
)

ALL_TILES: tuple[Tile, ...] = tuple(
    (row, column) for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1)
)
"""The tiles of the board, column by column."""
MOST_DISTANT = COLUMNS + ROWS
"""A distance that no two tiles exceed."""
TRIANGLE_SIDES = {3: 2, 6: 3, 10: 4, 15: 5, 21: 6, 28: 7}
"""The side of a triangle by its number of tiles."""


def step_along_tiles(tile: Tile, way: str, count: int = 1) -> Tile:
    """Return the tile some steps away; left and right keep the row."""
    if way in ("left", "right"):
        return tile[0], tile[1] + (count if way == "right" else -count)
    return step_on_lattice(tile, way, count)


def straight_tile_line(a: Tile, b: Tile) -> list[Tile]:
    """Return the tiles from one to the other: along a row, or as straight as possible."""
    length = lattice_distance(a, b)
    if length == 0:
        return [a]
    if a[0] == b[0]:
        way = 1 if a[1] < b[1] else -1
        return [(a[0], column) for column in range(a[1], b[1] + way, way)]
    (q, p), (to_q, to_p) = to_axial(a), to_axial(b)
    tiles = []
    for n in range(length + 1):
        x, y = q + (to_q - q) * n / length, p + (to_p - p) * n / length
        # a small offset breaks ties always the same way
        tiles.append(from_axial(_round_axial(x + 1e-6, y + 2e-6)))
    return tiles


def _round_axial(x: float, y: float) -> tuple[int, int]:
    z = -x - y
    rx, ry, rz = round(x), round(y), round(z)
    dx, dy, dz = abs(rx - x), abs(ry - y), abs(rz - z)
    if dx > dy and dx > dz:
        rx = -ry - rz
    elif dy > dz:
        ry = -rx - rz
    return rx, ry


def neighbours_on_board(middle: Tile) -> list[Tile]:
    """Return the neighbours of a tile on the board, clockwise."""
    return [tile for tile in lattice_ring(middle, 1) if is_on_lattice(tile)]


def vertical_tile_runs(tiles: Iterable[Tile]) -> list[list[Tile]]:
    """Return the vertical runs of a set of tiles, column by column, from the top."""
    found: list[list[Tile]] = []
    for row, column in sorted(tiles, key=lambda tile: (tile[1], tile[0])):
        if found and found[-1][-1] == (row - 1, column):
            found[-1].append((row, column))
        else:
            found.append([(row, column)])
    return found


def tile_run_ends(tiles: Iterable[Tile], way: str, *, outermost: bool = False) -> list[Tile]:
    """Return the upper or lower ends of all vertical runs, or only the outermost end in each column."""
    ends = [run[0] if way == "up" else run[-1] for run in vertical_tile_runs(tiles)]
    if not outermost:
        return ends
    return list({end[1]: end for end in (reversed(ends) if way == "up" else ends)}.values())


def enclosed_tiles(wall: set[Tile]) -> list[Tile]:
    """Return the tiles inside a closed outline."""
    todo = [tile for tile in ALL_TILES if tile not in wall and len(neighbours(*tile)) < len(HEADINGS)]
    outside = set(todo)
    while todo:
        for near in neighbours(*todo.pop()):
            if near not in wall and near not in outside:
                outside.add(near)
                todo.append(near)
    return [tile for tile in ALL_TILES if tile not in wall and tile not in outside]


def inner_tile_rim(wall: set[Tile]) -> list[Tile]:
    """Return the tiles just inside an outline."""
    return [tile for tile in enclosed_tiles(wall) if any(near in wall for near in neighbours(*tile))]


def upright_tile_triangle(top: Tile, side: int, pointing: str) -> list[Tile]:
    """Return a triangle whose vertical side starts at a tile, pointing left or right, column by column."""
    heads = [step_on_lattice(top, f"down-{pointing}", n) for n in range(side)]
    return [step_on_lattice(head, "down", k) for n, head in enumerate(heads) for k in range(side - n)]


def outline_tiles(tiles: list[Tile]) -> list[Tile]:
    """Return the tiles with a neighbour outside."""
    inside = set(tiles)
    return [
        tile for tile in tiles if any(step_on_lattice(tile, heading) not in inside for heading in HEADINGS)
    ]


def tiles_to_shape(tiles: Sequence[Tile]) -> Shape:
    """Return a short shape for these tiles."""
    if len(tiles) == 1:
        return TileReference(tiles[0])
    if (centre := _flower_centre(tiles)) is not None:
        return FlowerShape(TileReference(centre))
    parts: list[Shape] = []
    loose: list[TileReference] = []
    for line in _straight_runs(tiles):
        if len(line) < 3:
            loose += [TileReference(tile) for tile in line]
        elif len(line) == ROWS and line[0][1] == line[1][1]:
            parts.append(ColumnShape(line[0][1]))
        else:
            parts.append(
                LineShape(TileReference(line[0]), tile_heading_between(line[0], line[1]) or "down", len(line))
            )
    if loose:
        parts.append(loose[0] if len(loose) == 1 else TilesShape(tuple(loose)))
    return parts[0] if len(parts) == 1 else JoinedShape(tuple(parts))


def _flower_centre(tiles: Sequence[Tile]) -> Tile | None:
    if len(tiles) != 6:
        return None
    common = frozenset.intersection(*(neighbours(*tile) for tile in tiles))
    return next((tile for tile in common if set(lattice_ring(tile, 1)) == set(tiles)), None)


def tile_heading_between(a: Tile, b: Tile) -> str | None:
    """Return the heading from a tile to its neighbour, or None if they do not touch."""
    return next((heading for heading in HEADINGS if step_on_lattice(a, heading) == b), None)


def _straight_runs(tiles: Sequence[Tile]) -> list[list[Tile]]:
    """Cut the tiles into straight runs, in order."""
    lines: list[list[Tile]] = []
    way: str | None = None
    for tile in tiles:
        heading = tile_heading_between(lines[-1][-1], tile) if lines else None
        if lines and heading is not None and (len(lines[-1]) == 1 or heading == way):
            lines[-1].append(tile)
            way = heading
        else:
            lines.append([tile])
            way = None
    return lines
