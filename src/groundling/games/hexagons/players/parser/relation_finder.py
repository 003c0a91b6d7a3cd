"""Finds columns, painted tiles by colour, step or end, and tiles by their relation to others."""

from __future__ import annotations

from abc import ABC, abstractmethod

from msgspec import structs

from groundling.boards.hexes import (
    COLUMNS,
    HEADINGS,
    ROWS,
    Tile,
    is_on_lattice,
    lattice_disc,
    lattice_ring,
    neighbours,
    step_on_lattice,
    turn_lattice_heading,
)
from groundling.games.hexagons.players.parser.parser_scene import ParserScene
from groundling.games.hexagons.players.parser.phrases import ColumnsPhrase, ShapePhrase, TilesPhrase
from groundling.games.hexagons.players.parser.targets import Target
from groundling.games.hexagons.players.parser.tile_geometry import (
    ALL_TILES,
    MOST_DISTANT,
    enclosed_tiles,
    neighbours_on_board,
    straight_tile_line,
    tile_run_ends,
    upright_tile_triangle,
    vertical_tile_runs,
)

ENDS = ("leftmost", "rightmost", "topmost", "bottommost")
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


class RelationFinder(ABC):
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
                for tile in (lattice_ring if kind == "ring" else lattice_disc)(
                    middle, min(int(far), MOST_DISTANT)
                )
            ]
        if kind in ("above", "below"):
            way = "up" if kind == "above" else "down"
            ends = tile_run_ends(base, way, outermost=vague)
            return [step_on_lattice(end, way, n) for end in ends for n in range(1, (count or 1) + 1)]
        if kind in ("left", "right", "sides"):
            return _tiles_beside(base, kind, count)
        if kind in HEADINGS:
            inside = set(base)
            return [
                tile
                for start in base
                for n in range(1, (count or 1) + 1)
                if (tile := step_on_lattice(start, kind, n)) not in inside
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
            return straight_tile_line(first[-1], second[0])[1:-1] if first and second else []
        ends = self.reference_tiles(target.of)
        if len(ends) < 2:
            ends = [*scene.before[-1:], *scene.focus[-1:]]
        if len(ends) > 2:
            pool = set(ends)
            return [tile for tile in ALL_TILES if tile not in scene.board and _is_between(tile, pool)]
        if len(ends) == 2:
            return (
                straight_tile_line(ends[0], ends[1])[1:-1]
                or [tile for tile in neighbours_on_board(ends[0]) if tile in neighbours_on_board(ends[1])][:1]
            )
        return []


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


def _is_between(tile: Tile, pool: set[Tile]) -> bool:
    """Whether tiles of the pool lie on two opposite sides."""
    return any(
        step_on_lattice(tile, way) in pool and step_on_lattice(tile, turn_lattice_heading(way, 3)) in pool
        for way in HEADINGS[:3]
    )


def _tiles_beside(base: list[Tile], name: str, count: int | None) -> list[Tile]:
    """Return the tiles of the next column that touch vertical runs, left or right."""
    found: list[Tile] = []
    inside = set(base)
    for run in vertical_tile_runs(tile for tile in base if is_on_lattice(tile)):
        for way in ("left", "right") if name == "sides" else (name,):
            column = run[0][1] + (1 if way == "right" else -1)
            near = sorted(
                {tile for own in run for tile in neighbours(*own) if tile[1] == column and tile not in inside}
            )
            if count is not None and count > len(run) and 2 * count == len(run) * (len(run) - 1):
                found += upright_tile_triangle(run[0], len(run), way)[len(run) :]
                continue
            spare = max(0, len(near) - (len(near) if count is None else count))
            found += near[spare // 2 : len(near) - (spare - spare // 2)]
    return found
