"""What the server stores: rooms, their seats and records, from which all other state is rebuilt."""

from __future__ import annotations

import hashlib
import re
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from importlib.resources import files
from time import time
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from groundling.core.values import Problem, Role
from groundling.studies.study_part import ReplyPace

PERSON = "person"


class PartnerConduct(Struct, frozen=True, omit_defaults=True):
    """How the programs of a room behave towards people who are not told that they are programs."""

    blind: bool = False
    """Whether pages do not tell who is a program."""
    pace: ReplyPace | None = None
    """How long programs take for a reply; None: as long as they need."""
    farewell: str = ""
    """What a program says before it ends the game."""


class Booking(Struct, frozen=True, kw_only=True):
    """What is played in a room, fixed when it is created."""

    id: str
    at: float
    game: str
    instance: msgspec.Raw
    settings: msgspec.Raw
    seats: dict[Role, str]
    """Role to "person", or to a player as on the command line."""
    seed: int
    minutes: float
    """The time limit of the game, from its first event."""
    consent: str = ""
    """The text that people agree to before they play."""
    recording: msgspec.Raw = msgspec.Raw(b"[]")
    """The events of the game that a seat replays, where the instance does not carry them."""
    fixed_seats: bool = False
    """Whether nobody may be replaced by a player, as in a study, which decides about partners."""
    conduct: PartnerConduct = PartnerConduct()

    @property
    def person_roles(self) -> list[Role]:
        return [role for role, who in self.seats.items() if who == PERSON]


class Chair(Struct, frozen=True):
    """A seat for a person. Only hashes of its secrets are stored."""

    room: str
    role: Role
    invite: str
    """The hash of the link's secret, which can be used once."""
    cookie: str = ""
    """The hash of the cookie that was exchanged for it."""


RecordKind: TypeAlias = Literal["event", "note", "observation", "erased"]
ERASED_EVENT = b'{"type":"erased"}'
"""What an erased event leaves. Other erased records become empty."""


class RoomRecord(Struct, frozen=True):
    """One record of a room: an event of the game, a note about who was present, what a page observed, or
    what is left of an erased one."""

    kind: RecordKind
    role: Role
    """The seat that caused it, or "" for none."""
    body: bytes


class RoomNote(Struct, frozen=True, omit_defaults=True):
    """A person opened the page, agreed, came back or went away, or a seat was erased. Before the game begins
    also: a person declined, left or chose to keep waiting, a player replaced them, or the room was closed."""

    at: float
    role: Role
    what: Literal[
        "came", "agreed", "here", "away", "erased", "declined", "left", "waits", "replaced", "closed"
    ]
    why: str = ""
    """The reason why the room was closed, or the player who replaced the person."""
    consent: str = ""
    """The SHA-256 of the text that the person agreed to."""


class RoomCounts(Struct, frozen=True):
    """How many rooms there are, and how the games that began went. Erasing a seat does not change it."""

    rooms: int
    open: int = 0
    """Games that have begun and not ended."""
    finished: int = 0
    ended: int = 0
    """Games that ended without a result."""
    failed: int = 0


class SavedDrawing(Struct, frozen=True):
    """An instance that a person drew in the gallery, with the name they gave it."""

    game: str
    id: str
    at: float
    name: str
    instance: bytes


def erased_roles(records: Sequence[RoomRecord]) -> list[Role]:
    """The seats that were erased. The game cannot be continued then."""
    notes = (msgspec.json.decode(record.body, type=RoomNote) for record in records if record.kind == "note")
    return list(dict.fromkeys(note.role for note in notes if note.what == "erased"))


class RecordConflict(Exception):  # noqa: N818
    """Another process has written to this room."""


SELECT_COUNTS = """
SELECT (SELECT count(*) FROM rooms),
  count(*) FILTER (WHERE outcome = 'begun'), count(*) FILTER (WHERE outcome = 'finished'),
  count(*) FILTER (WHERE outcome = 'ended'), count(*) FILTER (WHERE outcome = 'failed') FROM outcomes"""
"""The fields of RoomCounts, from the table of outcomes, which a trigger keeps."""
SELECT_CHAIRS = "SELECT room, role, invite, coalesce(cookie, '') FROM chairs"
SELECT_RECORDS = "SELECT kind, role, body FROM records WHERE room = ? ORDER BY number"


def read_migrations(name: str) -> tuple[str, ...]:
    """Read the scripts that make each schema version from the one before."""
    scripts = (files(__package__) / name).read_text(encoding="utf-8")
    return tuple(re.split(r"^-- schema \d+\n", scripts, flags=re.MULTILINE)[1:])


