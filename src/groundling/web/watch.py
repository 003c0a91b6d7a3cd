"""Looking on: all seats of a room beside each other, as they change. Whoever looks on can do nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from .show import Screen
from .sockets import SocketWire

if TYPE_CHECKING:
    from .rooms import Room, Wire


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


async def serve_watcher(socket: WebSocket, room: Room) -> None:
    await socket.accept()
    wire = SocketWire(socket)
    live = room.pack.live
    assert live is not None
    people = {role: room.booking.seats[role] for role in room.booking.seats}
    wire.send({"type": "hello", "room": room.booking.id, "game": room.pack.name, "title": live.title, "seats": people})
    watcher = Watcher(room, wire)
    room.watchers.append(watcher)
    delivering = asyncio.create_task(wire.deliver())
    try:
        watcher.tell()
        await _until_closed(socket)
    finally:
        if watcher in room.watchers:
            room.watchers.remove(watcher)
        delivering.cancel()


async def _until_closed(socket: WebSocket) -> None:
    """What it sends is not heard."""
    message: Any = None
    try:
        while message is None or message["type"] != "websocket.disconnect":
            message = await socket.receive()
    except (WebSocketDisconnect, RuntimeError):
        return
