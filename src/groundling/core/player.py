"""The Player protocol, its input Ask and its output Reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import Struct

from groundling.core.values import Role


class Turn(Struct, frozen=True, gc=False):
    """One earlier exchange of a seat: its view, its reply, and the complaint if that was refused."""

    view: Any
    text: str
    complaint: str | None = None


class Ask(Struct, frozen=True, gc=False):
    """Everything that a player is given. All that it can remember is in `past`."""

    episode: str
    role: Role
    view: Any
    past: tuple[Turn, ...]
    complaint: str | None
    """Why the last reply, which ends `past`, was refused; None on a new turn."""
    seed: int


class Reply(Struct, frozen=True, gc=False):
    """A text for the game to read, or moves."""

    text: str | None = None
    moves: tuple[Any, ...] | None = None
    seconds: float | None = None
    usage: Mapping[str, int] = {}
    detail: Mapping[str, Any] = {}


class Player(Protocol):
    """One object serves many episodes at once, so it must keep no state that an Ask does not hold."""

    @property
    def name(self) -> str: ...

    async def act(self, ask: Ask) -> Reply: ...


LASTING = ("script", "recording")
"""Boundaries of failures that do not go away when the player is asked again."""


class Unable(Exception):  # noqa: N818
    """Raised by a player that cannot answer. `boundary` names what failed: timeout, unreachable, left,
    script…"""

    def __init__(self, boundary: str, message: str) -> None:
        super().__init__(message)
        self.boundary = boundary
