"""Who takes part in a room, folded from its notes: who came, agreed, declined, left or was replaced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

import msgspec

from groundling.core.values import Role
from groundling.web.room_ending import SeatEnding
from groundling.web.store import PERSON, Booking, RoomNote, RoomRecord

OFFER_AFTER = 60.0
"""Seconds of waiting in a room that has not begun, after which other ways to play are offered."""
Departure: TypeAlias = Literal["declined", "left"]
Expected: TypeAlias = Literal["expected", "reading", "here", "away"]
"""A person who has not come yet, reads the consent text, is here, or has closed the page."""
UNBEGUN_REASONS = {
    "time": "The game did not begin in time.",
    "admin": "The room was closed by the administrator of this server.",
}


class RoomAttendance:
    def __init__(self, booking: Booking, notes: Iterable[RoomNote] = ()) -> None:
        self._minutes, self._has_consent = booking.minutes, bool(booking.consent)
        self.seats = dict(booking.seats)
        """Role to "person" or a player, which may have replaced a person before the game began."""
        self.came: set[Role] = set()
        self.agreed: set[Role] = set()
        """Seats whose person has come and, if there is a consent text, agreed to it."""
        self.departed: dict[Role, Departure] = {}
        """People who did not agree, or left before the game began, and have not come back."""
        self.waiting_since: float | None = None
        """When the first person came, or somebody last chose to keep waiting."""
        self.closed = ""
        """Why the room was closed before the game began."""
        for note in notes:
            self.take_note(note)

    def take_note(self, note: RoomNote) -> None:
        match note.what:
            case "came" | "agreed" | "here":
                self.came.add(note.role)
                self.waiting_since = note.at if self.waiting_since is None else self.waiting_since
                if note.what == "agreed" or (note.what == "here" and not self._has_consent):
                    self.agreed.add(note.role)
                if note.what != "came":
                    self.departed.pop(note.role, None)
            case "waits":
                self.waiting_since = note.at
            case "declined" | "left":
                self.departed[note.role] = note.what
            case "replaced":
                self.seats[note.role] = note.why
            case "closed":
                self.closed = note.why

    @property
    def person_roles(self) -> list[Role]:
        return [role for role, who in self.seats.items() if who == PERSON]

    @property
    def closing_time(self) -> float | None:
        """When the room is closed if the game has not begun by then; None before anybody has come."""
        return None if self.waiting_since is None else self.waiting_since + self._minutes * 60

    def closing_reason(self, now: float) -> str:
        """Why the room is closed although the game has not begun; nothing where it may still begin."""
        closing = self.closing_time
        return self.closed or ("time" if closing is not None and now > closing else "")

    def expected_person(self, role: Role, present: bool) -> Expected | Departure:
        """The state of a person before the game begins; `present`: whether their page is open."""
        if role in self.departed:
            return self.departed[role]
        if present:
            return "here" if role in self.agreed else "reading"
        return "away" if role in self.came else "expected"

    def unbegun_endings(self) -> dict[Role, SeatEnding]:
        """How each person's seat ended if the game never began."""
        return {
            role: self.departed.get(role) or ("stayed" if role in self.came else "absent")
            for role in self.person_roles
        }

    def is_time_to_offer(self, absent: Sequence[Expected | Departure], now: float) -> bool:
        """Whether to offer other ways to play to somebody who waits for people in these states."""
        return bool({"declined", "left", "away"} & set(absent)) or (
            self.waiting_since is not None and now - self.waiting_since >= OFFER_AFTER
        )


def read_room_notes(records: Iterable[RoomRecord]) -> Iterator[RoomNote]:
    return (msgspec.json.decode(each.body, type=RoomNote) for each in records if each.kind == "note")


def describe_unbegun(reason: str, absent: Sequence[Expected | Departure]) -> str:
    """Why a game has not begun, for a person who waited for people in these states."""
    if "declined" in absent:
        return "Your partner decided not to take part, so the game did not begin."
    if "left" in absent:
        return "Your partner left before the game began."
    if reason == "time" and "expected" in absent:
        return "Your partner did not come in time, so the game did not begin."
    return UNBEGUN_REASONS.get(reason, "The game did not begin.")
