"""Watchers, who see all seats of a room as they change and can do nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundling.web.show import Screen
from groundling.web.sockets import Done

if TYPE_CHECKING:
    from groundling.web.rooms import Room, Wire


class Watcher:
    """A page that watches a room, and what it has been sent so far."""

    def __init__(self, room: Room, wire: Wire) -> None:
        self._room, self.wire = room, wire
        self._screens = {role: Screen(room.pack) for role in room.booking.seats}

    def tell(self) -> None:
        """Send what changed at each seat."""
        told = {role: screen.next(*self._room.shown(role)) for role, screen in self._screens.items()}
        changed = {role: message for role, message in told.items() if len(message) > 1}
        if changed:
            self.wire.send({"type": "watch", "events": len(self._room.events), "seats": changed})


class Lookout:
    """The seat of a watching page, in a room that this server runs."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._watcher: Watcher | None = None

    def come(self, wire: Wire) -> None:
        room, live = self._room, self._room.pack.live
        assert live is not None
        seats = dict(room.booking.seats)
        wire.send(
            {
                "type": "hello",
                "room": room.booking.id,
                "game": room.pack.name,
                "title": live.title,
                "seats": seats,
            }
        )
        self._watcher = Watcher(room, wire)
        room.watchers.append(self._watcher)
        room.tell()

    def do(self, done: Done) -> None:
        """Watchers cannot act."""

    def go(self) -> None:
        if self._watcher in self._room.watchers:
            self._room.watchers.remove(self._watcher)
