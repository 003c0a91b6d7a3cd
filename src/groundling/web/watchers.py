"""Watchers, who see all seats of a room as they change and can do nothing."""

from __future__ import annotations

from groundling.core.values import Role
from groundling.web.live_room import LiveRoom, Wire
from groundling.web.page_seats import LocalSeat, PageAction, PageSeat
from groundling.web.screen import SeatScreen


class Watcher:
    """A page that watches a room, and what it has been sent so far."""

    def __init__(self, room: LiveRoom, wire: Wire) -> None:
        self._room, self.wire = room, wire
        self._screens = {role: SeatScreen(room.pack) for role in room.attendance.seats}

    def send_changes(self) -> None:
        """Send what changed at each seat."""
        updates = {
            role: screen.next_update(*self._room.page_content(role)) for role, screen in self._screens.items()
        }
        changed = {role: message for role, message in updates.items() if len(message) > 1}
        if changed:
            self.wire.send({"type": "watch", "events": len(self._room.events), "seats": changed})


class WatcherSeat:
    """The seat of a watching page, in a room that this server runs."""

    def __init__(self, room: LiveRoom) -> None:
        self._room = room
        self._watcher: Watcher | None = None

    def connect_page(self, wire: Wire) -> None:
        room, live = self._room, self._room.pack.live
        seats = dict(room.attendance.seats)
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
        room.update_pages()

    def handle_action(self, done: PageAction) -> None:
        """Watchers cannot act."""

    def disconnect_page(self) -> None:
        if self._watcher in self._room.watchers:
            self._room.watchers.remove(self._watcher)


def open_local_seat(room: LiveRoom, role: Role | None) -> PageSeat:
    """A seat in a room that this server runs; without a role, one that only watches."""
    return WatcherSeat(room) if role is None else LocalSeat(room, role)
