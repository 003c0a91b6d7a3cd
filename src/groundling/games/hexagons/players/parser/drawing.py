"""Converts painted tiles to a drawing program with flowers, columns and lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundling.boards.hexes import HEADINGS, ROWS, Tile, neighbours, ring, step
from groundling.games.hexagons.players.parser.scene import Mark
from groundling.games.hexagons.program.shapes import Column, Flower, Joined, Line, Place, Shape, Tiles
from groundling.games.hexagons.program.values import Paint, Program


def drawing(marks: Iterable[Mark], painted: dict[Tile, str]) -> Program:
    """Return a program for the marks that are still visible."""
    statements: list[Paint] = []
    left = dict(painted)
    for mark in reversed(list(marks)):
        tiles = [tile for tile in mark.tiles if left.get(tile) == mark.colour]
        for tile in tiles:
            del left[tile]
        if tiles:
            statements.append(Paint((mark.colour,), shape_of(tiles)))
    return Program(tuple(reversed(statements)))


def shape_of(tiles: Sequence[Tile]) -> Shape:
    """Return a short shape for these tiles."""
    if len(tiles) == 1:
        return Place(tiles[0])
    if (centre := _centre(tiles)) is not None:
        return Flower(Place(centre))
    parts: list[Shape] = []
    loose: list[Place] = []
    for line in _lines(tiles):
        if len(line) < 3:
            loose += [Place(tile) for tile in line]
        elif len(line) == ROWS and line[0][1] == line[1][1]:
            parts.append(Column(line[0][1]))
        else:
            parts.append(Line(Place(line[0]), _heading(line[0], line[1]) or "down", len(line)))
    if loose:
        parts.append(loose[0] if len(loose) == 1 else Tiles(tuple(loose)))
    return parts[0] if len(parts) == 1 else Joined(tuple(parts))


def _centre(tiles: Sequence[Tile]) -> Tile | None:
    if len(tiles) != 6:
        return None
    common = frozenset.intersection(*(neighbours(*tile) for tile in tiles))
    return next((tile for tile in common if set(ring(tile, 1)) == set(tiles)), None)


def _heading(a: Tile, b: Tile) -> str | None:
    return next((heading for heading in HEADINGS if step(a, heading) == b), None)


def _lines(tiles: Sequence[Tile]) -> list[list[Tile]]:
    """Cut the tiles into straight runs, in order."""
    lines: list[list[Tile]] = []
    way: str | None = None
    for tile in tiles:
        heading = _heading(lines[-1][-1], tile) if lines else None
        if lines and heading is not None and (len(lines[-1]) == 1 or heading == way):
            lines[-1].append(tile)
            way = heading
        else:
            lines.append([tile])
            way = None
    return lines
