"""What came of a program."""

from __future__ import annotations

from msgspec import Struct

from groundling.boards.hexes import Board, Tile, on_board

Action = tuple[int, int, str]
"""Row, column and colour: the one thing that can be done to a board."""


class Stroke(Struct, frozen=True):
    """What one paint or grow of a program came to."""

    tiles: tuple[Tile, ...]
    """All tiles of the shape, those off the board too."""
    actions: tuple[Action, ...]


class Drawn(Struct, frozen=True):
    board: Board
    strokes: tuple[Stroke, ...]
    runs: tuple[int, ...] = ()
    """How far each `until` went: tiles of a line, copies of a repeat."""

    @property
    def actions(self) -> list[Action]:
        return [action for stroke in self.strokes for action in stroke.actions]

    @property
    def clipped(self) -> bool:
        """Whether something fell off the board."""
        return any(not on_board(tile) for stroke in self.strokes for tile in stroke.tiles)
