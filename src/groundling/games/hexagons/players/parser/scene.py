"""The parser's memory: the known board, what was painted when, and the focus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field, structs

from groundling.boards.hexes import Tile, on_board
from groundling.games.hexagons.players.parser.chunks import AxisSelection, ColumnsPhrase
from groundling.games.hexagons.players.parser.geometry import ALL_TILES, vertical_runs


class PaintMark(Struct, frozen=True):
    """Tiles painted together, in painting order."""

    step: int
    tiles: tuple[Tile, ...]
    colour: str
    kind: str = "tiles"
    """The name of their shape, or how they were painted."""
    column: int | None = None
    """The column that was mentioned, if it was only one."""


class ParserScene(Struct):
    board: dict[Tile, str] = field(default_factory=dict)
    """The painted tiles."""
    marks: list[PaintMark] = field(default_factory=list)
    step: int = 1
    painted: dict[Tile, str] = field(default_factory=dict)
    """What the current instruction has painted."""
    focus: list[Tile] = field(default_factory=list)
    """What was painted or mentioned last, in order."""
    before: list[Tile] = field(default_factory=list)
    """The previous focus."""
    columns: list[int] = field(default_factory=list)
    """The columns that were mentioned last."""
    axis: AxisSelection | None = None
    """Which of their tiles were mentioned."""
    heading: str = "down"
    colour: str | None = None
    skipped: bool = False
    """Whether a column was skipped, so that the next one is meant."""
    side: str | None = None
    """left or right: where the current sentence counts columns from by default."""
    stride: int = 1
    """Distance between the tiles of a line in the current sentence."""
    base: list[Tile] = field(default_factory=list)
    """The reference tiles of the last relation in the current sentence."""
    turned: str | None = None
    """That relation."""
    meant: dict[int, tuple[ColumnsPhrase, list[int]]] = field(default_factory=dict)
    """Columns that were already found for phrases of the current sentence."""

    def copy(self) -> ParserScene:
        """Return an independent copy."""
        return structs.replace(
            self,
            board=dict(self.board),
            marks=list(self.marks),
            columns=list(self.columns),
            focus=list(self.focus),
            before=list(self.before),
            painted={},
            meant={},
        )

    def adopt_board(self, board: Mapping[Tile, str]) -> None:
        """Adopt the actual board: forget marks that do not match it, and take new tiles as painted last."""
        self.board = {tile: colour for tile, colour in board.items() if colour != "white"}
        kept: list[PaintMark] = []
        for mark in self.marks:
            tiles = tuple(tile for tile in mark.tiles if self.board.get(tile) == mark.colour)
            if tiles:
                kept.append(structs.replace(mark, tiles=tiles))
        known = {tile for mark in kept for tile in mark.tiles}
        fresh = [tile for tile in ALL_TILES if tile in self.board and tile not in known]
        for colour in dict.fromkeys(self.board[tile] for tile in fresh):
            kept.append(
                PaintMark(self.step - 1, tuple(tile for tile in fresh if self.board[tile] == colour), colour)
            )
        self.marks = kept
        if not fresh:
            return
        if self.step == 1:
            self.focus, self.columns = vertical_runs(fresh)[-1], []
        elif not any(tile in self.board for tile in self.focus) or fresh[-1][1] > max(
            self.columns, default=0
        ):
            self.focus, self.columns = fresh, []

    def paint_tiles(self, tiles: Iterable[Tile], colour: str, kind: str = "tiles") -> list[Tile]:
        """Paint those tiles that are on the board, and focus on them."""
        kept = [tile for tile in dict.fromkeys(tiles) if on_board(tile)]
        if not kept:
            return kept
        colour = "white" if colour == "blank" else colour
        column = self.columns[0] if len(self.columns) == 1 else None
        self.marks.append(PaintMark(self.step, tuple(kept), colour, kind, column))
        for tile in kept:
            self.painted[tile] = colour
            if colour == "white":
                self.board.pop(tile, None)
            else:
                self.board[tile] = colour
        self.focus_on(kept)
        return kept

    def focus_on(self, tiles: Sequence[Tile]) -> None:
        if tiles and list(tiles) != self.focus:
            self.before, self.focus = self.focus, list(tiles)

    def tiles_of_colour(self, colours: Iterable[str]) -> list[Tile]:
        """Return the tiles that have one of these colours, column by column."""
        wanted = set(colours)
        if wanted & {"blank", "white"}:
            return [tile for tile in ALL_TILES if tile not in self.board or self.board[tile] in wanted]
        return [tile for tile in ALL_TILES if self.board.get(tile) in wanted] if wanted else []

    def marks_of_steps(self, steps: Iterable[int]) -> list[PaintMark]:
        """Return what some steps painted; 0 is the previous step, -1 the one before it."""
        wanted = {step if step > 0 else self.step - 1 + step for step in steps}
        return [mark for mark in self.marks if mark.step in wanted]

    def tiles_of_steps(self, steps: Iterable[int]) -> list[Tile]:
        return list(dict.fromkeys(tile for mark in self.marks_of_steps(steps) for tile in mark.tiles))
