"""Finds the tiles that a target means."""

from __future__ import annotations

from groundling.boards.hexes import COLUMNS, HEADINGS, ROWS, Tile, is_on_lattice, step_on_lattice
from groundling.games.hexagons.players.parser.line_finder import LineFinder, find_line_heading
from groundling.games.hexagons.players.parser.phrases import AxisSelection, RowsPhrase, TilesPhrase
from groundling.games.hexagons.players.parser.relation_finder import ENDS, outermost_tiles
from groundling.games.hexagons.players.parser.targets import Target
from groundling.games.hexagons.players.parser.tile_geometry import ALL_TILES, step_along_tiles, tile_run_ends


class TargetFinder(LineFinder):
    def resolve_target(self, target: Target) -> list[Tile]:
        found = self._on_board(target)
        for other in target.also:
            found += [tile for tile in self.resolve_target(other) if tile not in found]
        for other in target.excepted:
            if target.columns is None and target.rows is None and other.columns is not None:
                target.columns = other.columns
                found = self._on_board(target)
            out = set(self.resolve_target(other))
            found = [tile for tile in found if tile not in out]
        return found

    def _on_board(self, target: Target) -> list[Tile]:
        return [tile for tile in dict.fromkeys(self._find_target(target)) if is_on_lattice(tile)]

    def _find_target(self, target: Target) -> list[Tile]:
        scene, tiles = self.scene, target.tiles
        if target.corner is not None:
            row = 1 if target.corner.vertical == "top" else ROWS
            return [(row, 1 if target.corner.horizontal == "left" else COLUMNS)]
        if target.pronoun:
            return list(scene.focus) if any(row for row, _ in scene.focus) else _column_tiles(scene.columns)
        columns = self.find_columns(target.columns) if target.columns else None
        if columns:
            scene.columns = columns
        if target.rows is not None:
            return self._in_rows(target, target.rows, columns)
        if columns is not None and target.relation in ("above", "below") and _whole_side(target):
            return self.tiles_beyond(target, columns)
        if tiles is None and target.shape is not None:
            return []
        if tiles is None and columns is not None:
            return _column_tiles(columns)
        if tiles is None:
            return self.related_tiles(target, 1) if target.relation else self.line_tiles(target, None)
        return self._find_tiles(target, tiles, columns)

    def _find_tiles(self, target: Target, tiles: TilesPhrase, columns: list[int] | None) -> list[Tile]:
        scene = self.scene
        if tiles.order == "around" and not target.relation:
            target.relation = "around"
        if target.relation:
            found = self._nth_related(target, tiles)
            free = columns is None or target.relation in ("left", "right", "sides")
            return [tile for tile in found if free or tile[1] in (columns or ())]
        known = tiles.definite or tiles.each or tiles.all
        if tiles.order == "nth" or (tiles.colours and known and "blank" not in tiles.colours):
            return self.coloured_tiles(target, tiles, columns)
        if tiles.order in ENDS:
            pool = scene.tiles_of_steps(target.steps) if target.steps else list(scene.focus)
            return outermost_tiles(pool, tiles)
        if tiles.order == "same" and scene.axis is not None and columns is not None:
            return self._by_axis(target, scene.axis, columns)
        if tiles.order == "corners":
            return [(row, column) for column in (1, COLUMNS) for row in (1, ROWS)]
        if tiles.next:
            return self._next_tiles(target, tiles, columns)
        if tiles.order == "rest":
            return self._rest_of_columns(columns)
        if tiles.axis is not None and not (tiles.order == "last" and columns is None and not scene.columns):
            return self._by_axis(target, tiles.axis, columns)
        if target.start is not None or target.heading in HEADINGS:
            one = not tiles.plural and not tiles.all and target.end is None
            return self.line_tiles(target, tiles.count or (1 if one else None))
        return self._by_count(target, tiles, columns)

    def _by_count(self, target: Target, tiles: TilesPhrase, columns: list[int] | None) -> list[Tile]:
        """Find tiles given by number, as all, or as those in focus, without a position in their column."""
        scene = self.scene
        if "blank" in tiles.colours and (tiles.definite or tiles.all):
            return [
                tile
                for tile in ALL_TILES
                if tile not in scene.board and (columns is None or tile[1] in columns)
            ]
        if columns is not None and (
            tiles.all or (tiles.definite and tiles.plural and not tiles.count and tiles.order is None)
        ):
            return _column_tiles(columns)
        if target.steps and not tiles.colours and (tiles.definite or tiles.each or tiles.all):
            painted = scene.tiles_of_steps(target.steps)
            return painted if tiles.plural or tiles.each else painted[-1:]
        if tiles.each and columns is None and not tiles.colours and not tiles.count:
            return self._recently_painted()
        if tiles.order == "last" and tiles.plural:
            if columns and scene.axis is not None:
                return self._by_axis(target, scene.axis, columns)
            return self._recently_painted()
        if tiles.order == "last" or (tiles.definite and not tiles.count):
            return list(scene.focus) if not tiles.order else scene.focus[-1:]
        if tiles.count and target.side and columns is None:
            columns = scene.columns or None
        if tiles.count and columns is not None:
            on = [row for row, column in scene.focus if column in columns and (row, column) in scene.painted]
            if on and not target.side and scene.columns == columns:
                return [
                    (row, column)
                    for column in columns
                    for row in range(max(on) + 1, max(on) + 1 + tiles.count)
                ]
            return self._by_axis(
                target, AxisSelection((("first", tiles.count, 0),), target.side or "top"), columns
            )
        if tiles.all and tiles.plural and not tiles.colours:
            return list(ALL_TILES)
        if tiles.count and tiles.count < ROWS and scene.focus:
            return self._next_tiles(target, tiles, columns)
        return []

    def _recently_painted(self) -> list[Tile]:
        """Return the tiles in focus with all that was painted together with them."""
        scene = self.scene
        pool = list(scene.painted) or scene.tiles_of_steps([0])
        return pool if set(scene.focus) <= set(pool) else list(scene.focus)

    def _in_rows(self, target: Target, rows: RowsPhrase, columns: list[int] | None) -> list[Tile]:
        scene, tiles, axis = self.scene, target.tiles, rows.axis
        if tiles is not None and tiles.axis is not None:
            if axis.side is None and columns is None:  # "3rd tile of the 5th row": "row" means column
                return [
                    (row, column)
                    for column in axis.resolve_numbers(COLUMNS, scene.side)
                    for row in tiles.axis.resolve_numbers(ROWS)
                ]
            across = AxisSelection(tiles.axis.picks, scene.side).resolve_numbers(COLUMNS)
            return [(row, column) for row in axis.resolve_numbers(ROWS) for column in across]
        numbers = axis.resolve_numbers(ROWS)
        if columns is not None and len(columns) == 1 and tiles is not None and tiles.count:
            return [
                (row, column) for row in numbers for column in range(columns[0], columns[0] + tiles.count)
            ]
        if columns is not None:
            return [(row, column) for column in columns for row in numbers]
        if tiles is not None and tiles.count:
            done = max((column for row, column in scene.painted if row in numbers), default=0)
            return [(row, column) for row in numbers for column in range(done + 1, done + 1 + tiles.count)]
        across = list(range(1, COLUMNS + 1))
        if tiles is not None and tiles.colours and (tiles.definite or tiles.each or tiles.all):
            return [
                (row, column)
                for row in numbers
                for column in across
                if scene.board.get((row, column)) in tiles.colours
            ]
        return [(row, column) for row in numbers for column in across]

    def _by_axis(self, target: Target, axis: AxisSelection, columns: list[int] | None) -> list[Tile]:
        """Find tiles by their numbers in a column."""
        scene, (kind, stride, _) = self.scene, axis.picks[0]
        if columns is None and scene.skipped:
            scene.columns, scene.skipped = [min(max(scene.columns, default=0) + 1, COLUMNS)], False
        if (
            kind == "every"
            and target.heading
            and target.start is not None
            and (begun := self.resolve_target(target.start))
        ):
            return self._every_nth_tile(target, begun[0], stride)
        if columns is None and target.start is not None and target.start.columns is not None:
            columns = self.find_columns(target.start.columns)
        where = columns or scene.columns or [1 if scene.side != "right" else COLUMNS]
        side = axis.side or target.side
        rows = axis.resolve_numbers(ROWS, side)
        if kind == "every" and target.start is not None:
            begun = self.resolve_target(target.start)
            first = begun[0][0] if begun else 1
            rows = (
                list(range(first, 0, -stride)) if side == "bottom" else list(range(first, ROWS + 1, stride))
            )
        scene.axis = axis
        return [(row, column) for column in where for row in rows[: target.total]]

    def _every_nth_tile(self, target: Target, start: Tile, stride: int) -> list[Tile]:
        """Return every n-th tile along a line."""
        way = find_line_heading(self.scene, target, start)
        tiles = [
            tile for n in range(0, COLUMNS, stride) if is_on_lattice(tile := step_along_tiles(start, way, n))
        ]
        total = target.total or (0 if target.alternate else sum(count for count, _ in target.sequence))
        return tiles[:total] if total else tiles

    def _next_tiles(self, target: Target, tiles: TilesPhrase, columns: list[int] | None) -> list[Tile]:
        """Return the tiles that follow the focus."""
        scene, count = self.scene, tiles.count or 1
        heading = (
            find_line_heading(scene, target, scene.focus[-1])
            if target.heading and scene.focus
            else scene.heading
        )
        if target.start is not None:
            scene.focus_on(self.resolve_target(target.start))
        if columns is not None and scene.focus and columns != sorted({column for _, column in scene.focus}):
            return [(row, column) for column in columns for row in self._blank_rows(column)[:count]]
        upright = heading in ("up", "down")
        ends = tile_run_ends(scene.focus, heading, outermost=True) if upright else scene.focus[-1:]
        return [step_along_tiles(end, heading, n) for end in ends for n in range(1, count + 1)]

    def _blank_rows(self, column: int) -> list[int]:
        return [row for row in range(1, ROWS + 1) if (row, column) not in self.scene.board]

    def _rest_of_columns(self, columns: list[int] | None) -> list[Tile]:
        """Return the blank tiles of columns from the focus on."""
        scene = self.scene
        one = len({column for _, column in scene.focus}) == 1
        lowest = max(row for row, _ in scene.focus) if one else 0
        return [
            (row, column)
            for column in columns or scene.columns
            for row in self._blank_rows(column)
            if row >= lowest
        ]

    def _nth_related(self, target: Target, tiles: TilesPhrase) -> list[Tile]:
        if tiles.axis is None:
            one = target.relation in ("left", "right") and not (tiles.plural or tiles.each or tiles.all)
            return self.related_tiles(target, tiles.count or (1 if one else None))
        if tiles.axis.picks[0][0] in ("first", "last"):
            return self._by_axis(
                target, tiles.axis, self.find_columns(target.columns) if target.columns else None
            )
        way = {"above": "up", "below": "down"}.get(target.relation or "", target.relation or "")
        if way not in HEADINGS:
            return []
        ends = tile_run_ends(self.reference_tiles(target.of), way)
        return [step_on_lattice(end, way, n) for end in ends for n in tiles.axis.resolve_numbers(ROWS)]


def _column_tiles(columns: list[int]) -> list[Tile]:
    """Return all tiles of some columns."""
    return [(row, column) for column in columns for row in range(1, ROWS + 1)]


def _whole_side(target: Target) -> bool:
    """Whether a whole column on one side of something is meant, not only the adjacent tile."""
    tiles = target.tiles
    if target.of is None or target.of.pronoun:
        return False
    if tiles is None:
        return target.shape is None or target.shape.vertical
    return tiles.axis is None and tiles.count is None and (tiles.all or tiles.plural) and not tiles.next