class Store(ABC):
    """Keeps rooms. All writes are durable when the call returns."""

    troubles: tuple[type[Exception], ...]
    """Exceptions raised where the store is temporarily not available."""

    @abstractmethod
    async def open(self) -> None:
        """Connect. Called before anything else."""

    @abstractmethod
    async def close(self) -> None: ...

    @abstractmethod
    def check_connection(self) -> None:
        """Raise where the store is lost for good."""

    @abstractmethod
    async def fetch_rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run a query, with ? for each value, and return its rows. What it writes is durable then."""

    @abstractmethod
    async def save_booking(self, booking: Booking, chairs: Sequence[Chair]) -> None: ...

    @abstractmethod
    async def append_records(self, room: str, first: int, records: Sequence[RoomRecord]) -> None:
        """Add records as numbers `first`, `first` + 1… Raises RecordConflict and adds nothing where a number
        is taken."""

    @abstractmethod
    async def count_records(self, rooms: Sequence[str]) -> dict[str, int]:
        """The last record number plus one of each of these rooms that has records."""

    @abstractmethod
    def open_archive(self) -> Archive:
        """Other access to the same place, for long work in a thread."""

    async def find_booking(self, room: str) -> Booking | None:
        rows = await self.fetch_rows("SELECT booking FROM rooms WHERE id = ?", room)
        return msgspec.json.decode(rows[0][0], type=Booking) if rows else None

    async def list_bookings(self, before: str, most: int) -> list[Booking]:
        """The newest rooms, or the newest created before that room; newest first."""
        older = "WHERE (at, id) < (SELECT at, id FROM rooms WHERE id = ?)" if before else "WHERE ? = ''"
        query = f"SELECT booking FROM rooms {older} ORDER BY at DESC, id DESC LIMIT ?"
        rows = await self.fetch_rows(query, before, most)
        return [msgspec.json.decode(booking, type=Booking) for (booking,) in rows]

    async def count_rooms(self) -> RoomCounts:
        """Count all rooms, without reading their records."""
        (row,) = await self.fetch_rows(SELECT_COUNTS)
        return RoomCounts(*row)

    async def redeem_invite(self, invite: str, cookie: str) -> Chair | None:
        """Exchange an invitation for a cookie. None where the invitation is unknown or used."""
        query = "UPDATE chairs SET cookie = ? WHERE invite = ? AND cookie IS NULL"
        rows = await self.fetch_rows(f"{query} RETURNING room, role, invite, cookie", cookie, invite)
        return Chair(*rows[0]) if rows else None

    async def seat_person(self, room: str, role: Role, cookie: str) -> bool:
        """Give a seat to the person with this cookie, in place of an earlier one. Returns False where there
        is no such seat, or it was erased."""
        query = "UPDATE chairs SET cookie = ? WHERE room = ? AND role = ?"
        not_erased = "coalesce(cookie, '') <> 'erased ' || invite"
        rows = await self.fetch_rows(f"{query} AND {not_erased} RETURNING role", cookie, room, role)
        return bool(rows)

    async def find_invited(self, invite: str) -> Chair | None:
        """The chair of an invitation, whether it is used or not."""
        return next(iter(await self._list_chairs("invite = ?", invite)), None)

    async def find_chair(self, cookie: str) -> Chair | None:
        return next(iter(await self._list_chairs("cookie = ?", cookie)), None)

    async def list_chairs(self, room: str) -> list[Chair]:
        return await self._list_chairs("room = ? ORDER BY role", room)

    async def _list_chairs(self, condition: str, value: str) -> list[Chair]:
        return [Chair(*row) for row in await self.fetch_rows(f"{SELECT_CHAIRS} WHERE {condition}", value)]

    async def read_records(self, room: str) -> list[RoomRecord]:
        return [RoomRecord(*row) for row in await self.fetch_rows(SELECT_RECORDS, room)]

    async def save_drawing(self, made: SavedDrawing) -> None:
        row = (made.game, made.id, made.at, made.name, made.instance)
        await self.fetch_rows("INSERT INTO made VALUES (?, ?, ?, ?, ?)", *row)

    async def list_drawings(self, game: str) -> list[SavedDrawing]:
        """The drawings of a game, latest first."""
        query = "SELECT game, id, at, name, instance FROM made WHERE game = ? ORDER BY at DESC, id"
        return [SavedDrawing(*row) for row in await self.fetch_rows(query, game)]

    async def revoke_cookie(self, sign: str, until: float) -> None:
        """Invalidate the cookie with this signature, which expires at `until`."""
        await self.fetch_rows("DELETE FROM signed_out WHERE until < ?", time())
        await self.fetch_rows("INSERT INTO signed_out VALUES (?, ?) ON CONFLICT DO NOTHING", sign, until)

    async def is_revoked(self, sign: str) -> bool:
        return bool(await self.fetch_rows("SELECT 1 FROM signed_out WHERE sign = ?", sign))


Execute: TypeAlias = Callable[..., Any]
"""Runs a query, with ? for each of the values that follow it, and returns the cursor."""


class Archive(ABC):
    """Access to a store for tools that run without a server."""

    @abstractmethod
    def open_for_reading(self) -> AbstractContextManager[Execute]: ...

    @abstractmethod
    def lock_records(self) -> AbstractContextManager[Execute]:
        """A transaction during which no server appends."""

    @abstractmethod
    def remove_deleted(self) -> None:
        """Remove what was deleted or blanked from the files, too."""

    def read_rooms(self) -> Iterator[tuple[Booking, list[RoomRecord]]]:
        with self.open_for_reading() as execute:
            for room, booking in execute("SELECT id, booking FROM rooms ORDER BY at, id").fetchall():
                records = [RoomRecord(*row) for row in execute(SELECT_RECORDS, room)]
                yield msgspec.json.decode(booking, type=Booking), records

    def read_chairs(self) -> Iterator[Chair]:
        with self.open_for_reading() as execute:
            yield from (Chair(*row) for row in execute(SELECT_CHAIRS))

    def erase_seat(self, room: str, role: Role) -> int:
        """Blank the records of a seat and lock it; return how many there were."""
        with self.lock_records() as execute:
            lock = "UPDATE chairs SET cookie = 'erased ' || invite WHERE room = ? AND role = ?"
            if not execute(lock, room, role).rowcount:
                raise Problem(
                    f"nobody could sit as {role!r} in room {room!r}: write ROOM/ROLE as in the address of "
                    "the page"
                )
            blank = "UPDATE records SET kind = 'erased', body = CASE kind WHEN 'event' THEN ? ELSE ? END"
            own = "room = ? AND role = ? AND kind <> 'erased'"
            count = execute(f"{blank} WHERE {own}", ERASED_EVENT, b"", room, role).rowcount
            _append_erased_note(execute, room, role)
            return int(count)

    def erase_recording(self, room: str, stimulus: bytes) -> int:
        """Blank what a room repeats of an earlier game: the events of its programs, the recording, and the
        instance, which becomes the `stimulus` of that game. Return how many events there were."""
        with self.lock_records() as execute:
            row = execute("SELECT booking FROM rooms WHERE id = ?", room).fetchone()
            booking, role = _without_recording(row[0] if row else b"", stimulus)
            if not booking:
                return 0
            execute("UPDATE rooms SET booking = ? WHERE id = ?", booking, room)
            programs = "kind = 'event' AND role NOT IN (SELECT role FROM chairs WHERE room = ?)"
            blank = f"UPDATE records SET kind = 'erased', body = ? WHERE room = ? AND {programs}"
            count = execute(blank, ERASED_EVENT, room, room).rowcount
            _append_erased_note(execute, room, role)
            return int(count)

    def delete_drawing(self, game: str, made: str) -> bool:
        """Delete a drawing; return whether it existed."""
        with self.lock_records() as execute:
            return bool(execute("DELETE FROM made WHERE game = ? AND id = ?", game, made).rowcount)


def _append_erased_note(execute: Execute, room: str, role: Role) -> None:
    """A server that runs this room finds its next number taken."""
    note = msgspec.json.encode(RoomNote(0.0, role, "erased"))
    numbered = "SELECT ?, coalesce(max(number), -1) + 1, 'note', '', ? FROM records WHERE room = ?"
    execute(f"INSERT INTO records {numbered}", room, note, room)


def _without_recording(body: bytes, stimulus: bytes) -> tuple[bytes, Role]:
    """A booking that no longer repeats an earlier game, and the seat that did; b"" where it does not."""
    booking = msgspec.json.decode(body, type=Booking) if body else None
    role = next((role for role, who in booking.seats.items() if who != PERSON), "") if booking else ""
    if booking is None or (bytes(booking.instance), bytes(booking.recording)) == (stimulus, b"[]"):
        return b"", role
    changes = {"instance": msgspec.Raw(stimulus), "recording": msgspec.Raw(b"[]")}
    return msgspec.json.encode(msgspec.structs.replace(booking, **changes)), role


def new_store_secret() -> str:
    return secrets.token_urlsafe(24)


def hash_store_secret(secret: str) -> str:
    """Hash a secret. Secrets are long and random, so a plain hash is safe."""
    return hashlib.sha256(secret.encode()).hexdigest()


def database_name(url: str) -> str:
    """The address of a database without user, password and options."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
