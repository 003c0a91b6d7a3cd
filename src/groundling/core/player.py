"""The Player protocol, its input Ask, its output Reply, and what a player may declare about itself."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Protocol

from msgspec import Struct, convert

from groundling.core.code_files import CodeOrigin
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
    seed_source: int | tuple[int, Role, int]
    """The random seed; or the episode's, the role and the number of replies before, from which it is computed
    for players that want it."""

    @property
    def seed(self) -> int:
        """Random seed for stochastic players, another one in every turn."""
        if isinstance(self.seed_source, int):
            return self.seed_source
        text = "/".join(map(str, self.seed_source))
        return int.from_bytes(blake2b(text.encode(), digest_size=6).digest(), "big")


class Reply(Struct, frozen=True, gc=False):
    """A text for the game to read, or moves."""

    text: str | None = None
    moves: tuple[Any, ...] | None = None
    seconds: float | None = None
    usage: Mapping[str, int] = {}
    detail: Mapping[str, Any] = {}
    blocked: str | None = None
    """Why the text is not an answer of the player, such as a content filter: it is refused unread."""


class PlayerInfo(Struct, frozen=True, kw_only=True):
    """What a player may declare about itself, as its attribute `info`."""

    facts: Mapping[str, str] = {}
    """What identifies the player besides its name, such as the hash of its weights."""
    interactive: bool = False
    """A person at this terminal answers: episodes are played one after another."""
    at_once: int = 0
    """The number of episodes that it prefers to play at once, because it answers in batches."""
    wordings: int = 0
    """The number of prompts of a language model; 0: it is none."""
    learned_from: frozenset[str] = frozenset()
    """The ids of the games that it learned from."""
    origin: CodeOrigin | None = None
    """Where its class was loaded from, if it is not installed."""


class Player(Protocol):
    """One object serves many episodes at once, so it must keep no state that an Ask does not hold. It may
    have an attribute `info`, a PlayerInfo."""

    @property
    def name(self) -> str: ...

    async def act(self, ask: Ask) -> Reply: ...


LASTING = ("script", "recording")
"""Boundaries of failures that do not go away when the player is asked again."""


class Unable(Exception):  # noqa: N818
    """Raised by a player that cannot answer. `boundary` names what failed: timeout, unreachable, left,
    script…; `retries` is how often it was tried again."""

    def __init__(self, boundary: str, message: str, retries: int = 0) -> None:
        super().__init__(message)
        self.boundary, self.retries = boundary, retries


def player_info(player: Player) -> PlayerInfo:
    """Return what a player declares. Players from before PlayerInfo have attributes."""
    found = getattr(player, "info", None)
    if isinstance(found, PlayerInfo):
        return found
    old = ("facts", "interactive", "at_once", "learned_from")
    fields = {name: getattr(player, name) for name in old if hasattr(player, name)}
    return convert({**fields, "wordings": len(getattr(player, "prompts", ()))}, PlayerInfo)


def player_name(player: object) -> str:
    """Return the name of a player, by default that of its class."""
    return str(getattr(player, "name", type(player).__name__))
