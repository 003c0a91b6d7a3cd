from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from groundling.cli.main import main
from groundling.scores.agreement import alpha, cohen

WIDE = "item,anna,ben,image\n" + "\n".join(
    f"{number},{number % 3},{(number + (number % 7 == 0)) % 3},i{number // 5}" for number in range(40)
)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wide.csv").write_text(WIDE)


def agree(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["agree", *arguments])
    return status, *capsys.readouterr()


def test_every_statistic_that_fits_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = agree(capsys, "wide.csv", "--cluster", "image")
    assert status == 0
    assert out.startswith("wide.csv: 40 items, 2 annotators, 8 clusters\n")
    for name in ("nominal", "ordinal", "gwet-ordinal", "interval", "fleiss", "ac1", "percent", "quadratic"):
        assert name in out
    assert "anna (rows) by ben (columns)" in out


def test_the_numbers_are_those_of_the_functions(capsys: pytest.CaptureFixture[str]) -> None:
    assert agree(capsys, "wide.csv", "--cluster", "image", "-o", "found.json")[0] == 0
    rows = [line.split(",") for line in WIDE.splitlines()[1:]]
    a, b, clusters = [int(row[1]) for row in rows], [int(row[2]) for row in rows], [row[3] for row in rows]
    written = json.loads(Path("found.json").read_text())
    found = {(row["statistic"], row["metric"]): row for row in written["statistics"]}
    ratings = list(zip(a, b, strict=True))
    ordinal, kappa = alpha(ratings, "ordinal", clusters=clusters), cohen(a, b, clusters=clusters)
    assert [found["alpha", "ordinal"][key] for key in ("value", "low", "high", "n")] == [
        ordinal.value,
        ordinal.low,
        ordinal.high,
        40,
    ]
    assert found["cohen", ""]["value"] == kappa.value
    assert found["cohen", ""]["confusion"]["0"] == {"0": 12.0, "1": 2.0}


def test_a_table_can_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert agree(capsys, "wide.csv", "--metric", "nominal", "--annotators", "anna,ben", "-o", "f.csv")[0] == 0
    rows = list(csv.DictReader(Path("f.csv").read_text().splitlines()))
    assert [(row["statistic"], row["metric"]) for row in rows[:2]] == [("alpha", "nominal"), ("fleiss", "")]
    assert float(rows[0]["low"]) < float(rows[0]["value"]) < float(rows[0]["high"])


def test_words_with_an_order_and_sets(capsys: pytest.CaptureFixture[str]) -> None:
    Path("words.tsv").write_text("item\ta\tb\n1\tlow\tlow\n2\tnone\tlow\n3\thigh\thigh\n4\tnone\tnone\n")
    out = agree(capsys, "words.tsv", "--order", "none,low,high")[1]
    assert "gwet-ordinal" in out
    assert out.index("\nnone ") < out.index("\nlow ") < out.index("\nhigh ")
    Path("sets.csv").write_text("item,a,b\n1,x|y,x\n2,y,y\n3,x,x\n")
    out = agree(capsys, "sets.csv", "--metric", "masi")[1]
    assert "masi" in out
    assert "x|y" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["none.csv"], "none.csv: No such file"),
        (["wide.csv", "--metric", "cardinal"], "--metric cardinal: choose from"),
        (["wide.csv", "--cluster", "colour"], "has no column 'colour'"),
        (["wide.csv", "--cluster", "image", "--order", "0,1"], "2 is not among the categories 0, 1"),
        (["wide.csv", "-o", "found.txt"], "found.txt needs a known file extension"),
        (["wide.csv", "--annotators", "image,anna", "--metric", "interval"], "are not numbers"),
        (["."], "Is a directory"),
    ],
)
def test_bad_input_gets_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], told: str) -> None:
    status, _, err = agree(capsys, *arguments)
    assert status == 2
    assert told in err
    assert err.count("\n") == 1
