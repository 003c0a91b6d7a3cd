"""Two independent samples."""

import numpy as np
import pytest

from groundling.scores.comparison import adjust_comparisons, compare_samples


def test_a_clear_difference_is_found_with_its_size_and_sign() -> None:
    found = compare_samples(
        "x",
        [1.0, 1.1, 0.9, 1.0, 1.05, 0.95],
        list("abcdef"),
        [3.0, 3.1, 2.9, 3.0, 3.05, 2.95],
        list("ghijkl"),
    )
    assert found.difference == pytest.approx(2)
    assert found.low < 2 < found.high
    assert found.p == pytest.approx(2 / 924), "the two most extreme of all ways to share twelve"
    assert (found.n, found.clusters, found.paired) == (12, 12, False)


def test_it_is_the_same_from_the_other_side() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(0, 1, 9), rng.normal(0.5, 1, 7)
    here = compare_samples("x", a, [str(i) for i in range(9)], b, [str(i) for i in range(7)])
    there = compare_samples("x", b, [str(i) for i in range(7)], a, [str(i) for i in range(9)])
    assert here.difference == pytest.approx(-there.difference)
    assert here.p == pytest.approx(there.p, abs=0.03)
    assert here.detectable == pytest.approx(there.detectable)


def test_clusters_count_and_not_episodes() -> None:
    """Ten copies of every episode in its cluster change neither interval nor p."""
    rng = np.random.default_rng(2)
    a, b, names = rng.normal(0, 1, 8), rng.normal(1, 1, 8), [str(i) for i in range(8)]
    many = [name for name in names for _ in range(10)]
    one, ten = (
        compare_samples("x", a, names, b, names),
        compare_samples("x", np.repeat(a, 10), many, np.repeat(b, 10), many),
    )
    assert (one.low, one.high, one.p) == pytest.approx((ten.low, ten.high, ten.p))


def test_false_alarms_are_about_one_in_twenty() -> None:
    rng = np.random.default_rng(3)
    names = [str(i) for i in range(10)]
    trials = [(rng.normal(0, 1, 10), rng.normal(0, 1, 10)) for _ in range(200)]
    alarms = [compare_samples("x", a, names, b, names, resamples=199).p <= 0.05 for a, b in trials]
    assert 0.01 <= np.mean(alarms) <= 0.10


def test_corners() -> None:
    assert compare_samples("x", [], [], [1.0], ["a"]).n == 0
    alone = compare_samples("x", [1.0], ["a"], [2.0, 3.0], ["b", "c"])
    assert alone.p == 1
    assert np.isnan(alone.low)
    assert adjust_comparisons([alone])[0].holm == 1
