"""Straight lines: from a place in a direction, or from one place to another."""

from __future__ import annotations

from .....boards.hexes import COLUMNS, HEADINGS, ROWS, Tile, distance, from_axial, on_board, step, to_axial
from .resolve import resolve
from .scene import Scene
from .target import Target


def straight(a: Tile, b: Tile) -> list[Tile]:
    """The tiles from one to the other, as straight as can be."""
    length = distance(a, b)
    if length == 0:
        return [a]
    (q, p), (to_q, to_p) = to_axial(a), to_axial(b)
    tiles = []
    for n in range(length + 1):
        x, y = q + (to_q - q) * n / length, p + (to_p - p) * n / length
        tiles.append(from_axial(_rounded(x + 1e-6, y + 2e-6)))
    return tiles


def _rounded(x: float, y: float) -> tuple[int, int]:
    z = -x - y
    rx, ry, rz = round(x), round(y), round(z)
    dx, dy, dz = abs(rx - x), abs(ry - y), abs(rz - z)
    if dx > dy and dx > dz:
        rx = -ry - rz
    elif dy > dz:
        ry = -rx - rz
    return rx, ry


def headings_of(name: str | None, start: Tile, scene: Scene) -> list[str]:
    """The lattice headings that a direction in words may mean, from this tile."""
    if name in HEADINGS:
        return [name]
    row, column = start
    if name in ("diagonal-up", "diagonal-down"):
        way = name.removeprefix("diagonal-")
        return [f"{way}-right" if column <= COLUMNS // 2 else f"{way}-left"]
    if name in ("left", "right"):
        way = "up" if row > ROWS // 2 else "down"
        return [f"{way}-{name}"]
    return [scene.heading]


def line_tiles(scene: Scene, target: Target, count: int | None, *, inclusive: bool = True) -> list[Tile]:
    """A line with a given start and either an end, a number of tiles, or the edge."""
    starts = resolve(scene, target.start) if target.start is not None else scene.focus[-1:]
    from_focus = target.start is None
    found: list[Tile] = []
    ends = resolve(scene, target.end) if target.end is not None else []
    for number, start in enumerate(starts):
        if ends:
            end = ends[number] if len(ends) == len(starts) else ends[0]
            found += straight(start, end)
            continue
        if count is not None and target.heading is None and target.start is not None:
            way = "up" if target.side == "bottom" or (target.start.tiles and target.start.tiles.axis and target.start.tiles.axis.side == "bottom") else "down"
        else:
            way = headings_of(target.heading, start, scene)[0]
        if count is not None:
            first = 1 if from_focus or (target.start is not None and target.start.pronoun is not None) else 0
            found += [step(start, way, n) for n in range(first, first + count)]
        else:
            found += _to_edge(scene, start, way, target.until, include=not from_focus)
        scene.heading = way
    return found


def _to_edge(scene: Scene, start: Tile, way: str, until: str | None, *, include: bool) -> list[Tile]:
    tiles = [start] if include else []
    tile = step(start, way)
    while on_board(tile) and not (until in ("line", scene.board.get(tile)) and tile in scene.board):
        tiles.append(tile)
        tile = step(tile, way)
    return tiles
