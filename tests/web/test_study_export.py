"""What is exported of a study that people took part in: answers, games as runs, and no names."""

from __future__ import annotations

import asyncio
import csv
import sqlite3
from pathlib import Path

import pytest
from tests.web.room_helpers import SQLITE_QUICK, Person, play_out, until
from tests.web.study_helpers import come, come_to_work, end_room, open_host, open_task_room, write_study

from groundling.cli.main import main
from groundling.core.values import Problem
from groundling.runs.run_folder import RunFolder
from groundling.studies.study_decisions import exclude_person
from groundling.studies.study_state import fold_study
from groundling.web.erasure import erase_seat
from groundling.web.sqlite_database import APPLICATION_ID, MIGRATIONS
from groundling.web.study_store import open_study_database, open_study_log, read_stored_study


async def play_as_a_pair(place: str, folder: Path) -> list[str]:
    """Two people whom a service knows pass the quiz and play a game. Returns their codes."""
    async with open_host(place, folder) as (host, manager):
        codes = [await host.find_person("prolific", f"service-id-{number}") for number in (1, 2)]
        for code in codes:
            await come_to_work(host, code)
        pages = [await come(host, code, "same") for code in codes]
        room = await open_task_room(manager, pages[0])
        people = {page.role: Person(room, page.role) for page in pages}
        for person in people.values():
            await person.come()
        await play_out(room, people)
        await end_room(manager, room)
        return codes


def export(folder: Path, place: str) -> Path:
    out = folder / "out"
    assert main(["study", "export", str(folder), "--db", place, "-o", str(out)]) == 0
    return out


def read_table(out: Path, name: str) -> list[dict[str, str]]:
    with (out / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@SQLITE_QUICK
def test_answers_and_games_are_exported_under_codes(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_study(tmp_path / "pairs")
    codes = asyncio.run(play_as_a_pair(place, folder))
    out = export(folder, place)
    quiz = [row for row in read_table(out, "answers") if row["stage"] == "quiz"]
    assert [(row["person"], row["question"], row["answer"], row["right"]) for row in quiz] == [
        (code, "May you stop?", "yes", "True") for code in codes
    ]
    (game,) = read_table(out, "games")
    assert (game["stage"], game["run"]) == ("games", "games/games")
    players = {row["person"] for row in read_table(out, "assignments") if row["task"] == game["task"]}
    assert players == set(codes)
    assert [each.episode for each in RunFolder(out / game["run"]).read_transcripts()] == [game["episode"]]
    capsys.readouterr()
    assert main(["score", str(out / game["run"])]) == 0
    assert "1.000" in capsys.readouterr().out
    for file in out.rglob("*"):
        assert not file.is_file() or b"service-id" not in file.read_bytes()


def test_a_game_that_no_longer_counts_leaves_the_runs_but_not_the_table(tmp_path: Path) -> None:
    folder, place = write_study(tmp_path / "pairs"), str(tmp_path / "games.db")
    codes = asyncio.run(play_as_a_pair(place, folder))
    (game,) = read_table(export(folder, place), "games")
    with open_study_log(place, "pairs") as log:
        log.decide_events(lambda state: (exclude_person(state, codes[0], "a bot", 3e9), None))
    out = export(folder, place)
    assert not (out / game["run"]).exists()
    assert read_table(out, "games") == [{**game, "run": ""}]


def read_everything(place: str) -> str:
    """All that the database has of people, answers and games."""
    database = open_study_database(place)
    try:
        tables = ("study_people", "study_answers", "records")
        rows = [row for table in tables for row in database.fetch_rows(f"SELECT * FROM {table}", ())]
        return repr([[bytes(cell) if isinstance(cell, memoryview) else cell for cell in row] for row in rows])
    finally:
        database.close()


@SQLITE_QUICK
def test_an_erased_person_is_gone_from_all_but_the_log(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_study(tmp_path / "pairs")
    ann, bob = asyncio.run(play_as_a_pair(place, folder))
    assert all(word in read_everything(place) for word in (ann, "service-id-1", '"type":"replied"'))
    assert main(["serve", "--db", place, "--erase", f" {ann.upper()}"]) == 0
    assert f"erased {ann} in the study pairs (ids: 1, answers: 1, " in capsys.readouterr().out
    left = read_everything(place)
    assert ann not in left
    assert "service-id-1" not in left
    assert all(word in left for word in (bob, "service-id-2"))
    out = export(folder, place)
    assert read_table(out, "games") == []
    assert {row["person"] for row in read_table(out, "answers")} == {bob}
    assert [row["type"] for row in read_table(out, "events") if row["person"] == ann] == ["erased"]
    state = fold_study(read_stored_study(place, "pairs").events)
    assert not any(item.done for item in state.stages["games"].items.values()), "the place is free again"
    capsys.readouterr()
    assert main(["serve", "--db", place, "--erase", ann]) == 0, "it can be repeated"
    assert "(ids: 0, answers: 0, texts in the log: 0, records of games: 0)" in capsys.readouterr().out
    assert main(["serve", "--db", place, "--erase", "0" * 16]) == 2
    assert "no study has a person with the code 0000" in capsys.readouterr().err


def test_who_is_erased_during_a_game_leaves_it_and_the_partner_is_paid(tmp_path: Path) -> None:
    folder, place = write_study(tmp_path / "pairs"), str(tmp_path / "games.db")

    async def go() -> None:
        async with open_host(place, folder) as (host, manager):
            codes = [await host.find_person("link", name) for name in ("ann", "bob")]
            for code in codes:
                page = await come_to_work(host, code)
            room = await open_task_room(manager, page)
            for role in room.booking.seats:
                await Person(room, role).come()
            await until(lambda: room.current_turn is not None)
            await asyncio.to_thread(erase_seat, place, codes[0])
            page = await come(host, codes[1], "same")
            assert page.fields["owed"] == 1.0
            assert page.fields["notice"] == {"text": "partner left"}
            assert (await come(host, codes[0])).fields["page"] == "end"

    asyncio.run(go())


def test_reading_a_study_neither_creates_nor_migrates_a_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, missing, old = write_study(tmp_path / "pairs"), tmp_path / "no.db", tmp_path / "old.db"
    with sqlite3.connect(old) as connection:
        connection.executescript(MIGRATIONS[0])
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
    before = old.read_bytes()
    for command in (["status"], ["export", "-o", str(tmp_path / "out")]):
        assert main(["study", command[0], str(folder), *command[1:], "--db", str(missing)]) == 2
        assert "no.db does not exist: name the database of the study with --db" in capsys.readouterr().err
        assert main(["study", command[0], str(folder), *command[1:], "--db", str(old)]) == 2
        assert "old.db has no study pairs" in capsys.readouterr().err
    assert not missing.exists()
    assert old.read_bytes() == before


@pytest.mark.slow
def test_a_postgresql_database_without_our_tables_has_no_study(database: str) -> None:
    with pytest.raises(Problem, match="has no study pairs: name the database"):
        read_stored_study(database, "pairs")
