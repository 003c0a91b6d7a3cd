"""Rooms: people come, play, go away and come back, and everything that was acknowledged is kept."""

from __future__ import annotations

import asyncio
import sqlite3
import weakref
from pathlib import Path
from typing import Any

import pytest
from tests.web.room_helpers import (
    GAMES,
    SQLITE_QUICK,
    Person,
    RecordedPage,
    new_room,
    open_manager,
    people,
    play_out,
    seat_people,
    until,
    without_collecting,
)

from groundling.core.events import Closed, Failed, Transcript
from groundling.core.pack import find
from groundling.core.player import Ask, Reply
from groundling.core.values import Say
from groundling.games.reference.rules import Pick
from groundling.web import live_room, room_manager, room_players
from groundling.web.export import read_exported_transcript
from groundling.web.live_room import LiveRoom
from groundling.web.room_manager import RoomManager
from groundling.web.server_settings import RoomRequest
from groundling.web.store import ERASED_EVENT
from groundling.web.store_url import open_archive_url
from groundling.web.watchers import WatcherSeat


@pytest.mark.parametrize("game", GAMES)
def test_two_people_play_a_whole_game_and_it_is_all_in_the_store(game: str, tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await seat_people(manager, game)
            await play_out(room, seats)
            assert room.make_transcript().status == "played"
            for person in seats.values():
                await until(lambda: person.page.shown.get("phase") == "over")  # noqa: B023
                assert {side["role"] for side in person.page.shown["outcome"]["sides"]} == set(seats)
            kept = read_exported_transcript(room.pack, await manager.store.read_records(room.booking.id))
            assert kept == Transcript(tuple(room.events))

    asyncio.run(go())


@pytest.mark.parametrize("game", GAMES)
def test_a_room_continues_after_any_reply_as_if_nothing_had_happened(game: str, tmp_path: Path) -> None:
    async def go() -> None:
        name = ""
        for _ in range(200):
            async with open_manager(tmp_path / "games.db") as manager:
                if not name:
                    room, seats = await seat_people(manager, game)
                    name = room.booking.id
                else:
                    found = await manager.open_room(name)
                    assert found is not None
                    room = found
                    seats = {role: Person(room, role) for role in room.booking.seats}
                    for person in seats.values():
                        await person.come()
                await play_out(room, seats, most=7)
                if room.over:
                    break
        assert room.make_transcript().status == "played"

    asyncio.run(go())


def test_nothing_begins_before_everybody_has_come(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room = await new_room(manager, RoomRequest("reference", people(find("reference"))))
            giver = Person(room, "giver")
            await giver.come()
            assert giver.page.shown["phase"] == "waiting"
            assert await giver.do(Say("the second")) == "the game has not begun yet"
            assert room.events == []

    asyncio.run(go())


def test_consent_comes_before_everything(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db", consent="We keep what you write.") as manager:
            room = await new_room(manager, RoomRequest("reference", {"giver": "person"}))
            page = RecordedPage()
            await room.attach_page("giver", page)
            assert [b"We keep what you write." in sent for sent in page.bytes] == [True]
            assert room.events == []
            await room.record_consent("giver")
            await until(lambda: page.shown.get("turn"))

    asyncio.run(go())


def test_what_is_out_of_turn_or_against_the_rules_is_refused_with_the_reason_and_changes_nothing(
    tmp_path: Path,
) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await seat_people(manager)
            await until(lambda: room.current_turn == "giver")
            before = list(room.events)
            assert await seats["follower"].do(Pick(1)) == "it is not your turn"
            assert "the giver says one expression" in await seats["giver"].do(Pick(1))
            assert "one paragraph" in await seats["giver"].do(Say(" \n\n "))
            assert room.events == before
            assert await seats["giver"].do(Say("the second")) == ""
            assert "pick from 1 to 3" in await seats["follower"].do(Pick(99))
            assert await seats["follower"].do(Pick(2)) == ""
            assert await seats["follower"].do(Pick(2)) == "the game is over"

    asyncio.run(go())


def test_a_second_page_takes_the_seat_over_and_the_first_is_told(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await seat_people(manager)
            await until(lambda: seats["giver"].page.shown.get("turn"))
            first, second = seats["giver"].page, RecordedPage()
            await room.attach_page("giver", second)
            assert first.closed
            assert b'"elsewhere"' in first.bytes[-1]
            assert second.shown["panels"] == first.shown["panels"]
            room.detach_page("giver", first)
            assert room.present["giver"] is second

    asyncio.run(go())


def test_who_leaves_is_away_and_who_comes_back_sees_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_room, "GRACE", 0.01)

    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await seat_people(manager)
            giver, follower = seats["giver"], seats["follower"]
            await giver.do(Say("the second"))
            await until(lambda: follower.page.shown.get("turn"))
            seen = follower.page.shown
            room.detach_page("follower", follower.page)
            await until(lambda: giver.page.shown["partner"] == "away")
            await follower.come()
            await until(lambda: giver.page.shown["partner"] == "here")
            fields = ("now", "talk", "choices", "turn", "phase")
            assert {name: follower.page.shown[name] for name in fields} == {
                name: seen[name] for name in fields
            }
            whats = [
                record.body
                for record in await manager.store.read_records(room.booking.id)
                if record.kind == "note"
            ]
            assert sum(b'"away"' in body for body in whats) == 1

    asyncio.run(go())


def reason_closed(room: LiveRoom) -> str:
    last = room.events[-1]
    assert isinstance(last, Closed)
    return last.reason


def test_time_and_patience_run_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            late, _ = await seat_people(manager)
            await until(lambda: late.events)
            await late.check_time_limits(late.events[0].at + 1)
            assert not late.over
            monkeypatch.setattr(late, "_clock", lambda: late.events[0].at + late.booking.minutes * 60 + 1)
            await late.check_time_limits(late._clock())
            assert reason_closed(late) == "time"
            idle, _ = await seat_people(manager)
            await until(lambda: idle.events)
            await idle.check_time_limits(idle.touched + live_room.IDLE + 1)
            assert reason_closed(idle) == "idle"
            resting, seats = await seat_people(manager)
            await until(lambda: resting.events)
            for role, person in seats.items():
                resting.detach_page(role, person.page)
            await resting.check_time_limits(resting.touched + live_room.IDLE + 1)
            assert not resting.over, "a game that nobody attends rests, even with watchers"

    asyncio.run(go())


class Broken:
    name = "broken"

    async def act(self, ask: Ask) -> Reply:
        raise KeyError("oh")


class Slow:
    name = "slow"

    async def act(self, ask: Ask) -> Reply:
        await asyncio.sleep(60)
        raise AssertionError


@pytest.mark.parametrize(("player", "boundary"), [(Broken(), "player"), (Slow(), "timeout")])
def test_a_player_that_breaks_or_dawdles_ends_its_own_game_only(
    player: Any, boundary: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_players, "PATIENCE", 0.05)

    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room = await new_room(manager, RoomRequest("reference", {"giver": "person"}))
            room._machine = lambda role: player
            giver = Person(room, "giver")
            await giver.come()
            await until(lambda: room.current_turn == "giver")
            assert await giver.do(Say("the second")) == ""
            await until(lambda: room.over)
            last = room.events[-1]
            assert isinstance(last, Failed)
            assert last.boundary == boundary
            await until(lambda: giver.page.shown["phase"] == "over")
            other, seats = await seat_people(manager)
            await play_out(other, seats)

    asyncio.run(go())


def test_moves_sent_in_one_breath_are_played_in_order(tmp_path: Path) -> None:
    """A fast hand does not wait for the server; what comes after the turn is over is refused."""

    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await seat_people(manager)
            await until(lambda: room.current_turn == "giver")
            giver = seats["giver"]
            room.handle_moves("giver", 1, (Say("the first"),), {})
            room.handle_moves("giver", 2, (Say("no, the second"),), {})
            await until(lambda: 1 in giver.page.taken and 2 in giver.page.refused)
            assert [move.text for _, move in room.make_transcript().event_moves()] == ["the first"]

    asyncio.run(go())


def test_a_room_that_nobody_looks_at_is_left_to_the_store_and_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_manager, "FORGET", -1.0)

    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await seat_people(manager)
            await seats["giver"].do(Say("the second"))
            for role, person in seats.items():
                room.detach_page(role, person.page)
            await until(lambda: room.booking.id not in manager.rooms)
            again = await manager.open_room(room.booking.id)
            assert again is not None
            assert again is not room
            assert again.current_turn == "follower"

    asyncio.run(go())


async def leave_a_room(place: Path) -> None:
    async def played(manager: RoomManager) -> tuple[str, weakref.ref[Any]]:
        room, seats = await seat_people(manager)
        await seats["giver"].do(Say("the second"))
        await seats["follower"].do(Pick(2))
        for role, person in seats.items():
            room.detach_page(role, person.page)
        return room.booking.id, weakref.ref(room)

    async with open_manager(place / "games.db") as manager:
        name, room = await played(manager)
        await until(lambda: name not in manager.rooms)
        await until(lambda: room() is None, 5)


def test_a_room_that_was_left_is_freed_whether_or_not_anybody_collects_garbage(tmp_path: Path) -> None:
    without_collecting(leave_a_room, tmp_path)


def test_what_could_not_be_saved_was_never_told_and_the_room_is_opened_again_from_the_store(
    tmp_path: Path,
) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await seat_people(manager)
            giver, follower = seats["giver"].page, seats["follower"].page
            append = manager.store.append_records

            async def full(*arguments: Any) -> None:
                raise OSError("no space left")

            manager.store.append_records = full  # type: ignore[method-assign, assignment]
            room.handle_moves("giver", 1, (Say("the second"),), {})
            await until(lambda: giver.closed and follower.closed)
            manager.store.append_records = append  # type: ignore[method-assign]
            assert giver.taken == set()
            assert follower.shown["talk"] == []
            again = await manager.open_room(room.booking.id)
            assert again is not None
            assert again.current_turn == "giver"
            seats = {role: Person(again, role) for role in seats}
            for person in seats.values():
                await person.come()
            await play_out(again, seats)

    asyncio.run(go())


def test_no_page_shows_a_move_before_it_is_saved_even_one_that_connects_meanwhile(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await seat_people(manager)
            giver, late, looking = seats["giver"].page, RecordedPage(), RecordedPage()
            append, begun, may = manager.store.append_records, asyncio.Event(), asyncio.Event()

            async def slow(*arguments: Any) -> None:
                begun.set()
                await may.wait()
                await append(*arguments)

            manager.store.append_records = slow  # type: ignore[method-assign, assignment]
            room.handle_moves("giver", 1, (Say("the second"),), {})
            await begun.wait()
            await room.attach_page("follower", late)
            WatcherSeat(room).connect_page(looking)
            told = [sent for page in (late, looking, giver) for sent in page.bytes if b"the second" in sent]
            taken = set(giver.taken)
            may.set()
            await until(lambda: 1 in giver.taken)
            assert (told, taken) == ([], set())
            assert late.shown["turn"]
            assert b"the second" in looking.bytes[-1]

    asyncio.run(go())


@SQLITE_QUICK
def test_who_is_erased_while_they_play_leaves_no_more(place: str) -> None:
    async def go() -> None:
        async with open_manager(place) as manager:
            room, seats = await seat_people(manager)
            await seats["giver"].do(Say("the second"))
            assert await asyncio.to_thread(open_archive_url(place).erase_seat, room.booking.id, "giver") > 0
            room.handle_moves("follower", 9, (Pick(2),), {})
            await until(lambda: seats["follower"].page.closed)
            assert 9 not in seats["follower"].page.taken
            again = await manager.open_room(room.booking.id)
            assert again is not None
            assert again.erased
            assert {
                (record.kind, record.body)
                for record in await manager.store.read_records(room.booking.id)
                if record.role == "giver"
            } == {("erased", b""), ("erased", ERASED_EVENT)}

    asyncio.run(go())


@SQLITE_QUICK
def test_what_was_erased_is_soon_shown_no_more(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_manager, "LOOK_FOR_ERASED", 1)

    async def go() -> None:
        async with open_manager(place) as manager:
            room, seats = await seat_people(manager)
            other, others = await seat_people(manager)
            await seats["giver"].do(Say("the second"))
            await seats["follower"].do(Pick(2))
            assert room.over
            await asyncio.to_thread(open_archive_url(place).erase_seat, room.booking.id, "giver")
            await until(lambda: seats["follower"].page.closed)
            again = await manager.open_room(room.booking.id)
            assert again is not None
            assert again.erased
            assert manager.rooms[other.booking.id] is other
            assert not others["follower"].page.closed

    asyncio.run(go())


def test_a_store_that_fails_for_a_moment_does_not_end_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_manager, "LOOK_FOR_ERASED", 1)

    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            asked = 0

            async def full(names: Any) -> dict[str, int]:
                nonlocal asked
                asked += 1
                raise sqlite3.OperationalError("database or disk is full")

            monkeypatch.setattr(manager.store, "count_records", full)
            await until(lambda: asked > 1)

    asyncio.run(go())


def test_who_comes_while_a_room_is_dropped_is_in_the_room_that_is_looked_after(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, _ = await seat_people(manager)
            name = room.booking.id
            async with room.recorder.lock:  # so that dropping takes a while
                dropping = asyncio.create_task(manager._drop_room(name))
                await asyncio.sleep(0)
                first = asyncio.create_task(manager.open_room(name))
                await asyncio.sleep(0)
            await dropping
            second = asyncio.create_task(manager.open_room(name))
            assert await first is await second is manager.rooms[name]

    asyncio.run(go())


def test_the_rules_of_codraw_hold_whatever_a_page_sends(tmp_path: Path) -> None:
    from groundling.boards.scene import KINDS, PEOPLE, Piece, Put
    from groundling.games.codraw.moves import Agree, Close, Finish, Peek

    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await seat_people(manager, "codraw")
            teller, drawer = seats["teller"], seats["drawer"]
            assert "141" in await teller.do(Say("a" * 141))
            assert await teller.do(Peek()) == ""
            before = len(room.events)
            assert "close it before you speak" in await teller.do(Say("a sun"))
            assert "close it before you speak or finish" in await teller.do(Finish())
            assert "already" in await teller.do(Peek())
            assert len(room.events) == before
            assert await teller.do(Close()) == ""
            assert "no peek left" in await teller.do(Peek())
            assert "only the Drawer" in await teller.do(Agree())
            assert await teller.do(Say("a sun")) == ""
            before = len(room.events)
            assert "only the Teller can peek" in await drawer.do(Peek())
            assert "nothing to agree to" in await drawer.do(Agree())
            assert room.replay is not None
            palette = room.replay.view("drawer").palette
            there_is, there_is_not = (
                next(kind for kind in KINDS if kind not in PEOPLE and (kind in palette) == known)
                for known in (True, False)
            )
            assert "not in the palette" in await drawer.do(Put(Piece(there_is_not, 10, 10, 0)))
            assert "too far off" in await drawer.do(Put(Piece(there_is, 5000, 10, 0)))
            assert await teller.do(Say("are you there?")) == "it is not your turn"
            assert len(room.events) == before
            assert room.replay.view("drawer").canvas.pieces == ()

    asyncio.run(go())
