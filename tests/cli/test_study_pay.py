"""`groundling study pay`: the sheet, files for recruiting services, and batches."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from tests.studies.study_walk import StudyWalk, make_stage, make_study

from groundling.cli.main import main
from groundling.studies.study import StudyPay
from groundling.web.study_store import open_study_log

PROLIFIC = ("anna", "berta")


@pytest.fixture
def db(tmp_path: Path) -> str:
    """A study in which two people of Prolific and one who came by a link have each finished a task."""
    walk = StudyWalk(make_study(make_stage("work", pay=1.5), pay=StudyPay(base=0.5)))
    (tmp_path / "s").mkdir()
    place = str(tmp_path / "games.db")
    with open_study_log(place, "s") as log:
        codes = [log.find_person("prolific", name) for name in PROLIFIC] + [log.find_person("link", "x")]
        for code in codes:
            walk.enter(code)
        walk.now = 600.0
        for code in codes:
            walk.finish(code)
            walk.step(code)
        log.begin_log(walk.events)
    return place


def pay(db: str, *options: str) -> int:
    return main(["study", "pay", str(Path(db).parent / "s"), "--db", db, *options])


def read_csv(path: Path) -> list[list[str]]:
    return list(csv.reader(path.open()))


def test_the_sheet_has_sums_and_the_hourly_rate(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert pay(db) == 0
    told = capsys.readouterr().out
    assert [line.split() for line in told.splitlines() if line.startswith(("finished", "all"))] == [
        ["finished", "3", "4.50", "0.00", "0.00", "1.50", "6.00", "0.00", "0.00", "12.00"],
        ["all", "3", "4.50", "0.00", "0.00", "1.50", "6.00", "0.00", "0.00", "12.00"],
    ]
    assert "median pay: 12.00 USD an hour in tasks and waiting rooms; the floor is 8.00" in told


def test_a_service_gets_bonuses_of_its_own_people_without_its_own_reward(
    db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert pay(db, "--format", "prolific", "-o", str(tmp_path / "p.csv")) == 0
    assert read_csv(tmp_path / "p.csv") == [[name, "1.50"] for name in PROLIFIC]
    assert "1 people have no id of prolific: pay them with --format csv" in capsys.readouterr().out
    assert pay(db, "--format", "mturk", "-o", str(tmp_path / "m.csv")) == 0
    assert read_csv(tmp_path / "m.csv") == [
        ["WorkerId", "AssignmentId", "BonusAmount", "Reason", "UniqueRequestToken"]
    ]


def test_the_sheet_as_a_file_adds_up(db: str, tmp_path: Path) -> None:
    assert pay(db, "-o", str(tmp_path / "sheet.csv")) == 0
    head, *rows = read_csv(tmp_path / "sheet.csv")
    cells = [dict(zip(head, row, strict=True)) for row in rows]
    assert [(cell["owed"], cell["to_pay"], cell["minutes"]) for cell in cells] == [
        ("2.00", "2.00", "10.0")
    ] * 3
    assert not any(name in (tmp_path / "sheet.csv").read_text() for name in PROLIFIC), "codes only"


def test_what_is_in_a_batch_is_in_no_other_and_settled_once(
    db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, again, rest = (tmp_path / name for name in ("first.csv", "again.csv", "rest.csv"))
    prolific = ("--format", "prolific")
    assert pay(db, *prolific, "-o", str(first), "--prepare", "b1") == 0
    assert "batch b1: 3.00 USD prepared: pay it, then --settle b1; or --cancel b1" in capsys.readouterr().out
    assert pay(db, *prolific, "-o", str(again), "--prepare", "b1") == 0
    assert again.read_bytes() == first.read_bytes(), "a step that was interrupted can be repeated"
    assert pay(db, *prolific, "-o", str(rest)) == 0
    assert rest.read_bytes() == b""
    assert pay(db, "--settle", "b1") == 0
    assert pay(db, "--settle", "b1") == 0
    capsys.readouterr()
    assert pay(db, *prolific, "--prepare", "b1") == 2
    assert capsys.readouterr().err == "groundling: the batch b1 is paid already: name another one\n"
    assert pay(db, "-o", str(rest)) == 0
    assert [row[-3] for row in read_csv(rest)] == ["to_pay", "0.50", "0.50", "2.00"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--format", "x"], "there is no format 'x': choose from csv, mturk, prolific"),
        (["--settle", "b"], "there is no batch b: prepare it first"),
        (["--settle", "b", "--cancel", "b"], "are one step each: give one of them"),
        (["--db", "none.db"], "none.db does not exist: name the database of the study with --db"),
    ],
)
def test_wrong_orders_are_refused_in_one_line(
    options: list[str], told: str, db: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert pay(db, *options) == 2
    assert told in capsys.readouterr().err
