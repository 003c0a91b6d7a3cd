"""The instance of the game: an image to be drawn, generated or published, with any recorded steps."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from groundling.boards.hexes import COLOURS, Board
from groundling.core.values import Instance
from groundling.games.hexagons.tile_scores import ZERO_SCORES, Action, TileScores, emitted_scores

SILENCE = "…"
"""Shown for an instruction without words."""


class ImageStep(Struct, frozen=True, omit_defaults=True):
    """One instruction and the gold board after it, painted by its author."""

    text: str
    """The text as written, with its white space."""
    board: Board
    level: int | None = None
    """Abstraction: 0 none, 1 lines, 2 objects (or more, if not distinguished), 3 mechanisms over them."""
    program: str = ""
    """The drawing program that the narrator describes in this step."""

    @property
    def spoken_text(self) -> str:
        """The text on one line."""
        return " ".join(self.text.split()) or SILENCE


class ProcedureFacts(Struct, frozen=True, omit_defaults=True):
    """Further published facts about a recorded procedure."""

    index: int
    instructor: int
    tags: tuple[str, ...] | None = None
    """Who agreed with each step's author: A both, V1 or V2 one, VV only the verifiers, F nobody."""
    agreement: tuple[tuple[int | float, ...], ...] | None = None
    """For each step the board-based F1 of each pair of author and verifiers."""


class HexagonsImage(Instance, frozen=True, kw_only=True):
    target: Board
    steps: tuple[ImageStep, ...] = ()
    """The recorded procedure, if any. Its last board is the target."""
    image: str = ""
    """The id of the image; procedures for the same image are not independent."""
    category: str = ""
    """The abstraction mechanism that it should evoke."""
    level: int | None = None
    """The abstraction level of a short description, if it was made from a program."""
    round: int | None = None
    """The round of the data collection."""
    program: str = ""
    """The drawing program that generated it."""
    facts: ProcedureFacts | None = None
    near: tuple[str, ...] = ()
    """Near-copies of it in other splits."""

    def gold_boards(self, number: int) -> tuple[Board, Board]:
        """Return the boards before and after a recorded step, counted from 0."""
        return self.steps[number - 1].board if number else Board.empty(), self.steps[number].board

    def step_changes(self, number: int) -> list[tuple[int, int, str]]:
        """Return what a recorded step paints."""
        before, after = self.gold_boards(number)
        return [(*tile, colour) for tile, colour in before.changes_to(after).items()]


def score_image_steps(image: HexagonsImage, done: Sequence[Sequence[Action]]) -> list[TileScores]:
    """Return how actions agree with each recorded step. Steps that were not reached score zero."""
    return [
        emitted_scores(*image.gold_boards(number), done[number]) if number < len(done) else ZERO_SCORES
        for number in range(len(image.steps))
    ]


def different_image_board(board: Board, salt: int) -> Board:
    """Return a board that differs from the given one in every tile."""
    shift = 1 + salt % (len(COLOURS) - 1)
    return Board.from_digits([(int(digit) + shift) % len(COLOURS) for digit in board.cells])
