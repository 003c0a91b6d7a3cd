from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.scores.comparison import (
    Comparison,
    adjust_comparisons,
    adjust_holm,
    compare_pairs,
    compare_samples,
)
from groundling.scores.intervals import MAX_BLOCKS, Floats

Pairs = list[tuple[float, float, str]]
VALUE = st.integers(-8, 8).map(lambda number: number / 4)
PAIRS = st.lists(st.tuples(VALUE, VALUE, st.sampled_from("abcdefg")), min_size=1, max_size=25)
PS = st.lists(st.floats(0.0001, 1), max_size=12)


def of(pairs: Pairs) -> Comparison:
    return compare_pairs(
        "f1", [a for a, _, _ in pairs], [b for _, b, _ in pairs], [name for *_, name in pairs], resamples=199
    )


def shown(found: Comparison) -> list[float]:
    return [
        found.a,
        found.b,
        found.difference,
        found.low,
        found.high,
        found.p,
        found.effect,
        found.detectable,
    ]


def simulated(rng: np.random.Generator, clusters: int, shift: float = 0.0) -> tuple[Floats, Floats, Floats]:
    """Clusters of one to four pairs that share their difficulty and part of their difference, `shift` on
    average."""
    sizes = rng.integers(1, 5, clusters)
    labels = np.arange(clusters).repeat(sizes)
    a = rng.normal(size=clusters)[labels] + rng.normal(size=len(labels))
    b = a + shift + rng.normal(size=clusters)[labels] + rng.normal(size=len(labels))
    return a, b, labels.astype(np.float64)


def test_five_clusters_that_all_gain_have_two_chances_in_32() -> None:
    found = compare_pairs("f1", [0, 0, 0, 0, 0], [1, 2, 3, 4, 5], list("abcde"))
    assert found.p == 2 / 32
    assert (found.name, found.n, found.clusters, found.a, found.b, found.difference) == ("f1", 5, 5, 0, 3, 3)
    assert found.effect == pytest.approx(3 / math.sqrt(2.5))
    assert 1 <= found.low < 3 < found.high <= 5
    assert math.isnan(found.holm)


def test_whole_clusters_flip_not_pairs() -> None:
    found = compare_pairs("f1", [0] * 40, [1, 2] * 20, ["a"] * 20 + ["b"] * 20)
    assert found.p == 2 / 4


def test_p_agrees_with_every_sign_pattern_listed() -> None:
    gains = np.array([3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0, 6.0])
    listed = np.array(list(product([1, -1], repeat=8))) @ gains
    found = compare_pairs("f1", np.zeros(8), gains, list("abcdefgh"))
    assert found.p == np.mean(np.abs(listed) >= gains.sum())


def test_clusters_without_a_difference_leave_the_test_exact() -> None:
    found = compare_pairs("f1", np.zeros(100), [1] * 6 + [0] * 94, np.arange(100))
    assert found.p == 2 / 64


def test_p_is_never_zero() -> None:
    found = compare_pairs("f1", np.zeros(60), np.ones(60), np.arange(60))
    assert found.p == pytest.approx(2 / 10_000)


def test_no_pairs_no_numbers() -> None:
    found = compare_pairs("f1", [], [], [])
    assert (found.n, found.clusters) == (0, 0)
    assert all(math.isnan(number) for number in [*shown(found), found.holm])


def test_one_cluster_shows_nothing_but_its_means() -> None:
    found = compare_pairs("f1", [0, 0, 1], [1, 1, 1], ["a"] * 3)
    assert (found.b, found.p, found.detectable) == (1, 1, math.inf)
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert math.isnan(found.effect)


