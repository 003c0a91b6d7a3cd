"""The socket transport between a page and its seat, through ASGI queues or directly."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Protocol

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from groundling.web.page_seats import MessageReceiver, PageSeat

DIRECT_SOCKET = "groundling.straight"
"""The key of the direct socket in a scope's extensions, where the server has one."""
PAUSE = 0.001
"""Seconds until the next message is read from a page that sends too fast."""
BACKLOG = 500
"""Messages that a page may be behind before it is cut off. It reconnects by itself."""
_encode = msgspec.json.Encoder().encode


class DirectSocket(Protocol):
    """A socket without queues and tasks: messages are handled in the call that reads them, and written in the
    call that sends them. ASGI still opens and closes the socket."""

    def set_listener(self, hear: Callable[[bytes], bool]) -> None: ...

    def write_text(self, text: bytes) -> None: ...

    def hang_up(self) -> None:
        """Stop listening and report the socket to ASGI as closed."""


async def serve_seat(socket: WebSocket, seat: PageSeat) -> None:
    await socket.accept()
    straight: DirectSocket | None = socket.scope.get("extensions", {}).get(DIRECT_SOCKET)
    await (_serve_queued(socket, seat) if straight is None else _serve_direct(socket, seat, straight))


class DirectWire:
    def __init__(self, straight: DirectSocket) -> None:
        self._straight = straight

    def send(self, message: Mapping[str, Any] | msgspec.Raw) -> None:
        self._straight.write_text(_encode(message))

    def close(self, message: Mapping[str, Any] | msgspec.Raw) -> None:
        self.send(message)
        self._straight.hang_up()


async def _serve_direct(socket: WebSocket, seat: PageSeat, straight: DirectSocket) -> None:
    wire = DirectWire(straight)
    straight.set_listener(MessageReceiver(seat, wire).receive_message)
    seat.connect_page(wire)
    try:
        await _until_closed(socket)
    finally:
        seat.disconnect_page()
    await _close_socket(socket)


async def _until_closed(socket: WebSocket) -> None:
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass  # sent before the listener was set


async def _close_socket(socket: WebSocket) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):  # the page has gone
        await socket.close()


class QueuedWire:
    """Sends through ASGI, with any server. Messages are queued, so that the room never waits for a page."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._out: asyncio.Queue[str | None] = asyncio.Queue()

    def send(self, message: Mapping[str, Any] | msgspec.Raw) -> None:
        if self._out.qsize() > BACKLOG:
            self._out.put_nowait(None)
        else:
            self._out.put_nowait(_encode(message).decode())

    def close(self, message: Mapping[str, Any] | msgspec.Raw) -> None:
        self.send(message)
        self._out.put_nowait(None)

    async def deliver_messages(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # the page has gone
            while (text := await self._out.get()) is not None:
                await self._socket.send_text(text)
        await _close_socket(self._socket)


async def _serve_queued(socket: WebSocket, seat: PageSeat) -> None:
    wire = QueuedWire(socket)
    delivering = asyncio.create_task(wire.deliver_messages())
    hearing = MessageReceiver(seat, wire)
    seat.connect_page(wire)
    try:
        while (message := await socket.receive())["type"] != "websocket.disconnect":
            if not hearing.receive_message(message.get("text") or message.get("bytes") or b""):
                await asyncio.sleep(PAUSE)
    except (WebSocketDisconnect, RuntimeError):  # we have closed it
        return
    finally:
        seat.disconnect_page()
        delivering.cancel()
