"""The way between a page and its seat."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Literal, Protocol, TypeAlias

import msgspec
from msgspec import Struct
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ..core.pack import load
from ..core.values import Role, Say
from .guard import Bucket
from .rooms import Room, Wire

MOST_TEXT = 2_000
"""Characters of one message, whatever the game allows."""
MOST_MOVES = 200
"""In one reply."""
MOVES_A_SECOND, MOVES_AT_ONCE = 30.0, 60.0
PAUSE = 0.001
"""Seconds before the next message is read of somebody who is too fast."""
BACKLOG = 500
"""Messages that a page may be behind before it is cut off; it comes back by itself and gets all at once."""


class Agree(Struct, frozen=True, tag="agree", tag_field="do"):
    """To the room's text of consent."""


class Move(Struct, frozen=True, tag="move", tag_field="do"):
    id: int
    moves: msgspec.Raw
    at: float = 0.0
    """Milliseconds by the page's own clock, since it was opened."""
    first: float | None = None
    """The same, when the person first did something in this turn."""
    palette: Literal["usual", "safe"] | None = None
    """Which colours the page shows."""


class End(Struct, frozen=True, tag="end", tag_field="do"):
    """I do not want to go on."""


Done: TypeAlias = Agree | Move | End
_decode = msgspec.json.Decoder(Done).decode
_encode = msgspec.json.Encoder().encode


class Seat(Protocol):
    """Where somebody sits who has opened its page."""

    def come(self, wire: Wire) -> None: ...

    def do(self, done: Done) -> None: ...

    def go(self) -> None: ...


class NearSeat:
    """In a room that we run."""

    def __init__(self, room: Room, role: Role) -> None:
        self._room, self._role = room, role
        self._wire: Wire | None = None
        self._moves = msgspec.json.Decoder(tuple[load(room.pack.game).Move, ...])  # type: ignore[misc]

    def come(self, wire: Wire) -> None:
        self._wire = wire
        wire.send(_hello(self._room, self._role))
        self._room.do(self._room.attach(self._role, wire))

    def do(self, done: Done) -> None:
        room = self._room
        if isinstance(done, Move):
            why = self._move(done)
            if why and self._wire:
                self._wire.send(_refusal(done.id, why))
        elif isinstance(done, Agree):
            room.do(room.agree(self._role))
        else:
            room.do(room.end("away" if room.away else "left"))

    def _move(self, done: Move) -> str | None:
        """Play it, or say why not."""
        try:
            moves = self._moves.decode(done.moves)
        except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
            return f"this cannot be done here: {trouble}"
        if not 1 <= len(moves) <= MOST_MOVES:
            return f"a reply has 1 to {MOST_MOVES} moves"
        if any(isinstance(move, Say) and len(move.text) > MOST_TEXT for move in moves):
            return f"a message has at most {MOST_TEXT} characters"
        told = {"browser": done.at, "first": done.first, "palette": done.palette}
        self._room.hear(self._role, done.id, moves, {name: value for name, value in told.items() if value is not None})
        return None

    def go(self) -> None:
        if self._wire:
            self._room.detach(self._role, self._wire)


class SocketWire:
    """Messages wait their turn here, so that nobody waits for a slow page."""

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

    async def deliver(self) -> None:
        try:
            while (text := await self._out.get()) is not None:
                await self._socket.send_text(text)
            if self._socket.application_state == WebSocketState.CONNECTED:
                await self._socket.close()
        except (WebSocketDisconnect, RuntimeError):  # it has gone
            return


async def serve_seat(socket: WebSocket, seat: Seat) -> None:
    """From the first message to the last."""
    await socket.accept()
    wire = SocketWire(socket)
    delivering = asyncio.create_task(wire.deliver())
    seat.come(wire)
    try:
        await _read(socket, wire, seat)
    finally:
        seat.go()
        delivering.cancel()


def _hello(room: Room, role: Role) -> dict[str, Any]:
    pack, live = room.pack, room.pack.live
    assert live is not None
    return {
        "type": "hello",
        "game": pack.name,
        "title": live.title,
        "about": pack.about,
        "role": role,
        "help": list(load(live.help)[role]),
        "most": MOST_TEXT,
    }


async def _read(socket: WebSocket, wire: SocketWire, seat: Seat) -> None:
    """Whoever is too fast is also read slowly, so that it costs the others little."""
    bucket = Bucket(MOVES_A_SECOND, MOVES_AT_ONCE)
    while True:
        try:
            message = await socket.receive()
        except (WebSocketDisconnect, RuntimeError):
            return
        if message["type"] == "websocket.disconnect":
            return
        fast = not bucket.take()
        try:
            done = _decode(message.get("text") or message.get("bytes") or b"")
        except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
            wire.send(_refusal(None, f"this cannot be understood: {trouble}"))
        else:
            if fast:
                wire.send(_refusal(done.id if isinstance(done, Move) else None, "this is too fast: slow down"))
            else:
                seat.do(done)
        if fast:
            await asyncio.sleep(PAUSE)


def _refusal(number: int | None, why: str) -> dict[str, Any]:
    return {"type": "refused", "id": number, "why": why}
