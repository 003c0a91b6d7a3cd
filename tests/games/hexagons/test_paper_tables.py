"""The paper's tables with runs as rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from groundling.cli.main import main
from groundling.core.pack import ScoredRun, find
from groundling.games.hexagons.paper_tables import ABOVE, DEV_LEVELS, hexagons_paper_tables, mean_above
from groundling.report.external_tables import find_external_tables

from .test_hexagons_data import put, record


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "data").mkdir()
    put(tmp_path / "data", "dev", record(1), record(2, category="symmetry"), record(3, image_id="P02C03T01"))
    (tmp_path / "data" / "dev_levels.jsonl").write_text(
        "".join(json.dumps({"index": n, "levels": [1, 0, 2]}) + "\n" for n in (1, 2, 3))
    )
    return tmp_path


def play(out: str, *options: str) -> None:
    assert main(["play", "hexagons", *options, "-o", out]) == 0


def test_runs_stand_beside_the_papers_rows(capsys: pytest.CaptureFixture[str]) -> None:
    play("mine", "--data", "data", "--split", "dev", "--seat", "executor=gold", "--context", "1-previous")
    capsys.readouterr()
    assert main(["score", "mine", "--as", "hexagons-paper"]) == 0
    out = capsys.readouterr().out
    assert all(len(line) <= 80 for line in out.splitlines())
    seven, eight, nine = out.split("HEXAGONS, Table ")[1:]
    lines = [" ".join(line.split()) for line in seven.splitlines()]
    assert "test people, the paper's 82.06* 72.30*" in lines
    assert "dev gold, mine 100.00 [29.2, 100.0] 100.00 [29.2, 100.0] 9" in lines
    part = eight.partition("context 1-previous")[2].partition("\n\n")[0].splitlines()
    assert [line.split(",")[0] for line in part[1:]] == ["DeBERTa", "T5", "gold"]
    assert "exact match is" in eight, "the paper's slip is marked"
    rows = [line for line in nine.splitlines() if line.startswith("gold, mine")]
    assert rows[0].endswith("100.00 / 100.00  100.00 / 100.00")
    assert "-" in rows[1].split() + rows[2].split(), "the release does not have mid and high apart"
    assert "* the paper's figure" in nine


def test_instructions_without_levels_are_left_out_of_the_table_by_level(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "data" / "dev_levels.jsonl").unlink()
    play("mine", "--data", "data", "--split", "dev", "--seat", "executor=naive")
    capsys.readouterr()
    assert main(["score", "mine", "--as", "hexagons-paper"]) == 0
    nine = capsys.readouterr().out.split("HEXAGONS, Table ")[3]
    assert "1 rows are left out" in nine
    assert "naive" not in nine.partition("controls")[0]


def test_one_image_has_no_interval(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(folder / "data", "dev", record(1))
    play("mine", "--data", "data", "--split", "dev", "--seat", "executor=gold")
    capsys.readouterr()
    assert main(["score", "mine", "--as", "hexagons-paper"]) == 0
    tables = capsys.readouterr().out.partition("HEXAGONS, Table 7")[2]
    assert "nan" not in tables
    assert "gold, mine 100.00 100.00 3" in " ".join(tables.split())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("hexagons --mode live --seat instructor=gold --seat executor=gold", "has no scores by instruction"),
        ("reference --seat giver=gold --seat follower=gold", "is a run of reference"),
    ],
)
def test_other_runs_are_refused_in_one_line(
    options: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *options.split(), "--limit", "1", "-o", "mine"]) == 0
    capsys.readouterr()
    assert main(["score", "mine", "--as", "hexagons-paper"]) == 2
    shown = capsys.readouterr()
    assert told in shown.err
    assert shown.err.count("\n") == 1


def test_the_papers_mid_and_high_are_joined_by_their_instructions() -> None:
    assert sum(ABOVE) == 225
    for *levels, everything in DEV_LEVELS.values():
        total = 174 * levels[0][0] + 47 * levels[1][0] + 225 * mean_above(levels[2:])[0]
        assert total / 446 == pytest.approx(everything[0], abs=0.02)


def test_any_pack_can_name_tables() -> None:
    pack = find("reference")
    named = replace(pack, report=replace(pack.report, tables={"mine": lambda runs: []}))
    assert find_external_tables("mine", [named])([]) == []


def test_without_runs_the_papers_rows_remain() -> None:
    runs: list[ScoredRun] = []
    assert [len(table.rows) for table in hexagons_paper_tables(runs)] == [4, 14, 2]
