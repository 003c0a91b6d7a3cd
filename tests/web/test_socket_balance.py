"""Sockets are spread evenly over workers that listen together, also after one of them was restarted."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from tests.web.room_helpers import until
from tests.web.test_http_protocol import echo
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from groundling.web.cluster.socket_balance import MOST_REQUEST, SocketBalance
from groundling.web.server import make_server_config, open_server_listener

PAGES = 24


@asynccontextmanager
async def worker(folder: Path, name: str, listener: socket.socket) -> AsyncIterator[SocketBalance]:
    """A server in this process, as a worker is in its own."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            for what in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{what}.complete"})
        else:
            await echo(scope, receive, send)

    balance = SocketBalance(app, folder, name)
    balance.set_config(make_server_config(balance, ()))
    server = uvicorn.Server(make_server_config(balance, ()))
    server.capture_signals = suppress  # type: ignore[assignment]
    task = asyncio.create_task(server.serve(sockets=[listener.dup()]))
    await until(lambda: server.started)
    try:
        yield balance
    finally:
        balance.stop_receiving()  # as the signal does that stops a worker
        server.should_exit = True
        await task


async def keep_page(port: int) -> None:
    """Reconnect whenever the connection is lost, as pages do."""
    while True:
        with suppress(OSError, WebSocketException):
            async with connect(f"ws://127.0.0.1:{port}/r/room/role/socket") as page:
                await page.send("hello")
                async for _ in page:
                    pass
        await asyncio.sleep(0.01)


def test_sockets_are_spread_evenly_also_after_a_worker_came_back(tmp_path: Path) -> None:
    async def go() -> None:
        listener = open_server_listener("127.0.0.1", 0)
        port = listener.getsockname()[1]

        def is_even(*workers: SocketBalance) -> bool:
            loads = [each.load for each in workers]
            return sum(loads) == PAGES and max(loads) - min(loads) <= 3

        async with AsyncExitStack() as stack:
            one = await stack.enter_async_context(worker(tmp_path, "one", listener))
            async with worker(tmp_path, "two", listener) as two:
                pages = [asyncio.create_task(keep_page(port)) for _ in range(PAGES)]
                await until(lambda: is_even(one, two))
            await until(lambda: one.load == PAGES)
            again = await stack.enter_async_context(worker(tmp_path, "again", listener))
            await until(lambda: is_even(one, again))
            for page in pages:
                page.cancel()
        assert list(tmp_path.iterdir()) == []

    asyncio.run(go())


@pytest.mark.parametrize("loads", [{}, {"other": 0}, {"other": 5}, {"gone": -1}])
def test_a_connection_stays_where_there_is_nobody_with_fewer(loads: dict[str, int], tmp_path: Path) -> None:
    async def go() -> None:
        balance = SocketBalance(echo, tmp_path, "me")
        balance._open_mail()
        for name, load in loads.items():
            balance._others[name] = load
        with socket.socket() as connection:
            assert not balance.pass_on(connection, b"")
        assert "gone" not in balance._others
        balance._close_mail()

    asyncio.run(go())


def test_a_request_that_is_too_long_stays_and_nobody_is_forgotten(tmp_path: Path) -> None:
    async def go() -> None:
        (tmp_path / "me").touch()  # left by a worker that was killed
        one, other = (SocketBalance(echo, tmp_path, name) for name in ("me", "other"))
        one._open_mail()
        other._open_mail()
        one._others = {"other": -1}
        with socket.socket() as connection:
            assert not one.pass_on(connection, b"a" * (MOST_REQUEST + 1))
            assert one.pass_on(connection, b"a" * MOST_REQUEST)
        assert "other" in one._others
        one._close_mail()
        other._close_mail()

    asyncio.run(go())


def test_a_worker_that_is_stopped_receives_nothing_more(tmp_path: Path) -> None:
    async def go() -> None:
        stopped: list[int] = []
        before = signal.signal(signal.SIGTERM, lambda number, frame: stopped.append(number))
        one, other = (SocketBalance(echo, tmp_path, name) for name in ("one", "other"))
        try:
            one._open_mail()
            await until(lambda: (tmp_path / "one").exists())
            other._open_mail()
            await until(lambda: "other" in one._others)
            signal.raise_signal(signal.SIGTERM)
            await until(lambda: stopped and "other" not in one._others)
        finally:
            signal.signal(signal.SIGTERM, before)
            one._close_mail()
            other._close_mail()

    asyncio.run(go())
