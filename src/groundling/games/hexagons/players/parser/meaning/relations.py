"""Finds tiles by a relation: above, below, beside, around, between, inside."""

from __future__ import annotations

from groundling.boards.hexes import (
    HEADINGS,
    ROWS,
    Tile,
    disc_tiles,
    neighbours,
    on_board,
    ring_tiles,
    step_tile,
    turn_heading,
)
from groundling.games.hexagons.players.parser.geometry import (
    ALL_TILES,
    enclosed_tiles,
    neighbours_on_board,
    outermost_runs,
    straight_line,
    vertical_runs,
)
from groundling.games.hexagons.players.parser.meaning.there import PaintedFinder
from groundling.games.hexagons.players.parser.target import Target

_PAIRS = (
    ("above", "below"),
    ("left", "right"),
    ("up-left", "down-right"),
    ("up-right", "down-left"),
    ("up-left", "up-right"),
    ("down-left", "down-right"),
)
_TURNED = {pair for a, b in _PAIRS for pair in ((a, b), (b, a))}
"""Pairs of relations that, stated in turn, refer to two sides of the same thing."""


class RelationFinder(PaintedFinder):
    def related_tiles(self, target: Target, count: int | None) -> list[Tile]:
        """Return the tiles on one or several sides of others."""
        names = [*target.besides, target.relation or ""]
        each = count // len(names) if count and count % len(names) == 0 else count
        return [tile for name in names for tile in self._tiles_in_relation(target, name, each)]

    def _tiles_in_relation(self, target: Target, name: str, count: int | None) -> list[Tile]:
        scene = self.scene
        base = self.reference_tiles(target.of)
        vague = target.of is None or target.of.pronoun is not None
        if vague and (target.of is None or target.of.pronoun == "it") and scene.turned:
            base = scene.base if target.its or (scene.turned, name) in _TURNED else base
        scene.base, scene.turned = base, name
        kind, _, far = name.partition(" ")
        if kind == "between":
            return self._tiles_between(target)
        if kind == "inside":
            wall = [tile for mark in scene.marks[-3:] for tile in mark.tiles] if target.of is None else base
            return [tile for tile in enclosed_tiles(set(wall)) if tile not in scene.board]
        if kind in ("touching", "around"):
            inside = set(base)
            near = dict.fromkeys(tile for middle in base for tile in neighbours_on_board(middle))
            return [
                tile for tile in near if tile not in inside and (len(base) == 1 or tile not in scene.board)
            ]
        if kind in ("ring", "disc"):
            return [
                tile
                for middle in base
                for tile in (ring_tiles if kind == "ring" else disc_tiles)(middle, int(far))
            ]
        if kind in ("above", "below"):
            way = "up" if kind == "above" else "down"
            ends = [
                run[0] if way == "up" else run[-1]
                for run in (outermost_runs(base, way) if vague else vertical_runs(base))
            ]
            return [step_tile(end, way, n) for end in ends for n in range(1, (count or 1) + 1)]
        if kind in ("left", "right", "sides"):
            return _tiles_beside(base, kind, count)
        if kind in HEADINGS:
            inside = set(base)
            return [
                tile
                for start in base
                for n in range(1, (count or 1) + 1)
                if (tile := step_tile(start, kind, n)) not in inside
            ]
        return []

    def tiles_beyond(self, target: Target, columns: list[int]) -> list[Tile]:
        """Return what lies above or below something in some columns, up to the edge."""
        base = self.reference_tiles(target.of)
        found: list[Tile] = []
        for column in columns:
            rows = [row for row, own in base if own == column]
            if rows:
                span = range(1, min(rows)) if target.relation == "above" else range(max(rows) + 1, ROWS + 1)
                found += [(row, column) for row in span]
        return found

    def _tiles_between(self, target: Target) -> list[Tile]:
        scene = self.scene
        if target.both is not None and target.of is not None:
            first, second = self.reference_tiles(target.of), self.reference_tiles(target.both)
            return straight_line(first[-1], second[0])[1:-1] if first and second else []
        ends = self.reference_tiles(target.of)
        if len(ends) < 2:
            ends = [*scene.before[-1:], *scene.focus[-1:]]
        if len(ends) > 2:
            pool = set(ends)
            return [tile for tile in ALL_TILES if tile not in scene.board and _is_between(tile, pool)]
        if len(ends) == 2:
            return (
                straight_line(ends[0], ends[1])[1:-1]
                or [tile for tile in neighbours_on_board(ends[0]) if tile in neighbours_on_board(ends[1])][:1]
            )
        return []


def _triangle_beside(run: list[Tile], way: str) -> list[Tile]:
    """Return the tiles that complete a vertical line to a triangle."""
    heads = [step_tile(run[0], f"down-{way}", n) for n in range(1, len(run))]
    return [step_tile(head, "down", k) for n, head in enumerate(heads, 1) for k in range(len(run) - n)]


def _is_between(tile: Tile, pool: set[Tile]) -> bool:
    """Whether tiles of the pool lie on two opposite sides."""
    return any(
        step_tile(tile, way) in pool and step_tile(tile, turn_heading(way, 3)) in pool for way in HEADINGS[:3]
    )


def _tiles_beside(base: list[Tile], name: str, count: int | None) -> list[Tile]:
    """Return the tiles of the next column that touch vertical runs, left or right."""
    found: list[Tile] = []
    inside = set(base)
    for run in vertical_runs(tile for tile in base if on_board(tile)):
        for way in ("left", "right") if name == "sides" else (name,):
            column = run[0][1] + (1 if way == "right" else -1)
            near = sorted(
                {tile for own in run for tile in neighbours(*own) if tile[1] == column and tile not in inside}
            )
            if count is not None and count > len(run) and 2 * count == len(run) * (len(run) - 1):
                found += _triangle_beside(run, way)
                continue
            spare = max(0, len(near) - (len(near) if count is None else count))
            found += near[spare // 2 : len(near) - (spare - spare // 2)]
    return found
