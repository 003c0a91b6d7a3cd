"""The way between a page and its seat."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ..core.pack import load
from ..core.values import Role, Say
from .guard import Bucket
from .rooms import Room

MOST_TEXT = 2_000
"""Characters of one message, whatever the game allows."""
MOST_MOVES = 200
"""In one reply."""
MOVES_A_SECOND, MOVES_AT_ONCE = 30.0, 60.0
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


class End(Struct, frozen=True, tag="end", tag_field="do"):
    """I do not want to go on."""


_decode = msgspec.json.Decoder(Agree | Move | End).decode
_encode = msgspec.json.Encoder().encode


class SocketWire:
    """Messages wait their turn here, so that nobody waits for a slow page."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._out: asyncio.Queue[str | None] = asyncio.Queue()

    def send(self, message: Mapping[str, Any]) -> None:
        if self._out.qsize() > BACKLOG:
            self._out.put_nowait(None)
        else:
            self._out.put_nowait(_encode(message).decode())

    def close(self, message: Mapping[str, Any]) -> None:
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


async def serve_seat(socket: WebSocket, room: Room, role: Role) -> None:
    """From the first message to the last."""
    await socket.accept()
    wire = SocketWire(socket)
    wire.send(_hello(room, role))
    delivering = asyncio.create_task(wire.deliver())
    room.do(room.attach(role, wire))
    try:
        await _read(socket, wire, room, role)
    finally:
        room.detach(role, wire)
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


async def _read(socket: WebSocket, wire: SocketWire, room: Room, role: Role) -> None:
    bucket = Bucket(MOVES_A_SECOND, MOVES_AT_ONCE)
    moves = msgspec.json.Decoder(tuple[load(room.pack.game).Move, ...])  # type: ignore[misc]
    while True:
        try:
            message = await socket.receive()
        except (WebSocketDisconnect, RuntimeError):
            return
        if message["type"] == "websocket.disconnect":
            return
        try:
            done = _decode(message.get("text") or message.get("bytes") or b"")
        except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
            wire.send({"type": "refused", "id": None, "why": f"this cannot be understood: {trouble}"})
            continue
        if isinstance(done, Move):
            _move(done, wire, room, role, bucket, moves)
        elif isinstance(done, Agree):
            room.do(room.agree(role))
        else:
            room.do(room.end("away" if room.away else "left"))


def _move(
    done: Move, wire: SocketWire, room: Room, role: Role, bucket: Bucket, decoder: msgspec.json.Decoder[tuple[Any, ...]]
) -> None:
    def refuse(why: str) -> None:
        wire.send({"type": "refused", "id": done.id, "why": why})

    if not bucket.take():
        return refuse("this is too fast: slow down")
    try:
        moves = decoder.decode(done.moves)
    except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
        return refuse(f"this cannot be done here: {trouble}")
    if not 1 <= len(moves) <= MOST_MOVES:
        return refuse(f"a reply has 1 to {MOST_MOVES} moves")
    if any(isinstance(move, Say) and len(move.text) > MOST_TEXT for move in moves):
        return refuse(f"a message has at most {MOST_TEXT} characters")
    first = {} if done.first is None else {"first": done.first}
    return room.hear(role, done.id, moves, {"browser": done.at, **first})
