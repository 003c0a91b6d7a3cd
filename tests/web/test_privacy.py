"""Ids are in one table and nowhere else, and nothing is left of a person who was erased: not a byte of an id,
or of what they wrote, in the files of the database and in new exports."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import time
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.web.room_helpers import SQLITE_QUICK, Person, until
from tests.web.study_helpers import (
    PAIRS,
    agree,
    come,
    end_room,
    open_host,
    open_task_room,
    read_log,
    write_study,
)

from groundling.cli.main import main
from groundling.core.values import Problem, Say
from groundling.games.hexagons.moves import InstructionsDone, Next, PaintTile
from groundling.studies.game_texts import round_game_times
from groundling.studies.researcher_actions import ExcludePerson, SendMessage
from groundling.studies.study_events import AmountOwed
from groundling.studies.study_state import fold_study
from groundling.web.app import make_app
from groundling.web.room_manager import RoomManager
from groundling.web.server import open_server_files
from groundling.web.server_settings import ServerSettings
from groundling.web.sqlite_database import open_sqlite_database, open_sqlite_for_reading, remove_deleted_bytes
from groundling.web.store_url import open_archive_url, open_store_url
from groundling.web.studies.participant_actions import OpenStudy, ReportPartner, SubmitTask
from groundling.web.studies.served_study import begin_served_studies
from groundling.web.studies.study_games import read_study_games
from groundling.web.studies.study_host import StudyHost
from groundling.web.study_store import open_study_database

IDS = ("5f00dbadcafe0001deadbeef", "5f00dbadcafe0002deadbeef")
MARKS = (b"zebra-one", b"zebra-two")
"""A word in all that the two people write."""
ASKED = 'questions = [{ text = "May you stop?", choices = ["yes", "no"], answer = "yes" }]'
PROGRAMS = "[privacy]\nprograms = true\n"
ReadFiles = Callable[[], list[bytes]]


@pytest.fixture
def read_files(place: str, tmp_path: Path, request: pytest.FixtureRequest) -> ReadFiles:
    """All files of the database: a file and those beside it, or the files of all tables."""
    if "://" not in place:
        return lambda: [file.read_bytes() for file in tmp_path.glob("games.db*")]
    folder: Path = request.getfixturevalue("cluster")[1]

    def read() -> list[bytes]:
        import psycopg

        with psycopg.connect(place, autocommit=True) as connection:
            connection.execute("ANALYZE")  # its samples of columns are in a table, too
            connection.execute("CHECKPOINT")
        found = [file for part in ("base", "global") for file in (folder / part).rglob("*")]
        return [file.read_bytes() for file in found if file.is_file()]

    return read


def write_chatty_study(folder: Path, more: str = "") -> Path:
    """Its first stage asks for a text."""
    text = PAIRS.replace(ASKED, 'questions = [{ text = "Who are you?" }]').replace("attempts = 2\n", "")
    text = text.replace('kind = "quiz"', 'kind = "questionnaire"').replace("pass_mark = 1.0\n", "")
    return write_study(folder, more + text)


async def take_part(host: StudyHost, manager: RoomManager) -> tuple[str, int]:
    """Two people write a text, and talk in a game. The giver reports the partner and is excluded. Returns the
    giver's code, and which of the two it is."""
    codes = [await host.find_person("prolific", who) for who in IDS]
    words = dict(zip(codes, (mark.decode() for mark in MARKS), strict=True))
    for code in codes:
        await come(host, code)
        page = await agree(host, code)
        await host.act(code, SubmitTask(page.fields["task"], [f"I am {words[code]}"]))
        await come(host, code, "same")
    pages = {code: await come(host, code, "same") for code in codes}
    room = await open_task_room(manager, pages[codes[0]])
    people = {code: Person(room, pages[code].role) for code in codes}
    for person in people.values():
        await person.come()
    giver = next(code for code in codes if pages[code].role == "giver")
    await until(lambda: room.current_turn is not None)
    assert await people[giver].do(Say(f"the one of {words[giver]}")) == ""
    await until(lambda: not room.recorder.has_unsaved)
    await host.act(giver, ReportPartner(pages[giver].fields["task"], f"rude, says {words[giver]}"))
    await host.take_action(SendMessage(f"dear {words[giver]}", giver))
    await host.take_action(ExcludePerson(giver, f"{words[giver]} is a bot"))
    return giver, codes.index(giver)


def count_marks(contents: list[bytes], mark: bytes) -> int:
    return sum(content.count(mark) for content in contents)


def read_folder(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.rglob("*") if file.is_file()]


