"""Who sits in a seat, what they are handed, and what they hand back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import Struct

from groundling.core.values import Role


class Turn(Struct, frozen=True, gc=False):
    """One earlier exchange of a seat: what it saw, what it replied, and the complaint if that was refused."""

    view: Any
    text: str
    complaint: str | None = None


class Ask(Struct, frozen=True, gc=False):
    """All that a player is handed. Whatever else it wants to remember it must find in `past`."""

    episode: str
    role: Role
    view: Any
    past: tuple[Turn, ...]
    complaint: str | None
    """Why the last reply, also the last of `past`, was refused; None on a fresh turn."""
    seed: int


class Reply(Struct, frozen=True, gc=False):
    """A text to be read by the game, or moves ready made."""

    text: str | None = None
    moves: tuple[Any, ...] | None = None
    seconds: float | None = None
    usage: Mapping[str, int] = {}
    detail: Mapping[str, Any] = {}


class Player(Protocol):
    """One object serves many episodes at once, so it keeps nothing that it cannot rebuild from an Ask."""

    @property
    def name(self) -> str: ...

    async def act(self, ask: Ask) -> Reply: ...


class Unable(Exception):  # noqa: N818
    """Raised by a player that cannot answer. `boundary` names what gave way: timeout, unreachable, left,
    script…"""

    def __init__(self, boundary: str, message: str) -> None:
        super().__init__(message)
        self.boundary = boundary
