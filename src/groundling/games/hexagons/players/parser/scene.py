"""What the executor has in mind: the board as far as it is known, what was painted when, and where it is at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field, structs

from .....boards.hexes import COLUMNS, ROWS, Tile, neighbours, on_board
from .chunks import Axis


class Mark(Struct, frozen=True):
    """Tiles painted in one go, in the order they were painted."""

    step: int
    tiles: tuple[Tile, ...]
    colour: str
    kind: str = "tiles"
    centre: Tile | None = None
    whole: int = 0
    """Marks with the same number belong to one shape."""


class Scene(Struct):
    board: dict[Tile, str] = field(default_factory=dict)
    """The painted tiles."""
    marks: list[Mark] = field(default_factory=list)
    step: int = 1
    columns: list[int] = field(default_factory=list)
    axis: Axis | None = None
    focus: list[Tile] = field(default_factory=list)
    """What was painted or pointed at last, in order."""
    before: list[Tile] = field(default_factory=list)
    """What was in focus before that."""
    heading: str = "down"
    colour: str | None = None
    side: str | None = None
    """left or right: where columns are counted from, unless said otherwise."""
    painted: dict[Tile, str] = field(default_factory=dict)
    """What the instruction at hand has painted."""
    whole: int = 0
    base: list[Tile] = field(default_factory=list)
    """What the last relation of the sentence at hand started from."""
    stride: int = 1
    """How far apart tiles of a line are, in the sentence at hand."""
    skipped: bool = False
    """Whether a column was skipped, so that the next one is meant."""
    turned: str | None = None
    """That relation."""
    meant: dict[int, list[int]] = field(default_factory=dict)
    """Columns that were already found for a phrase of the sentence at hand."""

    def copy(self) -> Scene:
        """A scene that can be changed without changing this one."""
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

    def settle(self, board: Mapping[Tile, str]) -> None:
        """Takes over a board as it really is: what was painted otherwise is forgotten, and what is new was painted last."""
        self.board = {tile: colour for tile, colour in board.items() if colour != "white"}
        kept: list[Mark] = []
        known: set[Tile] = set()
        for mark in self.marks:
            tiles = tuple(tile for tile in mark.tiles if self.board.get(tile) == mark.colour)
            known.update(tiles)
            if tiles:
                kept.append(structs.replace(mark, tiles=tiles))
        fresh = [tile for tile in ALL if tile in self.board and tile not in known]
        for colour in dict.fromkeys(self.board[tile] for tile in fresh):
            kept.append(Mark(self.step - 1, tuple(tile for tile in fresh if self.board[tile] == colour), colour))
        self.marks = kept
        if fresh and self.step == 1:
            self.focus, self.columns = runs(fresh)[-1], []
        elif fresh and not (
            any(tile in self.board for tile in self.focus) and max(column for _, column in fresh) <= max(self.columns or [0])
        ):
            self.focus, self.columns = fresh, []

    def paint(self, tiles: Iterable[Tile], colour: str, kind: str = "tiles", centre: Tile | None = None) -> list[Tile]:
        kept = [tile for tile in dict.fromkeys(tiles) if on_board(tile)]
        colour = "white" if colour == "blank" else colour
        if not kept:
            return kept
        self.marks.append(Mark(self.step, tuple(kept), colour, kind, centre, self.whole))
        for tile in kept:
            self.painted[tile] = colour
            if colour == "white":
                self.board.pop(tile, None)
            else:
                self.board[tile] = colour
        self.look(kept)
        return kept

    def look(self, tiles: Sequence[Tile]) -> None:
        """Turns to some tiles."""
        if tiles and list(tiles) != self.focus:
            self.before, self.focus = self.focus, list(tiles)

    def of_colour(self, colours: Iterable[str]) -> list[Tile]:
        """The tiles that have one of these colours, column by column."""
        wanted = set(colours)
        if wanted & {"blank", "white"}:
            return [tile for tile in ALL if tile not in self.board or self.board[tile] in wanted]
        return sorted((tile for tile, colour in self.board.items() if colour in wanted), key=lambda tile: (tile[1], tile[0]))

    def marks_of(self, steps: Iterable[int]) -> list[Mark]:
        wanted = {step if step > 0 else self.step - 1 + step for step in steps}
        return [mark for mark in self.marks if mark.step in wanted]

    def tiles_of(self, steps: Iterable[int]) -> list[Tile]:
        return list(dict.fromkeys(tile for mark in self.marks_of(steps) for tile in mark.tiles))


ALL: tuple[Tile, ...] = tuple((row, column) for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1))


def components(tiles: Iterable[Tile]) -> list[list[Tile]]:
    """The connected parts of a set of tiles, in order of their first tiles."""
    left = dict.fromkeys(tiles)
    parts: list[list[Tile]] = []
    while left:
        first = next(iter(left))
        del left[first]
        part, todo = [first], [first]
        while todo:
            for near in neighbours(*todo.pop()):
                if near in left:
                    del left[near]
                    part.append(near)
                    todo.append(near)
        parts.append(part)
    return parts


def runs(tiles: Iterable[Tile]) -> list[list[Tile]]:
    """The vertical runs of a set of tiles, column by column, each from the top."""
    found: list[list[Tile]] = []
    for row, column in sorted(tiles, key=lambda tile: (tile[1], tile[0])):
        if found and found[-1][-1] == (row - 1, column):
            found[-1].append((row, column))
        else:
            found.append([(row, column)])
    return found
