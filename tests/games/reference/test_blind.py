"""Players that do not listen."""

from pathlib import Path

import pytest

from groundling.cli import main


@pytest.mark.parametrize("made", [False, True])
def test_the_fullest_grid_is_the_target_unless_edits_may_fill(
    made: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "set.jsonl")
    assert main(["make", "reference", "-n", "100", "--seed", "5", "--fill", "-o", file]) == 0
    seats = ["--seat", "giver=gold", "--seat", "follower=fullest", "-o", str(tmp_path / "run")]
    assert main(["play", "reference", *([file] if made else []), *seats]) == 0
    assert ("success 1.000" in capsys.readouterr().out) != made
