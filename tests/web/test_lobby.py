"""Find me a partner: nobody is left over, even when people leave while they are matched."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.web.room_helpers import SQLITE_QUICK, new_manager, open_manager
from tests.web.test_remote_seats import die

from groundling.core.pack import find
from groundling.core.values import Problem
from groundling.web import waiting_queue
from groundling.web.lobby import Lobby, WaitsElsewhere
from groundling.web.screen import make_live_game
from groundling.web.store import hash_store_secret
from groundling.web.waiting_queue import QueueKey, QueueMatch, WaitingPerson


async def wait_in(lobby: Lobby, role: str, person: str) -> asyncio.Task[dict[str, Any]]:
    """A page on which a person waits, once the queue has its place."""
    match, joined = lobby._queue.match_partner, asyncio.Event()

    async def match_and_tell(me: WaitingPerson) -> QueueMatch:
        found = await match(me)
        joined.set()
        return found

    lobby._queue.match_partner = match_and_tell  # type: ignore[method-assign]
    page = asyncio.create_task(lobby.find_partner("reference", role, {}, person))
    await joined.wait()
    lobby._queue.match_partner = match  # type: ignore[method-assign]
    return page


async def stop(page: asyncio.Task[dict[str, Any]]) -> None:
    page.cancel()
    await asyncio.wait((page,))


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


@SQLITE_QUICK
def test_two_pages_of_a_person_are_one_place_which_keeps_its_turn(place: str) -> None:
    async def go() -> None:
        async with open_manager(place) as manager:
            lobby = Lobby(manager)
            first = await wait_in(lobby, "giver", "one")
            second = await wait_in(lobby, "giver", "two")
            again = await wait_in(lobby, "giver", "one")
            with pytest.raises(WaitsElsewhere):
                await first
            assert await lobby.count_waiting() == {QueueKey("reference", "giver"): 2}
            await lobby.find_partner("reference", "follower", {}, "three")
            assert (await again)["role"] == "giver"
            assert not second.done()
            await stop(second)

    asyncio.run(go())


@SQLITE_QUICK
def test_a_reload_keeps_the_place_and_nobody_is_matched_meanwhile(place: str) -> None:
    async def go() -> None:
        async with open_manager(place) as manager:
            lobby = Lobby(manager)
            first = await wait_in(lobby, "giver", "one")
            second = await wait_in(lobby, "giver", "two")
            third = await wait_in(lobby, "giver", "three")
            await stop(first)
            await lobby.find_partner("reference", "follower", {}, "four")
            await second
            again = await wait_in(lobby, "giver", "one")
            await lobby.find_partner("reference", "follower", {}, "five")
            await again
            assert not third.done()
            await stop(third)

    asyncio.run(go())


@SQLITE_QUICK
def test_a_place_is_lost_some_time_after_the_page_was_closed(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting_queue, "PLACE_KEPT", -1.0)

    async def go() -> None:
        async with open_manager(place) as manager:
            lobby = Lobby(manager)
            await stop(await wait_in(lobby, "giver", "one"))
            second = await wait_in(lobby, "giver", "two")
            again = await wait_in(lobby, "giver", "one")
            await lobby.find_partner("reference", "follower", {}, "three")
            await second
            assert not again.done()
            await stop(again)

    asyncio.run(go())


@SQLITE_QUICK
def test_nobody_is_paired_with_themselves_also_not_in_another_seat_or_game(place: str) -> None:
    async def go() -> None:
        async with open_manager(place) as manager:
            lobby = Lobby(manager)
            giver = await wait_in(lobby, "giver", "one")
            follower = await wait_in(lobby, "follower", "one")
            with pytest.raises(WaitsElsewhere):
                await giver
            teller = asyncio.create_task(lobby.find_partner("codraw", "teller", {}, "one"))
            with pytest.raises(WaitsElsewhere):
                await follower
            assert await lobby.count_waiting() == {QueueKey("codraw", "teller"): 1}
            await stop(teller)

    asyncio.run(go())


@SQLITE_QUICK
def test_only_people_with_the_same_settings_meet_however_they_are_written(place: str) -> None:
    async def go() -> None:
        async with open_manager(place) as manager:
            lobby = Lobby(manager)
            usual = asyncio.create_task(lobby.find_partner("codraw", "teller", {}, "one"))
            other = asyncio.create_task(lobby.find_partner("codraw", "teller", {"peeks": 0}, "two"))
            while len(await lobby.count_waiting()) < 2:
                await asyncio.sleep(0.01)
            assert set(await lobby.count_waiting()) == {
                QueueKey("codraw", "teller"),
                QueueKey("codraw", "teller", '{"peeks":0}'),
            }
            await lobby.find_partner("codraw", "drawer", {"peeks": 0}, "three")
            found = await other
            chair = await manager.store.redeem_invite(hash_store_secret(found["secret"]), "cookie")
            assert chair is not None
            booking = await manager.store.find_booking(chair.room)
            assert booking is not None
            assert msgspec.json.decode(booking.settings)["peeks"] == 0
            usually = msgspec.to_builtins(make_live_game(find("codraw")).settings)
            await lobby.find_partner("codraw", "drawer", {"rounds": usually["rounds"]}, "four")
            await usual

    asyncio.run(go())


def test_a_person_who_comes_back_to_another_server_keeps_the_place(database: str) -> None:
    async def go() -> None:
        async with open_manager(database) as one, open_manager(database) as other:
            here, there = Lobby(one), Lobby(other)
            first = await wait_in(here, "giver", "one")
            second = await wait_in(here, "giver", "two")
            again = await wait_in(there, "giver", "one")
            with pytest.raises(WaitsElsewhere):
                await first
            await here.find_partner("reference", "follower", {}, "three")
            await again
            assert not second.done()
            await stop(second)

    asyncio.run(go())


def test_a_place_in_the_queue_is_kept_when_its_server_dies(database: str) -> None:
    async def go() -> None:
        async with open_manager(database) as one:
            dead = new_manager(database)
            await dead.open()
            lobby = Lobby(one)

            async def until_waiting(people: int) -> None:
                while await lobby.count_waiting() != {QueueKey("reference", "giver"): people}:
                    await asyncio.sleep(0.01)

            lost = asyncio.create_task(Lobby(dead).find_partner("reference", "giver", {}, "one"))
            await until_waiting(1)
            second = asyncio.create_task(lobby.find_partner("reference", "giver", {}, "two"))
            await until_waiting(2)
            await die(dead)
            await until_waiting(1)
            again = asyncio.create_task(lobby.find_partner("reference", "giver", {}, "one"))
            await until_waiting(2)
            await lobby.find_partner("reference", "follower", {}, "three")
            await again
            assert not second.done()
            for page in (second, lost):
                page.cancel()
            await asyncio.wait((second,))

    asyncio.run(go())
