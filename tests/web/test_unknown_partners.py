"""Games in which people are not told that their partner is a program."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.web.room_helpers import Person, open_manager, small, until

from groundling.core.events import Moved, Replied
from groundling.core.pack import find
from groundling.core.player import Ask, Reply, Unable
from groundling.core.values import Say
from groundling.games.codraw.moves import Agree, Finish
from groundling.studies.study_part import ReplyPace
from groundling.web import room_manager
from groundling.web.live_room import LiveRoom
from groundling.web.room_manager import RoomManager
from groundling.web.room_players import draw_delay
from groundling.web.server_settings import RoomRequest
from groundling.web.store import PartnerConduct
from groundling.web.studies.stage_games import name_partner_kind

BYE = "that is all, goodbye"
CONDUCT = PartnerConduct(blind=True, pace=ReplyPace(seconds=0.01, a_character=0), farewell=BYE)


class ShortTeller:
    name = "short"

    async def act(self, ask: Ask) -> Reply:
        return Reply(moves=(Finish(),) if ask.past else (Say("a tree"),))


class BrokenTeller:
    name = "broken"

    async def act(self, ask: Ask) -> Reply:
        raise Unable("unreachable", "no answer")


async def seat_drawer(manager: RoomManager) -> tuple[LiveRoom, Person]:
    pack = find("codraw")
    order = RoomRequest("codraw", {"teller": "template", "drawer": "person"})
    await manager.book_room(pack, small(pack)[0], order, name="study-room", conduct=CONDUCT)
    room = await manager.open_room("study-room")
    assert isinstance(room, LiveRoom)
    person = Person(room, "drawer")
    await person.come()
    return room, person


def seat_program(monkeypatch: pytest.MonkeyPatch, program: Any) -> None:
    monkeypatch.setattr(room_manager, "make_player_from_spec", lambda *given, **more: program)


def test_a_program_takes_leave_once_and_the_delay_of_each_reply_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat_program(monkeypatch, ShortTeller())

    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, person = await seat_drawer(manager)
            for _ in range(2):
                await until(lambda: room.current_turn == "drawer")
                await person.do(Say("ok"))
                await until(lambda: room.current_turn != "drawer")
            await until(lambda: room.current_turn == "drawer")
            assert person.page.shown["partner"] == "here"
            await person.do(Agree())
            await until(lambda: room.over)
            told = [
                event.moves for event in room.events if isinstance(event, Moved) and event.role == "teller"
            ]
            assert told == [(Say("a tree"),), (Say(BYE),), (Finish(),)]
            delays = [
                event.detail for event in room.events if isinstance(event, Replied) and event.role == "teller"
            ]
            assert all("delay" in detail for detail in delays)
            sides = person.page.shown["outcome"]["sides"]
            assert {side["player"] for side in sides} == {"person"}

    asyncio.run(go())


def test_a_program_that_fails_is_told_as_a_technical_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat_program(monkeypatch, BrokenTeller())

    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            _, person = await seat_drawer(manager)
            await until(lambda: "ended" in person.page.shown)
            assert "technical fault" in person.page.shown["ended"]
            assert "technical fault" in person.page.shown["outcome"]["why"]
            assert "program" not in str(person.page.shown)

    asyncio.run(go())


def test_delays_grow_with_the_message_up_to_a_limit() -> None:
    pace = ReplyPace(seconds=8, spread=0, a_character=0.1, most=20)
    assert draw_delay(pace, 0, 1) == pytest.approx(8)
    assert draw_delay(pace, 50, 1) == pytest.approx(13)
    assert draw_delay(pace, 1000, 1) == 20
    spread = ReplyPace(seconds=8, a_character=0)
    assert len({draw_delay(spread, 0, seed) for seed in range(9)}) == 9


def test_the_debriefing_tells_recordings_from_programs() -> None:
    kinds = {
        seat: name_partner_kind(seat) for seat in ("replay", "replay,until=peek", "replay:runs/a", "template")
    }
    assert [seat for seat, kind in kinds.items() if kind == "program"] == ["template"]
