"""The command that fits the choice of `reader`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.games.hexagons.procedures import TINY_LLAMA, train, write_published

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from papers.hexagons import choice, tables

from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.neural.reader_choice import FEATURES


@pytest.mark.slow
def test_it_fits_on_images_set_aside_and_writes_what_the_tables_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data, folder, out = write_published(tmp_path / "data"), tmp_path / "reader", tmp_path / "out"
    train("hexagons-generator", data, folder, "--model", "scratch", "--hints", settings=TINY_LLAMA)
    words = ["choice", str(data), str(out), str(folder), "--workers", "1"]
    monkeypatch.setattr(sys, "argv", words)
    # the rules are sure of what the narrator says: without this the network would never be asked
    monkeypatch.setattr("groundling.games.hexagons.neural.reader.SURE", 2.0)
    choice.main()
    fitted = json.loads((out / "choice.json").read_text("utf-8"))
    assert tuple(fitted["features"]) == FEATURES
    assert any(fitted["weights"])
    rows = list(tables.read_results(out, read_data_images(data, "dev")))
    assert sorted(row.row.context for row in rows) == ["oracle+full", "predicted+full"]
    assert "CPU s an answer" in capsys.readouterr().out
