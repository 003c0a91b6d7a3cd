"""Shapes by name: flowers, rings, triangles, V and X, and copies of what was called by a name before."""

from __future__ import annotations

import re

from .....boards.hexes import HEADINGS, ROWS, Tile, disc, neighbours, on_board, rhombus, ring, step, triangle
from .copies import Thing, last_thing, lay, stretch
from .lines import line_tiles
from .repeat import gap_of
from .resolve import columns_of, reference, related, resolve
from .scene import ALL, Scene
from .target import Target

ROUND = ("flower", "ring", "hexring")
_WAYS = {"above": "up", "below": "down", "left": "left", "right": "right"}


def shape_tiles_new(scene: Scene, target: Target, text: str) -> list[Tile]:
    """The tiles of a shape that is to be drawn."""
    shape = target.shape
    assert shape is not None
    if shape.name in ("line", "diagonal", "row", "stripe"):
        return line_tiles(scene, target, shape.size)
    if shape.name in ROUND:
        return _round(scene, target, text)
    if shape.name == "triangle":
        return _triangle(scene, target, text)
    if shape.name == "diamond":
        return _diamond(scene, target, text)
    if shape.name in ("v", "x", "chevron"):
        return _arms(scene, target, shape.name, text)
    return []


_RADIUS = re.compile(r"(?:radius|distance) (?:of )?(\d+)|(\d+) (?:steps?|tiles?) away|sides? of (\d+)|size (\d+)")


def _radius(text: str) -> int | None:
    match = _RADIUS.search(text)
    if not match:
        return None
    return int(match[1] or match[2]) if match[1] or match[2] else int(match[3] or match[4]) - 1


def _round(scene: Scene, target: Target, text: str) -> list[Tile]:
    shape = target.shape
    assert shape is not None
    full = bool(
        re.search(r"filled (?:\w+ )?(?:hexring|flower|ring)|middle included|including (?:the|its) middle|middle too", text)
    )
    radius = _radius(text) or 1
    if target.relation in ("around", "touching", "inside", "outside"):
        if target.relation == "inside":
            return rim(set(reference(scene, target.of)))
        if radius > 1 or full:
            return [tile for centre in reference(scene, target.of) for tile in (disc if full else ring)(centre, radius)]
        return related(scene, Target(relation="around", of=target.of), None)
    centres: list[Tile] = []
    if target.start is not None:
        centres = reference(scene, target.start)
        if "anchortop" in text:
            centres = [step(tile, "down", radius) for tile in centres]
        elif "anchorbottom" in text:
            centres = [step(tile, "up", radius) for tile in centres]
    elif target.relation in _WAYS:
        return _beside(scene, target, text)
    elif target.columns is not None:
        columns = columns_of(scene, target.columns)
        return _in_columns(scene, columns)
    elif target.corner is not None:
        centres = resolve(scene, target)
    full = full or shape.size == 7
    return [tile for centre in centres for tile in (disc if full else ring)(centre, radius)]


def _beside(scene: Scene, target: Target, text: str) -> list[Tile]:
    """The last ring moved to one side of it."""
    thing = last_round(scene, target)
    if thing is None or target.relation is None:
        return []
    moved = stretch(thing, _WAYS[target.relation], gap_of(text) or 0, 1)
    return list(moved.tiles)


def _in_columns(scene: Scene, columns: list[int]) -> list[Tile]:
    thing = last_thing(scene, (), "ring")
    if thing is None or not columns:
        return []
    row, _ = thing.corner
    return [
        tile
        for column in (columns if columns[-1] - columns[0] != len(columns) - 1 else columns[:1])
        for tile in thing.moved(thing.corner, (row, column)).tiles
    ]


def last_round(scene: Scene, target: Target) -> Thing | None:
    """The ring that another is placed by."""
    wanted: tuple[str, ...] = ()
    if target.of is not None and target.of.shape is not None:
        wanted = target.of.shape.colours
    for mark in reversed(scene.marks):
        thing = Thing({tile: mark.colour for tile in mark.tiles})
        if (not wanted or mark.colour in wanted) and thing.centre is not None and len(mark.tiles) >= 4:
            centre = thing.centre
            return Thing({tile: mark.colour for tile in ring(centre, 1)})
    return None


_POINTING = re.compile(
    r"(?:pointing|facing|points|faces|face|point|with its tip)(?: to| towards)?(?: the)? (left|right)|(?<!top )(?<!bottom )(?<!upper )(?<!lower )(left|right) (?:corner|tip|point)"
)


def _triangle(scene: Scene, target: Target, text: str) -> list[Tile]:
    """A triangle with one side upright, pointing left or right."""
    shape = target.shape
    assert shape is not None
    side = _side_length(text, shape.size)
    pointing = _POINTING.search(text)
    way = (pointing[1] or pointing[2]) if pointing else "right"
    starts = resolve(scene, target.start) if target.start is not None else []
    if target.corner is not None:
        starts = resolve(scene, target)
    tip = bool(
        re.search(r"(?:tip|point|peak|corner)(?: of it| of the triangle)?(?: is| at| in| being| located| on)+", text)
    ) and bool(pointing)
    if target.columns is not None and not starts:
        row = 1 if target.side != "bottom" else ROWS - side + 1
        starts = [(row, column) for column in columns_of(scene, target.columns)]
    if not starts or not side:
        return []
    if starts[0][0] == ROWS and side > 1 and not tip:
        starts = [(row - side + 1, column) for row, column in starts]
    found: list[Tile] = []
    for start in starts:
        found += triangle(start, "up-right" if way == "left" else "down-left", side) if tip else upright(start, side, way)
    if "hollow" in text:
        found = outline(found)
    return [tile for tile in found if on_board(tile)]


