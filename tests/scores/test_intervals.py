from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.scores.intervals import (
    MAX_BLOCKS,
    Estimate,
    Floats,
    bca_interval,
    bootstrap_interval,
    estimate_mean,
    interval_batch_size,
    merge_clusters,
)

Episodes = list[tuple[float, str]]
EPISODES = st.lists(st.tuples(st.floats(-100, 100), st.sampled_from("abcdef")), min_size=1, max_size=30)


def of(episodes: Episodes) -> Estimate:
    return estimate_mean([value for value, _ in episodes], [name for _, name in episodes], resamples=199)


def simulated(rng: np.random.Generator, clusters: int) -> tuple[Floats, list[str]]:
    """Clusters of one to eight episodes that share half of their variance; the true mean is 0."""
    sizes = rng.integers(1, 9, clusters)
    values = rng.normal(size=clusters).repeat(sizes) + rng.normal(size=sizes.sum())
    return values, [f"c{i}" for i, size in enumerate(sizes) for _ in range(size)]


def test_the_mean_is_over_episodes_not_over_clusters() -> None:
    found = estimate_mean([1, 1, 1, 0], ["a", "a", "a", "b"])
    assert (found.mean, found.n, found.clusters) == (0.75, 4, 2)
    assert 0 <= found.low < found.high <= 1


def test_two_clusters_give_the_interval_that_can_be_worked_out_by_hand() -> None:
    # A quarter of the resamples take a twice, a quarter b twice: both tails reach the clusters' own means.
    found = estimate_mean([0, 0, 1], ["a", "a", "b"])
    assert (found.low, found.high) == (0, 1)


def test_the_interval_agrees_with_every_resample_listed() -> None:
    sums, sizes = np.array([3.0, 0.0, 2.0, 5.0, 1.0, 4.0]), np.array([4, 1, 2, 8, 3, 5])
    picks = np.array(list(product(range(6), repeat=6)))
    listed = np.quantile(sums[picks].sum(axis=1) / sizes[picks].sum(axis=1), [0.05, 0.95])
    values = np.repeat(sums / sizes, sizes)
    found = estimate_mean(values, np.repeat(list("abcdef"), sizes), level=0.9)
    assert [found.low, found.high] == pytest.approx(list(listed), abs=0.01)


def test_no_episodes_no_numbers() -> None:
    found = estimate_mean([], [])
    assert (found.n, found.clusters) == (0, 0)
    assert math.isnan(found.mean)
    assert math.isnan(found.low)
    assert math.isnan(found.high)


@pytest.mark.parametrize("values", [[0.2, 0.6, 1], [1, 1, 1]])
def test_one_cluster_has_a_mean_but_no_interval(values: list[float]) -> None:
    found = estimate_mean(values, ["a"] * 3, low=0, high=1)
    assert found.mean == pytest.approx(sum(values) / 3)
    assert (found.n, found.clusters) == (3, 1)
    assert math.isnan(found.low)
    assert math.isnan(found.high)


def test_all_solved_is_not_certainty() -> None:
    found = estimate_mean([1] * 36, [str(i) for i in range(36)], low=0, high=1)
    assert (found.mean, found.high) == (1, 1)
    assert found.low == pytest.approx(0.025 ** (1 / 36))  # 0.903