@SQLITE_QUICK
def test_no_byte_of_an_erased_person_is_left_while_a_server_runs(
    place: str, tmp_path: Path, read_files: ReadFiles, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_chatty_study(tmp_path / "pairs")

    async def go() -> tuple[str, int]:
        async with open_host(place, folder) as (host, manager):
            giver, number = await take_part(host, manager)
            gone = (IDS[number].encode(), MARKS[number])
            assert [count_marks(read_files(), word) > 0 for word in gone] == [True, True]
            owed = [event for event in read_log(place) if isinstance(event, AmountOwed)]
            command = ["study", "erase", str(folder), IDS[number], "--db", place]
            assert await asyncio.to_thread(main, command) == 0
            assert [count_marks(read_files(), word) for word in gone] == [0, 0]
            await manager._drop_erased()
            assert (await host.act(giver, OpenStudy())).fields["messages"] == []
            assert await host.look_up_person("prolific", IDS[number]) == "", "an open page is not known"
            assert [count_marks(read_files(), word) for word in gone] == [0, 0]
            assert [event for event in read_log(place) if isinstance(event, AmountOwed)][: len(owed)] == owed
            assert count_marks(read_files(), MARKS[1 - number]) > 0, "what the partner wrote stays"
            return giver, number

    giver, number = asyncio.run(go())
    told = capsys.readouterr().out
    assert f"erased {giver} in the study pairs (ids: 1, answers: 1, texts in the log: 3, records" in told
    assert ("write-ahead log" in told) == ("://" in place)
    out = tmp_path / "out"
    assert main(["study", "export", str(folder), "--db", place, "-o", str(out)]) == 0
    assert count_marks(read_folder(out), MARKS[1 - number]) > 0
    assert count_marks(read_folder(out), MARKS[number]) == 0
    state = fold_study(read_log(place))
    assert state.people[giver].erased
    assert "You may stop" in state.consents[state.people[giver].consent], "what they agreed to can be shown"


@SQLITE_QUICK
def test_ids_are_in_a_table_of_their_own_and_in_nothing_else(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    folder, out = write_chatty_study(tmp_path / "pairs"), tmp_path / "out"

    async def go() -> None:
        async with open_host(place, folder) as (host, manager):
            await take_part(host, manager)

    asyncio.run(go())
    database = open_study_database(place)
    try:
        names = ("study_events", "study_answers", "records", "rooms", "chairs", "made", "study_people")
        tables = {name: repr(database.fetch_rows(f"SELECT * FROM {name}", ())) for name in names}
    finally:
        database.close()
    for command in (["status"], ["pay", "-o", str(out / "pay.csv")], ["export", "-o", str(out)]):
        out.mkdir(exist_ok=True)
        assert main(["study", command[0], str(folder), "--db", place, *command[1:]]) == 0
    assert main(["serve", "--db", place, "--export", str(out / "games-of-server")]) == 0
    for who in IDS:
        assert who in tables.pop("study_people", who)
        assert not [name for name, content in tables.items() if who in content]
        assert not count_marks(read_folder(out), who.encode())
        printed = capsys.readouterr()
        assert who not in printed.out + printed.err + caplog.text


def read_csv(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as opened:
        return list(csv.DictReader(opened))


def export(folder: Path, place: str, *options: str) -> Path:
    out = folder.parent / f"out{len(list(folder.parent.iterdir()))}"
    assert main(["study", "export", str(folder), "--db", place, "-o", str(out), *options]) == 0
    return out


@pytest.fixture
def played(tmp_path: Path) -> tuple[Path, str]:
    """A study in which two people took part, and its database."""
    folder, place = write_chatty_study(tmp_path / "pairs"), str(tmp_path / "games.db")

    async def go() -> None:
        async with open_host(place, folder) as (host, manager):
            await take_part(host, manager)

    asyncio.run(go())
    return folder, place


def test_times_are_days_and_durations_unless_exact_ones_are_asked_for(played: tuple[Path, str]) -> None:
    coarse, exact = export(*played), export(*played, "--exact-times")
    times = {"participants": ("arrived", "agreed"), "assignments": ("assigned", "ended"), "events": ("at",)}
    for table, columns in times.items():
        days, seconds = (read_csv(out / f"{table}.csv") for out in (coarse, exact))
        for column in columns:
            assert {float(row[column] or 0) % 86_400 for row in days} == {0.0}
            assert {float(row[column] or 0) % 86_400 for row in seconds} != {0.0}
    tasks = read_csv(coarse / "assignments.csv")
    assert [(row["after"], row["seconds"]) for row in tasks] == [
        (row["after"], row["seconds"]) for row in read_csv(exact / "assignments.csv")
    ]
    for row in read_csv(coarse / "events.csv"):
        body = json.loads(row["body"])
        assert (body["at"] % 86_400, body.get("until", 0) % 86_400) == (0, 0)
    assert "only the day" in (coarse / "codebook.md").read_text()
    assert "only the day" not in (exact / "codebook.md").read_text()


def test_games_begin_at_midnight_and_take_as_long_as_they_did(played: tuple[Path, str]) -> None:
    state = fold_study(read_log(played[1]))
    (game,) = read_study_games(played[1], "pairs", state)[0]
    shifted = round_game_times(game.transcript).events
    assert shifted[0].at % 86_400 == 0
    for before, after in zip(game.transcript.events, shifted, strict=True):
        took = before.at - game.transcript.events[0].at
        assert after.at - shifted[0].at == pytest.approx(took, abs=0.002)


def test_ids_that_people_type_are_never_exported_and_addresses_are_scrubbed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, place = write_chatty_study(tmp_path / "pairs"), str(tmp_path / "games.db")
    written = f"I am {IDS[0].upper()}, ann@example.org"

    async def go() -> None:
        async with open_host(place, folder) as (host, _):
            ann = await host.find_person("prolific", IDS[0])
            await come(host, ann)
            page = await agree(host, ann)
            await host.act(ann, SubmitTask(page.fields["task"], [written]))

    asyncio.run(go())

    def read_answer(*options: str) -> str:
        return read_csv(export(folder, place, *options) / "answers.csv")[0]["answer"]

    assert read_answer() == "I am [id], ann@example.org"
    assert read_answer("--scrub") == "I am [id], [email]"
    review = tmp_path / "review.csv"
    assert main(["study", "export", str(folder), "--db", place, "--review", str(review)]) == 0
    (row,) = read_csv(review)
    assert (row["place"], row["changed"], row["text"]) == ("quiz", "yes", written)
    review.write_text(review.read_text().replace("[email]", "my friend"))
    assert read_answer("--reviewed", str(review)) == "I am [id], my friend"
    review.write_text("id,place,changed,text,published\n")
    capsys.readouterr()
    out = str(tmp_path / "out")
    assert main(["study", "export", str(folder), "--db", place, "-o", out, "--reviewed", str(review)]) == 2
    assert "1 texts are not in" in capsys.readouterr().err
    assert main(["study", "export", str(folder), "--db", place, "-o", out, "--format", "published"]) == 2
    assert "nobody has read the texts" in capsys.readouterr().err
    assert not Path(out).exists()


def test_a_person_gets_all_that_is_stored_of_them_and_of_nobody_else(played: tuple[Path, str]) -> None:
    folder, place = played
    code = next(iter(fold_study(read_log(place)).people))
    out = export(folder, place, "--person", code)
    for table in ("participants", "assignments", "answers", "events"):
        assert {row["person"] for row in read_csv(out / f"{table}.csv")} == {code}
    assert json.loads((out / "ids.json").read_text()) == {"prolific": IDS[0]}
    assert count_marks(read_folder(out), IDS[1].encode()) == 0
    assert any("You may stop" in file.read_text() for file in out.glob("consent-*.md"))


PROCEDURES = """
title = "Procedures"
contact = "a@example.org"
consent = "consent.md"
[stimuli.images]
game = "hexagons"
recipe = { n = 1, seed = 1 }
[[stages]]
name = "write"
items = "images"
round = 1
[stages.task]
kind = "game"
game = "hexagons"
seats = { instructor = "person", executor = "gold" }
settings = { mode = "align" }
[[stages]]
name = "verify"
items = "write"
answers = 2
round = 1
[stages.task]
kind = "game"
game = "hexagons"
seats = { instructor = "replay", executor = "person" }
settings = { mode = "execute" }
"""
LINES = ("Paint the top of the third column red, says ann@example.org.", "Add a flower.")
COLUMN = [PaintTile(row, 3, "red") for row in range(1, 4)]
FLOWER = [PaintTile(5, 9, "yellow"), PaintTile(4, 9, "blue")]


async def play_alone(host: StudyHost, manager: RoomManager, person: str, *moves: Any) -> str:
    """The room in which a person has done this."""
    await come(host, person)
    page = await agree(host, person)
    room = await open_task_room(manager, page)
    player = Person(room, page.role)
    await player.come()
    for each in moves:
        await until(lambda: room.current_turn == page.role)
        assert await player.do(*each) == ""
    await end_room(manager, room)
    await host.act(person, OpenStudy())
    return page.room


@pytest.fixture
def verified(tmp_path: Path) -> tuple[Path, str, dict[str, str]]:
    """Ann has written a procedure and painted it, Bob has painted it by her text. With their rooms."""
    folder, place = write_study(tmp_path / "procedures", PROCEDURES), str(tmp_path / "games.db")
    painted = [(*COLUMN, Next()), (*FLOWER, Next())]

    async def go() -> dict[str, str]:
        async with open_host(place, folder) as (host, manager):
            wrote = [*((Say(line),) for line in LINES), (InstructionsDone(),), *painted]
            rooms = {"ann": await play_alone(host, manager, "ann", *wrote)}
            return rooms | {"bob": await play_alone(host, manager, "bob", *painted)}

    return folder, place, asyncio.run(go())


def test_what_others_worked_on_is_erased_with_its_author(
    verified: tuple[Path, str, dict[str, str]], tmp_path: Path
) -> None:
    folder, place, rooms = verified

    def count() -> list[int]:
        files = [file.read_bytes() for file in tmp_path.glob("games.db*")]
        return [count_marks(files, line.encode()) for line in LINES]

    before = {booking.id: booking for booking, _ in open_archive_url(place).read_rooms()}
    assert b"flower" in bytes(before[rooms["bob"]].instance)
    assert main(["study", "erase", str(folder), "ann", "--db", place]) == 0
    assert count() == [0, 0]
    records = {booking.id: found for booking, found in open_archive_url(place).read_rooms()}
    own = [record for record in records[rooms["bob"]] if record.role == "executor" and record.kind == "event"]
    assert len(own) == 4, "what the verifier did stays"
    assert main(["study", "erase", str(folder), "ann", "--db", place]) == 0, "it can be repeated"

    async def open_again() -> None:
        async with open_host(place, folder) as (_, manager):
            for name in rooms.values():
                room = await manager.open_room(name)
                assert room is not None
                assert (room.erased, room.over) == (True, True)

    asyncio.run(open_again())
    assert read_csv(export(folder, place) / "games.csv") == []


def test_published_data_has_the_reviewed_texts(
    verified: tuple[Path, str, dict[str, str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, place, _ = verified
    review, runs = tmp_path / "review.csv", export(folder, place, "--scrub")
    assert count_marks(read_folder(runs), b"ann@example.org") == 0
    for run in ("write", "verify"):
        assert main(["verify", str(runs / "games" / run)]) == 0, capsys.readouterr().out
    assert main(["study", "export", str(folder), "--db", place, "--review", str(review)]) == 0
    assert [row["published"] for row in read_csv(review)] == [
        "Paint the top of the third column red, says [email].", "Add a flower.",
    ]  # fmt: skip
    review.write_bytes(review.read_bytes().replace(b",Add a flower.\r\n", b",Add a blossom.\r\n"))
    out = export(folder, place, "--format", "published", "--reviewed", str(review))
    published = b"".join(read_folder(out))
    assert b"ann@example.org" not in published
    assert b"[email]" in published
    assert b"blossom" in published
    assert b"flower" not in published


def test_an_open_page_of_an_erased_person_stores_nothing_and_the_link_makes_a_new_person(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    place, study = str(tmp_path / "games.db"), write_chatty_study(tmp_path / "pairs")
    options = open_server_files(ServerSettings(studies=(str(study),)))
    begin_served_studies(place, options.served_studies)
    app = make_app(RoomManager(open_store_url(place), options), place)
    link, ours = f"/study/pairs?PROLIFIC_PID={IDS[0]}", "http://groundling.example"
    with TestClient(app, ours, headers={"origin": ours}) as browser:

        def act(action: str, **fields: Any) -> Any:
            return browser.post("/study/pairs/act", json={"do": action, **fields})

        browser.get(link)
        code = act("open", visit="new").json()["code"]
        act("consent", agreed=True)
        assert main(["study", "erase", str(study), IDS[0], "--db", place]) == 0
        for action in ("open", "wait", "start", "leave"):
            assert act(action).status_code == 403
        files = [file.read_bytes() for file in tmp_path.glob("games.db*")]
        assert count_marks(files, IDS[0].encode()) == 0
        for address in (link, "/study/pairs"):  # the second without an id
            browser.get(address)
            again = act("open").json()
            assert (again["page"], again["code"] == code) == ("consent", False)
            code = again["code"]
            assert main(["study", "erase", str(study), code, "--db", place]) == 0
            assert act("open").status_code == 403
    server_logs = [each for each in caplog.records if not each.name.startswith("httpx")]
    assert not any(IDS[0] in each.getMessage() for each in server_logs)


def test_an_id_that_another_study_knows_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = str(tmp_path / "games.db")
    folders = [write_chatty_study(tmp_path / name) for name in ("one", "other")]

    async def go() -> None:
        for folder in folders:
            async with open_host(place, folder) as (host, _):
                await come(host, await host.find_person("prolific", IDS[0]))

    asyncio.run(go())
    for folder, told in zip(folders, (True, False), strict=True):
        assert main(["study", "erase", str(folder), IDS[0], "--db", place]) == 0
        assert ("erase the person in other, too" in capsys.readouterr().out) == told
    assert main(["study", "erase", str(folders[0]), IDS[0], "--db", place]) == 2
    assert "no study has a person" in capsys.readouterr().err


@SQLITE_QUICK
def test_what_is_kept_too_long_is_deleted(
    place: str, tmp_path: Path, read_files: ReadFiles, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_chatty_study(tmp_path / "pairs", "privacy = { programs = true, ids_days = 30 }\n")
    (folder / "study.toml").write_text((folder / "study.toml").read_text().replace(PROGRAMS, ""))

    async def go() -> tuple[str, int]:
        async with open_host(place, folder) as (host, manager):
            return await take_part(host, manager)

    giver, number = asyncio.run(go())
    erase = ["study", "erase", str(folder), "--expired", "--db", place]
    assert main(erase) == 0
    assert "nothing is due" in capsys.readouterr().out
    later = time() + 31 * 86_400
    with pytest.MonkeyPatch.context() as clock:
        for module in ("groundling.web.studies.study_erasure", "groundling.cli.study_commands"):
            clock.setattr(f"{module}.time", lambda: later)
        pay = ["study", "pay", str(folder), "--db", place]
        assert main(["study", "status", str(folder), "--db", place]) == 0
        assert "who have to be paid before: 1" in " ".join(capsys.readouterr().out.split())
        assert main([*pay, "--prepare", "all"]) == main([*pay, "--settle", "all"]) == 0
        capsys.readouterr()
        assert main(erase) == 0
    told = capsys.readouterr().out
    assert "people whose ids were deleted: 1; their data stays under their codes" in told
    assert count_marks(read_files(), IDS[number].encode()) == 0
    assert count_marks(read_files(), IDS[1 - number].encode()) > 0, "they are still taking part"
    assert count_marks(read_files(), MARKS[number]) > 0
    cookies = {chair.role: chair.cookie for chair in open_archive_url(place).read_chairs()}
    assert cookies["giver"] == "", "it followed from the id"
    assert not fold_study(read_log(place)).people[giver].erased


def test_rows_that_were_moved_within_the_file_leave_no_copies(tmp_path: Path) -> None:
    """SQLite's secure_delete overwrites deleted rows, but not the copies that are left where pages were
    split."""
    random, connection = Random(1), open_sqlite_database(tmp_path / "games.db")
    connection.execute("PRAGMA foreign_keys = OFF")
    texts = {(room, number): random.randbytes(random.choice([5, 40, 300])).hex()
             for number in range(150) for room in range(30)}  # fmt: skip
    connection.execute("BEGIN")
    for (room, number), text in texts.items():
        row = (f"room{room * 7919 % 41}", number, "event", "giver", text.encode())
        connection.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?)", row)
    for room, number in texts:
        where = (f"room{room * 7919 % 41}", number)
        connection.execute("UPDATE records SET body = x'' WHERE room = ? AND number = ?", where)
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def count() -> int:
        content = (tmp_path / "games.db").read_bytes()
        return sum(text.encode() in content for text in texts.values())

    assert count() > 0
    remove_deleted_bytes(connection)
    assert count() == 0
    assert (tmp_path / "games.db-wal").stat().st_size == 0
    connection.close()


def test_a_file_that_another_program_reads_is_not_called_clean(tmp_path: Path) -> None:
    connection = open_sqlite_database(tmp_path / "games.db")
    connection.execute("PRAGMA busy_timeout = 10")
    connection.execute("INSERT INTO made VALUES ('g', 'i', 0, 'zebra', x'')")
    with open_sqlite_for_reading(tmp_path / "games.db") as reader:
        rows = reader.execute("SELECT * FROM made, sqlite_master")
        rows.fetchone()
        with pytest.raises(Problem, match="another program uses it"):
            remove_deleted_bytes(connection, patience=0)
        rows.close()
    remove_deleted_bytes(connection)
    connection.close()
