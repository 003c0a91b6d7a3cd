"""The server is killed at random moments, and started again: whatever was acknowledged is there, once, and
games go on."""

from __future__ import annotations

import asyncio
import random
import signal
from pathlib import Path

import pytest
from tests.web.server_process import Server, Talker, check_talk, open_seat, talk_through

KILLS = 10
PAIRS = 4


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_and_nothing_is_there_twice(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.db")
    server.start()
    talkers = [Talker(server, *seat) for _ in range(PAIRS) for seat in server.seats().values()]
    try:
        asyncio.run(talk_through(server, talkers, KILLS, random.Random(5)))
    finally:
        server.kill(signal.SIGTERM)
    check_talk(server.db, talkers)
    for talker in talkers:
        assert len(talker.acknowledged) >= KILLS / 2


def test_a_frame_that_is_too_large_ends_that_connection_and_nothing_else(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.db")
    server.start()
    seats = server.seats()

    async def go() -> None:
        async with open_seat(server, *seats["teller"]) as one, open_seat(server, *seats["drawer"]) as other:
            await other.recv()
            await one.send("x" * 70_000)
            await one.wait_closed()
            assert one.close_code == 1009
            await other.send("still here?")
            async for message in other:
                if "cannot be understood" in str(message):
                    break
        async with open_seat(server, *seats["teller"]) as again:
            assert "hello" in str(await again.recv())

    try:
        asyncio.run(go())
    finally:
        server.kill(signal.SIGTERM)
