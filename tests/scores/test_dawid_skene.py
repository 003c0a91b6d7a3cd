"""The Dawid–Skene estimate finds the truth and who confuses what."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.scores.dawid_skene import SMOOTHING, dawid_skene

LABELS = st.one_of(st.none(), st.sampled_from("abc"))
TABLES = st.lists(st.lists(LABELS, min_size=3, max_size=3), min_size=2, max_size=12).filter(
    lambda rows: any(label for row in rows for label in row)
)


def simulate(rng: np.random.Generator, rates: list[float], items: int = 600) -> tuple[Any, Any]:
    """True labels of three, and annotators who say another one at these rates."""
    truth = rng.integers(0, 3, items)
    columns = []
    for rate in rates:
        other = (truth + rng.integers(1, 3, items)) % 3
        columns.append(np.where(rng.random(items) < rate, other, truth))
    return truth, np.array(columns).T.tolist()


def test_it_finds_the_truth_where_one_good_annotator_is_outvoted() -> None:
    truth, ratings = simulate(np.random.default_rng(1), [0.03, 0.45, 0.45, 0.45])
    found = dawid_skene(ratings)
    estimate = np.array([label for label, _ in found.best()])
    votes = np.array([np.bincount(row, minlength=3).argmax() for row in ratings])
    assert (estimate == truth).mean() > 0.95
    assert (estimate == truth).mean() > (votes == truth).mean() + 0.1


def test_it_finds_the_rates_of_the_annotators() -> None:
    rates = [0.05, 0.2, 0.35]
    _, ratings = simulate(np.random.default_rng(2), rates, 4000)
    found = dawid_skene(ratings)
    right = found.confusion[:, range(3), range(3)].mean(axis=1)
    assert np.abs(1 - right - rates).max() < 0.03
    assert np.abs(found.prior - 1 / 3).max() < 0.03


@given(TABLES)
def test_probabilities_add_up_and_labels_have_no_order(rows: Any) -> None:
    found = dawid_skene(rows)
    assert found.posterior.sum(axis=1) == pytest.approx(np.ones(len(rows)))
    assert found.confusion.sum(axis=2) == pytest.approx(np.ones(found.confusion.shape[:2]))
    turn = {"a": "z", "b": "a", "c": "m"}
    turned = dawid_skene([[label and turn[label] for label in row] for row in rows])
    for label in found.categories:
        one = found.posterior[:, found.categories.index(label)]
        other = turned.posterior[:, turned.categories.index(turn[str(label)])]
        assert one == pytest.approx(other, abs=1e-6)


@given(TABLES)
def test_the_likelihood_hardly_ever_falls(rows: Any) -> None:
    """Without smoothing it never would."""
    steps = np.diff(dawid_skene(rows).likelihood)
    assert (steps > -SMOOTHING).all()


def test_it_needs_labels() -> None:
    with pytest.raises(ValueError, match="there are no labels"):
        dawid_skene([[None, None]])
