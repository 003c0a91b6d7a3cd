"""The command that fits the choice of `reader`."""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path

import pytest
from tests.games.hexagons.procedures import TINY_LLAMA, train, write_published

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from papers.hexagons import choice, tables
from papers.hexagons.ablation_measures import choose_by
from papers.hexagons.batched_reading import BatchedReader

from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.neural.notation import paint_notation_cells
from groundling.games.hexagons.neural.procedures import read_procedures
from groundling.games.hexagons.neural.reader import Reader, load_reader_network
from groundling.games.hexagons.neural.reader_choice import list_features
from groundling.games.hexagons.neural.situations import make_situation


@pytest.mark.slow
def test_it_fits_on_images_set_aside_and_writes_what_the_tables_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data, folder, out = write_published(tmp_path / "data"), tmp_path / "reader", tmp_path / "out"
    train("hexagons-generator", data, folder, "--model", "scratch", "--hints", settings=TINY_LLAMA)
    words = ["choice", str(data), str(out), str(folder), "--sets", "hint", "both"]
    monkeypatch.setattr(sys, "argv", words)
    # the rules are sure of what the narrator says: without this the network would never be asked
    monkeypatch.setattr("papers.hexagons.batched_reading.SURE", 2.0)
    choice.main()
    for name in ("hint", "both"):
        fitted = json.loads((out / f"{name}.choice.json").read_text("utf-8"))
        assert tuple(fitted["features"]) == list_features(choice.SETS[name].views)
        assert any(fitted["weights"])
    rows = list(tables.read_results(out, read_data_images(data, "dev")))
    names = [f"reader-{part}-0" for part in ("both", "hint", "network", "unhinted")]
    contexts = ("oracle+full", "predicted+full")
    assert sorted((row.row.name, row.row.context) for row in rows) == list(product(names, contexts))
    assert "final boards" in capsys.readouterr().out
    together = tmp_path / "together"
    words = ["choice", str(data), str(together), f"{folder}+{folder}", "--sets", "hint", "--dev", str(folder)]
    monkeypatch.setattr(sys, "argv", words)
    choice.main()
    rows = list(tables.read_results(together, read_data_images(data, "dev")))
    names = [f"reader-{part}-0" for part in ("hint", "network", "unhinted")]
    assert sorted((row.row.name, row.row.context) for row in rows) == list(product(names, contexts))
    assert (together / "held.reader+reader.oracle+full.evidence.gz").is_file()


@pytest.mark.parametrize("name", ["hint", "both"])
def test_many_instructions_are_read_as_the_player_reads_each(name: str, tmp_path: Path) -> None:
    data, folder = write_published(tmp_path / "data"), tmp_path / "reader"
    train("hexagons-generator", data, folder, "--model", "scratch", "--hints", settings=TINY_LLAMA)
    model = load_reader_network(folder)[0]
    told = read_procedures(data, "train")
    candidates = choice.SETS[name]
    weights = [0.1 * number for number in range(len(list_features(candidates.views)))]
    reader = Reader(model, tuple(weights), candidates.views)
    with pytest.MonkeyPatch.context() as patch:
        for module in ("groundling.games.hexagons.neural.reader", "papers.hexagons.batched_reading"):
            patch.setattr(f"{module}.SURE", 2.0)
        for context in ("oracle+full", "predicted+full"):
            found = BatchedReader([model], candidates, sure=2.0).read_procedures(
                told, context, choose_by(weights, candidates)
            )
            for one in found:
                boards = [one.procedure.boards[0]]
                for number, evidence in enumerate(one.evidence):
                    situation = make_situation("predicted+full", one.procedure.texts, boards, number)
                    alone = reader.gather_evidence(situation)
                    assert len(evidence.candidates) == len(alone.candidates)
                    for each, same in zip(evidence.candidates, alone.candidates, strict=True):
                        assert (each.painted, each.votes) == (same.painted, same.votes)
                        assert each.likely == pytest.approx(same.likely, abs=1e-3)
                    painted = one.painted[number]
                    assert painted == reader.answer_situation(situation)[0]
                    own = paint_notation_cells(boards[-1], painted)
                    boards.append(one.procedure.boards[number + 1] if context == "oracle+full" else own)
