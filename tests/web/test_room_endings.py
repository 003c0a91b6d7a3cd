"""How a game ended is recorded for each seat, and told to each person in other words."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.web.room_helpers import Person, new_room, open_manager, seat_people, until

from groundling.cli import main
from groundling.core.events import Closed, Transcript, event_decoder
from groundling.core.pack import find, load
from groundling.core.player import Ask, Reply
from groundling.core.values import Say
from groundling.games.reference.rules import Pick
from groundling.web import live_room
from groundling.web.export import export_games, read_exported_transcript
from groundling.web.game_catalog import GameCatalog
from groundling.web.live_room import LiveRoom
from groundling.web.page_seats import EndMessage, LocalSeat
from groundling.web.room_ending import END_REASONS, describe_seat_end, read_seat_endings
from groundling.web.room_overview import open_room_overview, recorded_overview
from groundling.web.server_settings import RoomRequest


async def leave(room: LiveRoom, seats: dict[str, Person]) -> None:
    LocalSeat(room, "giver").handle_action(EndMessage())


async def close_page(room: LiveRoom, seats: dict[str, Person]) -> None:
    room.detach_page("follower", seats["follower"].page)
    await until(lambda: room.away)
    LocalSeat(room, "giver").handle_action(EndMessage())


async def run_out_of_time(room: LiveRoom, seats: dict[str, Person]) -> None:
    room._clock = lambda: room.events[0].at + room.booking.minutes * 60 + 1
    await room.check_time_limits(room._clock())


async def do_nothing(room: LiveRoom, seats: dict[str, Person]) -> None:
    await room.check_time_limits(room.touched + live_room.IDLE + 1)


async def end_as_administrator(room: LiveRoom, seats: dict[str, Person]) -> None:
    await room.end_game("admin")


ENDS = {
    "left": (
        leave,
        {"giver": "left", "follower": "stayed"},
        "You ended",
        "Your partner ended the game early",
    ),
    "away": (
        close_page,
        {"giver": "ended", "follower": "closed"},
        "You ended the game because your partner had gone",
        "Your page was closed or had lost its connection, so your partner ended the game",
    ),
    "time": (run_out_of_time, {"giver": "stayed", "follower": "stayed"}, "time was up", "time was up"),
    "idle": (
        do_nothing,
        {"giver": "stayed", "follower": "idle"},
        "because your partner did nothing",
        "because it was your turn and nothing happened",
    ),
    "admin": (
        end_as_administrator,
        {"giver": "stayed", "follower": "stayed"},
        "administrator",
        "administrator",
    ),
}


@pytest.mark.parametrize("reason", ENDS)
def test_who_ended_a_game_and_how_is_recorded_and_told_to_each(
    reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_room, "GRACE", 0.01)
    end, endings, to_giver, to_follower = ENDS[reason]

    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await seat_people(manager)
            await seats["giver"].do(Say("the second"))
            await until(lambda: room.current_turn == "follower")
            await end(room, seats)
            await until(lambda: room.over and not room.recorder.has_unsaved)
            records = await manager.store.read_records(room.booking.id)
            kept = read_exported_transcript(room.pack, records)
            assert kept is not None
            last = kept.events[-1]
            assert isinstance(last, Closed)
            assert (kept.status, last.reason, last.endings) == ("aborted", reason, endings)
            await seats["follower"].come()
            told = {role: person.page.shown["ended"] for role, person in seats.items()}
            assert to_giver in told["giver"]
            assert to_follower in told["follower"]
            assert await seats["follower"].do(Pick(1)) == "the game is over"
            for overview in (
                open_room_overview(room),
                recorded_overview(room.booking, records, manager.catalog),
            ):
                assert {seat.role: seat.ended for seat in overview.seats} == endings
                assert overview.why == END_REASONS[reason]

    asyncio.run(go())


class FailingPlayer:
    name = "failing"

    async def act(self, ask: Ask) -> Reply:
        raise KeyError("oh")


class BabblingPlayer(FailingPlayer):
    """Its replies cannot be used."""

    async def act(self, ask: Ask) -> Reply:
        return Reply("?")


@pytest.mark.parametrize(
    ("player", "ending", "status", "to_giver"),
    [
        (FailingPlayer(), "failed", "errored", "This was not your fault"),
        (BabblingPlayer(), "refused", "aborted", "your partner's answers could not be understood"),
    ],
)
def test_the_seat_of_a_player_that_cannot_play_is_named_and_the_person_is_not_blamed(
    player: FailingPlayer, ending: str, status: str, to_giver: str, tmp_path: Path
) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room = await new_room(manager, RoomRequest("reference", {"giver": "person"}))
            room._machine = lambda role: player
            giver = Person(room, "giver")
            await giver.come()
            await until(lambda: room.current_turn == "giver")
            await giver.do(Say("the second"))
            await until(lambda: giver.page.shown["phase"] == "over")
            transcript = room.make_transcript()
            assert transcript.status == status
            assert read_seat_endings(transcript) == {"giver": "stayed", "follower": ending}
            assert to_giver in giver.page.shown["ended"]

    asyncio.run(go())


def test_endings_are_in_the_exported_run(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_manager(tmp_path / "games.db") as manager:
            room, seats = await seat_people(manager)
            await leave(room, seats)
            await until(lambda: room.over and not room.recorder.has_unsaved)

    asyncio.run(go())
    list(export_games(str(tmp_path / "games.db"), tmp_path / "games", GameCatalog(())))
    last = (tmp_path / "games" / "reference" / "log.jsonl").read_bytes().splitlines()[-1]
    assert msgspec.json.decode(last)["endings"] == {"giver": "left", "follower": "stayed"}
    assert main(["verify", str(tmp_path / "games")]) == 0
    assert main(["score", str(tmp_path / "games" / "reference")]) == 0


def closed_before_endings_were_recorded(reason: str) -> Transcript:
    """A game as version 0.1.0 stored it at first."""
    pack = find("reference")
    instance = msgspec.to_builtins(load(pack.builtin)()[0])
    opened: dict[str, Any] = {"type": "opened", "episode": "e", "at": 1.0, "game": "reference"}
    opened |= {"instance": instance, "settings": {}, "seats": dict.fromkeys(("giver", "follower"), "person")}
    opened |= {"seed": 1, "retries": 3, "strict": False, "version": "0.1.0", "schema": 1}
    closed = {"type": "closed", "episode": "e", "at": 2.0, "reason": reason}
    read = event_decoder(load(pack.game))
    return Transcript(tuple(read.decode(msgspec.json.encode(event)) for event in (opened, closed)))


@pytest.mark.parametrize("reason", ["left", "away", "time", "idle", "admin", "refused"])
def test_records_of_earlier_versions_are_told_in_words_that_hold_for_both(reason: str) -> None:
    kept = closed_before_endings_were_recorded(reason)
    assert {describe_seat_end(kept, role) for role in kept.opened.seats} == {END_REASONS[reason]}
    assert "left" not in read_seat_endings(kept).values()
