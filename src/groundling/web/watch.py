"""Looking on: all seats of a room beside each other, as they change. Whoever looks on can do nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundling.web.show import Screen
from groundling.web.sockets import Done

if TYPE_CHECKING:
    from groundling.web.rooms import Room, Wire


class Watcher:
    """A page that looks on, as far as it has been told."""

    def __init__(self, room: Room, wire: Wire) -> None:
        self._room, self.wire = room, wire
        self._screens = {role: Screen(room.pack) for role in room.booking.seats}

    def tell(self) -> None:
        """Every seat by what changed there."""
        told = {role: screen.next(*self._room.shown(role)) for role, screen in self._screens.items()}
        changed = {role: message for role, message in told.items() if len(message) > 1}
        if changed:
            self.wire.send({"type": "watch", "events": len(self._room.events), "seats": changed})


class Lookout:
    """Where somebody looks on, in a room that we run."""

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
        """Nothing."""

    def go(self) -> None:
        if self._watcher in self._room.watchers:
            self._room.watchers.remove(self._watcher)
