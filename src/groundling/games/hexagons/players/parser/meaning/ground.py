"""Finds columns, and the reference tiles of a relation."""

from __future__ import annotations

from abc import ABC, abstractmethod

from msgspec import structs

from groundling.boards.hexes import COLUMNS, Tile
from groundling.games.hexagons.players.parser.chunks import ColumnsPhrase, ShapePhrase
from groundling.games.hexagons.players.parser.scene import ParserScene
from groundling.games.hexagons.players.parser.target import Target


class ColumnFinder(ABC):
    def __init__(self, scene: ParserScene) -> None:
        self.scene = scene

    @abstractmethod
    def resolve_target(self, target: Target) -> list[Tile]:
        """Return the tiles of a target that are on the board, in order."""

    def find_columns(self, chunk: ColumnsPhrase) -> list[int]:
        """Return the columns of a phrase, which stay the same within a sentence."""
        meant = self.scene.meant
        if id(chunk) not in meant:
            named = [column for part in (chunk, *chunk.more) for column in self._find_phrase_columns(part)]
            meant[id(chunk)] = chunk, list(dict.fromkeys(named))  # keeping the chunk keeps its id unique
        return meant[id(chunk)][1]

    def _find_phrase_columns(self, chunk: ColumnsPhrase) -> list[int]:
        scene = self.scene
        if chunk.axis is not None:
            return chunk.axis.resolve_numbers(COLUMNS, scene.side)
        here = scene.columns or sorted({column for _, column in scene.focus})
        if chunk.colour is not None:
            here = sorted({column for _, column in scene.tiles_of_colour([chunk.colour])})
        if not here:
            return [1] if chunk.relative in ("next", "right") else []
        if chunk.relative == "same":
            return here
        left = chunk.relative == "left" or (chunk.relative == "next" and scene.side == "right")
        if chunk.relative == "previous":
            found = [min(here) - 1]
        elif chunk.relative == "sides":
            found = [min(here) - 1, max(here) + 1]
        else:
            scene.skipped = False
            counts = range(chunk.count if chunk.jump else 1, chunk.count + 1)
            found = [min(here) - n if left else max(here) + n for n in counts]
        return [column for column in found if 1 <= column <= COLUMNS]

    def reference_tiles(self, of: Target | None) -> list[Tile]:
        """Return the tiles that a relation starts from."""
        scene = self.scene
        if of is None:
            return list(scene.focus)
        if of.shape is not None:
            return self._painted_shape_tiles(of, of.shape)
        kept = scene.columns
        if of.tiles is not None and of.tiles.colours and not of.tiles.definite:
            of.tiles = structs.replace(of.tiles, definite=True)
        found = self.resolve_target(of)
        if of.columns is None:
            scene.columns = kept
        return found

    def _painted_shape_tiles(self, of: Target, shape: ShapePhrase) -> list[Tile]:
        """Return the tiles of a shape that is already painted."""
        scene, several = self.scene, shape.plural or shape.each
        named = [mark for mark in scene.marks if mark.kind == shape.name]
        coloured = set(scene.tiles_of_colour(shape.colours))
        if of.steps:
            pool = scene.tiles_of_steps(of.steps)
        elif shape.colours:
            pool = scene.tiles_of_colour(shape.colours)
        elif named:
            pool = [tile for mark in (named if several else named[-1:]) for tile in mark.tiles]
        elif several and scene.marks:
            last = scene.marks[-1].colour
            pool = [
                tile
                for mark in scene.marks
                if mark.colour == last and len(mark.tiles) > 1
                for tile in mark.tiles
            ]
        else:
            pool = scene.focus
        if not shape.colours:
            return list(dict.fromkeys(pool))
        pool = [tile for tile in pool if tile in coloured]
        latest = next((mark for mark in reversed(scene.marks) if mark.colour in shape.colours), None)
        if several or latest is None:
            return pool
        return [tile for tile in latest.tiles if tile in coloured] or pool
