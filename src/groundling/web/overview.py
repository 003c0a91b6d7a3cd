"""Room overviews for the admin pages, made from records or from an open room."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from time import time
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from groundling.core.events import Transcript
from groundling.core.pack import Pack, load
from groundling.core.values import Role
from groundling.web.export import Unreadable, pack_of, played
from groundling.web.outcome import WHY
from groundling.web.rooms import Room
from groundling.web.store import PERSON, Booking, Record, Store, is_erased

State: TypeAlias = Literal["waiting", "playing", "played", "aborted", "errored", "left", "erased", "unknown"]
There: TypeAlias = Literal["player", "not yet", "here", "away"]
MANY = 50
"""Rooms that are read at once."""


class Seat(Struct, frozen=True):
    role: Role
    who: str
    there: There


class Overview(Struct, frozen=True, kw_only=True):
    id: str
    game: str
    title: str
    at: float
    """When the room was created."""
    state: State
    seats: list[Seat]
    instance: str = ""
    why: str = ""
    began: float | None = None
    last: float | None = None
    """When the last event happened."""
    minutes: float = 0.0
    """The time limit of the game."""
    events: int = 0
    score: float | None = None
    top: float | None = None


def overview(booking: Booking, records: Sequence[Record]) -> Overview:
    """The overview of a room from its records; past its time limit an unfinished game counts as left."""
    seats = [Seat(role, who, _there(role, who, records)) for role, who in booking.seats.items()]
    if (pack := pack_of(booking.game)) is None:
        return Overview(
            state="unknown",
            why="this game is not installed any more",
            **_booked(booking, booking.game, seats),
        )
    try:
        transcript = played(pack, list(records))
    except Unreadable as trouble:
        return Overview(state="unknown", why=str(trouble), **_booked(booking, booking.game, seats))
    found = _overview(booking, pack, seats, is_erased(records), transcript)
    if found.state != "playing" or found.began is None or time() < found.began + 60 * found.minutes:
        return found
    return msgspec.structs.replace(found, state="left", why="Everybody had gone before it was over.")


def overview_of(room: Room) -> Overview:
    """The overview of a room that is open here, with who is present."""
    booking = room.booking
    seats = [Seat(role, who, _there_now(role, who, room)) for role, who in booking.seats.items()]
    return _overview(booking, room.pack, seats, room.erased, room.transcript() if room.events else None)


def _overview(
    booking: Booking, pack: Pack, seats: list[Seat], erased: bool, transcript: Transcript | None
) -> Overview:
    known = _booked(booking, pack.live.title if pack.live else pack.name, seats)
    if erased:
        return Overview(state="erased", **known)
    if transcript is None:
        return Overview(state="waiting", **known)
    return _begun(transcript, load(pack.top), known)


def _booked(booking: Booking, title: str, seats: list[Seat]) -> dict[str, Any]:
    known = {"id": booking.id, "game": booking.game, "title": title, "at": booking.at, "seats": seats}
    return known | {"minutes": booking.minutes}


def _begun(transcript: Transcript, top: Any, known: dict[str, Any]) -> Overview:
    opened, last, result = transcript.opened, transcript.events[-1], transcript.result
    status = transcript.status
    reason = getattr(last, "reason", "")
    return Overview(
        state="playing" if status == "missing" else status,
        why="" if status in ("missing", "played") else WHY.get(reason, reason) or "A player could not go on.",
        instance=opened.instance.id,
        began=opened.at,
        last=last.at,
        events=len(transcript.events),
        score=result.score if result else None,
        top=float(top(opened.instance)) if result else None,
        **known,
    )


def _there(role: Role, who: str, records: Sequence[Record]) -> There:
    if who != PERSON:
        return "player"
    return "away" if any(record.kind == "note" and record.role == role for record in records) else "not yet"


def _there_now(role: Role, who: str, room: Room) -> There:
    if who != PERSON:
        return "player"
    if role not in room.agreed:
        return "not yet"
    return "here" if role in room.present else "away"


async def every_room(store: Store) -> AsyncIterator[tuple[Booking, list[Record]]]:
    """All rooms with their records, newest first, read in pages."""
    before = ""
    while bookings := await store.bookings(before, MANY):
        for booking in bookings:
            yield booking, await store.records(booking.id)
        before = bookings[-1].id