def _diamond(scene: Scene, target: Target, text: str) -> list[Tile]:
    """A rhombus that lies on its side."""
    shape = target.shape
    assert shape is not None
    side = _side_length(text, shape.size) or {4: 2, 9: 3, 16: 4}.get(shape.size or 0, 0)
    starts = resolve(scene, target.start) if target.start is not None else []
    if not side or not starts:
        return []
    right = bool(re.search(r"right (?:corner|tip|point|end)", text))
    corners = [step(step(tile, "up-left", side - 1), "down-left", side - 1) if right else tile for tile in starts]
    found = [tile for corner in corners for tile in rhombus(corner, "up-right", side)]
    return outline(found) if "hollow" in text else found


def outline(tiles: list[Tile]) -> list[Tile]:
    """Those with a neighbour outside."""
    inside = set(tiles)
    return [tile for tile in tiles if any(step(tile, heading) not in inside for heading in HEADINGS)]


def upright(top: Tile, side: int, pointing: str) -> list[Tile]:
    """A triangle whose upright side starts at a tile, pointing left or right."""
    way = f"down-{pointing}"
    return [tile for n in range(side) for tile in (step(step(top, way, n), "down", k) for k in range(side - n))]


def _side_length(text: str, size: int | None) -> int:
    match = re.search(
        r"size (\d+)|sides? (?:of|with|being|has|have|is) (\d+)|(\d+) (?:tiles? )?(?:on|per|for|along) (?:each|a|every|all) side|(\d+) sided|(\d+) (?:tiles )?(?:tall|high|long|wide|by)",
        text,
    )
    if match:
        return int(next(group for group in match.groups() if group))
    total = size or next((int(n) for n in re.findall(r"(\d+) (?:\w+ )?tiles?", text)), 0)
    return {3: 2, 6: 3, 10: 4, 15: 5, 21: 6, 28: 7}.get(total, 0)


def _reach(text: str, size: int | None, arms: int) -> int | None:
    """How far the arms go, beyond the point where they meet."""
    match = re.search(
        r"(?:arms?|sides?|legs?)(?: of| with| being| is| are)? (\d+)|(\d+) (?:more |additional )?tiles? (?:long |out )?(?:in|on|to|for) (?:each|both|either|all)",
        text,
    )
    if match:
        return int(match[1]) - 1 if match[1] else int(match[2])
    return (size - 1) // arms if size else None


def _arms(scene: Scene, target: Target, name: str, text: str) -> list[Tile]:
    """Diagonals from a point: two upwards for a V, four for an X."""
    shape = target.shape
    points = reference(scene, target.start) if target.start is not None else []
    if target.relation in ("above", "below") and not points:
        points = related(scene, target, 1)
    ways = ["up-left", "up-right"]
    if name == "x":
        ways += ["down-left", "down-right"]
    elif shape is not None and ("upside" in shape.words or "down" in shape.words) or name == "chevron":
        ways = ["down-left", "down-right"]
    found: list[Tile] = []
    for point in points:
        found.append(point)
        for way in ways:
            reach = _reach(text, shape.size if shape is not None else None, len(ways)) or (2 if name == "x" else 18)
            tile = step(point, way)
            for _ in range(reach):
                if not on_board(tile):
                    break
                found.append(tile)
                tile = step(tile, way)
    return found


def enclosed(wall: set[Tile]) -> list[Tile]:
    """The tiles that a closed outline shuts in."""
    outside: set[Tile] = set()
    todo = [tile for tile in ALL if tile not in wall and (len(neighbours(*tile)) < 6)]
    outside.update(todo)
    while todo:
        for near in neighbours(*todo.pop()):
            if near not in wall and near not in outside:
                outside.add(near)
                todo.append(near)
    return [tile for tile in ALL if tile not in wall and tile not in outside]


def rim(wall: set[Tile]) -> list[Tile]:
    """The tiles just inside an outline."""
    return [tile for tile in enclosed(wall) if any(near in wall for near in neighbours(*tile))]


def copy_named(scene: Scene, target: Target, text: str) -> bool:
    """Puts down again what was last called so, or made last."""
    shape = target.shape
    assert shape is not None
    source = last_thing(scene, shape.colours, shape.name)
    if source is None:
        return False
    colour = target.colour if target.colour and target.colour not in source.colours and len(source.colours) == 1 else None
    if colour:
        source = source.recoloured({source.colours[0]: colour})
    if target.columns is not None:
        row, left = source.corner
        for column in columns_of(scene, target.columns):
            lay(scene, source.moved((row, left), (row, column)), shape.name)
        return True
    if target.start is not None:
        for tile in resolve(scene, target.start):
            lay(scene, source.moved(source.centre or source.first, tile), shape.name)
        return True
    if target.relation in _WAYS:
        for number in range(1, (shape.count or 1) + 1):
            lay(scene, stretch(source, _WAYS[target.relation], gap_of(text) or 0, number), shape.name)
        return True
    return False
