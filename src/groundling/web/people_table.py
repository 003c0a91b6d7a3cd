"""The table of people: one row for each person in each game, with what their page observed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from groundling.core.values import Role
from groundling.csv_cells import format_csv_row
from groundling.web.observations import SeatObservation, read_observations
from groundling.web.store import Booking, RoomNote, RoomRecord, erased_roles


class PersonRow(Struct, frozen=True, kw_only=True):
    """A column is empty where nothing was observed. Times are in seconds."""

    room: str
    game: str
    role: Role
    erased: int
    consent: str | None
    """The SHA-256 of the text that the person agreed to."""
    agreed: float | None
    """When they agreed, in seconds since 1970."""
    order: int | None
    """The how many-th game that their browser opened on this server."""
    device: str | None
    width: int | None
    height: int | None
    pointer: str | None
    replies: int
    first_action: float | None
    """From the first view of the game to the first action."""
    typing: float | None
    """In which the person typed, over all messages."""
    blurs: int
    """How often the page lost the focus during the game."""
    unfocused: float
    """During the game without the focus."""
    disconnects: int
    disconnected: float
    """During the game without a connection, beyond the first three seconds of each time."""


PEOPLE_COLUMNS: tuple[str, ...] = PersonRow.__struct_fields__


class _GameEvent(Struct, frozen=True):
    """The fields of an event that the table needs, whatever the game."""

    type: str
    at: float
    detail: dict[str, Any] = {}


def read_people_rows(booking: Booking, records: Sequence[RoomRecord]) -> Iterator[PersonRow]:
    """The rows of a room's people. An erased person's row has nothing but the seat."""
    events = [
        (record.role, msgspec.json.decode(record.body, type=_GameEvent))
        for record in records
        if record.kind == "event"
    ]
    notes = [msgspec.json.decode(record.body, type=RoomNote) for record in records if record.kind == "note"]
    gone = erased_roles(records)
    span = (events[0][1].at, events[-1][1].at) if events else (0.0, 0.0)
    for role in booking.person_roles:
        seen = read_observations(records, role)
        device = next((each for each in reversed(seen) if each.what == "device"), None)
        agreed = next((note for note in notes if note.what == "agreed" and note.role == role), None)
        replies = [event for who, event in events if who == role and event.type == "replied"]
        typing = [event.detail["typing"] for event in replies if "typing" in event.detail]
        first = next((each for each in seen if each.what == "first"), None)
        here = [(note.at, note.what == "away") for note in notes if note.role == role]
        blurs, unfocused = _sum_absences(_focus_changes(seen), span)
        disconnects, disconnected = _sum_absences(here, span)
        yield PersonRow(
            room=booking.id,
            game=booking.game,
            role=role,
            erased=int(role in gone),
            consent=agreed.consent or None if agreed else None,
            agreed=agreed.at if agreed and agreed.consent else None,
            order=device.order or None if device else None,
            device=device.device if device else None,
            width=device.width if device else None,
            height=device.height if device else None,
            pointer=device.pointer if device else None,
            replies=len(replies),
            first_action=first.after / 1000 if first else None,
            typing=sum(typing) / 1000 if typing else None,
            blurs=blurs,
            unfocused=unfocused,
            disconnects=disconnects,
            disconnected=disconnected,
        )


def _focus_changes(seen: Iterable[SeatObservation]) -> list[tuple[float, bool]]:
    """When the page was without the focus from then on, or had it again."""
    return [(each.at, each.what == "blur") for each in seen if each.what in ("focus", "blur")]


def _sum_absences(changes: Iterable[tuple[float, bool]], span: tuple[float, float]) -> tuple[int, float]:
    """The number and the sum of absences within a time span, from the times at which they began or ended."""
    begin, end = span
    number, total, since = 0, 0.0, None
    for at, absent in (*changes, (end, False)):
        at = min(max(at, begin), end)
        if absent and since is None:
            since = at
        elif not absent and since is not None:
            number, total, since = number + (at > since), total + at - since, None
    return number, round(total, 3)


def people_csv_rows(rows: Iterable[PersonRow]) -> bytes:
    return b"".join(format_csv_row(msgspec.structs.astuple(row)) for row in rows)
