"""Finds straight lines: in a direction, from one place to another, or between painted things."""

from __future__ import annotations

from itertools import pairwise

from groundling.boards.hexes import (
    COLUMNS,
    HEADINGS,
    ROWS,
    Tile,
    is_on_lattice,
    lattice_distance,
    step_on_lattice,
)
from groundling.games.hexagons.players.parser.parser_scene import ParserScene
from groundling.games.hexagons.players.parser.relation_finder import RelationFinder
from groundling.games.hexagons.players.parser.targets import Target
from groundling.games.hexagons.players.parser.tile_geometry import step_along_tiles, straight_tile_line


class LineFinder(RelationFinder):
    def line_tiles(self, target: Target, count: int | None) -> list[Tile]:
        """Return a line from a start to an end or the edge, or of some tiles, or placed by a relation."""
        for place in (target.start, target.end):
            if place is not None and _is_numbered(place) and place.columns is None and place.rows is None:
                place.columns = target.columns
        if target.rows is not None:
            return self.resolve_target(Target(rows=target.rows, columns=target.columns))
        placed = self._placed_line(target, count)
        return self._drawn_line(target, count) if placed is None else placed

    def _placed_line(self, target: Target, count: int | None) -> list[Tile] | None:
        """Return a line that another thing places."""
        shape = target.shape
        columns = self.find_columns(target.columns) if target.columns is not None else None
        upright = shape is not None and shape.vertical
        beside = target.relation in ("above", "below")
        if beside and upright and columns is not None and target.of is not None:
            return self.tiles_beyond(target, columns)
        if target.relation == "between":
            return self.related_tiles(target, None)
        if target.start is not None or target.end is not None:
            return None
        if beside and shape is not None and target.heading is None:
            return self.related_tiles(target, count if upright else None)
        if columns is not None and target.relation is None and target.heading in (None, "up", "down"):
            rows = range(1, (count or ROWS) + 1)
            return [
                (ROWS + 1 - row if target.side == "bottom" else row, column)
                for column in columns
                for row in rows
            ]
        return None

    def _drawn_line(self, target: Target, count: int | None) -> list[Tile]:
        scene = self.scene
        starts, beside = self._line_starts(target)
        ends = self.reference_tiles(target.end) if target.end is not None else []
        found: list[Tile] = []
        for number, start in enumerate(starts):
            if ends and (len(ends) == 1 or len(ends) == len(starts)):
                found += straight_tile_line(start, ends[number] if len(ends) == len(starts) else ends[0])
                continue
            for way in [
                find_line_heading(scene, target, start),
                *(turn for turn in target.turns if turn in HEADINGS),
            ]:
                if count is not None:
                    first = (
                        1
                        if beside
                        and not (target.shape is not None and target.colour == scene.board.get(start))
                        else 0
                    )
                    found += [
                        step_along_tiles(start, way, n * scene.stride) for n in range(first, first + count)
                    ]
                else:
                    found += self._tiles_until(start, way, set(ends), include=not beside)
                if way in HEADINGS:
                    scene.heading = way
        loose = [*([] if _is_numbered(target.start) else starts), *([] if _is_numbered(target.end) else ends)]
        return [tile for tile in found if tile not in loose or tile not in scene.board]

    def _line_starts(self, target: Target) -> tuple[list[Tile], bool]:
        """Return where lines start, and whether to leave out the start tile because it is painted already."""
        scene, start = self.scene, target.start
        if start is not None:
            starts = self.reference_tiles(start)
            there = (
                start.pronoun is not None
                or start.shape is not None
                or (start.tiles is not None and not _is_numbered(start))
            )
            return starts, there and any(tile in scene.board for tile in starts)
        if target.of is not None and target.relation in HEADINGS:
            return [step_on_lattice(tile, target.relation) for tile in self.reference_tiles(target.of)], False
        if target.of is not None:
            return self.reference_tiles(target.of), True
        ends = scene.focus[-1:]
        if (
            target.shape is not None
            and target.shape.definite
            and target.heading in ("up", "down")
            and scene.focus
        ):
            run = [tile for tile in scene.focus if tile[1] == scene.focus[-1][1]]
            ends = [min(run) if target.heading == "up" else max(run)]
        return ends, bool(ends) and ends[0] in scene.board

    def _tiles_until(self, start: Tile, way: str, stop: set[Tile], *, include: bool) -> list[Tile]:
        tiles = [start] if include else []
        tile = step_along_tiles(start, way)
        while is_on_lattice(tile) and tile not in stop:
            tiles.append(tile)
            tile = step_along_tiles(tile, way)
        return tiles

    def connecting_tiles(self, places: list[Target], *, closed: bool = False) -> list[Tile]:
        """Return the tiles between places, without these; if closed, also from the last to the first."""
        points = [group for place in places if (group := self._connection_points(place))]
        if not points:
            points = [[tile] for tile in self.latest_tiles(2)]
        if len(points) == 1 and len(points[0]) == 1:
            points.insert(0, self.latest_tiles(1, but=points[0]))
        pairs: list[tuple[Tile, Tile]]
        if len(points) == 1:
            ordered = [*points[0], *(points[0][:1] if closed and len(points[0]) > 2 else [])]
            pairs = (
                _opposite_corners(ordered) if len(ordered) == 4 and not closed else list(pairwise(ordered))
            )
        elif len(points) == 2 and len(points[0]) == len(points[1]) > 1:
            pairs = list(zip(points[0], points[1], strict=True))
        else:
            groups = [group for group in points if group]
            pairs = [_nearest_pair(one, two) for one, two in pairwise(groups)]
        return list(
            dict.fromkeys(
                tile
                for a, b in pairs
                for tile in straight_tile_line(a, b)
                if tile not in (a, b) or tile not in self.scene.board
            )
        )

    def _connection_points(self, place: Target) -> list[Tile]:
        tiles = place.tiles
        if place.pronoun or (
            tiles is not None and not tiles.colours and not place.is_located and not place.steps
        ):
            picks = tiles.axis.picks[0] if tiles is not None and tiles.axis is not None else ("", 0, 0)
            count = (tiles.count if tiles is not None else None) or (
                picks[1] if picks[0] in ("last", "first") else 2
            )
            return list(reversed(self.latest_tiles(count)))
        return self.reference_tiles(place)

    def latest_tiles(self, count: int, but: list[Tile] | None = None) -> list[Tile]:
        """Return the tiles painted last, newest first."""
        newest = dict.fromkeys(tile for mark in reversed(self.scene.marks) for tile in reversed(mark.tiles))
        return [tile for tile in newest if tile not in (but or ())][:count]


