"""A rematch: the people of a finished game play the next instance in a new room, with their seats swapped."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from groundling.core.values import Problem, Role
from groundling.web.middleware import TokenBucket
from groundling.web.room_attendance import RoomAttendance
from groundling.web.server_settings import RoomRequest, ServerSettings
from groundling.web.store import Booking

REMATCHES_A_SECOND, REMATCHES_AT_ONCE = 2.0, 100.0
"""Rooms that rematches may open at one server."""
OpenNextRoom: TypeAlias = Callable[[], Awaitable[Mapping[Role, str]]]
"""Opens the next room and returns its links by seat."""


class RematchVotes:
    """Which people of a room want a rematch, and the links to the new room once all of them do."""

    def __init__(self, attendance: RoomAttendance, open_next: OpenNextRoom) -> None:
        self._attendance, self._open_next = attendance, open_next
        self._wanted: set[Role] = set()
        self._opening = False
        self.links: dict[Role, str] = {}
        """The link for the person in each seat of the finished game."""

    def next_seat(self, role: Role) -> Role:
        """The seat that this person takes next: that of the other person."""
        people = self._attendance.person_roles
        return people[(people.index(role) + 1) % len(people)]

    def page_fields(self, role: Role) -> dict[str, Any]:
        others = self._wanted.difference((role,))
        return {"mine": role in self._wanted, "partner": bool(others), "next": self.next_seat(role)}

    async def add_vote(self, role: Role) -> None:
        """Note that this person wants a rematch, and open the new room when everybody does."""
        self._wanted.add(role)
        people = self._attendance.person_roles
        if self._opening or self.links or not self._wanted.issuperset(people):
            return
        self._opening = True
        try:
            links = await self._open_next()
        except Problem:
            self._wanted.clear()
            raise
        finally:
            self._opening = False
        self.links = {role: links[self.next_seat(role)] for role in people}


class RematchRooms:
    """Opens the rooms of rematches, at a limited rate: nobody asks for them with a request of their own."""

    def __init__(
        self, create_room: Callable[..., Awaitable[Mapping[Role, str]]], settings: ServerSettings
    ) -> None:
        self._create_room, self._settings = create_room, settings
        self._bucket = TokenBucket(REMATCHES_A_SECOND, REMATCHES_AT_ONCE)

    def offer_rematch(
        self, booking: Booking, attendance: RoomAttendance, instance: str
    ) -> RematchVotes | None:
        """The votes of a room in which this instance is played; None where people cannot open rooms,
        or where a study decides what they do next."""

        async def open_next() -> Mapping[Role, str]:
            if not self._bucket.take_token():
                raise Problem("many games begin at the moment: try again in a few seconds")
            order = RoomRequest(
                booking.game,
                dict(attendance.seats),
                settings=msgspec.json.decode(booking.settings),
                consent="" if self._settings.consent else booking.consent,
                minutes=booking.minutes,
            )
            return await self._create_room(order, other_than=instance)

        is_fixed = self._settings.closed or booking.fixed_seats
        return None if is_fixed else RematchVotes(attendance, open_next)
