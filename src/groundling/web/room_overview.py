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
from groundling.web.export import UnreadableRoom, read_exported_transcript
from groundling.web.game_catalog import GameCatalog
from groundling.web.game_outcome import END_REASONS
from groundling.web.live_room import LiveRoom
from groundling.web.screen import live_settings_key
from groundling.web.store import PERSON, Booking, RoomRecord, Store, is_stored_room_erased

RoomState: TypeAlias = Literal[
    "waiting", "playing", "played", "aborted", "limited", "errored", "left", "erased", "unknown"
]
Presence: TypeAlias = Literal["player", "not yet", "here", "away"]
MANY = 50
"""Rooms that are read at once."""


class SeatStatus(Struct, frozen=True):
    role: Role
    who: str
    there: Presence


class RoomOverview(Struct, frozen=True, kw_only=True):
    id: str
    game: str
    title: str
    at: float
    """When the room was created."""
    state: RoomState
    seats: list[SeatStatus]
    instance: str = ""
    settings: str = ""
    """The settings that differ from the usual ones, as JSON."""
    why: str = ""
    began: float | None = None
    last: float | None = None
    """When the last event happened."""
    minutes: float = 0.0
    """The time limit of the game."""
    events: int = 0
    score: float | None = None
    top: float | None = None


def recorded_overview(booking: Booking, records: Sequence[RoomRecord], catalog: GameCatalog) -> RoomOverview:
    """The overview of a room from its records; past its time limit an unfinished game counts as left."""
    seats = [
        SeatStatus(role, who, _recorded_presence(role, who, records)) for role, who in booking.seats.items()
    ]
    if (pack := catalog.find_stored(booking.game)) is None:
        return RoomOverview(
            state="unknown",
            why="this game is not installed any more",
            **_booking_fields(booking, booking.game, seats),
        )
    try:
        transcript = read_exported_transcript(pack, list(records))
    except UnreadableRoom as trouble:
        return RoomOverview(
            state="unknown", why=str(trouble), **_booking_fields(booking, booking.game, seats)
        )
    overview = _make_overview(booking, pack, seats, is_stored_room_erased(records), transcript)
    if (
        overview.state != "playing"
        or overview.began is None
        or time() < overview.began + 60 * overview.minutes
    ):
        return overview
    return msgspec.structs.replace(overview, state="left", why="Everybody had gone before it was over.")


def open_room_overview(room: LiveRoom) -> RoomOverview:
    """The overview of a room that is open here, with who is present."""
    booking = room.booking
    seats = [SeatStatus(role, who, _current_presence(role, who, room)) for role, who in booking.seats.items()]
    return _make_overview(
        booking, room.pack, seats, room.erased, room.make_transcript() if room.events else None
    )


def _make_overview(
    booking: Booking, pack: Pack, seats: list[SeatStatus], erased: bool, transcript: Transcript | None
) -> RoomOverview:
    known = _booking_fields(booking, pack.live.title, seats)
    if erased:
        return RoomOverview(state="erased", **known)
    if transcript is None:
        return RoomOverview(state="waiting", **known)
    known["settings"] = live_settings_key(pack, pack.new(transcript.opened.settings))
    return _begun_overview(transcript, load(pack.top), known)


def _booking_fields(booking: Booking, title: str, seats: list[SeatStatus]) -> dict[str, Any]:
    known = {"id": booking.id, "game": booking.game, "title": title, "at": booking.at, "seats": seats}
    return known | {"minutes": booking.minutes}


def _begun_overview(transcript: Transcript, top: Any, known: dict[str, Any]) -> RoomOverview:
    opened, last, result = transcript.opened, transcript.events[-1], transcript.result
    status = transcript.status
    reason = getattr(last, "reason", "")
    return RoomOverview(
        state="playing" if status == "missing" else status,
        why="" if status in ("missing", "played") else END_REASONS.get(reason, reason) or "A player failed.",
        instance=opened.instance.id,
        began=opened.at,
        last=last.at,
        events=len(transcript.events),
        score=result.score if result else None,
        top=float(top(opened.instance)) if result else None,
        **known,
    )


def _recorded_presence(role: Role, who: str, records: Sequence[RoomRecord]) -> Presence:
    if who != PERSON:
        return "player"
    return "away" if any(record.kind == "note" and record.role == role for record in records) else "not yet"


def _current_presence(role: Role, who: str, room: LiveRoom) -> Presence:
    if who != PERSON:
        return "player"
    if role not in room.agreed:
        return "not yet"
    return "here" if role in room.present else "away"


async def read_overview_rooms(store: Store) -> AsyncIterator[tuple[Booking, list[RoomRecord]]]:
    """All rooms with their records, newest first, read in pages."""
    before = ""
    while bookings := await store.list_bookings(before, MANY):
        for booking in bookings:
            yield booking, await store.read_records(booking.id)
        before = bookings[-1].id
