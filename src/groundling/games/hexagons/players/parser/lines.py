"""Straight lines: from a place in a direction, from one place to another, or between things that are there."""

from __future__ import annotations

from .....boards.hexes import COLUMNS, HEADINGS, ROWS, Tile, distance, from_axial, on_board, step, to_axial
from .chunks import Tiles
from .resolve import beyond, columns_of, reference, related, resolve
from .scene import Scene
from .target import Target


def straight(a: Tile, b: Tile) -> list[Tile]:
    """The tiles from one to the other, as straight as can be."""
    length = distance(a, b)
    if length == 0:
        return [a]
    if a[0] == b[0]:
        way = 1 if a[1] < b[1] else -1
        return [(a[0], column) for column in range(a[1], b[1] + way, way)]
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


def heading_of(scene: Scene, target: Target, start: Tile) -> str:
    """The lattice heading that a direction in words means, from this tile."""
    said = target.heading or ""
    shape = target.shape
    if said in HEADINGS and "-" in said:
        return said
    vertical = "up" if said.endswith("up") else "down" if said.endswith("down") else None
    across = (
        said
        if said in ("left", "right")
        else target.relation
        if target.relation in ("left", "right") and target.of is None
        else None
    )
    if said in ("left", "right") and (shape is None or shape.name == "line") and target.relation is None:
        return said
    slanted = said.startswith("diagonal") or (shape is not None and shape.name in ("diagonal", "line") and not shape.vertical)
    row, column = start
    if (
        across is None
        and vertical is not None
        and not (shape is not None and shape.name == "diagonal" or said.startswith("diagonal"))
    ):
        return vertical
    if not slanted and across is None:
        return vertical or scene.heading
    if vertical is None and across is None and shape is not None and shape.name == "line":
        return scene.heading
    if vertical is None:
        vertical = "up" if row > ROWS // 2 else "down"
    if across is None:
        across = "right" if column <= COLUMNS // 2 else "left"
    return f"{vertical}-{across}"


def line_tiles(scene: Scene, target: Target, count: int | None) -> list[Tile]:
    """A line with a given start and either an end, a number of tiles, or the edge; or else where a relation puts it."""
    shape = target.shape
    for place in (target.start, target.end):
        if (
            place is not None
            and place.columns is None
            and place.tiles is not None
            and place.tiles.axis is not None
            and place.rows is None
        ):
            place.columns = target.columns
    if target.rows is not None:
        return resolve(scene, Target(rows=target.rows, columns=target.columns))
    if (
        shape is not None
        and shape.vertical
        and target.relation in ("above", "below")
        and target.columns is not None
        and target.of is not None
    ):
        return beyond(scene, target, columns_of(scene, target.columns))
    if target.relation == "between":
        return related(scene, target, None)
    if (
        target.relation in ("above", "below")
        and target.start is None
        and target.end is None
        and shape is not None
        and target.heading is None
    ):
        return related(scene, target, count if shape.vertical else None)
    if (
        target.start is None
        and target.columns is not None
        and target.heading in (None, "up", "down")
        and target.end is None
        and target.relation is None
    ):
        rows = range(1, (count or ROWS) + 1)
        columns = columns_of(scene, target.columns)
        return [(ROWS + 1 - row if target.side == "bottom" else row, column) for column in columns for row in rows]
    starts, beside = _starts(scene, target)
    firm = _by_number(target.start), _by_number(target.end)
    ends = reference(scene, target.end) if target.end is not None else []
    found: list[Tile] = []
    for number, start in enumerate(starts):
        if ends and (len(ends) == 1 or (len(ends) == len(starts) and len(starts) > 1)):
            found += straight(start, ends[number] if len(ends) == len(starts) else ends[0])
            continue
        for way in [heading_of(scene, target, start), *(turn for turn in target.turns if turn in HEADINGS)]:
            if count is not None:
                first = 1 if beside and not (shape is not None and target.colour == scene.board.get(start)) else 0
                found += [go(start, way, n * scene.stride) for n in range(first, first + count)]
            else:
                found += _until(scene, start, way, target, set(ends), include=not beside)
            if way in HEADINGS:
                scene.heading = way
    fixed = {tile for tile in [*([] if firm[0] else starts), *([] if firm[1] else ends)] if tile in scene.board}
    return [tile for tile in found if tile not in fixed]


