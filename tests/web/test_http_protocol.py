"""Requests that arrive slowly are dropped; others, answers and sockets take as long as they like."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
import uvicorn
from websockets.asyncio.client import connect

from groundling.web import http_protocol
from groundling.web.server import make_server_config, open_server_listener

SLOW = 0.3


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answers a request with its body after a while, and a socket with what it is sent."""
    if scope["type"] == "http":
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        if scope["path"] == "/late":
            await asyncio.sleep(2 * SLOW)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})
    elif scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})


@asynccontextmanager
async def serving() -> AsyncIterator[int]:
    listener = open_server_listener("127.0.0.1", 0)
    server = uvicorn.Server(make_server_config(echo, ()))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await task


async def trickle(port: int, begin: bytes, drop: bytes) -> bytes:
    """Send one byte after another until the server closes the connection; what it sent before."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(begin)
    answer = asyncio.create_task(read_all(reader))
    while not answer.done():
        writer.write(drop)
        await asyncio.wait((answer,), timeout=0.02)
    writer.close()
    return answer.result()


async def read_all(reader: asyncio.StreamReader) -> bytes:
    whole = b""
    with suppress(ConnectionResetError):  # it was closed while we sent more
        while piece := await reader.read(1000):
            whole += piece
    return whole


@pytest.fixture(autouse=True)
def quick_deadlines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "HEADER_SECONDS", SLOW)
    monkeypatch.setattr(http_protocol, "BODY_SECONDS", SLOW)


@pytest.mark.parametrize(
    ("begin", "drop"),
    [
        (b"", b""),
        (b"GET / HTTP/1.1\r\nhost: x\r\nlong: ", b"a"),
        (b"GET /", b"a"),
        (b"", b"\r\n"),
        (b"GET / HTTP/1.1\r\nhost: x\r\n\r\n", b"\r\n"),
    ],
)
def test_headers_that_do_not_come_to_an_end_are_dropped(begin: bytes, drop: bytes) -> None:
    async def go() -> None:
        async with serving() as port:
            answer = await asyncio.wait_for(trickle(port, begin, drop), 30)
        assert answer.endswith(http_protocol.TIMED_OUT) or drop

    asyncio.run(go())


def test_a_body_that_does_not_come_to_an_end_is_dropped() -> None:
    async def go() -> None:
        async with serving() as port:
            begin = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n"
            assert await asyncio.wait_for(trickle(port, begin, b"a"), 30) == b""

    asyncio.run(go())


def test_a_connection_is_used_again_and_a_late_answer_is_sent() -> None:
    async def go() -> None:
        async with serving() as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            for path in (b"/", b"/late", b"/"):
                writer.write(b"GET %b HTTP/1.1\r\nhost: x\r\n\r\n" % path)
                assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
            writer.close()

    asyncio.run(go())


def test_a_socket_has_no_deadline() -> None:
    async def go() -> None:
        async with serving() as port, connect(f"ws://127.0.0.1:{port}/") as page:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(page.recv(), 2 * SLOW)
            await page.send("still here")
            assert await page.recv() == "still here"

    asyncio.run(go())