def _is_numbered(place: Target | None) -> bool:
    """Whether a tile is named by its column and its number, not by what is painted there."""
    return (
        place is not None
        and place.tiles is not None
        and place.tiles.axis is not None
        and place.tiles.order is None
    )


def _nearest_pair(one: list[Tile], two: list[Tile]) -> tuple[Tile, Tile]:
    return min(((a, b) for a in one for b in two), key=lambda pair: lattice_distance(*pair))


def _opposite_corners(four: list[Tile]) -> list[tuple[Tile, Tile]]:
    """Return the opposite corners of four tiles."""
    ordered = sorted(four, key=lambda tile: (tile[1], tile[0]))
    return [(ordered[0], ordered[3]), (ordered[1], ordered[2])]


def find_line_heading(scene: ParserScene, target: Target, start: Tile) -> str:
    """Return the heading that a direction in words means from this tile; left and right keep the row."""
    said, shape = target.heading or "", target.shape
    if said in HEADINGS and "-" in said:
        return said
    if said in ("left", "right") and target.relation is None and (shape is None or shape.name == "line"):
        return said
    vertical = next((way for way in ("up", "down") if said.endswith(way)), None)
    across = next(
        (way for way in (said, target.relation if target.of is None else None) if way in ("left", "right")),
        None,
    )
    diagonal = said.startswith("diagonal") or (shape is not None and shape.name == "diagonal")
    if across is None and not diagonal:
        return vertical or scene.heading
    row, column = start
    vertical = vertical or ("up" if row > ROWS // 2 else "down")
    across = across or ("right" if column <= COLUMNS // 2 else "left")
    return f"{vertical}-{across}"
