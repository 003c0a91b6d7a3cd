"""A better score on published items is found, unless the items explain it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.report.exposure_table import describe_exposure
from groundling.scores.exposure import ExposureEstimate, ItemScores, estimate_exposure

SCORES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=8, max_size=20)
SIZE, SETS = 36, 5


def items(pairs: list[tuple[float, float]], shift: float = 0.0) -> ItemScores:
    player, rules = zip(*pairs, strict=True)
    return ItemScores(
        [one + shift for one in player], [one + shift for one in rules], [f"c{n}" for n in range(len(pairs))]
    )


def simulate(rng: np.random.Generator, exposure: float, easier: float) -> ExposureEstimate:
    """Play one published set and fresh sets. Published items may be easier for all, and the player may have
    seen them."""

    def play(count: int, bonus: float, easier: float) -> ItemScores:
        ease = np.clip(rng.normal(0.35 + easier, 0.1, count), 0.0, 1.0 - exposure)
        wins = rng.random(count) < np.clip(ease + bonus, 0, 1)
        rules = rng.random((3, count)) < ease
        return ItemScores(wins.astype(float), rules.mean(0), [f"i{n}" for n in range(count)])

    sides = play(SIZE, exposure, easier), play(SIZE * SETS, 0.0, 0.0)
    return estimate_exposure("success", *sides)


@given(SCORES, SCORES, st.floats(-0.5, 0.5))
def test_difficulty_that_all_players_share_is_taken_out(
    published: list[tuple[float, float]], fresh: list[tuple[float, float]], shift: float
) -> None:
    plain, shifted = (estimate_exposure("s", items(published, by), items(fresh)) for by in (0.0, shift))
    assert shifted.adjusted.difference == pytest.approx(plain.adjusted.difference, abs=1e-9)
    assert shifted.raw.difference == pytest.approx(plain.raw.difference + shift, abs=1e-9)
    assert shifted.rules_difference == pytest.approx(plain.rules_difference + shift, abs=1e-9)


@given(SCORES, SCORES)
def test_the_sides_exchanged_give_the_opposite_difference(
    one: list[tuple[float, float]], other: list[tuple[float, float]]
) -> None:
    there, back = (estimate_exposure("s", items(a), items(b)) for a, b in ((one, other), (other, one)))
    assert there.adjusted.difference == pytest.approx(-back.adjusted.difference, abs=1e-9)
    assert there.clusters == back.clusters[::-1]


def test_a_planted_exposure_is_found_and_told_with_care() -> None:
    rng = np.random.default_rng(1)
    found = [simulate(rng, exposure=0.3, easier=0.0) for _ in range(200)]
    assert np.mean([one.adjusted.difference for one in found]) == pytest.approx(0.3, abs=0.05)
    assert sum(one.adjusted.low > 0 for one in found) >= 150
    told = {describe_exposure(one.adjusted) for one in found if one.adjusted.low > 0}
    assert all("consistent with exposure" in text for text in told)


def test_easier_items_are_not_taken_for_exposure() -> None:
    rng = np.random.default_rng(2)
    found = [simulate(rng, exposure=0.0, easier=0.25) for _ in range(800)]
    wrong = sum(one.adjusted.low > 0 or one.adjusted.high < 0 for one in found)
    assert 0.03 <= wrong / len(found) <= 0.07  # 5 % with a standard error of 0.8 %
    assert sum(one.raw.low > 0 for one in found) / len(found) > 0.5
    told = [describe_exposure(one.adjusted) for one in found if one.adjusted.low <= 0 <= one.adjusted.high]
    assert all("no difference was found" in text and "80 %" in text for text in told)
    assert not any("exposure" in text for text in told)


def test_what_cannot_be_found_is_said() -> None:
    flat = items([(1.0, 1.0)] * 12)
    same = estimate_exposure("s", flat, flat)
    assert same.flat_rules
    assert "is unknown" in describe_exposure(same.adjusted)
    few = estimate_exposure("s", items([(1.0, 0.0), (0.0, 1.0)]), items([(1.0, 0.0), (0.0, 0.5)]))
    assert "too few items" in describe_exposure(few.adjusted)
    worse = estimate_exposure("s", items([(0.0, 1.0)] * 12), items([(1.0, 0.0)] * 11 + [(0.5, 0.0)]))
    assert describe_exposure(worse.adjusted).endswith("no sign of exposure")
