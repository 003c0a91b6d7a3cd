"""Tiles of flowers, rings and hexagons, triangles, V and X; and copies of earlier objects."""

from __future__ import annotations

import re

from groundling.boards.hexes import (
    COLUMNS,
    ROWS,
    Tile,
    is_on_lattice,
    lattice_disc,
    lattice_ring,
    lattice_triangle,
    step_on_lattice,
)
from groundling.games.hexagons.players.parser.parser_scene import (
    ParserObject,
    ParserScene,
    last_parser_object,
    paint_parser_object,
    shifted_parser_object,
)
from groundling.games.hexagons.players.parser.phrases import ShapePhrase
from groundling.games.hexagons.players.parser.repetition import read_repetition_gap
from groundling.games.hexagons.players.parser.target_finder import TargetFinder
from groundling.games.hexagons.players.parser.targets import Target
from groundling.games.hexagons.players.parser.tile_geometry import (
    MOST_DISTANT,
    TRIANGLE_SIDES,
    inner_tile_rim,
    outline_tiles,
    upright_tile_triangle,
)

_ROUND = ("flower", "ring", "hexring")
_WAYS = {"above": "up", "below": "down", "left": "left", "right": "right"}
_RADIUS = re.compile(
    r"(?:radius|distance) (?:of |is )?(\d+)|reaches (\d+)|(\d+) (?:steps?|tiles?) away|sides? of (\d+)|"
    r"size (\d+)"
)
_FULL = re.compile(
    r"(?:filled|full) (?:\w+ )?(?:filled )?(?:hexring|flower|ring)|(?:hexring|flower|ring)(?: in \w+)? ?,?"
    r" filled|middle (?:included|too|and all)|including (?:the|its) middle|and paint it$|filled"
)


def figure_tiles(finder: TargetFinder, target: Target, shape: ShapePhrase, text: str) -> list[Tile]:
    """Return the tiles of a shape to draw, or none if the shape is unknown."""
    name, size = shape.name, shape.size
    if name in ("line", "diagonal", "row", "stripe"):
        return finder.line_tiles(target, size)
    if name in _ROUND:
        return _round_at(finder, target, shape, text)
    if name == "triangle":
        return _triangle_at(finder, target, shape, text)
    if name in ("v", "x", "chevron"):
        return _arms_at(finder, target, shape, text)
    return []


def paint_named_figure(finder: TargetFinder, target: Target, shape: ShapePhrase, text: str) -> None:
    """Paint again the last object of that name, or the latest object."""
    scene = finder.scene
    source = last_parser_object(scene, shape.colours, shape.name)
    if source is None:
        return
    if target.colour and target.colour not in source.colours and len(source.colours) == 1:
        source = source.with_colours({source.colours[0]: target.colour})
    if target.columns is not None:
        row, left = source.corner_tile
        for column in finder.find_columns(target.columns):
            paint_parser_object(scene, source.move_between((row, left), (row, column)), shape.name)
    elif target.start is not None:
        for tile in finder.resolve_target(target.start):
            paint_parser_object(
                scene, source.move_between(source.centre_tile or source.first_tile, tile), shape.name
            )
    elif target.relation in _WAYS:
        for number in range(1, (shape.count or 1) + 1):
            paint_parser_object(
                scene,
                shifted_parser_object(source, _WAYS[target.relation], read_repetition_gap(text) or 0, number),
                shape.name,
            )


def _read_radius(text: str) -> int:
    match = _RADIUS.search(text)
    if not match:
        return 1
    reach = match[1] or match[2] or match[3]
    return min(int(reach) if reach else int(match[4] or match[5]) - 1, MOST_DISTANT)


def _round_at(finder: TargetFinder, target: Target, shape: ShapePhrase, text: str) -> list[Tile]:
    """Return all tiles at a distance from a middle, or up to it."""
    full, radius = bool(_FULL.search(text)) or shape.size == 7, _read_radius(text) or 1
    if target.relation is not None and target.relation.startswith(("ring ", "disc ")):
        return finder.related_tiles(target, None)
    if target.relation == "inside":
        return inner_tile_rim(set(finder.reference_tiles(target.of)))
    if target.relation in ("around", "touching", "outside") and radius == 1 and not full:
        return finder.related_tiles(Target(relation="around", of=target.of), None)
    if target.relation in ("around", "touching", "outside"):
        middles = finder.reference_tiles(target.of)
    elif target.start is not None:
        middles = finder.reference_tiles(target.start)
    elif target.relation in _WAYS:
        return _ring_beside(finder.scene, target, text)
    elif target.columns is not None:
        return _ring_in_columns(finder.scene, finder.find_columns(target.columns))
    else:
        middles = finder.resolve_target(target) if target.corner is not None else []
    return [tile for middle in middles for tile in (lattice_disc if full else lattice_ring)(middle, radius)]


