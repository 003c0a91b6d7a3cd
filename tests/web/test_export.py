"""What people played becomes runs, which every command reads; what somebody wants forgotten is not among it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.web.house import Person, hall, new_room, people, play_out, until

from groundling.cli import main
from groundling.core.pack import find
from groundling.core.values import Say
from groundling.runs.folder import RunFolder
from groundling.runs.run import recordings
from groundling.web.hall import Order


def fill(path: Path, *orders: Order) -> list[str]:
    """Games as ordered, played to the end; the names of their rooms."""

    async def go() -> list[str]:
        names = []
        async with hall(path) as there:
            for order in orders:
                room = await new_room(there, order)
                seats = {role: Person(room, role) for role in room.booking.people}
                for person in seats.values():
                    await person.come()
                await play_out(room, seats)
                names.append(room.booking.id)
        return names

    return asyncio.run(go())


def test_games_are_exported_by_their_settings_and_scored_like_any_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db, out = tmp_path / "games.db", tmp_path / "out"
    pair = people(find("image"))
    rooms = fill(
        db, Order("reference", people(find("reference"))), Order("image", pair), Order("image", pair, settings={"turns": 30})
    )
    assert main(["serve", "--db", str(db), "--export", str(out)]) == 0
    assert sorted(path.name for path in out.iterdir()) == ["image", "image-2", "reference"]
    assert "1 game" in capsys.readouterr().out
    assert list(recordings(out / "reference")) == rooms[:1]
    assert main(["score", str(out / "image"), str(out / "image-2")]) == 0
    assert main(["serve", "--db", str(db), "--export", str(out)]) == 0


def test_every_reply_says_how_long_it_took_on_both_sides(tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    fill(db, Order("reference", people(find("reference"))))
    assert main(["serve", "--db", f"sqlite:///{db}", "--export", str(tmp_path / "out")]) == 0
    (transcript,) = RunFolder(tmp_path / "out" / "reference").transcripts()
    for reply in transcript.replies():
        assert reply.seconds is not None
        assert reply.detail["browser"] == 1.0


def test_what_a_seat_left_can_be_erased(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = tmp_path / "games.db"
    (room,) = fill(db, Order("reference", people(find("reference"))))
    assert main(["serve", "--db", str(db), "--erase", f"{room}/giver"]) == 0
    assert "deleted" in capsys.readouterr().out
    assert main(["serve", "--db", str(db), "--export", str(tmp_path / "out")]) == 2
    assert "holds no games yet" in capsys.readouterr().err

    async def knock() -> None:
        async with hall(db) as there:
            found = await there.room(room)
            assert found is not None
            assert found.over
            person = Person(found, "follower")
            await person.come()
            await until(lambda: person.page.shown.get("phase") == "erased")
            assert await person.do(Say("hm")) == "the game is over"

    asyncio.run(knock())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--erase", "giver"], "is not ROOM/SEAT"),
        (["--erase", "room/giver", "--export", "out"], "do one after the other"),
        (["--export", "out", "--db", "nowhere.db"], "is not there"),
        (["--db", "mysql://host/name"], "is not a store"),
        (["--port", "70000"], "cannot listen"),
        (["--consent", "nowhere.txt"], "No such file"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    arguments: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["serve", *arguments]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
