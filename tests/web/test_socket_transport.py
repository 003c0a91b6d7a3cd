"""The socket between a page and its seat, through ASGI and without a network."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import pytest
import uvicorn
from starlette.websockets import WebSocket
from tests.web.room_helpers import until, without_collecting

from groundling.web import socket_transport
from groundling.web.live_room import GRACE, Wire
from groundling.web.page_seats import MOVES_AT_ONCE, PageAction
from groundling.web.server import make_server_config, open_server_listener
from groundling.web.socket_transport import PING_SECONDS, PONG_SECONDS, serve_seat

AGREE = '{"do":"agree"}'


class RecordedSeat:
    """Remembers what is done in it."""

    def __init__(self) -> None:
        self.done: list[PageAction] = []
        self.wire: Wire | None = None
        self.gone = False

    def connect_page(self, wire: Wire) -> None:
        self.wire = wire

    def handle_action(self, done: PageAction) -> None:
        if self.gone:
            raise AssertionError("an action after the page had gone")
        self.done.append(done)

    def disconnect_page(self) -> None:
        self.gone = True


class Browser:
    """The other end of the socket, as an ASGI server sees it."""

    def __init__(self) -> None:
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.received: list[Any] = []
        self.closed = False
        self.reads = asyncio.Event()
        self.reads.set()

    def send(self, *texts: str) -> None:
        for text in texts:
            self.sent.put_nowait({"type": "websocket.receive", "text": text})

    def leave(self) -> None:
        self.sent.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async def take_from_server(self, message: Any) -> None:
        await self.reads.wait()
        if message["type"] == "websocket.send":
            self.received.append(msgspec.json.decode(message["text"]))
        elif message["type"] == "websocket.close":
            self.closed = True
            self.leave()


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[Browser, RecordedSeat, asyncio.Task[None]]]:
    """A page in a seat, and the task that serves it."""
    browser, seat = Browser(), RecordedSeat()
    browser.sent.put_nowait({"type": "websocket.connect"})
    socket = WebSocket({"type": "websocket"}, browser.sent.get, browser.take_from_server)
    serving = asyncio.create_task(serve_seat(socket, seat))
    await until(lambda: seat.wire)
    yield browser, seat, serving
    browser.leave()
    await asyncio.wait_for(asyncio.wait((serving,)), 10)
    assert seat.gone


def test_an_action_reaches_the_seat_and_what_cannot_be_read_is_refused() -> None:
    async def check() -> None:
        async with connected() as (browser, seat, _):
            browser.send("nonsense", AGREE)
            await until(lambda: seat.done and browser.received)
            assert "cannot be understood" in browser.received[0]["why"]

    asyncio.run(check())


@pytest.mark.usefixtures("no_time_passes")
def test_a_page_that_sends_too_fast_is_read_slowly_and_gets_an_answer_to_every_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pause, extra = 0.03, 5
    monkeypatch.setattr(socket_transport, "PAUSE", pause)

    async def check() -> None:
        async with connected() as (browser, seat, _):
            begun = monotonic()
            browser.send(*[AGREE] * (int(MOVES_AT_ONCE) + extra))
            await until(lambda: len(browser.received) == extra)
            assert monotonic() - begun >= (extra - 1) * pause
            assert all("slow down" in message["why"] for message in browser.received)
            assert len(seat.done) == MOVES_AT_ONCE

    asyncio.run(check())


def test_a_page_that_reads_nothing_is_cut_off() -> None:
    async def check() -> None:
        async with connected() as (browser, seat, serving):
            assert seat.wire is not None
            browser.reads.clear()
            for _ in range(socket_transport.BACKLOG):
                seat.wire.send({"type": "show"})
            await asyncio.sleep(0)
            assert not serving.done()
            for _ in range(2):  # one of the others is being sent
                seat.wire.send({"type": "show"})
            await until(serving.done)
            assert seat.gone
            assert browser.received == []

    asyncio.run(check())


def test_after_the_last_message_nothing_is_sent_or_done() -> None:
    async def check() -> None:
        async with connected() as (browser, seat, serving):
            assert seat.wire is not None
            seat.wire.close({"type": "elsewhere"})
            seat.wire.send({"type": "show"})
            await until(serving.done)
            browser.send(AGREE)
            await asyncio.sleep(0)
            assert browser.received == [{"type": "elsewhere"}]
            assert browser.closed
            assert seat.done == []

    asyncio.run(check())


def test_an_error_of_the_seat_is_not_swallowed() -> None:
    async def check() -> None:
        async with connected() as (browser, seat, serving):
            seat.gone = True
            browser.send(AGREE)
            await until(serving.done)
            assert isinstance(serving.exception(), AssertionError)

    asyncio.run(check())


async def close_a_socket(place: Path) -> None:
    async with connected() as (browser, seat, _):
        browser.send(AGREE)
        await until(lambda: seat.done)
        known = weakref.ref(seat.wire)
        seat.wire = None
    del _
    await asyncio.sleep(0.01)
    assert known() is None


def test_a_socket_is_freed_when_it_is_closed_without_the_garbage_collector(tmp_path: Path) -> None:
    without_collecting(close_a_socket, tmp_path)


HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


def test_a_connection_that_dies_silently_is_noticed_within_the_time_of_two_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The client keeps the connection open and answers nothing, as a computer that was switched off."""
    ping, pong = 0.3, 0.6
    monkeypatch.setattr(socket_transport, "PING_SECONDS", ping)
    monkeypatch.setattr(socket_transport, "PONG_SECONDS", pong)
    seat = RecordedSeat()

    async def serve(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await serve_seat(WebSocket(scope, receive, send), seat)

    async def check() -> float:
        listener = open_server_listener("127.0.0.1", 0)
        server = uvicorn.Server(make_server_config(serve, ()))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        _, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(HANDSHAKE)
        await until(lambda: seat.wire)
        begun = monotonic()
        await until(lambda: seat.gone)
        noticed = monotonic() - begun
        writer.close()
        server.should_exit = True
        await serving
        return noticed

    assert pong < asyncio.run(check()) < ping + pong + 2, "2 seconds for a busy machine"


def test_the_partner_of_a_connection_that_dies_silently_is_told_within_ten_seconds() -> None:
    assert PING_SECONDS + PONG_SECONDS + GRACE < 10
