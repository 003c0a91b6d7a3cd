"""The straight way between a socket and its seat, byte by byte, without a network."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.websockets import WebSocket
from tests.web.room_helpers import until, without_collecting
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import State
from websockets.uri import parse_uri

from groundling.web import socket_transport
from groundling.web.live_room import Wire
from groundling.web.page_seats import MOVES_AT_ONCE, PageAction
from groundling.web.socket_transport import serve_seat
from groundling.web.uvicorn_transport import UNCOMPRESSED_BYTES, DirectSocketProtocol

AGREE = b'{"do":"agree"}'


class Chair:
    """Remembers what is done in it."""

    def __init__(self) -> None:
        self.did: list[PageAction] = []
        self.wire: Wire | None = None
        self.gone = False

    def connect_page(self, wire: Wire) -> None:
        self.wire = wire

    def handle_action(self, done: PageAction) -> None:
        self.did.append(done)

    def disconnect_page(self) -> None:
        self.gone = True


class Cable(asyncio.Transport):
    """A transport that ends in our hands."""

    def __init__(self, client: ClientProtocol) -> None:
        super().__init__()
        self.client = client
        self.frames: list[Frame] = []
        self.raw = 0
        """Bytes that were written since somebody last looked."""
        self.closed = self.aborted = self.paused = False

    def write(self, data: Any) -> None:
        self.raw += len(data)
        self.client.receive_data(bytes(data))
        for event in self.client.events_received():
            if isinstance(event, Frame):
                self.frames.append(event)
            else:
                assert isinstance(event, Response)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = self.aborted = True

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    def texts(self) -> list[Any]:
        return [msgspec.json.decode(frame.data) for frame in self.frames if frame.opcode is Opcode.TEXT]


@asynccontextmanager
async def connected(**options: Any) -> AsyncIterator[tuple[DirectSocketProtocol, Cable, Chair]]:
    """Somebody's page in a chair, after the handshake."""
    chair = Chair()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await serve_seat(WebSocket(scope, receive, send), chair)

    client = ClientProtocol(parse_uri("ws://test/"), extensions=[ClientPerMessageDeflateFactory()])
    client.send_request(client.connect())
    cable = Cable(client)
    protocol = DirectSocketProtocol(Config(app, **options), ServerState(), {}, asyncio.get_running_loop())
    protocol.connection_made(cable)
    protocol.data_received(b"".join(client.data_to_send()))
    while chair.wire is None:
        await asyncio.sleep(0)
    yield protocol, cable, chair
    if not protocol.disconnected:
        protocol.connection_lost(None)
    while not chair.gone:
        await asyncio.sleep(0)


def say(protocol: DirectSocketProtocol, cable: Cable, *messages: bytes) -> None:
    """All in one packet."""
    for message in messages:
        cable.client.send_text(message)
    protocol.data_received(b"".join(cable.client.data_to_send()))


def test_what_is_sent_is_done_and_told_in_the_call_that_reads_it() -> None:
    async def go() -> None:
        async with connected() as (protocol, cable, chair):
            say(protocol, cable, AGREE, b"nonsense")
            assert len(chair.did) == 1
            assert "cannot be understood" in cable.texts()[-1]["why"]

    asyncio.run(go())


def test_only_what_is_long_is_compressed() -> None:
    async def go() -> None:
        async with connected() as (_, cable, chair):
            assert chair.wire is not None
            for size in (UNCOMPRESSED_BYTES // 2, UNCOMPRESSED_BYTES * 10):
                cable.raw = 0
                chair.wire.send({"type": "a" * size})
                assert cable.texts()[-1] == {"type": "a" * size}
                assert (cable.raw > size) == (size < UNCOMPRESSED_BYTES)

    asyncio.run(go())


@pytest.mark.usefixtures("no_time_passes")
def test_whoever_is_too_fast_is_read_slowly_and_loses_nothing() -> None:
    async def go() -> None:
        async with connected() as (protocol, cable, chair):
            say(protocol, cable, *[AGREE] * (int(MOVES_AT_ONCE) + 5))
            assert len(chair.did) == MOVES_AT_ONCE
            assert cable.paused
            assert len(cable.texts()) == 1
            for _ in range(1000):
                await asyncio.sleep(socket_transport.PAUSE)
                if not cable.paused:
                    break
            assert (
                len(chair.did) + sum("slow down" in told["why"] for told in cable.texts())
                == MOVES_AT_ONCE + 5
            )

    asyncio.run(go())


def test_a_page_that_reads_nothing_is_cut_off() -> None:
    async def go() -> None:
        async with connected() as (protocol, cable, chair):
            assert chair.wire is not None
            protocol.pause_writing()
            for _ in range(socket_transport.BACKLOG):
                chair.wire.send({"type": "show"})
            assert not cable.aborted
            chair.wire.send({"type": "show"})
            assert cable.aborted
            chair.wire.send({"type": "show"})
            assert len(cable.texts()) == socket_transport.BACKLOG

    asyncio.run(go())


def test_after_the_last_word_nothing_is_told_or_heard() -> None:
    async def go() -> None:
        async with connected() as (protocol, cable, chair):
            assert chair.wire is not None
            chair.wire.close({"type": "elsewhere"})
            chair.wire.send({"type": "show"})
            say(protocol, cable, AGREE)
            while not chair.gone:
                await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert cable.texts() == [{"type": "elsewhere"}]
            assert chair.did == []
            assert cable.client.close_rcvd is not None
            assert cable.client.close_rcvd.code == 1000

    asyncio.run(go())


@pytest.mark.parametrize("quiet", [True, False])
def test_only_whoever_is_quiet_is_asked_whether_they_are_there(quiet: bool) -> None:
    async def go() -> None:
        async with connected(ws_ping_interval=1, ws_ping_timeout=60) as (protocol, cable, _):

            def asked() -> bool:
                return any(frame.opcode is Opcode.PING for frame in cable.frames)

            if quiet:
                await until(asked)
                return
            for _ in range(13):
                await asyncio.sleep(0.1)
                say(protocol, cable, AGREE)
            assert not asked()

    asyncio.run(go())


async def close_a_socket(place: Path) -> None:
    async with connected() as (protocol, cable, chair):
        say(protocol, cable, AGREE)
        known = weakref.ref(protocol)
        assert cable.client.state is State.OPEN
    chair.wire = None
    del protocol
    for _ in range(5):
        await asyncio.sleep(0)
    assert known() is None


def test_a_socket_is_freed_when_it_is_closed_whether_or_not_anybody_collects_garbage(tmp_path: Path) -> None:
    without_collecting(close_a_socket, tmp_path)
