"""Tiles of a shape to draw, and copies of objects that were named before."""

from __future__ import annotations

from groundling.boards.hexes import Tile
from groundling.games.hexagons.players.parser.copies import last_object, paint_object, shifted_copy
from groundling.games.hexagons.players.parser.figures.arms import arm_tiles
from groundling.games.hexagons.players.parser.figures.polygons import diamond_tiles, triangle_tiles
from groundling.games.hexagons.players.parser.figures.rounds import ROUND, WAYS, round_tiles
from groundling.games.hexagons.players.parser.gaps import read_gap
from groundling.games.hexagons.players.parser.meaning import TargetFinder
from groundling.games.hexagons.players.parser.target import Target


def figure_tiles(finder: TargetFinder, target: Target, text: str) -> list[Tile]:
    """Return the tiles of a shape to draw, or none if the shape is unknown."""
    assert target.shape is not None
    name, size = target.shape.name, target.shape.size
    if name in ("line", "diagonal", "row", "stripe"):
        return finder.line_tiles(target, size)
    if name in ROUND:
        return round_tiles(finder, target, text)
    if name == "triangle":
        return triangle_tiles(finder, target, text)
    if name == "diamond":
        return diamond_tiles(finder, target, text)
    if name in ("v", "x", "chevron"):
        return arm_tiles(finder, target, text)
    return []


def paint_named_object(finder: TargetFinder, target: Target, text: str) -> None:
    """Paint again the last object of that name, or the latest object."""
    scene, shape = finder.scene, target.shape
    assert shape is not None
    source = last_object(scene, shape.colours, shape.name)
    if source is None:
        return
    if target.colour and target.colour not in source.colours and len(source.colours) == 1:
        source = source.with_colours({source.colours[0]: target.colour})
    if target.columns is not None:
        row, left = source.corner_tile
        for column in finder.find_columns(target.columns):
            paint_object(scene, source.move_between((row, left), (row, column)), shape.name)
    elif target.start is not None:
        for tile in finder.resolve_target(target.start):
            paint_object(
                scene, source.move_between(source.centre_tile or source.first_tile, tile), shape.name
            )
    elif target.relation in WAYS:
        for number in range(1, (shape.count or 1) + 1):
            paint_object(
                scene, shifted_copy(source, WAYS[target.relation], read_gap(text) or 0, number), shape.name
            )
