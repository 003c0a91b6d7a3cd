"""The commands of `groundling study`, from a template to an export."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import polars as pl
import pytest

from groundling.cli.main import main
from groundling.studies.study_tables import TABLES


@pytest.fixture
def study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["study", "new", "live", str(tmp_path / "pilot study")]) == 0
    capsys.readouterr()
    return tmp_path / "pilot study"


def test_a_new_study_has_no_mistakes(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "check", str(study)]) == 0
    assert capsys.readouterr().out == f"{study}/study.toml: ok\n"


def test_check_prints_every_mistake_and_exits_with_1(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (study / "consent.md").unlink()
    text = (study / "study.toml").read_text().replace('items = "instances"', 'items = "grid"')
    (study / "study.toml").write_text(text)
    assert main(["study", "check", str(study)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("study.toml: stages.games: items: there are no stimuli and no stage 'grid'")
    assert lines[1].startswith("study.toml: consent: consent.md cannot be read")
    assert main(["study", "simulate", str(study)]) == 2
    assert "(2 mistakes: groundling study check" in capsys.readouterr().err


def test_a_pilot_of_a_misspelt_study_is_refused_in_one_line(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (study / "study.toml").read_text().replace("title =", "titel =")
    (study / "study.toml").write_text(text)
    assert main(["study", "simulate", str(study)]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "there is no key titel: did you mean title?" in told


def test_a_folder_without_a_study_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "status", str(tmp_path), "--db", str(tmp_path / "no.db")]) == 2
    assert "no.db does not exist" in capsys.readouterr().err
    assert main(["study", "simulate", str(tmp_path)]) == 2
    assert "begin with groundling study new TEMPLATE" in capsys.readouterr().err


def test_the_file_of_a_study_is_not_taken_for_its_folder(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", "simulate", str(study / "study.toml")]) == 2
    assert "study.toml is a file: give the folder of the study" in capsys.readouterr().err


def test_an_export_says_why_it_has_no_raw_labels_of_bots(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "labels"
    assert main(["study", "new", "labels", str(folder)]) == 0
    assert main(["study", "simulate", str(folder), "--people", "4"]) == 0
    capsys.readouterr()
    assert (
        main(["study", "export", str(folder), "--db", str(folder / "pilot.db"), "-o", str(tmp_path / "out")])
        == 0
    )
    assert "tables of raw labels are empty" in capsys.readouterr().out


def test_a_pilot_is_simulated_watched_and_exported(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "simulate", str(study), "--people", "60", "--seed", "1"]) == 0
    printed = capsys.readouterr().out
    db = ["--db", str(study / "pilot.db")]
    assert main(["study", "status", str(study), *db]) == 0
    assert capsys.readouterr().out == printed[printed.index("\nStages") :]
    assert main(["study", "export", str(study), "-o", str(study / "out"), *db]) == 0
    for name, kind in TABLES.items():
        with (study / "out" / f"{name}.csv").open() as file:
            rows = list(csv.reader(file))
        table = pl.read_parquet(study / "out" / f"{name}.parquet")
        assert tuple(rows[0]) == tuple(table.columns) == kind.__struct_fields__
        assert len(rows) - 1 == table.height
        assert bool(table.height) is (name not in ("answers", "games")), "bots in virtual time give none"
    codebook = (study / "out" / "codebook.md").read_text()
    assert all(f"| `{column}` |" in codebook for kind in TABLES.values() for column in kind.__struct_fields__)
    assert (study / "out" / "flow.txt").read_text().startswith("arrived          60\n")


def test_check_compares_with_the_study_that_runs(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "simulate", str(study), "--people", "5"]) == 0
    capsys.readouterr()
    toml = study / "study.toml"
    toml.write_text(toml.read_text().replace("places = 120", "places = 130"))
    assert main(["study", "check", str(study), "--db", str(study / "pilot.db")]) == 0
    toml.write_text(toml.read_text().replace("n = 40", "n = 41"))
    assert main(["study", "check", str(study), "--db", str(study / "pilot.db")]) == 1
    assert "stimuli.instances: its instances have changed while the study runs" in capsys.readouterr().out


def test_a_pilot_does_not_overwrite_another_database(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = ["--db", str(study / "other.db")]
    assert main(["study", "simulate", str(study), "--people", "5", *db]) == 0
    assert main(["study", "simulate", str(study), "--people", "5", *db]) == 2
    assert "is in the database already: choose another --db" in capsys.readouterr().err
    assert not (study / "pilot.db").exists()


def test_the_schema_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "schema"]) == 0
    assert json.loads(capsys.readouterr().out)["$ref"] == "#/$defs/Study"


def test_researchers_decide_from_the_command_line(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "simulate", str(study), "--people", "30"]) == 0
    capsys.readouterr()

    def decide(*words: str) -> str:
        status = main(["study", words[0], str(study), *words[1:], "--db", str(study / "pilot.db")])
        told = capsys.readouterr()
        assert (status, bool(told.err)) in ((0, False), (2, True))
        assert (told.out + told.err).count("\n") == 1
        return (told.out + told.err).strip()

    assert decide("pause") == "recruiting is paused: nobody new can take part"
    assert decide("pause") == "groundling: recruiting is paused already: nothing was changed"
    assert decide("resume") == "recruiting is resumed"
    assert decide("places", "5").startswith("125 people may take part")
    assert decide("exclude", "p00001") == "groundling: there is no reason: write one"
    assert decide("exclude", "p00001", "--reason", "spam").startswith("p00001 is excluded")
    assert "is excluded already (spam)" in decide("exclude", "p00001", "--reason", "again")
    assert decide("message", "p00002", "--text", "Thank you!") == "sent to p00002"
    assert "no person is taking part" in decide("message", "--text", "Hello")
    assert "nothing to release" in decide("release", "p00002")
    for verdict in ("qualify", "refuse"):
        assert "there is no group 'best': the study has no groups" in decide(verdict, "p00002", "best")
    assert main(["study", "pause", str(study), "--db", str(study / "no.db")]) == 2
    assert "no.db does not exist" in capsys.readouterr().err
    assert not (study / "no.db").exists()
