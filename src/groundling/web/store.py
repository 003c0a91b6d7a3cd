"""What outlives the server: rooms, who may sit in them, and what happened there. The records are the truth;
all else is folded from them."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from typing import Literal, Protocol, TypeAlias

import msgspec
from msgspec import Struct

from groundling.core.values import Problem, Role

PERSON = "person"


class Booking(Struct, frozen=True, kw_only=True):
    """What is played in a room, fixed when it is made."""

    id: str
    at: float
    game: str
    instance: msgspec.Raw
    settings: msgspec.Raw
    seats: dict[Role, str]
    """Who may sit where: a person, or a player as on the command line."""
    seed: int
    minutes: float
    """How long a game may take from its first event on."""
    consent: str = ""
    """What people have to agree to before they are let in."""

    @property
    def people(self) -> list[Role]:
        return [role for role, who in self.seats.items() if who == PERSON]


class Chair(Struct, frozen=True):
    """A seat for a person. Only hashes of its secrets are kept."""

    room: str
    role: Role
    invite: str
    """Of what the link says, which can be used once …"""
    cookie: str = ""
    """… for a cookie."""


Kind: TypeAlias = Literal["event", "note"]


class Record(Struct, frozen=True):
    """Something that happened in a room: an event at its table, or a note about who was there."""

    kind: Kind
    role: Role
    """Whose doing it was, "" where it was nobody's in particular."""
    body: bytes


class Note(Struct, frozen=True):
    """Not part of the game: somebody agreed, came, went away, came back."""

    at: float
    role: Role
    what: Literal["agreed", "here", "away", "erased"]


class Made(Struct, frozen=True):
    """An instance that somebody drew here, under the name that they gave it."""

    game: str
    id: str
    at: float
    name: str
    instance: bytes


def is_erased(records: Sequence[Record]) -> bool:
    """Whether somebody's part is gone, so that the rest cannot be replayed any more."""
    return any(
        record.kind == "note" and msgspec.json.decode(record.body, type=Note).what == "erased"
        for record in records
    )


class Store(Protocol):
    """All of it is durable before the call returns."""

    troubles: tuple[type[Exception], ...]
    """What is raised where it cannot be written or reached at the moment."""

    async def open(self) -> None:
        """Before anything else is asked of it."""

    def check(self) -> None:
        """Raises where nothing can be asked of it any more."""

    async def book(self, booking: Booking, chairs: Sequence[Chair]) -> None: ...

    async def booking(self, room: str) -> Booking | None: ...

    async def bookings(self, before: str, most: int) -> list[Booking]:
        """The newest rooms, or those made before that one; the newest first."""

    async def sit(self, invite: str, cookie: str) -> Chair | None:
        """Trade an invitation for a cookie; None where there is no such invitation, or it has been used."""

    async def chair(self, cookie: str) -> Chair | None: ...

    async def append(self, room: str, first: int, records: Sequence[Record]) -> None:
        """Add these as numbers `first`, `first` + 1… Raises Conflict, with nothing added, where a number is
        taken."""

    async def records(self, room: str) -> list[Record]: ...

    async def sizes(self, rooms: Sequence[str]) -> dict[str, int]:
        """One more than the last number there is in each of these rooms; of those in which there is any."""

    async def keep(self, made: Made) -> None: ...

    async def made(self, game: str) -> list[Made]:
        """The latest first."""

    async def sign_out(self, sign: str, until: float) -> None:
        """The cookie with this sign, which would be good until then, is good no more."""

    async def signed_out(self, sign: str) -> bool: ...

    async def close(self) -> None: ...


class Conflict(Exception):  # noqa: N818
    """Somebody else has gone on with this room."""


class Archive(Protocol):
    """The same for a tool that runs by itself, without a server."""

    def rooms(self) -> Iterator[tuple[Booking, list[Record]]]: ...

    def erase(self, room: str, role: Role) -> int:
        """Delete what that seat did, and whoever sits there can come back no more; how many records."""

    def forget(self, game: str, made: str) -> bool:
        """Delete what somebody drew; whether it was there."""


def no_seat(room: str, role: Role) -> Problem:
    """What to say where what somebody left is to be erased, and nobody could have left anything."""
    return Problem(
        f"nobody could sit as {role!r} in room {room!r}: write ROOM/ROLE as in the address of the page"
    )


def new_secret() -> str:
    return secrets.token_urlsafe(24)


def hashed(secret: str) -> str:
    """Secrets are long and random, so a plain hash cannot be searched for them."""
    return hashlib.sha256(secret.encode()).hexdigest()
