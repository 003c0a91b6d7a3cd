"""What questions and peeks gain, from runs of the same players."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'groundling[train]' to run these")

from papers.codraw.__main__ import main
from tests.games.codraw.tiny_weights import TinyWeights
from tests.papers.conftest import run_here

pytestmark = pytest.mark.slow


def cross(data: Path, out: Path, *seats: str) -> None:
    given = ["--data", str(data), "--on", "val", "--limit", "3", "-o", str(out)]
    run_here([["cross", "codraw", *given, *seats]], 1)


def test_each_way_is_compared_with_the_pair_that_neither_asks_nor_peeks(
    narrated_data: Path, weights: TinyWeights, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawer = f"weights:{weights('transformer')}"
    asks = [word for topic in ("way", "all") for word in ("--drawers", f"{drawer},ask={topic}")]
    cross(narrated_data, tmp_path, "--tellers", "template,peek=no", "--drawers", drawer, *asks)
    capsys.readouterr()
    assert main(["asking", str(tmp_path)]) == 0
    head, *rows = [line.split() for line in capsys.readouterr().out.splitlines()[:4]]
    assert head[-2:] == ["questions", "messages"]
    assert [row[2] for row in rows] == ["neither", "ask=all", "ask=way"]
    assert rows[0][4] == "-"
    assert float(rows[0][-2]) == 0.0
    assert float(rows[1][-2]) > 0


def test_without_the_plain_pair_the_error_says_what_to_play(
    narrated_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cross(narrated_data, tmp_path, "--tellers", "template,peek=end,mend=anew", "--drawers", "grammar")
    capsys.readouterr()
    assert main(["asking", str(tmp_path)]) == 2
    assert "template and grammar neither ask nor peek: play that too" in capsys.readouterr().err
