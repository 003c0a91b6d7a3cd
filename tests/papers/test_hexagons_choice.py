"""The command that fits the choice of `reader`."""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.games.hexagons.procedures import TINY_LLAMA, train, write_published

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from papers.hexagons import choice, tables
from papers.hexagons.ablation_measures import answers_by, choose_by, fit_on
from papers.hexagons.batched_reading import (
    DRAWN,
    GOLD,
    BatchedReader,
    CandidateSet,
    _likeliest_texts,
    proposals,
)
from tests.games.hexagons.test_answer_grammar import LINE, make_executor

from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.neural.candidates import WrittenAnswer
from groundling.games.hexagons.neural.notation import paint_notation_cells
from groundling.games.hexagons.neural.procedures import read_procedures
from groundling.games.hexagons.neural.reader import ReaderChoice, SituationReading, load_reader_network
from groundling.games.hexagons.neural.reader_choice import (
    HINT,
    PLAIN,
    PROGRAM,
    choose_answer,
    describe_candidates,
    list_features,
)
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
    contexts = ("oracle+full", "predicted+full")
    alone = [(f"reader-{part}-0", "oracle+full") for part in ("network", "unhinted")]
    found = [*product(("reader-both-0", "reader-hint-0"), contexts), *alone]
    assert sorted((row.row.name, row.row.context) for row in rows) == found
    assert "final boards" in capsys.readouterr().out
    together = tmp_path / "together"
    words = ["choice", str(data), str(together), f"{folder}+{folder}", "--sets", "hint", "--dev", str(folder)]
    monkeypatch.setattr(sys, "argv", words)
    choice.main()
    rows = list(tables.read_results(together, read_data_images(data, "dev")))
    found = [("reader-hint-0", context) for context in contexts]
    assert sorted((row.row.name, row.row.context) for row in rows) == [*found, *alone]
    assert (together / "held.reader+reader.oracle+full.evidence.gz").is_file()
    (folder / "choice.json").write_bytes((out / "hint.choice.json").read_bytes())
    words += ["--held", "--first", str(folder), "--beside", "other"]
    monkeypatch.setattr(sys, "argv", words)
    choice.main()
    fitted = json.loads((together / "hint.choice.json").read_bytes())
    assert (fitted["beside"], fitted["together"]["features"]) == (["other"], fitted["features"])
    assert fitted["weights"] == json.loads((out / "hint.choice.json").read_bytes())["weights"]


@pytest.mark.parametrize("name", ["hint", "both"])
def test_many_instructions_are_read_as_the_player_reads_each(name: str, tmp_path: Path) -> None:
    data, folder = write_published(tmp_path / "data"), tmp_path / "reader"
    train("hexagons-generator", data, folder, "--model", "scratch", "--hints", settings=TINY_LLAMA)
    model = load_reader_network(folder)[0]
    told = read_procedures(data, "train")
    candidates = choice.SETS[name]
    weights = [0.1 * number for number in range(len(list_features(candidates.views)))]
    fitted = ReaderChoice(list_features(candidates.views), tuple(weights))
    with pytest.MonkeyPatch.context() as patch:
        for module in ("groundling.games.hexagons.neural.reader", "papers.hexagons.batched_reading"):
            patch.setattr(f"{module}.SURE", 2.0)
        # the player stops writing an answer that it will not choose
        patch.setattr("groundling.games.hexagons.neural.reader.can_be_chosen", lambda *_: True)
        for context in ("oracle+full", "predicted+full"):
            found = BatchedReader([model], candidates, sure=2.0).read_procedures(
                told, context, choose_by(weights, candidates)
            )
            for one in found:
                boards = [one.procedure.boards[0]]
                for number, evidence in enumerate(one.evidence):
                    situation = make_situation("predicted+full", one.procedure.texts, boards, number)
                    alone = SituationReading(situation, {}).gather_evidence([model], fitted)
                    assert len(evidence.candidates) == len(alone.candidates)
                    for each, same in zip(evidence.candidates, alone.candidates, strict=True):
                        assert (each.painted, each.votes) == (same.painted, same.votes)
                        assert each.likely == pytest.approx(same.likely, abs=1e-3)
                    painted = one.painted[number]
                    assert painted == choose_answer(alone, weights)[0]
                    own = paint_notation_cells(boards[-1], painted)
                    boards.append(one.procedure.boards[number + 1] if context == "oracle+full" else own)


def test_programs_of_a_second_network_are_candidates_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papers.hexagons.batched_reading.SURE", 2.0)
    models = {notation: make_executor(notation, 0).model for notation in ("runs", "program")}
    candidates = CandidateSet((HINT, PROGRAM + HINT, PROGRAM + PLAIN), 2)
    reader = BatchedReader([models["runs"]], candidates, 2.0, models["program"])
    (read,) = reader.read_procedures([LINE], GOLD, lambda row, evidence: {})
    for evidence in read.evidence:
        found = proposals(evidence)
        assert sum(one.by.get(PROGRAM + PLAIN, 0) for one in found) == 1
        assert sum(one.by.get(f"{DRAWN}{PROGRAM}{HINT}", 0) for one in found) == 2
        assert all(set(one.programs) == {PROGRAM + HINT, PROGRAM + PLAIN} for one in found)
        rows = describe_candidates(candidates.keep_candidates(evidence))
        assert rows.shape == (len(found), len(list_features(candidates.views)))
        alone = CandidateSet((HINT,))
        assert all(one.program == () for one in alone.keep_candidates(evidence).candidates)
    weights = fit_on([read], candidates)
    assert answers_by([read], choose_by(weights, candidates))


def test_a_program_is_as_likely_as_its_likeliest_text() -> None:
    texts = [WrittenAnswer("", {(1, 1): "red"}, likely, 4, ended=ended) for likely, ended in LIKELY]
    assert list(_likeliest_texts(texts).values()) == [(-2.0, 4)]


LIKELY = [(-3.0, True), (-2.0, True), (-1.0, False)]


@pytest.mark.parametrize(("notation", "sets"), [("runs", "programs"), ("program", "hint")])
def test_networks_that_do_not_fit_the_sets_are_refused(
    notation: str, sets: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = SimpleNamespace(job={"seed": 0}, settings={"notation": notation})
    monkeypatch.setattr(choice, "read_weights_card", lambda folder: card)
    monkeypatch.setattr(sys, "argv", ["choice", "data", str(tmp_path / "out"), "reader", "--sets", sets])
    with pytest.raises(SystemExit, match="networks that answer by programs"):
        choice.main()
