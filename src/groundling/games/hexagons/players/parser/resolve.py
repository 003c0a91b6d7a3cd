"""From what is said to the tiles that are meant."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from .....boards.hexes import COLUMNS, HEADINGS, ROWS, Tile, disc, neighbours, on_board, ring, step, turned
from .chunks import Axis, Columns, Tiles
from .scene import ALL, Scene, runs
from .target import Target

_PAIRS = (
    ("above", "below"),
    ("left", "right"),
    ("up-left", "down-right"),
    ("up-right", "down-left"),
    ("up-left", "up-right"),
    ("down-left", "down-right"),
)
_TURNED = {pair for a, b in _PAIRS for pair in ((a, b), (b, a))}
"""Two sides of the same thing, when said one after the other."""


def columns_of(scene: Scene, chunk: Columns) -> list[int]:
    """The columns meant; the same each time the phrase is asked for in a sentence."""
    if id(chunk) not in scene.meant:
        found = _columns_of(scene, chunk)
        scene.meant[id(chunk)] = list(
            dict.fromkeys([*found, *(column for other in chunk.more for column in _columns_of(scene, other))])
        )
    return scene.meant[id(chunk)]


def _columns_of(scene: Scene, chunk: Columns) -> list[int]:
    if chunk.axis is not None:
        return chunk.axis.resolve(COLUMNS, scene.side)
    here = scene.columns or sorted({column for _, column in scene.focus})
    if chunk.colour is not None:
        here = sorted({column for _, column in scene.of_colour([chunk.colour])})
    if not here:
        return [1] if chunk.relative in ("next", "right") else []
    if chunk.relative == "same":
        return here
    if chunk.relative == "previous":
        return [column for column in (min(here) - 1,) if column >= 1]
    if chunk.relative == "sides":
        return [column for column in (min(here) - 1, max(here) + 1) if 1 <= column <= COLUMNS]
    way = -1 if chunk.relative == "left" or (chunk.relative == "next" and scene.side == "right") else 1
    edge = min(here) if way < 0 else max(here)
    scene.skipped = False
    counts = range(chunk.count if chunk.jump else 1, chunk.count + 1)
    return [column for column in (edge + way * n for n in counts) if 1 <= column <= COLUMNS]


def rows_of(axis: Axis, side: str | None) -> list[int]:
    return axis.resolve(ROWS, side)


def resolve(scene: Scene, target: Target) -> list[Tile]:
    """The tiles a target means, on the board, in order."""
    found = [tile for tile in dict.fromkeys(_resolve(scene, target)) if on_board(tile)]
    for other in target.also:
        found += [tile for tile in resolve(scene, other) if tile not in found]
    for other in target.excepted:
        if target.columns is None and target.rows is None and other.columns is not None:
            target.columns = other.columns
            found = [tile for tile in _resolve(scene, target) if on_board(tile)]
        if other.columns is None and other.tiles is not None and other.tiles.axis is not None:
            other.columns = target.columns
        out = set(resolve(scene, other))
        found = [tile for tile in found if tile not in out]
    return found


def _resolve(scene: Scene, target: Target) -> list[Tile]:
    tiles = target.tiles
    if target.corner is not None:
        rows = 1 if target.corner.vertical == "top" else ROWS
        return [(rows, 1 if target.corner.horizontal == "left" else COLUMNS)]
    if target.pronoun:
        return list(scene.focus)
    columns = columns_of(scene, target.columns) if target.columns else None
    if columns:
        scene.columns = columns
    if target.rows is not None:
        return _in_rows(scene, target, columns)
    if columns is not None and target.relation in ("above", "below") and _whole_side(target):
        return beyond(scene, target, columns)
    if tiles is None and target.shape is None:
        if columns is not None:
            return [(row, column) for column in columns for row in range(1, ROWS + 1)]
        return related(scene, target, 1) if target.relation else walk(scene, target, None)
    if tiles is None:
        return []
    if tiles.order == "around" and not target.relation:
        target.relation = "around"
    if target.relation:
        found = _related(scene, target, tiles)
        return [
            tile for tile in found if columns is None or tile[1] in columns or target.relation in ("left", "right", "sides")
        ]
    if tiles.order == "nth" or (tiles.colours and (tiles.definite or tiles.each or tiles.all) and "blank" not in tiles.colours):
        return _there(scene, target, tiles, columns)
    if tiles.order in ("leftmost", "rightmost", "topmost", "bottommost"):
        return _extreme(target_pool(scene, target), tiles)
    if tiles.order == "same" and scene.axis is not None and columns is not None:
        return _by_axis(scene, target, scene.axis, columns)
    if tiles.order == "corners":
        return [(row, column) for column in (1, COLUMNS) for row in (1, ROWS)]
    if tiles.next:
        return _next(scene, target, tiles, columns)
    if tiles.order == "rest":
        lowest = max((row for row, _ in scene.focus), default=0) if len({column for _, column in scene.focus}) == 1 else 0
        return [
            (row, column)
            for column in columns or scene.columns
            for row in range(1, ROWS + 1)
            if (row, column) not in scene.board and row >= lowest
        ]
    if tiles.axis is not None and not (tiles.order == "last" and columns is None and not scene.columns):
        return _by_axis(scene, target, tiles.axis, columns)
    if target.start is not None or target.heading in HEADINGS:
        return walk(
            scene,
            target,
            tiles.count or (1 if not tiles.plural and not tiles.all and target.end is None and not target.until else None),
        )
    if tiles.all and columns is not None:
        whole = [(row, column) for column in columns for row in range(1, ROWS + 1)]
        return [tile for tile in whole if "blank" not in tiles.colours or tile not in scene.board]
    if "blank" in tiles.colours and tiles.definite:
        pool = [tile for tile in ALL if tile not in scene.board]
        return [tile for tile in pool if columns is None or tile[1] in columns]
    if tiles.definite and tiles.plural and columns is not None and not tiles.count and tiles.order is None:
        return [(row, column) for column in columns for row in range(1, ROWS + 1)]
    if tiles.order == "last" or (tiles.definite and not tiles.count):
        return (
            list(scene.focus)
            if tiles.plural
            else scene.focus[-1:]
            if len(scene.focus) == 1 or tiles.order
            else list(scene.focus)
        )
    if tiles.count and columns is not None:
        side = target.side or "top"
        on = [row for row, column in scene.focus if column in columns and (row, column) in scene.painted]
        if on and not target.side and scene.columns == columns:
            return [(row, column) for column in columns for row in range(max(on) + 1, max(on) + 1 + tiles.count)]
        return _by_axis(scene, target, Axis((("first", tiles.count, 0),), side), columns)
    if tiles.all and tiles.plural and columns is None and not tiles.colours:
        return list(ALL)
    if tiles.count and target.columns is None and scene.focus:
        return _next(scene, target, tiles, columns) if tiles.count < ROWS else []
    return []


def _whole_side(target: Target) -> bool:
    """Whether all of a column on one side of something is meant, not only what touches it."""
    tiles = target.tiles
    if target.of is None or target.of.pronoun:
        return False
    if tiles is None:
        return target.shape is None or target.shape.vertical
    return tiles.axis is None and tiles.count is None and (tiles.all or tiles.plural) and not tiles.next


def beyond(scene: Scene, target: Target, columns: list[int]) -> list[Tile]:
    """What lies above or below something in some columns, up to the edge."""
    base = reference(scene, target.of)
    found: list[Tile] = []
    for column in columns:
        rows = [row for row, own in base if own == column]
        if rows:
            span = range(1, min(rows)) if target.relation == "above" else range(max(rows) + 1, ROWS + 1)
            found += [(row, column) for row in span]
    return found


def _in_rows(scene: Scene, target: Target, columns: list[int] | None) -> list[Tile]:
    assert target.rows is not None
    if target.rows.axis.side is None and columns is None and target.tiles is not None and target.tiles.axis is not None:
        # "the 3rd tile from the top of the 5th row": a row that stands
        return [
            (row, column) for column in target.rows.axis.resolve(COLUMNS, scene.side) for row in target.tiles.axis.resolve(ROWS)
        ]
    rows = rows_of(target.rows.axis, None)
    if target.tiles is not None and target.tiles.axis is not None:
        across = target.tiles.axis
        picked = Axis(across.picks, scene.side).resolve(COLUMNS)
        return [(row, column) for row in rows for column in picked]
    if columns is not None:
        return [(row, column) for column in columns for row in rows]
    if target.tiles is not None and target.tiles.count:
        done = max((column for row, column in scene.painted if row in rows), default=0)
        return [(row, column) for row in rows for column in range(done + 1, done + 1 + target.tiles.count)]
    whole = [(row, column) for row in rows for column in range(1, COLUMNS + 1)]
    if target.tiles is not None and target.tiles.colours and (target.tiles.definite or target.tiles.each or target.tiles.all):
        return [tile for tile in whole if scene.board.get(tile) in target.tiles.colours]
    return whole


def _by_axis(scene: Scene, target: Target, axis: Axis, columns: list[int] | None) -> list[Tile]:
    if columns is None and scene.skipped:
        scene.columns, scene.skipped = [min(max(scene.columns) + 1, COLUMNS)], False
    if axis.picks[0][0] == "every" and target.heading and target.start is not None and (begun := resolve(scene, target.start)):
        return _strided(scene, target, begun[0], axis.picks[0][1])
    if columns is None and target.start is not None and target.start.columns is not None:
        columns = columns_of(scene, target.start.columns)
    where = columns or scene.columns or [1 if scene.side != "right" else COLUMNS]
    side = axis.side or target.side
    if axis.picks[0][0] == "every" and target.start is not None:
        begun = resolve(scene, target.start) if target.start.tiles is None or target.start.tiles.axis is None else None
        first = (
            begun[0][0]
            if begun
            else rows_of(target.start.tiles.axis, side)[0]
            if target.start.tiles and target.start.tiles.axis
            else 1
        )
        rows = list(range(first, 0, -axis.picks[0][1])) if side == "bottom" else list(range(first, ROWS + 1, axis.picks[0][1]))
    else:
        rows = rows_of(axis, side)
    scene.axis = axis
    rows = rows[: target.total] if target.total else rows
    return [(row, column) for column in where for row in rows]


def _strided(scene: Scene, target: Target, start: Tile, stride: int) -> list[Tile]:
    """Every so many tiles along a line."""
    from .lines import go, heading_of

    way = heading_of(scene, target, start)
    tiles = [go(start, way, n) for n in range(0, COLUMNS, stride)]
    tiles = [tile for tile in tiles if on_board(tile)]
    total = target.total or sum(count for count, _ in target.sequence) * (not target.alternate) or len(tiles)
    return tiles[:total]


def target_pool(scene: Scene, target: Target) -> list[Tile]:
    if target.steps:
        return scene.tiles_of(target.steps)
    return list(scene.focus)


def _there(scene: Scene, target: Target, tiles: Tiles, columns: list[int] | None) -> list[Tile]:
    """Tiles that are painted already."""
    pool = scene.of_colour(tiles.colours)
    if target.steps:
        inside = set(scene.tiles_of(target.steps))
        pool = [tile for tile in pool if tile in inside] or pool
    if columns is not None:
        pool = [tile for tile in pool if tile[1] in columns]
    if tiles.order in ("leftmost", "rightmost", "topmost", "bottommost"):
        return _extreme(pool, tiles)
    if tiles.order == "nth" and tiles.axis is not None:
        by_column = sorted(pool, key=lambda tile: (tile[1], tile[0]))
        return [by_column[n - 1] for n in tiles.axis.resolve(len(by_column))] if by_column else []
    if not tiles.plural and not tiles.each and not tiles.all and len(pool) > 1:
        in_focus = [tile for tile in scene.focus if tile in pool]
        if in_focus:
            return in_focus
        for mark in reversed(scene.marks):
            if mark.colour in tiles.colours:
                recent = [tile for tile in mark.tiles if tile in pool]
                if recent:
                    return recent[-1:]
    if tiles.count and tiles.count < len(pool):
        recent = [tile for mark in scene.marks if mark.colour in tiles.colours for tile in mark.tiles if tile in pool]
        return list(dict.fromkeys(reversed(recent)))[: tiles.count] if recent else pool[: tiles.count]
    return pool


def _extreme(pool: list[Tile], tiles: Tiles) -> list[Tile]:
    if not pool:
        return []
    height = {tile: 2 * tile[0] + (tile[1] % 2 == 0) for tile in pool}
    if tiles.order in ("topmost", "bottommost"):
        sign = 1 if tiles.order == "topmost" else -1
        ordered = sorted(pool, key=lambda tile: sign * height[tile])
        if tiles.plural and tiles.count is None:
            return [tile for tile in ordered if height[tile] == height[ordered[0]]]
    else:
        sign = 1 if tiles.order == "leftmost" else -1
        ordered = sorted(pool, key=lambda tile: (sign * tile[1], tile[0]))
        if tiles.plural and tiles.count is None:
            return [tile for tile in ordered if tile[1] == ordered[0][1]]
    return ordered[: tiles.count or 1]


def _next(scene: Scene, target: Target, tiles: Tiles, columns: list[int] | None) -> list[Tile]:
    """On from where we are."""
    count = tiles.count or 1
    from .lines import heading_of

    heading = heading_of(scene, target, scene.focus[-1]) if target.heading and scene.focus else scene.heading
    if target.start is not None:
        scene.look(resolve(scene, target.start))
    if columns is not None and scene.focus and columns != sorted({column for _, column in scene.focus}):
        return [(row, column) for column in columns for row in _first_blank(scene, column, count)]
    found: list[Tile] = []
    last = {run[0][1]: run for run in (reversed(runs(scene.focus)) if heading == "up" else runs(scene.focus))}
    for run in list(last.values()) if heading in ("up", "down") else [scene.focus[-1:]]:
        if run:
            end = run[0] if heading == "up" else run[-1]
            found += [step(end, heading, n) for n in range(1, count + 1)]
    return found


def _first_blank(scene: Scene, column: int, count: int) -> list[int]:
    blank = [row for row in range(1, ROWS + 1) if (row, column) not in scene.board]
    return blank[:count]


def _related(scene: Scene, target: Target, tiles: Tiles) -> list[Tile]:
    if tiles.axis is not None and tiles.axis.picks[0][0] in ("first", "last"):
        return _by_axis(scene, target, tiles.axis, columns_of(scene, target.columns) if target.columns else None)
    if tiles.axis is not None:
        numbers = tiles.axis.resolve(ROWS)
        found: list[Tile] = []
        for run in runs(reference(scene, target.of)):
            way = {"above": "up", "below": "down"}.get(target.relation or "", target.relation or "")
            if way in HEADINGS:
                end = run[0] if way == "up" else run[-1]
                found += [step(end, way, n) for n in numbers]
        return found
    return related(scene, target, tiles.count)


def reference(scene: Scene, of: Target | None) -> list[Tile]:
    """What a relation starts from."""
    if of is None:
        return list(scene.focus)
    if of.shape is not None:
        return shape_tiles(scene, of)
    kept = scene.columns
    if of.tiles is not None and of.tiles.colours and not of.tiles.definite:
        of.tiles = structs.replace(of.tiles, definite=True)
    found = resolve(scene, of)
    scene.columns = kept if of.columns is None else scene.columns
    return found


def shape_tiles(scene: Scene, of: Target) -> list[Tile]:
    """The tiles of a shape that is there already."""
    assert of.shape is not None
    shape = of.shape
    named = [mark for mark in scene.marks if mark.kind == shape.name]
    if of.steps:
        pool = scene.tiles_of(of.steps)
    elif named and not shape.colours:
        chosen = named if shape.plural or shape.each else named[-1:]
        pool = list(dict.fromkeys(tile for mark in chosen for tile in mark.tiles))
    elif shape.colours:
        pool = scene.of_colour(shape.colours)
    elif (shape.plural or shape.each) and scene.marks:
        last = scene.marks[-1]
        pool = [tile for mark in scene.marks if mark.colour == last.colour and len(mark.tiles) > 1 for tile in mark.tiles]
    else:
        pool = list(scene.focus)
    if shape.colours:
        wanted = set(scene.of_colour(shape.colours))
        pool = [tile for tile in pool if tile in wanted]
        if not shape.plural and not shape.each:
            for mark in reversed(scene.marks):
                if mark.colour in shape.colours:
                    return [tile for tile in mark.tiles if tile in wanted] or pool
    return pool


def related(scene: Scene, target: Target, count: int | None) -> list[Tile]:
    """The tiles on some side of others."""
    base = reference(scene, target.of)
    name = target.relation
    if (target.of is None or target.of.pronoun == "it") and scene.turned and ((scene.turned, name) in _TURNED or target.its):
        base = scene.base
    scene.base, scene.turned = base, name
    if name in ("touching", "around"):
        inside = set(base)
        near = [tile for middle in base for tile in _around(middle)]
        return [tile for tile in dict.fromkeys(near) if tile not in inside and (len(base) == 1 or tile not in scene.board)]
    if name == "between":
        return between(scene, target)
    if name is not None and name.startswith(("ring ", "disc ")):
        far = int(name.partition(" ")[2])
        return [tile for middle in base for tile in (ring(middle, far) if name.startswith("ring") else disc(middle, far))]
    if name == "inside":
        from .shapes import enclosed

        if target.of is None:
            base = [tile for mark in scene.marks[-3:] for tile in mark.tiles]
        return [tile for tile in enclosed(set(base)) if tile not in scene.board]
    if name in ("above", "below"):
        way = "up" if name == "above" else "down"
        found = []
        ordered = runs(base)
        if target.of is None or target.of.pronoun:
            last = {run[0][1]: run for run in (reversed(ordered) if way == "up" else ordered)}
            ordered = list(last.values())
        for run in ordered:
            end = run[0] if way == "up" else run[-1]
            found += [step(end, way, n) for n in range(1, (count or 1) + 1)]
        return found
    if name in ("left", "right", "sides"):
        return _beside(base, name, count)
    if name in HEADINGS:
        inside = set(base)
        return [tile for start in base for n in range(1, (count or 1) + 1) if (tile := step(start, name, n)) not in inside]
    return []


def _around(middle: Tile) -> Iterable[Tile]:
    return [tile for tile in ring(middle, 1) if on_board(tile)]


def _beside(base: list[Tile], name: str, count: int | None) -> list[Tile]:
    """Left and right of vertical runs: the tiles of the next column that touch them."""
    found: list[Tile] = []
    inside = set(base)
    for run in runs(base):
        for way in ("left", "right") if name == "sides" else (name,):
            column = run[0][1] + (1 if way == "right" else -1)
            near = sorted(
                {tile for own in run if on_board(own) for tile in neighbours(*own) if tile[1] == column and tile not in inside}
            )
            if count is not None and count < len(near) and not (name == "sides" and count == 2 * len(near)):
                spare = len(near) - count
                near = near[spare // 2 : spare // 2 + count]
            found += near
    return found


def between(scene: Scene, target: Target) -> list[Tile]:
    from .lines import straight

    if target.both is not None and target.of is not None:
        first, second = reference(scene, target.of), reference(scene, target.both)
        if first and second:
            return [tile for tile in straight(first[-1], second[0]) if tile not in (first[-1], second[0])]
        return []
    ends = reference(scene, target.of)
    if len(ends) < 2:
        ends = [*scene.before[-1:], *scene.focus[-1:]]
    if len(ends) > 2:
        pool = set(ends)
        return [
            tile
            for tile in ALL
            if tile not in scene.board
            and any(step(tile, way) in pool and step(tile, turned(way, 3)) in pool for way in HEADINGS[:3])
        ]
    if len(ends) == 2:
        return straight(ends[0], ends[1])[1:-1] or [tile for tile in _around(ends[0]) if tile in _around(ends[1])][:1]
    return []


def walk(scene: Scene, target: Target, count: int | None) -> list[Tile]:
    """A straight line from a place on: so many tiles, or to the edge."""
    from .lines import line_tiles

    return line_tiles(scene, target, count)
