"""Runs of `groundling play` as rows of the tables."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.games.hexagons.procedures import write_published

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from papers.hexagons import evaluate, tables

from groundling.cli import main
from groundling.games.hexagons.data import read_data_images


def play(data: Path, out: Path, *options: str) -> Path:
    words = ["play", "hexagons", "--data", str(data), "--split", "dev", "--seat", "executor=naive"]
    assert main([*words, "-o", str(out), *options]) == 0
    return out


def test_a_run_of_a_whole_split_is_a_row_and_a_part_of_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = write_published(tmp_path / "data")
    whole, part = play(data, tmp_path / "whole"), play(data, tmp_path / "part", "--limit", "1")
    out = tmp_path / "out"
    monkeypatch.setattr(sys, "argv", ["evaluate", str(data), str(whole), "--out", str(out)])
    evaluate.main()
    (row,) = tables.read_results(out, read_data_images(data, "dev"))
    assert (row.row.name, row.row.context) == ("naive", "predicted+full")
    monkeypatch.setattr(sys, "argv", ["evaluate", str(data), str(part)])
    with pytest.raises(SystemExit) as ended:
        evaluate.main()
    assert str(ended.value.code).endswith("has not played 1 of 2 procedures: play the whole split")
