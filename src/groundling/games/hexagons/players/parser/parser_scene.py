"""The parser's memory: the board, what was painted when, the focus, and objects to move or paint again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field, structs

from groundling.boards.hexes import ROWS, Tile, is_on_lattice, make_shift, neighbours
from groundling.games.hexagons.players.parser.phrases import AxisSelection, ColumnsPhrase
from groundling.games.hexagons.players.parser.tile_geometry import ALL_TILES, vertical_tile_runs


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
            self.focus, self.columns = vertical_tile_runs(fresh)[-1], []
        elif not any(tile in self.board for tile in self.focus) or fresh[-1][1] > max(
            self.columns, default=0
        ):
            self.focus, self.columns = fresh, []

    def paint_tiles(self, tiles: Iterable[Tile], colour: str, kind: str = "tiles") -> list[Tile]:
        """Paint those tiles that are on the board, and focus on them."""
        kept = [tile for tile in dict.fromkeys(tiles) if is_on_lattice(tile)]
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


class ParserObject(Struct, frozen=True):
    """Painted tiles with their colours, in painting order."""

    tiles: dict[Tile, str]
    column: int | None = None
    """The column that was mentioned when it was painted."""

    @property
    def centre_tile(self) -> Tile | None:
        """The middle tile, if the others lie around it."""
        if not 4 <= len(self.tiles) <= 7:
            return None
        near = [set(neighbours(*tile)) | {tile} for tile in self.tiles if is_on_lattice(tile)]
        common = set.intersection(*near) if near else set()
        return min(common) if len(common) == 1 else None

    @property
    def colours(self) -> list[str]:
        return list(dict.fromkeys(self.tiles.values()))

    @property
    def columns(self) -> list[int]:
        return sorted({column for _, column in self.tiles})

    @property
    def first_tile(self) -> Tile:
        return next(iter(self.tiles))

    @property
    def corner_tile(self) -> Tile:
        """The top tile of the first column."""
        left = self.columns[0]
        return min(row for row, column in self.tiles if column == left), left

    @property
    def anchor_tile(self) -> Tile:
        """The tile that is aligned with another column."""
        row, left = self.corner_tile
        if self.column is not None and left <= self.column <= self.columns[-1]:
            return (row, self.column)
        return (row, left)

    @property
    def is_level(self) -> bool:
        """Whether it follows the row numbers, like a zigzag line."""
        flat = sum((row, column + 1) in self.tiles for row, column in self.tiles)
        return len(self.columns) > 2 and flat * 3 >= len(self.tiles) * 2

    def move_between(self, start: Tile, end: Tile) -> ParserObject:
        """Return it shifted so that the start tile lies on the end tile."""
        if len(self.columns) == 1 or ((start[1] - end[1]) % 2 and self.is_level):
            rows, across = end[0] - start[0], end[1] - start[1]
            return ParserObject(
                {(row + rows, column + across): colour for (row, column), colour in self.tiles.items()}
            )
        motion = make_shift(start, end)
        return ParserObject({motion(tile): colour for tile, colour in self.tiles.items()})

    def with_colours(self, colours: Mapping[str, str]) -> ParserObject:
        return ParserObject(
            {tile: colours.get(colour, colour) for tile, colour in self.tiles.items()}, self.column
        )

    @property
    def column_spacing(self) -> int:
        """The number of blank columns between its columns, if constant."""
        steps = {b - a for a, b in zip(self.columns, self.columns[1:], strict=False)}
        return steps.pop() - 1 if len(steps) == 1 else 0

    @property
    def count_on_board(self) -> int:
        """How many of its tiles are on the board."""
        return sum(is_on_lattice(tile) for tile in self.tiles)


def parser_object_from_marks(marks: Sequence[PaintMark]) -> ParserObject | None:
    tiles = {tile: mark.colour for mark in marks for tile in mark.tiles}
    return ParserObject(tiles, marks[0].column) if tiles else None


def parser_object_in_columns(scene: ParserScene, columns: Iterable[int]) -> ParserObject | None:
    wanted = set(columns)
    tiles = {
        tile: scene.board[tile]
        for tile in sorted(scene.board, key=lambda tile: (tile[1], tile[0]))
        if tile[1] in wanted
    }
    return ParserObject(tiles) if tiles else None


def last_parser_object(
    scene: ParserScene, colours: Sequence[str] = (), kind: str = ""
) -> ParserObject | None:
    """Return the latest object: the tiles of the last step that painted, and of earlier steps that touch
    them. Colours or a name restrict the steps."""
    steps = sorted({mark.step for mark in scene.marks})
    if colours:
        having = [mark.step for mark in scene.marks if mark.colour in colours]
        steps = [step for step in steps if having and step <= having[-1]] or steps
    if kind:
        named = [mark.step for mark in scene.marks if mark.kind == kind]
        steps = [step for step in steps if named and step <= named[-1]] or steps
    if not steps:
        return None
    chosen = [steps[-1]]
    if all(mark.kind == "copy" for mark in scene.marks if mark.step == steps[-1]):
        return parser_object_from_marks([mark for mark in scene.marks if mark.step == steps[-1]])
    tiles = {tile for mark in scene.marks if mark.step == steps[-1] for tile in mark.tiles}
    for step in reversed(steps[:-1]):
        more = {tile for mark in scene.marks if mark.step == step for tile in mark.tiles}
        if len(tiles) + len(more) > 60 or not _sets_touch(tiles, more):
            break
        chosen.append(step)
        tiles |= more
    return parser_object_from_marks([mark for mark in scene.marks if mark.step in chosen])


def _sets_touch(some: set[Tile], others: set[Tile]) -> bool:
    return any(near in others for tile in some for near in neighbours(*tile))


def last_parser_shift(scene: ParserScene) -> tuple[Tile, Tile] | None:
    """Return the shift from the previous step's object to the last one, if they are copies."""
    steps = sorted({mark.step for mark in scene.marks})
    if len(steps) < 2:
        return None
    last, before = (
        parser_object_from_marks([mark for mark in scene.marks if mark.step == step])
        for step in (steps[-1], steps[-2])
    )
    if last is None or before is None or len(last.tiles) < 2 or last.colours != before.colours:
        return None
    if set(before.move_between(before.corner_tile, last.corner_tile).tiles) == set(last.tiles):
        return (before.corner_tile, last.corner_tile)
    return None


def paint_parser_object(scene: ParserScene, thing: ParserObject, kind: str = "copy") -> None:
    """Paint an object where it is, without tiles off the board."""
    everything: list[Tile] = []
    for colour in thing.colours:
        everything += scene.paint_tiles(
            [tile for tile, own in thing.tiles.items() if own == colour], colour, kind
        )
    scene.focus_on(everything)


def shifted_parser_object(thing: ParserObject, way: str, gap: int, number: int) -> ParserObject:
    """Return the n-th copy in a direction with a gap between copies."""
    row, column = thing.corner_tile
    if way in ("left", "right"):
        width = thing.columns[-1] - thing.columns[0] + 1 + gap
        return thing.move_between(
            thing.corner_tile, (row, column + (width if way == "right" else -width) * number)
        )
    height = _vertical_distance(thing) + gap
    return thing.move_between(
        thing.corner_tile, (row + (height if way == "down" else -height) * number, column)
    )


def _vertical_distance(thing: ParserObject) -> int:
    """Return how far down a copy must move so that it does not overlap the object."""
    tiles = set(thing.tiles)
    meets = [rows for rows in range(1, ROWS) if any((row + rows, column) in tiles for row, column in tiles)]
    return max(meets, default=0) + 1
