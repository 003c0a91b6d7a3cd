"""Estimates of observations that share items and people."""

from __future__ import annotations

from math import isnan, sqrt

import numpy as np
import pytest

from groundling.scores.crossed_clusters import CrossedSample, attrition_test

ALL = np.ones(8, np.bool_)
VALUES = np.array([1.0, 2.0, 4.0, 4.0, 3.0, 2.0, 6.0, 2.0])
ONE_EACH = [(str(number),) for number in range(8)]


def test_independent_observations_have_the_usual_standard_error() -> None:
    found = CrossedSample(ONE_EACH, ONE_EACH).mean(VALUES, ALL)
    assert found.value == 3.0
    assert found.error == pytest.approx(VALUES.std(ddof=1) / sqrt(8))
    assert found.freedom == 7


def test_copies_of_observations_add_nothing_to_what_is_known() -> None:
    twice = [(str(number // 2),) for number in range(16)]
    everyone = [(str(number),) for number in range(16)]
    doubled = CrossedSample(twice, everyone).mean(VALUES.repeat(2), np.ones(16, np.bool_))
    assert doubled.error == pytest.approx(CrossedSample(ONE_EACH).mean(VALUES, ALL).error)


def test_an_effect_of_people_widens_the_interval_and_cancels_in_differences_within_people() -> None:
    rng = np.random.default_rng(1)
    people = [(str(number % 10),) for number in range(100)]
    items = [(str(number // 10),) for number in range(100)]
    effects = rng.normal(0, 2, 10)[np.arange(100) % 10]
    values = effects + rng.normal(0, 0.5, 100)
    crossed, alone = CrossedSample(items, people), CrossedSample(items)
    every = np.ones(100, np.bool_)
    assert crossed.mean(values, every).error > 3 * alone.mean(values, every).error
    first = np.arange(100) < 50
    assert crossed.difference(values, first, ~first).error < 0.3


def test_two_people_in_one_game_share_it_with_the_games_of_both() -> None:
    items = ONE_EACH[:3]
    pairs = [("a", "b"), ("b", "c"), ("d",)]
    chained = CrossedSample(items, pairs)
    values = np.array([1.0, 1.0, -2.0])
    every = np.ones(3, np.bool_)
    assert chained.mean(values, every).error > CrossedSample(items, items).mean(values, every).error


def test_a_ratio_above_a_base_has_the_interval_of_its_parts() -> None:
    one = np.arange(8) < 4
    base = np.full(8, 1.0)
    found = CrossedSample(ONE_EACH).ratio_above(VALUES, base, one, ~one)
    assert found.value == pytest.approx((VALUES[one].mean() - 1) / (VALUES[~one].mean() - 1))
    assert found.low < found.value < found.high


def test_d_prime_is_zero_for_guesses_and_finite_for_certainty() -> None:
    sample = CrossedSample(ONE_EACH)
    signal = np.arange(8) < 4
    guesses = np.array([1.0, 0, 1, 0, 1, 0, 1, 0])
    assert sample.sensitivity(guesses, signal, ~signal).value == pytest.approx(0)
    certain = sample.sensitivity(signal.astype(float), signal, ~signal)
    assert 2 < certain.value < 4
    assert not isnan(certain.error)


def test_values_at_one_end_of_their_range_have_an_exact_interval() -> None:
    found = CrossedSample(ONE_EACH, ONE_EACH).mean(np.zeros(8), ALL, low=0, high=1)
    assert found.low == 0.0
    assert found.high == pytest.approx(1 - 0.025 ** (1 / 8))
    few = CrossedSample(ONE_EACH[:2]).mean(np.array([0.1, 0.9]), ALL[:2], low=0, high=1)
    assert (few.low, few.high) == (0.0, 1.0), "no interval leaves the range"


def test_one_cluster_has_no_interval() -> None:
    found = CrossedSample([("a",)] * 8, ONE_EACH).mean(VALUES, ALL)
    assert (found.value, isnan(found.error), isnan(found.p_value)) == (3.0, True, True)


def test_attrition_that_differs_is_found_and_equal_attrition_is_not() -> None:
    people = [str(number // 2) for number in range(80)]
    conditions = ["x", "y"] * 40
    differs = [number % 2 == 0 and number % 3 == 0 for number in range(80)]
    equal = [number % 8 < 2 for number in range(80)]
    assert attrition_test(differs, conditions, people) < 0.01
    assert attrition_test(equal, conditions, people) > 0.5
    assert isnan(attrition_test([False] * 80, conditions, people))
    assert isnan(attrition_test(differs, conditions, [str(number) for number in range(80)]))
