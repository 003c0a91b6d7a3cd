"""Tiles of flowers, rings and hexagons."""

from __future__ import annotations

import re

from groundling.boards.hexes import Tile, disc, ring, step
from groundling.games.hexagons.players.parser.copies import Thing, last_thing, stretch
from groundling.games.hexagons.players.parser.gaps import gap_of
from groundling.games.hexagons.players.parser.geometry import FAR, rim
from groundling.games.hexagons.players.parser.meaning import Finder
from groundling.games.hexagons.players.parser.scene import Scene
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


def radius_of(text: str) -> int:
    match = _RADIUS.search(text)
    if not match:
        return 1
    reach = match[1] or match[2] or match[3]
    return min(int(reach) if reach else int(match[4] or match[5]) - 1, FAR)


def round_tiles(finder: Finder, target: Target, text: str) -> list[Tile]:
    """Return all tiles at a distance from a middle, or up to it."""
    assert target.shape is not None
    full, radius = bool(FULL.search(text)) or target.shape.size == 7, radius_of(text) or 1
    if target.relation is not None and target.relation.startswith(("ring ", "disc ")):
        return finder.related(target, None)
    if target.relation == "inside":
        return rim(set(finder.reference(target.of)))
    if target.relation in ("around", "touching", "outside") and radius == 1 and not full:
        return finder.related(Target(relation="around", of=target.of), None)
    if target.relation in ("around", "touching", "outside"):
        middles = finder.reference(target.of)
    elif target.start is not None:
        middles = finder.reference(target.start)
        way = "down" if "anchortop" in text else "up" if "anchorbottom" in text else None
        middles = [step(tile, way, radius) for tile in middles] if way else middles
    elif target.relation in WAYS:
        return _beside(finder.scene, target, text)
    elif target.columns is not None:
        return _in_columns(finder.scene, finder.columns(target.columns))
    else:
        middles = finder.resolve(target) if target.corner is not None else []
    return [tile for middle in middles for tile in (disc if full else ring)(middle, radius)]


def _beside(scene: Scene, target: Target, text: str) -> list[Tile]:
    """Return the last ring moved to one side."""
    wanted = target.of.shape.colours if target.of is not None and target.of.shape is not None else ()
    for mark in reversed(scene.marks):
        middle = Thing(dict.fromkeys(mark.tiles, mark.colour)).centre
        if (not wanted or mark.colour in wanted) and middle is not None:
            thing = Thing(dict.fromkeys(ring(middle, 1), mark.colour))
            return list(stretch(thing, WAYS[target.relation or "right"], gap_of(text) or 0, 1).tiles)
    return []


def _in_columns(scene: Scene, columns: list[int]) -> list[Tile]:
    """Return the last ring at the same height in other columns."""
    thing = last_thing(scene, (), "ring")
    if thing is None or not columns:
        return []
    row, _ = thing.corner
    firsts = columns[:1] if columns[-1] - columns[0] == len(columns) - 1 else columns
    return [tile for column in firsts for tile in thing.moved(thing.corner, (row, column)).tiles]
