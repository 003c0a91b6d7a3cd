"""The socket transport between a page and its seat."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from groundling.web.page_seats import PageMessageReceiver, PageSeat

PAUSE = 0.001
"""Seconds until the next message is read from a page that sends too fast."""
BACKLOG = 500
"""Messages that a page may be behind before it is cut off. It reconnects by itself."""
PING_SECONDS, PONG_SECONDS = 2.0, 4.5
"""Seconds between two pings to a page, and until it must have answered one. A connection that dies without a
word is closed after both; with the room's GRACE, partners are told within 10 seconds."""
_encode = msgspec.json.Encoder().encode


class SocketWire:
    """The connection to a page over its socket; messages are queued: a room never waits for a page."""

    def __init__(self, socket: WebSocket) -> None:
        self._unsent: asyncio.Queue[str | None] = asyncio.Queue()
        self.sending = asyncio.create_task(_send_messages(socket, self._unsent))

    def send(self, message: Mapping[str, Any] | msgspec.Raw) -> None:
        if self._unsent.qsize() < BACKLOG:
            self._unsent.put_nowait(_encode(message).decode())
        else:
            self.sending.cancel()

    def close(self, message: Mapping[str, Any] | msgspec.Raw) -> None:
        self.send(message)
        self._unsent.put_nowait(None)


async def serve_seat(socket: WebSocket, seat: PageSeat) -> None:
    """Connect a page to its seat until one of them closes the socket, or the page reads too slowly."""
    await socket.accept()
    wire = SocketWire(socket)
    receiving = asyncio.create_task(_receive_messages(socket, PageMessageReceiver(seat, wire)))
    seat.connect_page(wire)
    try:
        await asyncio.wait((receiving, wire.sending), return_when=asyncio.FIRST_COMPLETED)
    finally:
        seat.disconnect_page()
        wire.sending.cancel()
        if not receiving.cancel():
            receiving.result()


async def refuse_socket(socket: WebSocket, code: int) -> None:
    """Close a socket with a code for the page, which only an accepted one can pass on."""
    await socket.accept()
    await socket.close(code)


async def _receive_messages(socket: WebSocket, receiver: PageMessageReceiver) -> None:
    while (message := await socket.receive())["type"] != "websocket.disconnect":
        if not receiver.receive_message(message.get("text") or message.get("bytes") or b""):
            await asyncio.sleep(PAUSE)


async def _send_messages(socket: WebSocket, unsent: asyncio.Queue[str | None]) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):  # the page has gone
        while (text := await unsent.get()) is not None:
            await socket.send_text(text)
        await socket.close()
