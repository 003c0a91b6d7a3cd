"""Servers that share a database: people at different ones play together, and no server is needed more than
another."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack

import msgspec
import pytest
from starlette.testclient import TestClient
from tests.web.room_helpers import (
    GAMES,
    Person,
    RecordedPage,
    new_manager,
    new_room,
    open_manager,
    people,
    play_out,
    until,
)
from tests.web.test_app import OURS, connect, shown, take
from tests.web.test_app import new_room as order_room

from groundling.core.events import Transcript
from groundling.core.pack import find
from groundling.core.values import Say
from groundling.games.reference.rules import Pick
from groundling.web import app as apps
from groundling.web import live_room, page_seats, room_manager
from groundling.web.app import make_app
from groundling.web.cluster.remote_seats import RemoteSeatLink
from groundling.web.export import read_exported_transcript
from groundling.web.live_room import LiveRoom
from groundling.web.lobby import Lobby
from groundling.web.room_manager import RoomManager
from groundling.web.server_settings import RoomRequest
from groundling.web.store import hash_store_secret
from groundling.web.store_url import open_archive_url
from groundling.web.waiting_queue import QueueKey


async def apart(
    one: RoomManager, other: RoomManager, game: str = "reference"
) -> tuple[LiveRoom, dict[str, Person]]:
    """A room that `one` runs, with its second seat at the `other`."""
    room = await new_room(one, RoomRequest(game, people(find(game))))
    first, second = room.booking.seats
    seats = {first: Person(room, first), second: Person(room, second, at=other)}
    for person in seats.values():
        await person.come()
    await until(lambda: room.current_turn and not room.recorder.has_unsaved)
    return room, seats


def cluster_link(manager: RoomManager) -> RemoteSeatLink:
    assert manager.cluster is not None
    return manager.cluster


async def die(manager: RoomManager) -> None:
    """As a process does: its connections are closed, nothing else is done."""
    bus = cluster_link(manager).bus
    for task in bus._tasks:
        task.cancel()
    for connection in (bus._listening, bus._sender, bus._queue, bus._locks):
        await connection.close()
    await manager.store.close()


@pytest.mark.parametrize(
    "game", ["reference", *(pytest.param(game, marks=pytest.mark.slow) for game in GAMES[1:])]
)
def test_people_at_different_servers_play_a_whole_game(game: str, database: str) -> None:
    async def go() -> None:
        async with open_manager(database) as one, open_manager(database) as other:
            room, seats = await apart(one, other, game)
            assert other.rooms == {}
            await play_out(room, seats)
            assert room.make_transcript().status == "played"
            for person in seats.values():
                await until(lambda: person.page.shown.get("phase") == "over")  # noqa: B023
            outcomes = [person.page.shown["outcome"] for person in seats.values()]
            assert outcomes[0] == outcomes[1]
            kept = read_exported_transcript(room.pack, await other.store.read_records(room.booking.id))
            assert kept == Transcript(tuple(room.events))

    asyncio.run(go())


def test_what_is_refused_is_told_at_the_other_server_too(database: str) -> None:
    async def go() -> None:
        async with open_manager(database) as one, open_manager(database) as other:
            room, seats = await apart(one, other)
            before = list(room.events)
            assert await seats["follower"].do(Pick(1)) == "it is not your turn"
            assert "cannot be done here" in await seats["follower"].do({"move": "fly"})
            assert room.events == before
            assert await seats["giver"].do(Say("the second")) == ""
            assert "pick from 1 to 3" in await seats["follower"].do(Pick(99))
            assert await seats["follower"].do(Pick(2)) == ""

    asyncio.run(go())


def test_moves_are_passed_on_however_they_are_written(database: str) -> None:
    async def go() -> None:
        async with open_manager(database) as one, open_manager(database) as other:
            room, seats = await apart(one, other)
            await seats["giver"].do(Say("the second"))
            follower = seats["follower"]
            assert follower.seat is not None
            follower.seat.handle_action(
                page_seats.MoveMessage(1, msgspec.Raw(b'[\n {"move":\t"pick",\n\n "place": "\xff"}\n]'))
            )
            follower.seat.handle_action(
                page_seats.MoveMessage(2, msgspec.Raw(b'[\n {"move":\t"pick",\n\n "place": 2}\n]'))
            )
            await until(lambda: 1 in follower.page.refused and 2 in follower.page.taken)
            assert room.over

    asyncio.run(go())


def test_a_page_at_another_server_takes_the_seat_over_and_the_first_is_told(database: str) -> None:
    async def go() -> None:
        async with open_manager(database) as one, open_manager(database) as other:
            room, seats = await apart(one, other)
            first = seats["giver"].page
            again = Person(room, "giver", at=other)
            await again.come()
            await until(lambda: first.closed and again.page.shown.get("turn"))
            assert b'"elsewhere"' in first.bytes[-1]
            third = RecordedPage()
            await room.attach_page("giver", third)
            await until(lambda: again.page.closed)
            assert again.page.shown["panels"] == third.shown["panels"]

    asyncio.run(go())


def test_who_leaves_another_server_is_away_and_comes_back_to_the_same(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_room, "GRACE", 0.01)

    async def go() -> None:
        async with open_manager(database) as one, open_manager(database) as other:
            _, seats = await apart(one, other)
            giver, follower = seats["giver"], seats["follower"]
            await giver.do(Say("the second"))
            await until(lambda: follower.page.shown.get("turn"))
            seen = follower.page.shown
            assert follower.seat is not None
            follower.seat.disconnect_page()
            await until(lambda: giver.page.shown["partner"] == "away")
            assert cluster_link(one).theirs == {}
            assert cluster_link(other).ours == {}
            await follower.come()
            await until(lambda: giver.page.shown["partner"] == "here" and follower.page.shown.get("turn"))
            fields = ("now", "talk", "choices", "turn", "phase")
            assert {name: follower.page.shown[name] for name in fields} == {
                name: seen[name] for name in fields
            }

    asyncio.run(go())


def test_when_a_server_dies_its_rooms_go_on_at_another(database: str) -> None:
    async def go() -> None:
        async with open_manager(database) as other:
            one = new_manager(database)
            await one.open()
            room, seats = await apart(one, other)
            await seats["giver"].do(Say("the second"))
            await until(lambda: seats["follower"].page.shown.get("turn"))
            await die(one)
            await until(lambda: seats["follower"].page.closed)
            assert b'"restart"' in seats["follower"].page.bytes[-1]
            again = await other.open_room(room.booking.id)
            assert again is not None
            assert again.events == room.events
            people_again = {role: Person(again, role) for role in seats}
            for person in people_again.values():
                await person.come()
            await play_out(again, people_again)
            with pytest.raises(Exception, match="closed"):
                await cluster_link(one).drop_dead_servers()

    asyncio.run(go())


def test_when_a_server_dies_its_people_are_away_from_the_rooms_of_others(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_room, "GRACE", 0.01)

    async def go() -> None:
        async with open_manager(database) as one:
            other = new_manager(database)
            await other.open()
            _, seats = await apart(one, other)
            await die(other)
            await until(lambda: seats["giver"].page.shown["partner"] == "away")

    asyncio.run(go())


def test_a_server_that_is_stopped_hands_its_rooms_over(database: str) -> None:
    async def go() -> None:
        async with open_manager(database) as other:
            async with open_manager(database) as one:
                room, seats = await apart(one, other)
                await seats["giver"].do(Say("the second"))
            await until(lambda: seats["follower"].page.closed)
            again = await other.open_room(room.booking.id)
            assert again is not None
            assert again.current_turn == "follower"

    asyncio.run(go())


def test_a_server_that_does_not_know_that_it_lost_a_room_can_add_nothing_and_sends_nothing(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # every few seconds the maintenance would notice: the room would be closed before the move below
    monkeypatch.setattr(room_manager, "LOOK_FOR_ERASED", 10**9)
    # a note that somebody is away would be a second record under the same number
    monkeypatch.setattr(live_room, "GRACE", 10**9)

    async def go() -> None:
        async with open_manager(database) as one, open_manager(database) as other:
            room, seats = await apart(one, other)
            await cluster_link(one).bus._locks.execute("SELECT pg_advisory_unlock_all()")
            usurper = await other.open_room(room.booking.id)
            assert usurper is not None
            mine = Person(usurper, "giver")
            await mine.come()
            usurper.start_game()
            await until(lambda: usurper.current_turn == "giver")
            assert await mine.do(Say("the first")) == ""
            room.handle_moves("giver", 7, (Say("the second"),), {})
            await until(lambda: room.room_failure)
            assert 7 not in seats["giver"].page.taken
            kept = read_exported_transcript(room.pack, await one.store.read_records(room.booking.id))
            assert kept is not None
            assert [move.text for _, move in kept.event_moves()] == ["the first"]

    asyncio.run(go())


def test_who_is_erased_while_they_play_leaves_a_room_that_can_only_be_left(database: str) -> None:
    async def go() -> None:
        async with open_manager(database) as one, open_manager(database) as other:
            room, seats = await apart(one, other)
            await seats["giver"].do(Say("the second"))
            assert (
                await asyncio.to_thread(open_archive_url(database).erase_seat, room.booking.id, "giver") > 0
            )
            assert seats["follower"].seat is not None
            seats["follower"].seat.handle_action(
                page_seats.MoveMessage(9, msgspec.Raw(b'[{"move":"pick","place":2}]'))
            )
            await until(lambda: seats["follower"].page.closed)
            assert 9 not in seats["follower"].page.taken
            again = await one.open_room(room.booking.id)
            assert again is not None
            assert again.erased

    asyncio.run(go())


def test_people_who_look_for_a_partner_find_each_other_across_servers_and_nobody_is_left_over(
    database: str,
) -> None:
    async def go() -> None:
        async with open_manager(database) as one, open_manager(database) as other:
            lobbies = [Lobby(one), Lobby(other)]
            looking = [
                asyncio.create_task(
                    lobbies[(number // 2 + number) % 2].find_partner(
                        "reference", ("giver", "follower")[number % 2]
                    )
                )
                for number in range(20)
            ]
            found = await asyncio.wait_for(asyncio.gather(*looking), 60)
            chairs = [
                await one.store.redeem_invite(
                    hash_store_secret(each["secret"]), hash_store_secret(f"cookie {n}")
                )
                for n, each in enumerate(found)
            ]
            taken = sorted((chair.room, chair.role) for chair in chairs if chair)
            assert len(set(taken)) == 20
            assert len({room for room, _ in taken}) == 10
            assert await lobbies[0].count_waiting() == {}

    asyncio.run(go())


def test_who_stops_waiting_or_whose_server_died_is_not_given_to_anybody(database: str) -> None:
    async def go() -> None:
        async with open_manager(database) as one, open_manager(database) as other:
            dead = new_manager(database)
            await dead.open()
            lobby, other_lobby = Lobby(one), Lobby(other)
            gone = asyncio.create_task(lobby.find_partner("reference", "giver"))
            lost = asyncio.create_task(Lobby(dead).find_partner("reference", "giver"))
            while await other_lobby.count_waiting() != {QueueKey("reference", "giver"): 2}:
                await asyncio.sleep(0.01)
            gone.cancel()
            await asyncio.wait((gone,))
            await die(dead)
            while await other_lobby.count_waiting():
                await asyncio.sleep(0.01)
            waits = asyncio.create_task(other_lobby.find_partner("reference", "follower"))
            while await lobby.count_waiting() != {QueueKey("reference", "follower"): 1}:
                await asyncio.sleep(0.01)
            comes = await lobby.find_partner("reference", "giver")
            assert {comes["role"], (await waits)["role"]} == {"giver", "follower"}
            lost.cancel()

    asyncio.run(go())


@pytest.fixture
def servers(database: str) -> Iterator[list[TestClient]]:
    """Two, as a browser sees them."""
    with ExitStack() as stack:
        found = []
        for _ in range(2):
            client = stack.enter_context(TestClient(make_app(new_manager(database, workers=2)), OURS))
            client.headers["origin"] = OURS
            found.append(client)
        yield found


def test_links_and_cookies_of_one_server_are_good_at_the_other(servers: list[TestClient]) -> None:
    one, other = servers
    links = order_room(one)
    giver, follower = take(other, links["giver"]), take(one, links["follower"])
    assert one.post("/api/sit", json={"secret": links["giver"].partition("#")[2]}).status_code == 403
    with connect(one, *giver) as first, connect(other, *follower) as second:
        shown(first, "panels")
        shown(second, "panels")
        first.send_json({"do": "move", "id": 1, "moves": [{"move": "say", "text": "hello"}]})
        assert shown(first, "taken") == [1]
        assert shown(second, "talk") == [
            {"who": "partner", "text": "hello", "current": False, "aside": False}
        ]


@pytest.mark.usefixtures("no_time_passes")
def test_limits_hold_for_several_servers_as_for_one(servers: list[TestClient]) -> None:
    one, other = servers
    links = order_room(one)
    path, cookie = take(one, links["follower"])
    with connect(one, *take(one, links["giver"])), connect(other, path, cookie) as page:
        for number in range(100):
            page.send_json({"do": "move", "id": number, "moves": [{"move": "pick", "place": 1}]})
        whys = [shown(page, "why") for _ in range(100)]
        assert sum("slow down" in why for why in whys) == 100 - page_seats.MOVES_AT_ONCE
    order = {"game": "reference", "seats": {"giver": "person"}}
    most = int(apps.ROOMS_AT_ONCE)
    answers = [servers[n % 2].post("/api/rooms", json=order).status_code for n in range(most + 6)]
    assert 1 + answers.count(201) == most
    assert answers[-1] == 429
