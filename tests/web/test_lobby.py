"""Find me a partner: nobody is left over, even when people leave while they are matched."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.web.room_helpers import open_manager

from groundling.core.values import Problem
from groundling.web.lobby import Lobby
from groundling.web.store import hash_store_secret
from groundling.web.waiting_queue import QueueKey


def test_who_leaves_while_the_room_is_made_does_not_leave_the_other_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            lobby, booked, go_on = Lobby(manager), asyncio.Event(), asyncio.Event()
            create = manager.create_room

            async def slow(*order: Any) -> dict[str, str]:
                links = await create(*order)
                booked.set()
                await go_on.wait()
                return links

            monkeypatch.setattr(manager, "create_room", slow)
            waits = asyncio.create_task(lobby.find_partner("reference", "giver"))
            await asyncio.sleep(0)
            leaves = asyncio.create_task(lobby.find_partner("reference", "follower"))
            await booked.wait()
            leaves.cancel()
            go_on.set()
            found = await asyncio.wait_for(waits, 60)
            assert (
                await manager.store.redeem_invite(
                    hash_store_secret(found["secret"]), hash_store_secret("cookie")
                )
                is not None
            )
            assert await lobby.count_waiting() == {}
            with pytest.raises(asyncio.CancelledError):
                await leaves

    asyncio.run(go())


@pytest.mark.parametrize("gone", [False, True])
def test_whose_room_cannot_be_made_waits_on_unless_they_have_gone(
    gone: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            lobby = Lobby(manager)
            waits = asyncio.create_task(lobby.find_partner("reference", "giver"))
            await asyncio.sleep(0)

            async def fails(*order: Any) -> dict[str, str]:
                if gone:
                    waits.cancel()
                    await asyncio.wait((waits,))
                raise Problem("not now")

            monkeypatch.setattr(manager, "create_room", fails)
            with pytest.raises(Problem, match="not now"):
                await lobby.find_partner("reference", "follower")
            assert await lobby.count_waiting() == ({} if gone else {QueueKey("reference", "giver"): 1})
            waits.cancel()
            await asyncio.wait((waits,))

    asyncio.run(go())