def _ring_beside(scene: ParserScene, target: Target, text: str) -> list[Tile]:
    """Return the last ring moved to one side."""
    wanted = target.of.shape.colours if target.of is not None and target.of.shape is not None else ()
    for mark in reversed(scene.marks):
        middle = ParserObject(dict.fromkeys(mark.tiles, mark.colour)).centre_tile
        if (not wanted or mark.colour in wanted) and middle is not None:
            thing = ParserObject(dict.fromkeys(lattice_ring(middle, 1), mark.colour))
            return list(
                shifted_parser_object(
                    thing, _WAYS[target.relation or "right"], read_repetition_gap(text) or 0, 1
                ).tiles
            )
    return []


def _ring_in_columns(scene: ParserScene, columns: list[int]) -> list[Tile]:
    """Return the last ring at the same height in other columns."""
    thing = last_parser_object(scene, (), "ring")
    if thing is None or not columns:
        return []
    row, _ = thing.corner_tile
    firsts = columns[:1] if columns[-1] - columns[0] == len(columns) - 1 else columns
    return [tile for column in firsts for tile in thing.move_between(thing.corner_tile, (row, column)).tiles]


_POINTING = re.compile(
    r"(?:pointing|facing|points|faces|face|point|with its tip)(?: to| towards)?(?: the)? (left|right)|"
    r"(?<!top )(?<!bottom )(?<!upper )(?<!lower )(left|right) (?:corner|tip|point)"
)
_TIP = re.compile(
    r"pointing (?:left|right) from|(?:tip|point|peak|corner)(?: of it| of the triangle)?"
    r"(?: is| at| in| being| located| on)+"
)
_SIDE = re.compile(
    r"size (\d+)|sides? (?:of|with|being|has|have|is) (\d+)|(\d+) (?:tiles? )?(?:on|per|for|along) "
    r"(?:each|a|every|all) side|(\d+) sided|(\d+) (?:tiles )?(?:tall|high|long|wide|by)"
)


def _side_length(text: str, size: int | None) -> int:
    """Return the tiles per side, as stated or computed from the total."""
    if match := _SIDE.search(text):
        return int(next(group for group in match.groups() if group))
    total = size or next((int(n) for n in re.findall(r"(\d+) (?:\w+ )?tiles?", text)), 0)
    return TRIANGLE_SIDES.get(total, 0)


def _triangle_at(finder: TargetFinder, target: Target, shape: ShapePhrase, text: str) -> list[Tile]:
    """Return a triangle with one vertical side that points left or right, by its tip or that side's top."""
    side, pointing = _side_length(text, shape.size), _POINTING.search(text)
    way = (pointing[1] or pointing[2]) if pointing else "right"
    by_tip = pointing is not None and _TIP.search(text) is not None
    starts = finder.resolve_target(target.start) if target.start is not None else []
    if target.columns is not None and not starts:
        row = 1 if target.side != "bottom" else ROWS - side + 1
        starts = [(row, column) for column in finder.find_columns(target.columns)]
    if not starts or not side:
        return []
    found: list[Tile] = []
    for start in starts:
        found += (
            lattice_triangle(start, "up-right" if way == "left" else "down-left", side)
            if by_tip
            else upright_tile_triangle(start, side, way)
        )
    return [tile for tile in (outline_tiles(found) if "hollow" in text else found) if is_on_lattice(tile)]


_ARM_REACH = re.compile(
    r"(?:arms?|sides?|legs?)(?: of| with| being| is| are)? (\d+)|"
    r"(\d+) (?:more |additional )?tiles? (?:long |out )?(?:in|on|to|for) (?:each|both|either|all)"
)


def _arms_at(finder: TargetFinder, target: Target, shape: ShapePhrase, text: str) -> list[Tile]:
    """Return two upward diagonals for a V (downward if it is upside down), four for an X."""
    points = finder.reference_tiles(target.start) if target.start is not None else []
    if target.relation in ("above", "below") and not points:
        points = finder.related_tiles(target, 1)
    ways = ["up-left", "up-right"]
    if shape.name == "x":
        ways += ["down-left", "down-right"]
    elif shape.name == "chevron" or "upside" in shape.words or "down" in shape.words:
        ways = ["down-left", "down-right"]
    reach = _arm_reach(text, shape.size, len(ways)) or (2 if shape.name == "x" else COLUMNS)
    found: list[Tile] = []
    for point in points:
        found.append(point)
        found += [
            tile
            for way in ways
            for n in range(1, reach + 1)
            if is_on_lattice(tile := step_on_lattice(point, way, n))
        ]
    return found


def _arm_reach(text: str, size: int | None, count: int) -> int | None:
    """Return the length of the arms beyond the point where they meet."""
    if match := _ARM_REACH.search(text):
        return int(match[1]) - 1 if match[1] else int(match[2])
    return (size - 1) // count if size else None
