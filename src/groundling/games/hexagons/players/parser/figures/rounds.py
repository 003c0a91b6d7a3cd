"""Tiles of flowers, rings and hexagons."""

from __future__ import annotations

import re

from groundling.boards.hexes import Tile, disc_tiles, ring_tiles, step_tile
from groundling.games.hexagons.players.parser.copies import PaintedObject, last_object, shifted_copy
from groundling.games.hexagons.players.parser.gaps import read_gap
from groundling.games.hexagons.players.parser.geometry import MOST_DISTANT, inner_rim
from groundling.games.hexagons.players.parser.meaning import TargetFinder
from groundling.games.hexagons.players.parser.scene import ParserScene
from groundling.games.hexagons.players.parser.target import Target

ROUND = ("flower", "ring", "hexring")
WAYS = {"above": "up", "below": "down", "left": "left", "right": "right"}
_RADIUS = re.compile(
    r"(?:radius|distance) (?:of |is )?(\d+)|reaches (\d+)|(\d+) (?:steps?|tiles?) away|sides? of (\d+)|"
    r"size (\d+)"
)
FULL = re.compile(
    r"(?:filled|full) (?:\w+ )?(?:filled )?(?:hexring|flower|ring)|(?:hexring|flower|ring)(?: in \w+)? ?,?"
    r" filled|middle (?:included|too|and all)|including (?:the|its) middle|and paint it$|filled"
)


def read_radius(text: str) -> int:
    match = _RADIUS.search(text)
    if not match:
        return 1
    reach = match[1] or match[2] or match[3]
    return min(int(reach) if reach else int(match[4] or match[5]) - 1, MOST_DISTANT)


def round_tiles(finder: TargetFinder, target: Target, text: str) -> list[Tile]:
    """Return all tiles at a distance from a middle, or up to it."""
    assert target.shape is not None
    full, radius = bool(FULL.search(text)) or target.shape.size == 7, read_radius(text) or 1
    if target.relation is not None and target.relation.startswith(("ring ", "disc ")):
        return finder.related_tiles(target, None)
    if target.relation == "inside":
        return inner_rim(set(finder.reference_tiles(target.of)))
    if target.relation in ("around", "touching", "outside") and radius == 1 and not full:
        return finder.related_tiles(Target(relation="around", of=target.of), None)
    if target.relation in ("around", "touching", "outside"):
        middles = finder.reference_tiles(target.of)
    elif target.start is not None:
        middles = finder.reference_tiles(target.start)
        way = "down" if "anchortop" in text else "up" if "anchorbottom" in text else None
        middles = [step_tile(tile, way, radius) for tile in middles] if way else middles
    elif target.relation in WAYS:
        return _ring_beside(finder.scene, target, text)
    elif target.columns is not None:
        return _ring_in_columns(finder.scene, finder.find_columns(target.columns))
    else:
        middles = finder.resolve_target(target) if target.corner is not None else []
    return [tile for middle in middles for tile in (disc_tiles if full else ring_tiles)(middle, radius)]


def _ring_beside(scene: ParserScene, target: Target, text: str) -> list[Tile]:
    """Return the last ring moved to one side."""
    wanted = target.of.shape.colours if target.of is not None and target.of.shape is not None else ()
    for mark in reversed(scene.marks):
        middle = PaintedObject(dict.fromkeys(mark.tiles, mark.colour)).centre_tile
        if (not wanted or mark.colour in wanted) and middle is not None:
            thing = PaintedObject(dict.fromkeys(ring_tiles(middle, 1), mark.colour))
            return list(shifted_copy(thing, WAYS[target.relation or "right"], read_gap(text) or 0, 1).tiles)
    return []


def _ring_in_columns(scene: ParserScene, columns: list[int]) -> list[Tile]:
    """Return the last ring at the same height in other columns."""
    thing = last_object(scene, (), "ring")
    if thing is None or not columns:
        return []
    row, _ = thing.corner_tile
    firsts = columns[:1] if columns[-1] - columns[0] == len(columns) - 1 else columns
    return [tile for column in firsts for tile in thing.move_between(thing.corner_tile, (row, column)).tiles]
