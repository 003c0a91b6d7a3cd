"""A room whose game has not begun: nobody waits for ever, and each is told what happened."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.web.room_helpers import (
    Person,
    RecordedPage,
    new_room,
    open_manager,
    people,
    play_out,
    read_notes,
    reopen_room,
    until,
)

from groundling.core.pack import find
from groundling.core.values import Problem
from groundling.web import live_room, room_attendance
from groundling.web.live_room import LiveRoom
from groundling.web.page_seats import (
    AgreeMessage,
    DeclineMessage,
    EndMessage,
    LocalSeat,
    ReplaceMessage,
    WaitMessage,
)
from groundling.web.room_attendance import RoomAttendance
from groundling.web.room_manager import RoomManager
from groundling.web.room_overview import recorded_overview
from groundling.web.server_settings import RoomRequest


async def one_waits(manager: RoomManager) -> tuple[LiveRoom, Person]:
    room = await new_room(manager, RoomRequest("reference", people(find("reference"))))
    giver = Person(room, "giver")
    await giver.come()
    if room.booking.consent:
        await room.record_consent("giver")
    assert giver.page.shown["phase"] == "waiting"
    return room, giver


async def notes_of(manager: RoomManager, room: LiveRoom) -> list[tuple[str, str, str]]:
    return [(note.role, note.what, note.why) for note in await read_notes(manager, room)]


async def recorded_endings(manager: RoomManager, room: LiveRoom) -> tuple[str, dict[str, str]]:
    """The state of the room and how it ended for each seat, as the administrator reads it in the store."""
    records = await manager.store.read_records(room.booking.id)
    overview = recorded_overview(room.booking, records, manager.catalog)
    return overview.state, {seat.role: seat.ended for seat in overview.seats}


def test_who_waits_is_offered_other_ways_to_play_after_a_while(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, giver = await one_waits(manager)
            assert giver.page.shown["waiting"] == {"others": ["expected"], "offer": False, "why": ""}
            since = room.attendance.waiting_since
            assert since is not None
            room._clock = lambda: since + room_attendance.OFFER_AFTER + 1
            await room.check_time_limits(room._clock())
            assert giver.page.shown["waiting"]["offer"]
            LocalSeat(room, "giver").handle_action(WaitMessage())
            await until(lambda: not giver.page.shown["waiting"]["offer"])
            assert not room.over

    asyncio.run(go())


@pytest.mark.parametrize("waits", [False, True])
def test_the_time_limit_holds_from_the_first_arrival_and_who_waits_on_gets_more(
    waits: bool, tmp_path: Path
) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, giver = await one_waits(manager)
            came = room.attendance.waiting_since
            assert came is not None
            if waits:
                room._clock = lambda: came + 30
                await room.keep_waiting("giver")
            late = came + room.booking.minutes * 60 + 1
            room._clock = lambda: late
            await room.check_time_limits(late)
            assert room.over == (not waits)
            if waits:
                return
            assert giver.page.shown["phase"] == "closed"
            assert "did not come in time" in giver.page.shown["waiting"]["why"]
            assert await recorded_endings(manager, room) == (
                "unbegun",
                {"giver": "stayed", "follower": "absent"},
            )
            late_comer = Person(room, "follower")
            await late_comer.come()
            assert late_comer.page.shown["phase"] == "closed"
            assert room.events == []

    asyncio.run(go())


def test_the_limit_holds_for_a_room_that_is_opened_again_from_the_store(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, _ = await one_waits(manager)
            came = room.attendance.waiting_since
            assert came is not None
            again = await reopen_room(manager, room)
            assert again.attendance.waiting_since == came
            await again.check_time_limits(came + room.booking.minutes * 60 + 1)
            assert again.over

    asyncio.run(go())


def test_a_refusal_is_recorded_and_told_and_can_be_taken_back(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db", consent="We keep what you write.") as manager:
            room, giver = await one_waits(manager)
            follower = RecordedPage()
            await room.attach_page("follower", follower)
            assert giver.page.shown["waiting"]["others"] == ["reading"]
            seat = LocalSeat(room, "follower")
            seat.handle_action(DeclineMessage())
            await until(lambda: giver.page.shown["waiting"]["others"] == ["declined"])
            assert giver.page.shown["waiting"]["offer"]
            assert ("follower", "declined", "") in await notes_of(manager, room)
            assert (await recorded_endings(manager, room))[1]["follower"] == "declined"
            assert room.events == []
            seat.handle_action(AgreeMessage())
            await until(lambda: giver.page.shown["phase"] == "playing")

    asyncio.run(go())


def test_who_goes_back_to_the_queue_is_told_to_the_other_and_may_return(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_room, "GRACE", 0.01)

    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, giver = await one_waits(manager)
            LocalSeat(room, "giver").handle_action(EndMessage())
            await until(lambda: "giver" in room.attendance.departed)
            room.detach_page("giver", giver.page)
            follower = Person(room, "follower")
            await follower.come()
            assert follower.page.shown["waiting"] == {"others": ["left"], "offer": True, "why": ""}
            assert room.events == [], "nobody plays against somebody who has left"
            await giver.come()
            await until(lambda: follower.page.shown["phase"] == "playing")

    asyncio.run(go())


def test_who_closed_the_page_before_the_game_began_does_not_start_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_room, "GRACE", 0.01)

    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, giver = await one_waits(manager)
            room.detach_page("giver", giver.page)
            await until(lambda: "giver" in room.away)
            follower = Person(room, "follower")
            await follower.come()
            assert follower.page.shown["waiting"]["others"] == ["away"]
            assert follower.page.shown["waiting"]["offer"]

    asyncio.run(go())


@pytest.mark.parametrize("stopped", [False, True])
def test_a_built_in_player_takes_the_empty_seat_and_the_game_is_played_to_its_end(
    stopped: bool, tmp_path: Path
) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, giver = await one_waits(manager)
            LocalSeat(room, "giver").handle_action(ReplaceMessage())
            await until(lambda: giver.page.shown["phase"] == "playing")
            assert giver.page.shown["partner"] == "player"
            if stopped:  # and opened again from the store
                room = await reopen_room(manager, room)
                giver = Person(room, "giver")
                await giver.come()
            late = RecordedPage()
            await room.attach_page("follower", late)
            assert late.closed
            assert b'"replaced"' in late.bytes[-1]
            await play_out(room, {"giver": giver})
            transcript = room.make_transcript()
            assert transcript.status == "played"
            assert transcript.opened.seats == {"giver": "person", "follower": "rule"}
            assert ("follower", "replaced", "rule") in await notes_of(manager, room)

    asyncio.run(go())


def test_a_built_in_player_that_cannot_play_this_is_reported_and_the_person_waits_on(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, giver = await one_waits(manager)

            def refuse(role: str) -> Any:
                raise Problem("no player for this")

            room._machine = refuse
            await room.replace_absent("giver")
            assert b"no player for this" in giver.page.bytes[-1]
            assert giver.page.shown["phase"] == "waiting"
            assert room.attendance.person_roles == ["giver", "follower"]

    asyncio.run(go())


def test_the_administrator_can_close_a_room_that_has_not_begun(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, giver = await one_waits(manager)
            await room.end_game("admin")
            assert "administrator" in giver.page.shown["waiting"]["why"]
            assert ("", "closed", "admin") in await notes_of(manager, room)

    asyncio.run(go())


def test_records_of_earlier_versions_wait_from_the_first_agreement() -> None:
    from groundling.web.store import Booking, RoomNote

    raw: Any = None
    booking = Booking(
        id="r",
        at=0.0,
        game="reference",
        instance=raw,
        settings=raw,
        seats=people(find("reference")),
        seed=1,
        minutes=10.0,
    )
    attendance = RoomAttendance(booking, [RoomNote(5.0, "giver", "agreed"), RoomNote(9.0, "giver", "away")])
    assert attendance.closing_time == 605.0
    assert attendance.unbegun_endings() == {"giver": "stayed", "follower": "absent"}


def test_who_waits_at_another_server_is_told_and_plays_with_the_built_in_partner(database: str) -> None:
    async def go() -> None:
        async with (
            open_manager(database, consent="We keep what you write.") as one,
            open_manager(database) as other,
        ):
            room = await new_room(one, RoomRequest("reference", people(find("reference"))))
            giver, follower = Person(room, "giver", at=other), Person(room, "follower", at=other)
            for person in (giver, follower):
                await person.come()
                await until(lambda: b'"consent"' in b"".join(person.page.bytes))  # noqa: B023
            assert giver.seat is not None
            assert follower.seat is not None
            giver.seat.handle_action(AgreeMessage())
            follower.seat.handle_action(DeclineMessage())
            await until(lambda: giver.page.shown.get("waiting", {}).get("others") == ["declined"])
            giver.seat.handle_action(ReplaceMessage())
            await until(lambda: giver.page.shown["phase"] == "playing")
            await until(lambda: follower.page.closed)
            assert b'"replaced"' in follower.page.bytes[-1]
            await play_out(room, {"giver": giver})
            assert room.make_transcript().status == "played"

    asyncio.run(go())
