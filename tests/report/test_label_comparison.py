from __future__ import annotations

import pytest

from groundling.cli.main import main


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("compared") / "run"
    seats = ["--seat", "instructor=gold", "--seat", "executor=random"]
    assert main(["play", "hexagons", *seats, "--limit", "12", "-o", str(folder)]) == 0
    return str(folder)


def test_scores_are_compared_over_a_facet(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["compare", run, "--over", "level"]) == 0
    out = capsys.readouterr().out
    assert "Kruskal–Wallis over level, 2 tests" in out
    assert "Slope over level within clusters" in out


def test_a_label_without_an_order_has_no_slope(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["compare", run, run, "--over", "category"]) == 0
    out = capsys.readouterr().out
    assert "Kruskal–Wallis over category, 2 tests" in out
    assert "Slope" not in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--over", "colour"], "cannot be broken down by 'colour'"),
        (["--over", "level", "--adjust", "size"], "has no facet 'size' to adjust for"),
        (["--over", "level", "--adjust", "category"], "is not a number for every unit"),
        (["--adjust", "tiles"], "add --over FACET"),
        ([], "compare takes two runs, not 1"),
        (["--over", "level", "--set", "none"], "no set 'none'"),
    ],
)
def test_bad_input_gets_one_line(
    run: str, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    capsys.readouterr()
    assert main(["compare", run, *arguments]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
