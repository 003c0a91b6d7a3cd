"""Our metrics under Inspect's own epochs and reducers."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("pytest_inspect_evals")

from inspect_ai.model import ModelAPI
from inspect_ai.scorer import Score
from pytest_inspect_evals.metrics import assert_agreeing_epochs_change_nothing, run_metrics

from groundling.bridges.inspect.scoring import by, weighted_mean


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inspect would download a tokenizer for the mock model, which reports no usage."""

    async def count_characters(self: ModelAPI, text: str) -> int:
        return len(text)

    monkeypatch.setattr(ModelAPI, "count_text_tokens", count_characters)


METADATA: list[dict[str, Any]] = [
    {"set": "a", "category": "", "stratum_size": 30},
    {"set": "a", "category": "", "stratum_size": 30},
    {"set": "b", "category": "", "stratum_size": 10},
]
"""Two of 30 instances of one set were played, and one of 10 of another."""


def played(value: float, turns: float, kind: str) -> Score:
    return Score(value=value, metadata={"weight": turns, "kind": kind})


SCORES = [played(1.0, 1, "test"), played(0.0, 3, "control"), played(0.5, 2, "test")]


def test_equal_epochs_change_neither_metric() -> None:
    for metric in (weighted_mean(), weighted_mean(by_turns=False), by("kind")):
        assert_agreeing_epochs_change_nothing([metric], SCORES, metadata=METADATA)


def test_the_weighted_mean_is_over_the_whole_set_and_over_turns_where_asked() -> None:
    once = [[score] for score in SCORES]
    (by_turns,) = run_metrics([weighted_mean()], once, metadata=METADATA).values()
    assert by_turns == pytest.approx((15 * 1 * 1.0 + 10 * 2 * 0.5) / (15 * 1 + 15 * 3 + 10 * 2))
    (by_episodes,) = run_metrics([weighted_mean(by_turns=False)], once, metadata=METADATA).values()
    assert by_episodes == pytest.approx((15 * 1.0 + 10 * 0.5) / 40)


def test_epochs_that_differ_count_by_their_mean_in_both_metrics() -> None:
    twice = [[score, played(0.0, *(score.metadata or {}).values())] for score in SCORES]
    (mean,) = run_metrics([weighted_mean(by_turns=False)], twice, metadata=METADATA).values()
    assert mean == pytest.approx((15 * 0.5 + 10 * 0.25) / 40)
    kinds = run_metrics([by("kind")], twice, metadata=METADATA)
    assert kinds["control"] == 0.0
    assert kinds["test"] == pytest.approx((30 * 1 * 0.5 + 10 * 2 * 0.25) / (30 * 1 + 10 * 2))
