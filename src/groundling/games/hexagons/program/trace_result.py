"""The result of running a program."""

from __future__ import annotations

from msgspec import Struct

from groundling.boards.hexes import Board, Tile, is_on_lattice

Action = tuple[int, int, str]
"""Row, column and colour."""


class ProgramStroke(Struct, frozen=True):
    """The result of one paint or grow statement."""

    tiles: tuple[Tile, ...]
    """All tiles of the shape, including those off the board."""
    actions: tuple[Action, ...]


class ProgramTrace(Struct, frozen=True):
    board: Board
    strokes: tuple[ProgramStroke, ...]
    runs: tuple[int, ...] = ()
    """The length of each `until`: tiles of a line, copies of a repeat."""

    @property
    def all_actions(self) -> list[Action]:
        return [action for stroke in self.strokes for action in stroke.actions]

    @property
    def is_clipped(self) -> bool:
        """Whether something lies off the board."""
        return any(not is_on_lattice(tile) for stroke in self.strokes for tile in stroke.tiles)