def test_none_solved_counts_clusters_and_scales_to_the_range() -> None:
    found = estimate_mean([-1] * 20, [str(i // 2) for i in range(20)], low=-1, high=3, level=0.9)
    assert (found.mean, found.low, found.n, found.clusters) == (-1, -1, 20, 10)
    assert found.high == pytest.approx(-1 + 4 * (1 - 0.05**0.1))


@pytest.mark.parametrize("values", [[0, *[1] * 11], [*[0] * 11, 1], [0, 1] * 6])
def test_a_range_changes_nothing_where_not_all_values_are_at_one_end(values: list[float]) -> None:
    clusters = [str(i) for i in range(12)]
    assert estimate_mean(values, clusters, low=0, high=1) == estimate_mean(values, clusters)


@pytest.mark.parametrize(("low", "high"), [(None, None), (0, None), (None, 0.1), (0, 1)])
def test_equal_values_elsewhere_keep_an_interval_without_width(low: float | None, high: float | None) -> None:
    found = estimate_mean([0.1] * 9, list("aaabbcddd"), low=low, high=high)
    assert (found.mean, found.low, found.high) == (0.1, 0.1, 0.1)


def test_values_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="as many cluster labels"):
        estimate_mean([1, 2], ["a"])
    with pytest.raises(ValueError, match="finite"):
        estimate_mean([1, math.nan], ["a", "b"])
    with pytest.raises(ValueError, match="outside the measure's range"):
        estimate_mean([0.5, 1.5], ["a", "b"], low=0, high=1)
    with pytest.raises(ValueError, match="outside the measure's range"):
        estimate_mean([-1, 0], ["a", "b"], low=0)


def test_rounding_at_the_end_of_the_range_is_forgiven() -> None:
    found = estimate_mean([1 + 2e-16, 1, 1 - 1e-16], ["a", "b", "c"], low=0, high=1)
    assert found.low == pytest.approx(0.025 ** (1 / 3))


def test_the_seed_decides() -> None:
    values, clusters = simulated(np.random.default_rng(1), 30)
    assert estimate_mean(values, clusters, seed=3) == estimate_mean(values, clusters, seed=3)
    assert estimate_mean(values, clusters, seed=3) != estimate_mean(values, clusters, seed=4)


def test_a_higher_level_is_wider() -> None:
    values, clusters = simulated(np.random.default_rng(1), 30)
    narrow, wide = estimate_mean(values, clusters, level=0.8), estimate_mean(values, clusters, level=0.99)
    assert wide.low < narrow.low < narrow.mean < narrow.high < wide.high


@given(EPISODES, st.randoms(use_true_random=False))
def test_the_order_of_episodes_does_not_show(episodes: Episodes, random: object) -> None:
    shuffled = list(episodes)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert repr(of(shuffled)) == repr(of(episodes))  # repr, as nan is not nan


@given(EPISODES)
def test_the_interval_stays_within_the_clusters_means(episodes: Episodes) -> None:
    # It need not hold the mean itself: a percentile interval follows the resamples.
    found = of(episodes)
    if found.clusters == 1:
        assert math.isnan(found.low)
        return
    groups = [
        [value for value, name in episodes if name == label] for label in {name for _, name in episodes}
    ]
    means = [sum(group) / len(group) for group in groups]
    assert min(means) - 1e-9 <= found.low <= found.high <= max(means) + 1e-9


@given(EPISODES, st.floats(-10, 10), st.sampled_from([0.5, 2.0, 8.0]))
def test_shifting_and_stretching_the_scale_moves_the_interval_along(
    episodes: Episodes, shift: float, by: float
) -> None:
    found, moved = of(episodes), of([(by * value + shift, name) for value, name in episodes])
    expected = [by * edge + shift for edge in (found.mean, found.low, found.high)]
    assert [moved.mean, moved.low, moved.high] == pytest.approx(expected, abs=1e-6, nan_ok=True)


def test_coverage_is_near_its_level_where_an_episode_bootstrap_fails() -> None:
    rng = np.random.default_rng(7)
    held = naive = 0
    for _ in range(150):
        values, clusters = simulated(rng, 30)
        found = estimate_mean(values, clusters, resamples=999)
        alone = estimate_mean(values, np.arange(len(values)), resamples=999)
        held += found.low <= 0 <= found.high
        naive += alone.low <= 0 <= alone.high
    assert 0.90 <= held / 150 <= 0.98
    assert naive / 150 < 0.85


def test_merging_many_clusters_leaves_the_width_as_it_should_be() -> None:
    values, clusters = simulated(np.random.default_rng(2), 8 * MAX_BLOCKS)
    found = estimate_mean(values, clusters)
    _, index, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    residuals = np.bincount(index, weights=values) - sizes * values.mean()
    error = np.sqrt((residuals**2).sum()) / len(values)
    assert found.clusters == 8 * MAX_BLOCKS
    assert found.high - found.low == pytest.approx(2 * 1.96 * error, rel=0.12)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(1, 5), st.sampled_from("abc")), min_size=1, max_size=12)
)
def test_an_episode_that_weighs_as_much_as_three_counts_as_three(
    episodes: list[tuple[float, int, str]],
) -> None:
    values, weights, clusters = zip(*episodes, strict=True)
    heavy = estimate_mean(values, clusters, weights=weights, resamples=199)
    spread = [(value, cluster) for value, weight, cluster in episodes for _ in range(weight)]
    alike = of(spread)
    assert (heavy.mean, heavy.low, heavy.high) == pytest.approx(
        (alike.mean, alike.low, alike.high), nan_ok=True
    )
    assert heavy.n == len(episodes)


def test_what_weighs_nothing_is_to_be_left_out() -> None:
    with pytest.raises(ValueError, match="above 0"):
        estimate_mean([1.0, 0.5], ["a", "b"], weights=[1, 0])


@pytest.mark.parametrize("count", [2, 7, 60, MAX_BLOCKS, MAX_BLOCKS + 1])
def test_the_interval_is_that_of_scipy(count: int) -> None:
    from scipy.stats import bootstrap

    rng = np.random.default_rng(count)
    sums, sizes = rng.random(count), rng.integers(1, 4, count).astype(np.float64)
    theirs = np.random.default_rng(0)
    data = merge_clusters(theirs, sums, sizes)
    expected = bootstrap(
        data,
        lambda sums, sizes, axis: sums.sum(axis) / sizes.sum(axis),
        paired=True,
        vectorized=True,
        method="percentile",
        batch=interval_batch_size(len(data[0])),
        random_state=theirs,
    ).confidence_interval
    found = bootstrap_interval(sums, sizes, np.random.default_rng(0))
    assert found == pytest.approx((expected.low, expected.high), abs=1e-15)


@pytest.mark.parametrize("trials", [2, 5, 36, 400])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_the_interval_at_an_end_of_the_range_is_that_of_scipy(trials: int, value: float) -> None:
    from scipy.stats import binomtest

    expected = binomtest(int(value * trials), trials).proportion_ci(method="exact")
    found = estimate_mean([value] * trials, [f"c{i}" for i in range(trials)], low=0, high=1)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-10)


def test_without_bias_and_skew_the_corrected_interval_is_the_percentile_interval_of_students_t() -> None:
    values, flat = np.linspace(-5, 5, 10_001), np.array([-1.0, 1.0])
    for clusters, t in ((20, 2.0930), (10**6, 1.9600)):
        low, high = bca_interval(values, 0.0, flat, clusters)
        share = (1 + math.erf(t * math.sqrt(clusters / (clusters - 1)) / math.sqrt(2))) / 2
        assert (low, high) == pytest.approx((5 - 10 * share, 10 * share - 5), abs=2e-3)


def test_a_statistic_with_a_long_lower_tail_moves_the_interval_down() -> None:
    values = np.linspace(0, 1, 1001)
    low, high = bca_interval(values, 0.5, np.array([0.5, 0.5, 0.5, 0.9]), 100)
    middle = bca_interval(values, 0.5, np.array([0.4, 0.5, 0.5, 0.6]), 100)
    assert low < middle[0]
    assert high < middle[1]
