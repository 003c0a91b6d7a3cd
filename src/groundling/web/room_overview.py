"""Room overviews for the admin pages, made from records or from an open room."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from time import time
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from groundling.core.events import Transcript
from groundling.core.pack import Pack, load
from groundling.core.values import Role
from groundling.web.erasure import UnreadableRoom
from groundling.web.export import read_exported_transcript
from groundling.web.game_catalog import GameCatalog
from groundling.web.live_room import LiveRoom
from groundling.web.made_instances import follow_up_title
from groundling.web.room_attendance import UNBEGUN_REASONS, RoomAttendance, read_room_notes
from groundling.web.room_ending import SeatEnding, describe_game_end, read_seat_endings
from groundling.web.screen import live_settings_key
from groundling.web.store import PERSON, Booking, RoomRecord, Store, erased_roles

RoomState: TypeAlias = Literal[
    "waiting", "unbegun", "playing", "played", "aborted", "limited", "errored", "left", "erased", "unknown"
]
Presence: TypeAlias = Literal["player", "not yet", "here", "away"]
MANY = 50
"""Rooms that are read at once."""


class SeatStatus(Struct, frozen=True):
    role: Role
    who: str
    there: Presence
    ended: SeatEnding | Literal[""] = ""
    """How the game ended for this seat."""


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
    follow_up: str = ""
    """What others can do with what the game has made, such as carry out a procedure."""


def recorded_overview(booking: Booking, records: Sequence[RoomRecord], catalog: GameCatalog) -> RoomOverview:
    """The overview of a room from its records; past its time limit an unfinished game counts as left."""
    attendance = RoomAttendance(booking, read_room_notes(records))
    there: dict[Role, Presence] = dict.fromkeys(attendance.came, "away")
    pack, transcript, why = catalog.find_stored(booking.game), None, ""
    if pack is None:
        why = "this game is not installed any more"
    else:
        try:
            transcript = read_exported_transcript(pack, list(records))
        except UnreadableRoom as trouble:
            why = str(trouble)
    if pack is None or why:
        return RoomOverview(state="unknown", why=why, **_booking_fields(booking, attendance, there))
    erased = bool(erased_roles(records))
    overview = _make_overview(booking, pack, attendance, there, erased, transcript)
    began = overview.began if overview.state == "playing" else None
    if began is None or time() < began + 60 * overview.minutes:
        return overview
    return msgspec.structs.replace(overview, state="left", why="Everybody had gone before it was over.")


def open_room_overview(room: LiveRoom) -> RoomOverview:
    """The overview of a room that is open here, with who is present."""
    there: dict[Role, Presence] = {
        role: "here" if role in room.present else "away" for role in room.attendance.agreed
    }
    transcript = room.make_transcript() if room.events else None
    return _make_overview(room.booking, room.pack, room.attendance, there, room.erased, transcript)


def _make_overview(
    booking: Booking,
    pack: Pack,
    attendance: RoomAttendance,
    there: Mapping[Role, Presence],
    erased: bool,
    transcript: Transcript | None,
) -> RoomOverview:
    title, closed = pack.live.title, attendance.closing_reason(time())
    if erased:
        return RoomOverview(state="erased", **_booking_fields(booking, attendance, there, title))
    if transcript is None:
        endings = attendance.unbegun_endings() if attendance.departed or closed else {}
        known = _booking_fields(booking, attendance, there, title, endings)
        state: RoomState = "unbegun" if closed else "waiting"
        return RoomOverview(state=state, why=UNBEGUN_REASONS.get(closed, closed), **known)
    opened, last, result = transcript.opened, transcript.events[-1], transcript.result
    status = transcript.status
    return RoomOverview(
        **_booking_fields(booking, attendance, there, title, read_seat_endings(transcript)),
        state="playing" if status == "missing" else status,
        why="" if status in ("missing", "played") else describe_game_end(transcript),
        instance=opened.instance.id,
        settings=live_settings_key(pack, pack.new(opened.settings)),
        began=opened.at,
        last=last.at,
        events=len(transcript.events),
        score=result.score if result else None,
        top=float(load(pack.top)(opened.instance)) if result else None,
        follow_up=follow_up_title(pack, transcript),
    )


def _booking_fields(
    booking: Booking,
    attendance: RoomAttendance,
    there: Mapping[Role, Presence],
    title: str = "",
    endings: Mapping[Role, SeatEnding] = {},
) -> dict[str, Any]:
    """What is known of any room. `there`: of people who have come."""
    seats = []
    for role, who in attendance.seats.items():
        presence = there.get(role, "not yet") if who == PERSON else "player"
        seats.append(SeatStatus(role, who, presence, endings.get(role, "")))
    known = {"id": booking.id, "game": booking.game, "title": title or booking.game, "at": booking.at}
    return known | {"minutes": booking.minutes, "seats": seats}


async def read_overview_rooms(store: Store) -> AsyncIterator[tuple[Booking, list[RoomRecord]]]:
    """All rooms with their records, newest first, read in pages."""
    before = ""
    while bookings := await store.list_bookings(before, MANY):
        for booking in bookings:
            yield booking, await store.read_records(booking.id)
        before = bookings[-1].id
