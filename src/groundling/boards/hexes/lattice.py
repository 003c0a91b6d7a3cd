"""Tiles of the hexagon board and the geometry of the lattice they lie in.

Tiles are flat-topped and named by row and column, counted from 1 at the top left; even columns sit half a
tile lower than odd ones. Functions that build shapes also return tiles off the board, since a shape may lie
partly outside; `clip_tiles` removes those."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache

ROWS, COLUMNS = 10, 18

Tile = tuple[int, int]
"""Row and column, counted from 1 at the top left."""
Axial = tuple[int, int]
"""Coordinates along two lattice directions, in which every step of a heading is the same sum."""

HEADINGS = ("up", "up-right", "down-right", "down", "down-left", "up-left")
"""The six directions out of a tile, clockwise."""
_STEPS: tuple[Axial, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
_NUMBER = {heading: number for number, heading in enumerate(HEADINGS)}

TILES: tuple[Tile, ...] = tuple(
    (row, column) for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1)
)
"""All tiles, row by row: the order of the digits of a board."""


def is_on_lattice(tile: Tile) -> bool:
    row, column = tile
    return 1 <= row <= ROWS and 1 <= column <= COLUMNS


def check_lattice_tile(tile: Tile) -> Tile:
    """Return the tile, or raise ValueError if it is off the board."""
    if not is_on_lattice(tile):
        raise ValueError(
            f"row {tile[0]}, column {tile[1]} is off the board: rows are 1 to {ROWS}, columns 1 to {COLUMNS}"
        )
    return tile


def clip_lattice_tiles(tiles: Iterable[Tile]) -> list[Tile]:
    """Return the tiles that are on the board, in order."""
    return [tile for tile in tiles if is_on_lattice(tile)]


def to_axial(tile: Tile) -> Axial:
    row, column = tile
    return column - 1, row - 1 - (column - 1) // 2


def from_axial(place: Axial) -> Tile:
    q, p = place
    return p + q // 2 + 1, q + 1


def to_cube(tile: Tile) -> tuple[int, int, int]:
    """Convert to three coordinates whose sum is 0; each is constant along one of the three straight lines."""
    q, p = to_axial(tile)
    return q, p, -q - p


def from_cube(place: tuple[int, int, int]) -> Tile:
    q, p, s = place
    if q + p + s:
        raise ValueError(f"cube coordinates sum to 0, these to {q + p + s}: {place}")
    return from_axial((q, p))


def lattice_heading_number(heading: str) -> int:
    """The index of a heading: 0 for up, then clockwise."""
    try:
        return _NUMBER[heading]
    except KeyError:
        raise ValueError(f"there is no heading {heading!r}: choose from {', '.join(HEADINGS)}") from None


def turn_lattice_heading(heading: str, sixths: int) -> str:
    """The heading after `sixths` turns of 60° clockwise."""
    return HEADINGS[(lattice_heading_number(heading) + sixths) % 6]


def step_on_lattice(tile: Tile, heading: str, count: int = 1) -> Tile:
    """The tile `count` steps along the heading."""
    (q, p), (dq, dp) = to_axial(tile), _STEPS[lattice_heading_number(heading)]
    return from_axial((q + dq * count, p + dp * count))


@cache
def neighbours(row: int, column: int) -> frozenset[Tile]:
    """The tiles that share a side with this one."""
    tile = check_lattice_tile((row, column))
    return frozenset(clip_lattice_tiles(step_on_lattice(tile, heading) for heading in HEADINGS))


def lattice_distance(a: Tile, b: Tile) -> int:
    """The number of steps between two tiles, even if the path leaves the board."""
    return max(abs(x - y) for x, y in zip(to_cube(a), to_cube(b), strict=True))


def enclosed_tiles(wall: Collection[Tile]) -> list[Tile]:
    """The tiles that a wall cuts off from the edge of the board, column by column."""
    free = set(TILES).difference(wall)
    todo = [tile for tile in free if len(neighbours(*tile)) < len(HEADINGS)]
    while todo:
        tile = todo.pop()
        if tile in free:
            free.remove(tile)
            todo += neighbours(*tile)
    return sorted(free, key=lambda tile: tile[::-1])


def lattice_line(start: Tile, heading: str, length: int) -> list[Tile]:
    return [step_on_lattice(start, heading, count) for count in range(length)]


def lattice_ray(start: Tile, heading: str) -> list[Tile]:
    """The tiles from a tile on the board straight to the edge."""
    tiles = [check_lattice_tile(start)]
    while is_on_lattice(ahead := step_on_lattice(tiles[-1], heading)):
        tiles.append(ahead)
    return tiles


def lattice_line_between(a: Tile, b: Tile) -> list[Tile]:
    """Both ends and the tiles between; ValueError where no straight line joins them."""
    length = lattice_distance(a, b)
    for heading in HEADINGS:
        if step_on_lattice(a, heading, length) == b:
            return lattice_line(a, heading, length + 1)
    raise ValueError(
        f"no straight line of tiles joins row {a[0]}, column {a[1]} and row {b[0]}, column {b[1]}"
    )


def lattice_ring(centre: Tile, radius: int) -> list[Tile]:
    """All tiles at distance `radius`, clockwise from the topmost."""
    if radius == 0:
        return [centre]
    corner, tiles = step_on_lattice(centre, "up", radius), []
    for heading in ("down-right", "down", "down-left", "up-left", "up", "up-right"):
        tiles += lattice_line(corner, heading, radius)
        corner = step_on_lattice(corner, heading, radius)
    return tiles


def lattice_disc(centre: Tile, radius: int) -> list[Tile]:
    """All tiles up to distance `radius`, from the centre outwards."""
    return [tile for r in range(radius + 1) for tile in lattice_ring(centre, r)]


def lattice_triangle(corner: Tile, heading: str, side: int) -> list[Tile]:
    """A full triangle: one side leaves the corner along the heading, another 60° clockwise from it."""
    return [
        tile
        for n in range(side)
        for tile in lattice_line(step_on_lattice(corner, heading, n), turn_lattice_heading(heading, 2), n + 1)
    ]


def lattice_rhombus(corner: Tile, heading: str, side: int, other: int | None = None) -> list[Tile]:
    """A full rhombus or parallelogram, whose sides leave the corner along the heading and 60° clockwise."""
    across = turn_lattice_heading(heading, 1)
    return [
        tile
        for n in range(side if other is None else other)
        for tile in lattice_line(step_on_lattice(corner, across, n), heading, side)
    ]
