"""How candidates are ranked and measured."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec import to_builtins
from tests.games.hexagons.procedures import write_published
from tests.games.hexagons.test_answer_grammar import LINE, make_answer, make_executor

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from papers.hexagons import candidates

from groundling.games.hexagons.neural.candidates import WrittenAnswer, rank_answers


def test_the_fit_learns_which_candidates_are_right() -> None:
    gold = LINE.step_changes(0)
    good = WrittenAnswer("", gold, -3.0, 5, ended=True)
    found = [[make_answer(4, -0.1), good, good], [make_answer(7, -0.2), good, good]] * 20
    ranking = candidates.fit_ranking([(LINE, 0)] * len(found), found)
    assert all(rank_answers(part, ranking).painted == gold for part in found)


def test_all_ways_to_answer_are_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = make_executor("runs", 0).model
    card = SimpleNamespace(
        model="hexagons-smollm2",
        settings=to_builtins(model.settings),
        job={"seed": 0, "share": 1.0, "narrated": 0},
        done=1,
        finished=True,
        scores={},
    )
    monkeypatch.setattr(candidates, "load_executor_model", lambda folder: (model, card, ""))
    data = write_published(tmp_path / "data")
    candidates.measure_weights(tmp_path / "tiny-0", data, tmp_path, 2)
    said = capsys.readouterr().out
    assert "tiny-0, held out, gold boards, fitted:" in said
    assert "tiny-0, dev, gold boards, the best, with the gold in view:" in said
    assert said.count("the grammar gives") == 4
    written = {file.name for file in tmp_path.glob("*.jsonl.gz")}
    assert written == {
        f"tiny-0-{way}.{context}.jsonl.gz"
        for way in ("plain", "grammar", "candidates")
        for context in ("predicted+full", "oracle+full")
    }


def test_what_the_grammar_keeps_out_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    model = make_executor("program", 0).model
    texts = ["paint red 3,3", "paint red", "paint red line 1,1 to 1,3"]
    answers = iter(texts)
    monkeypatch.setattr(
        model,
        "write_answers",
        lambda situations: [model.tokens.encode_answer(next(answers)) for _ in situations],
    )
    assert candidates.count_broken_answers(model, [(LINE, 0), (LINE, 1), (LINE, 1)]) == (1, 1)