def _by_number(place: Target | None) -> bool:
    """Whether a tile is named by its column and its number in it, not by what is there."""
    return place is not None and place.tiles is not None and place.tiles.axis is not None and place.tiles.order is None


def go(tile: Tile, way: str, count: int = 1) -> Tile:
    """So many steps on; left and right keep the row."""
    if way in ("left", "right"):
        return tile[0], tile[1] + (count if way == "right" else -count)
    return step(tile, way, count)


def _starts(scene: Scene, target: Target) -> tuple[list[Tile], bool]:
    """Where lines start, and whether the tile itself stays out because it is there already."""
    if target.start is not None:
        starts = reference(scene, target.start)
        there = target.start.pronoun is not None or bool(target.start.shape)
        there = there or (
            target.start.tiles is not None and (target.start.tiles.axis is None or target.start.tiles.order is not None)
        )
        return starts, there and any(tile in scene.board for tile in starts)
    if target.of is not None and target.relation in HEADINGS:
        return [step(tile, target.relation) for tile in reference(scene, target.of)], False
    if target.of is not None:
        return reference(scene, target.of), True
    ends = scene.focus[-1:]
    if target.shape is not None and target.shape.definite and target.heading in ("up", "down") and scene.focus:
        run = [tile for tile in scene.focus if tile[1] == scene.focus[-1][1]]
        ends = [min(run) if target.heading == "up" else max(run)]
    return ends, bool(ends) and ends[0] in scene.board


def _until(scene: Scene, start: Tile, way: str, target: Target, stop: set[Tile], *, include: bool) -> list[Tile]:
    tiles = [start] if include else []
    tile = go(start, way)
    while on_board(tile) and tile not in stop and len(tiles) <= COLUMNS:
        if target.until == "line" and tile in scene.board:
            break
        tiles.append(tile)
        tile = go(tile, way)
    return tiles


def connect(scene: Scene, places: list[Target]) -> list[Tile]:
    """The tiles between places, without these."""
    points: list[list[Tile]] = [group for place in places if (group := _points(scene, place))]
    if not points:
        points = [[tile] for tile in latest(scene, 2)]
    if len(points) == 1 and len(points[0]) == 1:
        points.insert(0, latest(scene, 1, but=set(points[0])))
    if len(points) == 1:
        ordered = points[0]
        if len(ordered) == 4:
            pairs = _facing(ordered)
        else:
            pairs = list(zip(ordered, ordered[1:], strict=False))
    elif len(points) == 2 and len(points[0]) == len(points[1]) and len(points[0]) > 1:
        pairs = list(zip(points[0], points[1], strict=True))
    else:
        flat = [group for group in points if group]
        pairs = [
            min(((a, b) for a in one for b in two), key=lambda pair: distance(*pair))
            for one, two in zip(flat, flat[1:], strict=False)
        ]
    found = [tile for a, b in pairs for tile in straight(a, b)[1:-1]]
    return list(dict.fromkeys(found))


def _facing(four: list[Tile]) -> list[tuple[Tile, Tile]]:
    """Opposite corners of four."""
    ordered = sorted(four, key=lambda tile: (tile[1], tile[0]))
    return [(ordered[0], ordered[3]), (ordered[1], ordered[2])]


def _points(scene: Scene, place: Target) -> list[Tile]:
    tiles = place.tiles
    if place.pronoun or (isinstance(tiles, Tiles) and not tiles.colours and not place.located and not place.steps):
        count = 2
        if tiles is not None:
            picks = tiles.axis.picks[0] if tiles.axis is not None else None
            count = tiles.count or (picks[1] if picks is not None and picks[0] in ("last", "first") else 2)
        return list(reversed(latest(scene, count)))
    if place.steps and tiles is not None and tiles.axis is None and not tiles.colours:
        return scene.tiles_of(place.steps)
    return reference(scene, place)


def latest(scene: Scene, count: int, but: set[Tile] | None = None) -> list[Tile]:
    """The tiles painted last, newest first."""
    found: list[Tile] = []
    for mark in reversed(scene.marks):
        for tile in reversed(mark.tiles):
            if tile not in found and tile not in (but or ()):
                found.append(tile)
            if len(found) == count:
                return found
    return found
