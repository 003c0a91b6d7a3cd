"""Notes on steps, from the command line to the report."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest
from tests.report.test_html import blocks

from groundling.cli.main import main
from groundling.core.values import Problem
from groundling.report.html import render_html_report
from groundling.runs.run import open_run
from groundling.runs.step_notes import read_notes


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("noted") / "run"
    seats = ["--seat", "giver=gold", "--seat", "follower=gold"]
    assert main(["play", "image", *seats, "--limit", "2", "-o", str(folder)]) == 0
    return folder


def test_notes_are_kept_beside_the_run_shown_in_reports_and_exported(
    run: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = blocks(render_html_report([str(run)]))
    episode = page["index"]["rows"][1][1]
    assert main(["note", str(run), episode, "1", "Why <this>?"]) == 0
    assert capsys.readouterr().out.endswith(": 1 note\n")
    assert main(["note", str(run), episode, "2", " next "]) == 0
    capsys.readouterr()
    assert main(["note", str(run), "-o", str(tmp_path / "notes.csv")]) == 0
    assert f"{episode}  step 1  Why <this>?\n{episode}  step 2  next\n" in capsys.readouterr().out
    rows = list(csv.DictReader((tmp_path / "notes.csv").read_text().splitlines()))
    assert [(row["run"], row["episode"], row["step"], row["text"]) for row in rows] == [
        ("run", episode, "1", "Why <this>?"),
        ("run", episode, "2", "next"),
    ]
    page = blocks(render_html_report([str(run)]))
    assert page["replay-1"]["steps"][1]["notes"] == ["Why <this>?"]
    assert not any("notes" in step for step in page["replay-0"]["steps"])
    labels = {number: (name, value) for name, value, number in page["index"]["labels"]}
    noted = [("note", "with a note") in [labels[at] for at in row[6]] for row in page["index"]["rows"]]
    assert noted == [False, True]
    assert main(["verify", str(run)]) == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nobody", "1", "x"], "has no episode 'nobody'"),
        (["EPISODE", "999", "x"], "has no step 999: choose from 0 to"),
        (["EPISODE", "1"], "a note needs a step and a text"),
        (["EPISODE", "1", "  "], "a note needs a step and a text"),
    ],
)
def test_a_note_on_nothing_is_refused_in_one_line(
    run: Path, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    episode = next(iter(open_run(str(run)).read_transcripts())).episode
    words = [episode if word == "EPISODE" else word for word in arguments]
    capsys.readouterr()
    assert main(["note", str(run), *words]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1


def test_a_damaged_line_of_notes_is_named(run: Path, tmp_path: Path) -> None:
    notes = run / "notes.jsonl"
    before = notes.read_bytes() if notes.exists() else b""
    notes.write_bytes(b'{"episode": 3}\n')
    try:
        with pytest.raises(Problem, match=r"notes\.jsonl:1 is not a note"):
            read_notes(open_run(str(run)))
    finally:
        notes.write_bytes(before)


def test_a_note_that_is_not_utf_8_is_refused_in_one_line(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    episode = next(iter(open_run(str(run)).read_transcripts())).episode
    capsys.readouterr()
    assert main(["note", str(run), episode, "1", os.fsdecode(b"Gr\xf6\xdfe")]) == 2
    assert capsys.readouterr().err == (
        "groundling: the arguments are not UTF-8: use a UTF-8 locale, as in LC_ALL=C.UTF-8\n"
    )


@pytest.mark.parametrize("arguments", [[], ["episode", "1", "x"]])
def test_a_folder_that_is_no_run_has_no_notes(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["note", str(tmp_path), *arguments]) == 2
    assert f"{tmp_path} is not a run: give a folder made by groundling play" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]
