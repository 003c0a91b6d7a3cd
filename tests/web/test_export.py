"""What people played becomes runs, which every command reads; what somebody wants forgotten is not among
it."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from tests.web.room_helpers import SQLITE_QUICK, Person, new_room, open_manager, people, play_out, until

from groundling.cli import main
from groundling.core.pack import find
from groundling.core.values import Say
from groundling.runs.run import read_run_recordings
from groundling.runs.run_folder import RunFolder
from groundling.web.server_settings import RoomRequest


def fill(place: str, *orders: RoomRequest) -> list[str]:
    """Games as ordered, played to the end; the names of their rooms."""

    async def go() -> list[str]:
        names = []
        async with open_manager(place) as manager:
            for order in orders:
                room = await new_room(manager, order)
                seats = {role: Person(room, role) for role in room.booking.person_roles}
                for person in seats.values():
                    await person.come()
                await play_out(room, seats)
                names.append(room.booking.id)
        return names

    return asyncio.run(go())


@SQLITE_QUICK
def test_games_are_exported_by_their_settings_and_scored_like_any_run(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db, out = place, tmp_path / "out"
    pair = people(find("image"))
    rooms = fill(
        db,
        RoomRequest("reference", people(find("reference"))),
        RoomRequest("image", pair),
        RoomRequest("image", pair, settings={"turns": 30}),
    )
    assert main(["serve", "--db", db, "--export", str(out)]) == 0
    plain, other, _ = sorted(path.name for path in out.iterdir())
    assert (plain, other.partition("-")[0]) == ("image", "image")
    assert list(read_run_recordings(out / other)) == rooms[2:]
    assert "1 game" in capsys.readouterr().out
    assert list(read_run_recordings(out / "reference")) == rooms[:1]
    assert main(["score", str(out / plain), str(out / other)]) == 0
    assert main(["verify", str(out)]) == 0
    assert main(["serve", "--db", db, "--export", str(out)]) == 0
    assert len(list(out.iterdir())) == 3


def test_what_was_erased_is_gone_from_runs_that_were_written_before_and_nothing_else_is(
    tmp_path: Path,
) -> None:
    db, out = str(tmp_path / "games.db"), tmp_path / "out"
    pair = people(find("image"))
    first, second, third = fill(
        db, *(RoomRequest("image", pair, settings={"turns": turns}) for turns in (31, 30, 32))
    )
    assert main(["serve", "--db", db, "--export", str(out)]) == 0
    before = {name: path.name for path in out.iterdir() for name in read_run_recordings(path)}
    mine = out / "mine"
    shutil.copytree(out / before[first], mine)
    (mine / "run.toml").write_text(
        (mine / "run.toml").read_text().replace("people, games.db", "people, other.db")
    )
    (tmp_path / "elsewhere").mkdir()
    fill(str(tmp_path / "elsewhere" / "games.db"), RoomRequest("image", pair, settings={"turns": 33}))
    assert main(["serve", "--db", str(tmp_path / "elsewhere" / "games.db"), "--export", str(out)]) == 0
    (theirs,) = {path.name for path in out.iterdir()} - {"mine", *before.values()}
    assert main(["serve", "--db", db, "--erase", f"{first}/giver"]) == 0
    assert main(["serve", "--db", db, "--export", str(out)]) == 0
    assert {about.parent.name for about in out.glob("*/run.toml")} == {
        "mine",
        theirs,
        before[second],
        before[third],
    }
    assert {path.name for path in (out / before[first]).iterdir()} == {"people.csv", "remaining.jsonl"}
    shutil.rmtree(out / theirs)
    runs = [about.parent for about in out.glob("*/run.toml") if about.parent != mine]
    assert {name: path.name for path in runs for name in read_run_recordings(path)} == {
        second: before[second],
        third: before[third],
    }
    for room in (second, third):
        assert main(["serve", "--db", db, "--erase", f"{room}/giver"]) == 0
    assert main(["serve", "--db", db, "--export", str(out)]) == 0
    assert [about.parent for about in out.glob("*/run.toml")] == [mine]


def test_every_reply_says_how_long_it_took_on_both_sides(tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    fill(str(db), RoomRequest("reference", people(find("reference"))))
    assert main(["serve", "--db", f"sqlite:///{db}", "--export", str(tmp_path / "out")]) == 0
    (transcript,) = RunFolder(tmp_path / "out" / "reference").read_transcripts()
    for reply in transcript.reply_events():
        assert reply.seconds is not None
        assert reply.detail["browser"] == 1.0


def test_verify_lists_what_was_erased_and_takes_it_for_no_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db, out = str(tmp_path / "games.db"), tmp_path / "out"
    pair = RoomRequest("reference", people(find("reference")))
    _, gone = fill(db, pair, pair)
    assert main(["serve", "--db", db, "--erase", f"{gone}/giver"]) == 0
    assert main(["serve", "--db", db, "--export", str(out)]) == 0
    capsys.readouterr()
    assert main(["verify", str(out)]) == 0
    assert f"note: erased, so not in the log: {gone} " in " ".join(capsys.readouterr().out.split())


@SQLITE_QUICK
def test_what_a_seat_left_can_be_erased(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = place
    (room,) = fill(db, RoomRequest("reference", people(find("reference"))))
    assert main(["serve", "--db", db, "--erase", f"{room}/giver"]) == 0
    assert "erased" in capsys.readouterr().out
    assert main(["serve", "--db", db, "--export", str(tmp_path / "out")]) == 0
    assert "what is left of 1 with an erased seat" in capsys.readouterr().out
    (line,) = (tmp_path / "out" / "reference" / "remaining.jsonl").read_text().splitlines()
    left = json.loads(line)
    assert left["erased"] == ["giver"]
    kinds = [(event["type"], event.get("role")) for event in left["events"]]
    assert kinds == [
        ("opened", None),
        ("erased", "giver"),
        ("erased", "giver"),
        ("replied", "follower"),
        ("moved", "follower"),
        ("closed", None),
    ]

    async def knock() -> None:
        async with open_manager(db) as manager:
            found = await manager.open_room(room)
            assert found is not None
            assert found.over
            person = Person(found, "follower")
            await person.come()
            await until(lambda: person.page.shown.get("phase") == "erased")
            assert await person.do(Say("hm")) == "the game is over"

    asyncio.run(knock())


def test_rooms_that_cannot_be_read_are_left_out_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db, out = str(tmp_path / "games.db"), tmp_path / "out"
    pair = RoomRequest("reference", people(find("reference")))
    whole, other, gone = fill(db, pair, pair, pair)
    with sqlite3.connect(db) as store:
        store.execute(
            "UPDATE records SET body = replace(body, '\"moves\"', '\"deeds\"') WHERE room = ?", (other,)
        )
        booking = 'replace(booking, \'"game":"reference"\', \'"game":"chess"\')'
        store.execute(
            f"UPDATE rooms SET game = 'chess', booking = CAST({booking} AS BLOB) WHERE id = ?", (gone,)
        )
    assert main(["serve", "--db", db, "--export", str(out)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert (
        told[0] == "left out 2 rooms: 1 of games that are not installed (chess), 1 written by another version"
    )
    assert len(told) == 2
    assert list(read_run_recordings(out / "reference")) == [whole]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--erase", "giver"], "is not ROOM/SEAT"),
        (["--erase", "room/giver", "--export", "out"], "use one after the other"),
        (["--export", "out", "--db", "nowhere.db"], "does not exist"),
        (["--db", ""], "--db is empty"),
        (["--db", "mysql://host/name"], "is not a store"),
        (["--port", "70000"], "cannot listen"),
        (["--workers", "2"], "several workers cannot share a file"),
        (["--workers", "0"], "must be at least 1"),
        (["--proxy", "*"], "is no address"),
        (["--limit-for", "lab=30"], "is not NETWORK=PEOPLE"),
        (["--db", "postgresql://me:hush@127.0.0.1:1/games", "--port", "0"], "cannot be used as a store"),
        (["--consent", "nowhere.txt"], "No such file"),
    ],
)
def test_what_cannot_be_done_is_reported_in_one_line(
    arguments: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["serve", *arguments]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert "hush" not in error
    assert error.count("\n") == 1
