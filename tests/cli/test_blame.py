"""`groundling blame`: the table, the file that reports read, and runs that cannot be blamed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.helpers import session

from groundling.cli.main import main
from groundling.report.html import render_html_report

TREASURE = Path(__file__).parents[2] / "examples" / "treasure.py"


@pytest.fixture(scope="module")
def deaf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deaf") / "run"
    session(folder, {"giver": "gold", "follower": "random"}, limit=8).play_missing(8)
    return folder


def test_losses_are_printed_and_kept_for_the_report(deaf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["blame", str(deaf), "--clauses", "all"]) == 0
    printed = capsys.readouterr().out
    assert "what was lost of success, and by whom" in printed
    assert "panel: rule heard the same words; reference: the words of gold" in printed
    assert "clauses deleted one at a time" in printed
    assert "8 episodes in" in printed
    page = render_html_report([str(deaf)])
    assert '["lost by","listener",' in page
    assert '"clauses":[["' in page


def test_what_cannot_be_blamed_is_refused_in_one_line(
    deaf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = ["--seat", "giver=gold", "--seat", "seeker=random"]
    assert main(["play", str(TREASURE), *seats, "-o", str(tmp_path / "treasure")]) == 0
    capsys.readouterr()
    for words, told in (
        ([tmp_path], "is not a run"),
        ([tmp_path / "treasure"], "no seeker that reads words and costs nothing: name one with --panel"),
        ([deaf, "--panel", "gold", "--clauses", "many"], "neither a number of episodes nor all"),
        ([deaf, "--panel", "nobody"], "reference has no player 'nobody'"),
    ):
        assert main(["blame", *map(str, words)]) == 2
        error = capsys.readouterr().err
        assert told in error
        assert error.count("\n") == 1
