"""The moves of HEXAGONS, and what each seat sees."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from groundling.boards.hexes import COLOURS, Board, is_on_lattice
from groundling.core.values import Move, Say, View

Mode: TypeAlias = Literal["live", "describe", "align", "execute"]


class PaintTile(Move, frozen=True, gc=False, tag="paint"):
    """Paint one tile. White erases."""

    row: int
    column: int
    colour: str

    def __post_init__(self) -> None:
        if not is_on_lattice((self.row, self.column)):
            raise ValueError(f"row {self.row}, column {self.column} is off the board")
        if self.colour not in COLOURS:
            raise ValueError(f"there is no colour {self.colour!r}")


class Next(Move, frozen=True, gc=False):
    """The step is carried out; show the next one."""


class Undo(Move, frozen=True, gc=False):
    """The instructor takes back the last instruction and what was painted for it."""


class InstructionsDone(Move, frozen=True, gc=False, tag="done"):
    """The instructor has given all instructions."""


HexagonsMove: TypeAlias = Say | Undo | InstructionsDone | PaintTile | Next
"""Each line of a Say is a separate instruction. Where the settings allow questions, a Say of the executor is
a question, and the next Say of the instructor its answer."""


class StepQuestion(Struct, frozen=True, gc=False):
    """A question of the executor about an instruction."""

    step: int
    """The place of the instruction among those that are listed beside it, counted from 0."""
    question: str
    answer: str = ""
    """Empty until the instructor answers."""


class InstructorView(View, frozen=True, gc=False):
    mode: Mode
    whole: bool
    """Whether all instructions are written before any is carried out."""
    target: Board
    said: tuple[str, ...]
    left: int
    """How many more instructions may be given."""
    board: Board | None
    """The executor's board with feedback; the instructor's own board while it carries out its own text."""
    due: int = 0
    """The number of the instruction to carry out now, counted from 1; 0: none."""
    base: int = 1
    reply: str = "actions"
    talk: tuple[StepQuestion, ...] = ()
    """The executor's questions about instructions, with the answers."""
    questions: int = 0
    """How many questions the executor may ask about an instruction."""

    @property
    def asked(self) -> StepQuestion | None:
        """The question to answer now."""
        return self.talk[-1] if self.talk and not self.talk[-1].answer else None


class ExecutorView(View, frozen=True, gc=False):
    told: tuple[str, ...]
    """The visible instructions, the latest last."""
    due: int
    """How many of the last instructions to carry out now: one, all, or none while waiting."""
    board: Board | None
    """The board to paint on, if it is visible."""
    base: int = 1
    reply: str = "actions"
    painted: tuple[PaintTile, ...] = ()
    """What was painted in this step so far, if the board is not visible."""
    talk: tuple[StepQuestion, ...] = ()
    """The questions about visible instructions, with the answers."""
    questions: int = 0
    """How many more questions may be asked about the current instruction."""

    @property
    def current_instructions(self) -> tuple[str, ...]:
        """The instructions to carry out now."""
        return self.told[len(self.told) - self.due :]

    @property
    def earlier_instructions(self) -> tuple[str, ...]:
        """The visible instructions before the current ones."""
        return self.told[: len(self.told) - self.due]


HexagonsView: TypeAlias = InstructorView | ExecutorView
