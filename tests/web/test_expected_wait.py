"""The expected wait is the median of the last waits in the same queue."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.web.room_helpers import open_manager
from tests.web.test_lobby import wait_in

from groundling.web.lobby import LEAST_WAITS, MOST_WAITS, ExpectedWaits, Lobby
from groundling.web.waiting_queue import QueueKey

KEY = QueueKey("reference", "giver")


def test_nothing_is_expected_before_some_people_have_waited() -> None:
    waits = ExpectedWaits()
    for number in range(LEAST_WAITS):
        assert waits.expected_seconds(KEY) is None
        waits.add_wait(KEY, 10.0 * number)
    assert waits.expected_seconds(KEY) == 10.0
    assert waits.expected_seconds(QueueKey("reference", "follower")) is None


def test_old_waits_are_forgotten() -> None:
    waits = ExpectedWaits()
    for seconds in [600.0] * MOST_WAITS + [5.0] * MOST_WAITS:
        waits.add_wait(KEY, seconds)
    assert waits.expected_seconds(KEY) == 5.0


def test_the_lobby_counts_those_who_waited_not_those_who_found_somebody_at_once(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            lobby = Lobby(manager)
            for number in range(LEAST_WAITS):
                page = await wait_in(lobby, "giver", f"giver {number}")
                await lobby.find_partner("reference", "follower", {}, f"follower {number}")
                await page
            assert lobby.expected_wait("reference", "giver") is not None
            assert lobby.expected_wait("reference", "follower") is None

    asyncio.run(go())