def test_the_same_twice_does_not_differ() -> None:
    values = np.random.default_rng(0).random(40)
    found = compare_pairs("f1", values, values, np.arange(40) // 2)
    assert (found.difference, found.low, found.high, found.p, found.effect) == (0, 0, 0, 1, 0)
    assert math.isnan(found.detectable)


def test_rounding_is_no_difference() -> None:
    found = compare_pairs("f1", [0.3] * 20, [0.1 + 0.2] * 20, np.arange(20))
    assert (found.difference, found.p, found.effect) == (0, 1, 0)


def test_the_same_gain_everywhere_has_no_spread() -> None:
    found = compare_pairs("f1", [0.1] * 30, [0.2] * 30, np.arange(30) // 3 * 3 // 4)
    assert [found.difference, found.low, found.high] == pytest.approx([0.1] * 3)
    assert math.isnan(found.effect)
    assert math.isnan(found.detectable)
    assert found.p < 0.05


def test_unequal_lengths_and_missing_scores_are_refused() -> None:
    with pytest.raises(ValueError, match="as many cluster labels"):
        compare_pairs("f1", [1, 2], [1], ["a", "b"])
    with pytest.raises(ValueError, match="finite"):
        compare_pairs("f1", [1, 2], [1, math.nan], ["a", "b"])


def test_detectable_needs_six_clusters_and_shrinks_with_more() -> None:
    found = {
        count: compare_pairs("f1", np.zeros(count), np.arange(count) % 2, np.arange(count)).detectable
        for count in (5, 6, 24, 96)
    }
    assert found[5] == math.inf
    # By hand: six differences 0 1 0 1 0 1 have sd .5477, so (2.5706 + .8416) * .5477 / sqrt(6).
    assert found[6] == pytest.approx(0.76301, abs=1e-4)
    assert found[6] > found[24] > found[96]
    assert found[24] / found[96] == pytest.approx(2, rel=0.05)


@given(PAIRS)
def test_swapping_the_players_mirrors_the_comparison(pairs: Pairs) -> None:
    one, other = of(pairs), of([(b, a, name) for a, b, name in pairs])
    assert (one.p, one.clusters) == (other.p, other.clusters)
    mirrored = [
        other.b,
        other.a,
        -other.difference,
        -other.high,
        -other.low,
        other.p,
        -other.effect,
        other.detectable,
    ]
    assert shown(one) == pytest.approx(mirrored, nan_ok=True)


@given(PAIRS, st.randoms(use_true_random=False))
def test_the_order_of_pairs_does_not_show(pairs: Pairs, random: object) -> None:
    shuffled = list(pairs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert repr(of(shuffled)) == repr(of(pairs))


@given(PAIRS)
def test_what_holds_for_any_pairs(pairs: Pairs) -> None:
    # That low <= difference <= high is not among it: a percentile interval follows the resamples.
    found = of(pairs)
    assert 0 < found.p <= 1
    assert found.difference == pytest.approx(found.b - found.a)
    groups = [[b - a for a, b, name in pairs if name == label] for label in {name for *_, name in pairs}]
    means = [sum(group) / len(group) for group in groups]
    if found.clusters > 1:
        assert min(means) - 1e-9 <= found.low <= found.high <= max(means) + 1e-9
    if found.clusters <= 7:  # 128 patterns: exact
        assert (found.p * 2**found.clusters) % 1 == 0


@pytest.mark.parametrize(
    ("ps", "adjusted"),
    [
        ([], []),
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
        ([0.01, 0.014, 0.5], [0.03, 0.03, 0.5]),  # .014 * 2 would fall below the step before it
        ([0.6, 0.5], [1.0, 1.0]),
        ([math.nan, 0.01, 0.02], [math.nan, 0.02, 0.02]),
    ],
)
def test_holm_by_hand(ps: list[float], adjusted: list[float]) -> None:
    assert adjust_holm(ps) == pytest.approx(adjusted, nan_ok=True)


@given(PS)
def test_holm_keeps_the_order_and_lies_between_p_and_bonferroni(ps: list[float]) -> None:
    adjusted = adjust_holm(ps)
    for p, q in zip(ps, adjusted, strict=True):
        assert p <= q <= min(1, p * len(ps)) + 1e-12
    for (p, q), (r, s) in product(zip(ps, adjusted, strict=True), repeat=2):
        assert q <= s or p > r


def test_a_family_is_adjusted_together_and_leaves_out_what_was_not_tested() -> None:
    strong = compare_pairs("f1 easy", np.zeros(8), np.arange(1, 9), np.arange(8))
    weak = compare_pairs("f1 hard", np.zeros(8), [1, -1, 2, 3, -1, 2, 1, 1], np.arange(8))
    empty = compare_pairs("f1 none", [], [], [])
    first, second, third = adjust_comparisons([weak, empty, strong])
    assert [first.name, second.name, third.name] == ["f1 hard", "f1 none", "f1 easy"]
    assert (first.holm, third.holm) == (weak.p, 2 * strong.p)
    assert math.isnan(second.holm)
    assert third.p == strong.p
    assert adjust_comparisons([]) == []


def test_one_test_in_twenty_is_a_false_alarm() -> None:
    rng = np.random.default_rng(11)
    false = sum(compare_pairs("null", *simulated(rng, 20), resamples=499).p <= 0.05 for _ in range(300))
    assert 0.03 <= false / 300 <= 0.07


def test_a_detectable_difference_is_found_four_times_in_five() -> None:
    rng = np.random.default_rng(12)
    true = float(
        np.mean([compare_pairs("null", *simulated(rng, 24), resamples=99).detectable for _ in range(50)])
    )
    found = sum(
        compare_pairs("shifted", *simulated(rng, 24, true), resamples=499).p <= 0.05 for _ in range(200)
    )
    assert 0.72 <= found / 200 <= 0.88


def test_the_interval_of_the_difference_covers_it() -> None:
    rng = np.random.default_rng(13)
    found = [compare_pairs("shifted", *simulated(rng, 30, 0.5), resamples=499) for _ in range(150)]
    assert 0.90 <= sum(one.low <= 0.5 <= one.high for one in found) / 150 <= 0.98


def test_merging_many_clusters_leaves_p_as_it_should_be() -> None:
    a, b, labels = simulated(np.random.default_rng(3), 4 * MAX_BLOCKS, 0.05)
    found = compare_pairs("many", a, b, labels)
    index = labels.astype(int)
    gains = np.bincount(index, weights=b - a)
    z = abs(gains.sum()) / np.sqrt((gains**2).sum())
    assert found.clusters == 4 * MAX_BLOCKS
    assert found.p == pytest.approx(math.erfc(z / math.sqrt(2)), abs=0.05)


def test_pairs_count_as_much_as_they_weigh() -> None:
    a, b, clusters, weights = [0.0, 1.0, 0.0], [1.0, 1.0, 0.5], ["x", "y", "z"], [3.0, 1.0, 2.0]
    found = compare_pairs("m", a, b, clusters, weights=weights)
    assert (found.a, found.b, found.difference) == pytest.approx((1 / 6, 5 / 6, 4 / 6))
    assert found.n == 3
    sides = compare_samples("m", a, clusters, b, clusters, weights=(weights, weights))
    assert (sides.a, sides.b) == pytest.approx((1 / 6, 5 / 6))
