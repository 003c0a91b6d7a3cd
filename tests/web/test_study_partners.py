"""Partners who leave a game of a study, do not come to it, or close its page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import time

import pytest
from tests.web.room_helpers import Person, until
from tests.web.study_helpers import (
    come,
    come_to_work,
    end_room,
    open_host,
    open_task_room,
    read_log,
    write_study,
)

from groundling.studies.study_events import PersonEnded, TaskReleased
from groundling.web import live_room
from groundling.web.live_room import LiveRoom
from groundling.web.room_manager import RoomManager
from groundling.web.studies.participant_actions import LeaveStudy
from groundling.web.studies.room_watch import ABSENT_SECONDS
from groundling.web.studies.study_host import StudyHost

AWAY_SECONDS = 30


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_study(tmp_path / "pairs")


@asynccontextmanager
async def pair_at_play(
    place: Path, folder: Path
) -> AsyncIterator[tuple[StudyHost, RoomManager, LiveRoom, dict[str, Person]]]:
    """Ann and Bob in a game that has begun."""
    async with open_host(place, folder) as (host, manager):
        await come_to_work(host, "ann")
        pages = {"bob": await come_to_work(host, "bob"), "ann": await come(host, "ann", "same")}
        room = await open_task_room(manager, pages["ann"])
        people = {name: Person(room, page.role) for name, page in pages.items()}
        for person in people.values():
            await person.come()
        await until(lambda: room.current_turn is not None)
        yield host, manager, room, people


def test_a_partner_who_leaves_is_told_at_once_and_the_other_is_paid_and_waits_for_the_next(
    tmp_path: Path, folder: Path
) -> None:
    async def go() -> None:
        async with pair_at_play(tmp_path / "games.db", folder) as (host, _, room, people):
            assert (await host.act("bob", LeaveStudy())).fields["outcome"] == "left"
            await host.tick_clock(time())
            assert room.over
            assert "Your partner ended the game early" in people["ann"].page.shown["ended"]
            page = await come(host, "ann", "same")
            assert page.fields["page"] == "wait"
            assert page.fields["notice"] == {"text": "partner left"}
            assert page.fields["owed"] == 1.0

    asyncio.run(go())


def test_a_partner_who_does_not_come_to_the_game_is_not_waited_for(tmp_path: Path, folder: Path) -> None:
    async def go() -> None:
        async with open_host(tmp_path / "games.db", folder) as (host, manager):
            await come_to_work(host, "ann")
            page = await come_to_work(host, "bob")
            room = await open_task_room(manager, page)
            await Person(room, page.role).come()
            await host.tick_clock(time() + ABSENT_SECONDS - 1)
            assert not room.over
            await host.tick_clock(time() + ABSENT_SECONDS + 1)
            await end_room(manager, room)
            assert (await come(host, "bob", "same")).fields["page"] == "wait"

    asyncio.run(go())
    events = read_log(tmp_path / "games.db")
    ended = {event.person: event.outcome for event in events if isinstance(event, PersonEnded)}
    released = {event.person: event.why for event in events if isinstance(event, TaskReleased)}
    assert ended == {"ann": "timed out"}
    assert released == {"ann": "timed out", "bob": "partner left"}


def test_a_game_whose_page_one_person_has_closed_ends_by_itself_for_the_other(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert live_room.GRACE < 10, "the other is told within ten seconds"
    monkeypatch.setattr(live_room, "GRACE", 0.0)

    async def go() -> None:
        async with pair_at_play(tmp_path / "games.db", folder) as (host, manager, room, people):
            room.detach_page(people["bob"].role, people["bob"].page)
            await until(lambda: people["ann"].page.shown["partner"] == "away")
            closed = time()
            for seconds in (0, AWAY_SECONDS - 1):
                await host.tick_clock(closed + seconds)
                assert not room.over
            await host.tick_clock(closed + AWAY_SECONDS)
            assert room.over
            assert "did not come back" in people["ann"].page.shown["ended"]
            await end_room(manager, room)
            page = await come(host, "ann", "same")
            assert (page.fields["page"], page.fields["owed"]) == ("wait", 1.0)
            page = await come(host, "bob", "same")
            assert (page.fields["outcome"], page.fields["owed"]) == ("left", 0.0)

    asyncio.run(go())
    events = read_log(tmp_path / "games.db")
    released = {event.person: event.why for event in events if isinstance(event, TaskReleased)}
    assert released == {"ann": "partner left", "bob": "left"}


def test_a_game_goes_on_when_the_page_is_opened_again_in_time_or_nobody_waits(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_room, "GRACE", 0.0)

    async def go() -> None:
        async with pair_at_play(tmp_path / "games.db", folder) as (host, _, room, people):
            now = time()
            for _ in range(2):  # each time away is counted by itself
                room.detach_page(people["bob"].role, people["bob"].page)
                await until(lambda: people["bob"].role in room.away)
                await host.tick_clock(now := now + 1)
                await host.tick_clock(now := now + AWAY_SECONDS - 1)
                await people["bob"].come()
                await host.tick_clock(now := now + 1)
            for person in people.values():
                room.detach_page(person.role, person.page)
            await until(lambda: len(room.away) == 2)
            for _ in range(2):
                await host.tick_clock(now := now + AWAY_SECONDS)
            assert not room.over

    asyncio.run(go())
