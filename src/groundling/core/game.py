"""A game as pure functions of an explicit state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from groundling.core.values import Instance as AnyInstance
from groundling.core.values import Reading, Result, Role, View
from groundling.core.values import Settings as AnySettings

I = TypeVar("I", bound=AnyInstance)  # noqa: E741 - I, S, M, V read as in the signature of Game
S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V", bound=View)


class Game(ABC, Generic[I, S, M, V]):
    """The rules. A Game holds its settings and nothing else; states are never stored, only moves are."""

    name: ClassVar[str]
    Settings: ClassVar[type[AnySettings]] = AnySettings
    Instance: ClassVar[type[AnyInstance]]
    Move: ClassVar[Any]
    """The move type or a union of move types, with which logs are decoded."""

    def __init__(self, settings: AnySettings) -> None:
        self.settings = settings

    @abstractmethod
    def seats(self, instance: I) -> tuple[Role, ...]:
        """Return the seats to fill."""

    @abstractmethod
    def start(self, instance: I) -> S:
        """Return the state before any move."""

    @abstractmethod
    def turn(self, state: S) -> Role | None:
        """Return the seat whose move it is; None when the game is over."""

    @abstractmethod
    def view(self, state: S, role: Role) -> V:
        """Return what that seat may know of the state."""

    @abstractmethod
    def read(self, state: S, role: Role, text: str, *, strict: bool = False) -> Reading[M]:
        """Parse a player's text into moves, or raise Illegal. Where strict succeeds, tolerant agrees."""

    @abstractmethod
    def write(self, moves: Sequence[M]) -> str:
        """Format moves as a text that strict `read` parses into the same moves."""

    @abstractmethod
    def play(self, state: S, role: Role, move: M) -> S:
        """Return the state after a move, or raise Illegal."""

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """Return the outcome; None until the game is over."""


AnyGame = Game[Any, Any, Any, Any]
