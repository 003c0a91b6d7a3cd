"""What is played: an image to be drawn, made by us or published, with the steps in which somebody had it
drawn where that was recorded."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from groundling.boards.hexes import COLOURS, Board
from groundling.core.values import Instance
from groundling.games.hexagons.likeness import NOTHING, Action, Likeness, emitted_scores

SILENCE = "…"
"""What an instruction without any words is told as."""


class Step(Struct, frozen=True, omit_defaults=True):
    """One instruction and the board after it was carried out by the one who wrote it: the gold."""

    text: str
    """As it was written, white space and all."""
    board: Board
    level: int | None = None
    """Its abstraction: 0 none, 1 lines, 2 objects (or, where these were not told apart, more), 3 mechanisms over objects."""

    @property
    def words(self) -> str:
        """As it is said: on one line."""
        return " ".join(self.text.split()) or SILENCE


class Facts(Struct, frozen=True, omit_defaults=True):
    """What else the publication says about a recorded procedure."""

    index: int
    instructor: int
    tags: tuple[str, ...] | None = None
    """For each step who agreed with its author: A both verifiers, V1 or V2 one, VV only they with each other, F nobody."""
    agreement: tuple[tuple[int | float, ...], ...] | None = None
    """For each step the board-based F1 of author and verifiers, pair by pair."""


class Image(Instance, frozen=True, kw_only=True):
    target: Board
    steps: tuple[Step, ...] = ()
    """The recorded procedure, if there is one. The last board is the target."""
    image: str = ""
    """Which image it is; procedures for the same one are not independent."""
    category: str = ""
    """The abstraction mechanism it is meant to evoke."""
    level: int | None = None
    """How abstract a short description of it is, where it was made from a program."""
    round: int | None = None
    """The round in which it was collected."""
    program: str = ""
    """The drawing program it was made from."""
    facts: Facts | None = None
    near: tuple[str, ...] = ()
    """Images of other splits that it is nearly a copy of."""

    def gold(self, number: int) -> tuple[Board, Board]:
        """The boards before and after a recorded step, counted from 0."""
        return self.steps[number - 1].board if number else Board.empty(), self.steps[number].board

    def changes(self, number: int) -> list[tuple[int, int, str]]:
        """What a recorded step paints."""
        before, after = self.gold(number)
        return [(*tile, colour) for tile, colour in before.changes(after).items()]


def followed(image: Image, done: Sequence[Sequence[Action]]) -> list[Likeness]:
    """For each recorded step how far the actions agree with it. A step that was not reached won nothing."""
    return [
        emitted_scores(*image.gold(number), done[number]) if number < len(done) else NOTHING
        for number in range(len(image.steps))
    ]


def other_than(board: Board, salt: int) -> Board:
    """A board that differs from the given one in every tile."""
    shift = 1 + salt % (len(COLOURS) - 1)
    return Board.from_digits([(int(digit) + shift) % len(COLOURS) for digit in board.cells])
