"""Converts painted tiles to a drawing program with flowers, columns and lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundling.boards.hexes import HEADINGS, ROWS, Tile, neighbours, ring_tiles, step_tile
from groundling.games.hexagons.players.parser.scene import PaintMark
from groundling.games.hexagons.program.shapes import (
    ColumnShape,
    FlowerShape,
    JoinedShape,
    LineShape,
    Shape,
    TileReference,
    TilesShape,
)
from groundling.games.hexagons.program.statements import PaintStatement, Program


def marks_to_program(marks: Iterable[PaintMark], painted: dict[Tile, str]) -> Program:
    """Return a program for the marks that are still visible."""
    statements: list[PaintStatement] = []
    left = dict(painted)
    for mark in reversed(list(marks)):
        tiles = [tile for tile in mark.tiles if left.get(tile) == mark.colour]
        for tile in tiles:
            del left[tile]
        if tiles:
            statements.append(PaintStatement((mark.colour,), tiles_to_shape(tiles)))
    return Program(tuple(reversed(statements)))


def tiles_to_shape(tiles: Sequence[Tile]) -> Shape:
    """Return a short shape for these tiles."""
    if len(tiles) == 1:
        return TileReference(tiles[0])
    if (centre := _flower_centre(tiles)) is not None:
        return FlowerShape(TileReference(centre))
    parts: list[Shape] = []
    loose: list[TileReference] = []
    for line in _straight_runs(tiles):
        if len(line) < 3:
            loose += [TileReference(tile) for tile in line]
        elif len(line) == ROWS and line[0][1] == line[1][1]:
            parts.append(ColumnShape(line[0][1]))
        else:
            parts.append(
                LineShape(TileReference(line[0]), _heading_between(line[0], line[1]) or "down", len(line))
            )
    if loose:
        parts.append(loose[0] if len(loose) == 1 else TilesShape(tuple(loose)))
    return parts[0] if len(parts) == 1 else JoinedShape(tuple(parts))


def _flower_centre(tiles: Sequence[Tile]) -> Tile | None:
    if len(tiles) != 6:
        return None
    common = frozenset.intersection(*(neighbours(*tile) for tile in tiles))
    return next((tile for tile in common if set(ring_tiles(tile, 1)) == set(tiles)), None)


def _heading_between(a: Tile, b: Tile) -> str | None:
    return next((heading for heading in HEADINGS if step_tile(a, heading) == b), None)


def _straight_runs(tiles: Sequence[Tile]) -> list[list[Tile]]:
    """Cut the tiles into straight runs, in order."""
    lines: list[list[Tile]] = []
    way: str | None = None
    for tile in tiles:
        heading = _heading_between(lines[-1][-1], tile) if lines else None
        if lines and heading is not None and (len(lines[-1]) == 1 or heading == way):
            lines[-1].append(tile)
            way = heading
        else:
            lines.append([tile])
            way = None
    return lines
