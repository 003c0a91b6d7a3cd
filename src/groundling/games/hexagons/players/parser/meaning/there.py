"""Finds painted tiles by their colour, their step, or the end they lie at."""

from __future__ import annotations

from groundling.boards.hexes import Tile
from groundling.games.hexagons.players.parser.chunks import TilesPhrase
from groundling.games.hexagons.players.parser.meaning.ground import ColumnFinder
from groundling.games.hexagons.players.parser.target import Target

ENDS = ("leftmost", "rightmost", "topmost", "bottommost")


class PaintedFinder(ColumnFinder):
    def coloured_tiles(self, target: Target, tiles: TilesPhrase, columns: list[int] | None) -> list[Tile]:
        pool = self.scene.tiles_of_colour(tiles.colours)
        if target.steps:
            inside = set(self.scene.tiles_of_steps(target.steps))
            pool = [tile for tile in pool if tile in inside] or pool
        if columns is not None:
            pool = [tile for tile in pool if tile[1] in columns]
        if tiles.order in ENDS:
            return outermost_tiles(pool, tiles)
        if tiles.order == "nth" and tiles.axis is not None:
            by_column = sorted(pool, key=lambda tile: (tile[1], tile[0]))
            return [by_column[n - 1] for n in tiles.axis.resolve_numbers(len(by_column))]
        if not tiles.plural and not tiles.each and not tiles.all and len(pool) > 1:
            return self._one_of(pool, tiles)
        if tiles.count and tiles.count < len(pool):
            recent = self._newest_first(pool, tiles)
            return recent[: tiles.count] if recent else pool[: tiles.count]
        return pool

    def _one_of(self, pool: list[Tile], tiles: TilesPhrase) -> list[Tile]:
        """Return the tile in focus, or else the newest."""
        in_view = [tile for tile in self.scene.focus if tile in pool]
        return in_view or self._newest_first(pool, tiles)[:1] or pool

    def _newest_first(self, pool: list[Tile], tiles: TilesPhrase) -> list[Tile]:
        """Return the pool in reverse order of painting."""
        marks = [mark for mark in self.scene.marks if mark.colour in tiles.colours]
        return list(
            dict.fromkeys(tile for mark in reversed(marks) for tile in reversed(mark.tiles) if tile in pool)
        )

    def at_end(self, target: Target, tiles: TilesPhrase) -> list[Tile]:
        """Return the outermost tiles of the focus, or of a step."""
        return outermost_tiles(
            self.scene.tiles_of_steps(target.steps) if target.steps else list(self.scene.focus), tiles
        )


def outermost_tiles(pool: list[Tile], tiles: TilesPhrase) -> list[Tile]:
    """Return the outermost tiles on one side."""
    if not pool:
        return []

    def tile_height(tile: Tile) -> int:
        return 2 * tile[0] + (tile[1] % 2 == 0)

    if tiles.order in ("topmost", "bottommost"):
        ordered = sorted(pool, key=tile_height, reverse=tiles.order == "bottommost")
        level = [tile for tile in ordered if tile_height(tile) == tile_height(ordered[0])]
    else:
        sign = 1 if tiles.order == "leftmost" else -1
        ordered = sorted(pool, key=lambda tile: (sign * tile[1], tile[0]))
        level = [tile for tile in ordered if tile[1] == ordered[0][1]]
    return level if tiles.plural and tiles.count is None else ordered[: tiles.count or 1]
