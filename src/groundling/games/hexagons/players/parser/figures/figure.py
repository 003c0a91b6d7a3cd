"""Tiles of a shape to draw, and copies of objects that were named before."""

from __future__ import annotations

from groundling.boards.hexes import Tile
from groundling.games.hexagons.players.parser.copies import last_thing, lay, stretch
from groundling.games.hexagons.players.parser.figures.arms import arms
from groundling.games.hexagons.players.parser.figures.polygons import diamond, triangle
from groundling.games.hexagons.players.parser.figures.rounds import ROUND, WAYS, round_tiles
from groundling.games.hexagons.players.parser.gaps import gap_of
from groundling.games.hexagons.players.parser.meaning import Finder
from groundling.games.hexagons.players.parser.target import Target


def figure(finder: Finder, target: Target, text: str) -> list[Tile]:
    """Return the tiles of a shape to draw, or none if the shape is unknown."""
    assert target.shape is not None
    name, size = target.shape.name, target.shape.size
    if name in ("line", "diagonal", "row", "stripe"):
        return finder.line(target, size)
    if name in ROUND:
        return round_tiles(finder, target, text)
    if name == "triangle":
        return triangle(finder, target, text)
    if name == "diamond":
        return diamond(finder, target, text)
    if name in ("v", "x", "chevron"):
        return arms(finder, target, text)
    return []


def put_named(finder: Finder, target: Target, text: str) -> None:
    """Paint again the last object of that name, or the latest object."""
    scene, shape = finder.scene, target.shape
    assert shape is not None
    source = last_thing(scene, shape.colours, shape.name)
    if source is None:
        return
    if target.colour and target.colour not in source.colours and len(source.colours) == 1:
        source = source.recoloured({source.colours[0]: target.colour})
    if target.columns is not None:
        row, left = source.corner
        for column in finder.columns(target.columns):
            lay(scene, source.moved((row, left), (row, column)), shape.name)
    elif target.start is not None:
        for tile in finder.resolve(target.start):
            lay(scene, source.moved(source.centre or source.first, tile), shape.name)
    elif target.relation in WAYS:
        for number in range(1, (shape.count or 1) + 1):
            lay(scene, stretch(source, WAYS[target.relation], gap_of(text) or 0, number), shape.name)
