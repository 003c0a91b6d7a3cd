"""What can be done at a HEXAGONS table, and what each seat sees of it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from groundling.boards.hexes import COLOURS, Board, on_board
from groundling.core.values import Move, Say, View

Mode: TypeAlias = Literal["live", "describe", "align", "execute"]


class Paint(Move, frozen=True, gc=False):
    """The one primitive. White erases."""

    row: int
    column: int
    colour: str

    def __post_init__(self) -> None:
        if not on_board((self.row, self.column)):
            raise ValueError(f"row {self.row}, column {self.column} is off the board")
        if self.colour not in COLOURS:
            raise ValueError(f"there is no colour {self.colour!r}")


class Next(Move, frozen=True, gc=False):
    """The step is carried out: show the next one."""


class Undo(Move, frozen=True, gc=False):
    """The instructor takes back the last instruction, and with it what was painted."""


class Done(Move, frozen=True, gc=False):
    """The instructor has said all."""


HexagonsMove: TypeAlias = Say | Undo | Done | Paint | Next
"""What is said may have several lines: each is an instruction of its own."""


class InstructorView(View, frozen=True, gc=False):
    mode: Mode
    whole: bool
    """Whether all is written before anything is carried out."""
    target: Board
    said: tuple[str, ...]
    left: int
    """How many instructions may still be given."""
    board: Board | None
    """The executor's, with feedback; the instructor's own while it carries out its own text."""
    due: int = 0
    """Which of its instructions it has to carry out now, counted from 1; 0: none."""
    base: int = 1
    reply: str = "actions"


class ExecutorView(View, frozen=True, gc=False):
    told: tuple[str, ...]
    """The instructions that are shown, the last ones being the latest."""
    due: int
    """How many of them, from the end, are to be carried out now: one, or all; none while there is nothing to do."""
    board: Board | None
    """The board to paint on, if it is shown."""
    base: int = 1
    reply: str = "actions"

    @property
    def current(self) -> tuple[str, ...]:
        """What is to be carried out now."""
        return self.told[len(self.told) - self.due :]

    @property
    def history(self) -> tuple[str, ...]:
        """What was to be carried out before."""
        return self.told[: len(self.told) - self.due]


HexagonsView: TypeAlias = InstructorView | ExecutorView
