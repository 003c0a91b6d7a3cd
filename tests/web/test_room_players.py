"""Rooms in which the partner of the seat whose turn it is may act first."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.web.room_helpers import Person, new_room, open_manager, seat_people, until

from groundling.boards.scene import Piece, Put
from groundling.core.consistency import find_contradiction
from groundling.core.events import Moved, Replied
from groundling.core.player import Ask, Reply
from groundling.core.values import Say
from groundling.games.codraw.moves import Agree, Finish, Wait
from groundling.web.live_room import LiveRoom
from groundling.web.room_manager import RoomManager
from groundling.web.room_players import YieldingPlayer
from groundling.web.server_settings import RoomRequest

MIKE = Put(Piece("Mike", 100, 300, 1, False, 0, 0))


async def codraw_room(manager: RoomManager) -> tuple[LiveRoom, dict[str, Person]]:
    """Two people at the start of a game, as soon as both can write."""
    room, seats = await seat_people(manager, "codraw")
    await until(lambda: all(person.page.shown.get("say") for person in seats.values()))
    return room, seats


def moves_made(room: LiveRoom) -> list[tuple[str, tuple[Any, ...]]]:
    return [(event.role, event.moves) for event in room.events if isinstance(event, Moved)]


def test_the_drawer_writes_first_and_the_server_waits_for_the_teller(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await codraw_room(manager)
            teller, drawer = seats["teller"], seats["drawer"]
            assert not drawer.page.shown["turn"]
            assert await drawer.do(Say("hello, tell me")) == ""
            assert moves_made(room) == [("teller", (Wait(),)), ("drawer", (Say("hello, tell me"),))]
            waited = next(event for event in room.events if isinstance(event, Replied))
            assert (waited.text, waited.detail) == ("WAIT", {"by": "server"})
            await until(lambda: teller.page.shown["turn"])
            assert [line["text"] for line in teller.page.shown["talk"]] == ["hello, tell me"]
            assert await drawer.do(Say("are you there?")) == "it is not your turn", "only the first message"
            assert await teller.do(Say("Mike on the left")) == ""

    asyncio.run(go())


@pytest.mark.parametrize("first", ["teller", "drawer"])
def test_the_game_ends_when_both_have_finished_in_whichever_order(first: str, tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await codraw_room(manager)
            teller, drawer = seats["teller"], seats["drawer"]
            assert await teller.do(Say("Mike on the left")) == ""
            if first == "drawer":
                assert await drawer.do(MIKE, Finish()) == ""
                await until(lambda: "has finished" in teller.page.shown["now"])
                assert not room.over
                assert await teller.do(Finish()) == ""
            else:
                assert await drawer.do(MIKE, Say("ok")) == ""
                assert await teller.do(Finish()) == ""
                assert not room.over
                assert await drawer.do(Agree()) == ""
            await until(lambda: room.over)
            transcript = room.make_transcript()
            assert transcript.status == "played"
            assert find_contradiction(room.game, transcript) is None

    asyncio.run(go())


def test_what_would_be_illegal_leaves_the_turn_with_the_teller(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await codraw_room(manager)
            assert "at most 140 characters" in await seats["drawer"].do(Say("x" * 141))
            assert "nothing has been said yet" in await seats["drawer"].do(Finish())
            assert moves_made(room) == []
            assert await seats["teller"].do(Say("Mike on the left")) == ""
            assert moves_made(room) == [("teller", (Say("Mike on the left"),))]

    asyncio.run(go())


def test_if_both_write_at_once_the_teller_is_first_and_the_drawer_is_told(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await codraw_room(manager)
            room.handle_moves("drawer", 1, (Say("hello"),), {})
            room.handle_moves("teller", 1, (Say("Mike on the left"),), {})
            drawer = seats["drawer"].page
            await until(lambda: 1 in drawer.refused)
            assert "just acted" in drawer.refused[1]
            await until(lambda: 1 in seats["teller"].page.taken)
            assert moves_made(room) == [("teller", (Say("Mike on the left"),))]

    asyncio.run(go())


class Pondering:
    """A Teller that takes for ever over its first message."""

    name = "pondering"

    def __init__(self) -> None:
        self.asked = 0

    async def act(self, ask: Ask) -> Reply:
        self.asked += 1
        if not ask.view.talk:
            await asyncio.Event().wait()
        return Reply(moves=(Say("Mike on the left"),))


def test_a_machine_that_still_thinks_is_asked_again_after_the_first_message(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room = await new_room(manager, RoomRequest("codraw", {"drawer": "person"}))
            player = Pondering()
            room._machine = lambda role: player
            drawer = Person(room, "drawer")
            await drawer.come()
            await until(lambda: player.asked == 1)
            assert await drawer.do(Say("hello")) == ""
            await until(lambda: room.current_turn == "drawer")
            assert player.asked == 2
            assert [role for role, _ in moves_made(room)] == ["teller", "drawer", "teller"]

    asyncio.run(go())


def test_a_turn_is_yielded_once_and_only_while_the_player_is_asked() -> None:
    async def go() -> None:
        player = Pondering()
        seat = YieldingPlayer(player, lambda view: (Wait(),))
        called: list[str] = []
        assert not seat.yield_turn(lambda: called.append("then"), called.append)
        asking = asyncio.create_task(seat.act(Ask("e", "teller", View(), (), None, 0)))
        await until(lambda: player.asked)
        assert seat.yield_turn(lambda: called.append("then"), called.append)
        assert not seat.yield_turn(lambda: called.append("again"), called.append)
        assert (await asking).moves == (Wait(),)
        assert called == ["then"]
        assert not seat.moves_to_yield

    class View:
        talk = ()

    asyncio.run(go())
