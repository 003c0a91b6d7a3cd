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
from groundling.games.hexagons.neural.procedures import Procedure


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


def test_what_a_reader_expects_of_its_answers_is_kept(tmp_path: Path) -> None:
    images = read_data_images(write_published(tmp_path / "data"), "dev")
    done = [
        [one.step_changes(number) for number in range(len(one.texts))]
        for one in map(Procedure.from_image, images)
    ]
    row = {"name": "reader", "model": "reader", "context": "predicted+full"}
    evaluate.write_answers(tmp_path, row, images, done, [[0.5] * len(one) for one in done])
    (found,) = tables.read_results(tmp_path, images)
    assert {(step.expected, step.f1) for step in found.steps} == {(0.5, 1.0)}
