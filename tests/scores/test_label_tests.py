from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.scores.intervals import Floats
from groundling.scores.label_tests import (
    estimate_few_clusters,
    kruskal_wallis,
    label_slope,
    label_slopes_without,
)

UNITS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from("012"), st.sampled_from("ab")),
    min_size=3,
    max_size=30,
)


def simulate(rng: np.random.Generator, slope: float = 0.0) -> tuple[Floats, Floats, list[str], Floats]:
    """60 units in 12 clusters. Labels depend on the cluster and on a covariate, which lowers the score."""
    cluster = np.repeat(np.arange(12), 5)
    size = rng.normal(size=60)
    label = np.clip(np.round(1 + 0.4 * (cluster - 5.5) / 3 + 0.5 * size + rng.normal(0, 0.7, 60)), 0, 2)
    effect = rng.normal(0, 1, 12) - 0.3 * (np.arange(12) - 5.5)
    score = slope * label - 0.8 * size + effect[cluster] + rng.normal(0, 0.5, 60)
    return score, label, [f"c{name}" for name in cluster], size


@given(UNITS)
def test_h_and_p_are_those_of_scipy(units: list[tuple[float, str, str]]) -> None:
    from scipy.stats import kruskal

    values, labels, clusters = zip(*units, strict=True)
    found = kruskal_wallis(values, labels, clusters, resamples=9)
    if len(set(labels)) < 2 or len(set(values)) < 2:
        assert math.isnan(found.h)
        return
    groups = [[value for value, own, _ in units if own == label] for label in sorted(set(labels))]
    wanted = kruskal(*groups)
    assert (found.h, found.p) == pytest.approx((wanted.statistic, wanted.pvalue))
    assert found.freedom == len(groups) - 1


def test_the_slope_is_that_of_a_regression_with_an_intercept_for_each_cluster() -> None:
    score, label, clusters, size = simulate(np.random.default_rng(1), slope=-0.4)
    intercepts = (np.array(clusters)[:, None] == np.unique(clusters)).astype(float)
    for covariates in ([], [size]):
        design = np.column_stack([label, *covariates, intercepts])
        wanted = np.linalg.lstsq(design, score, rcond=None)[0][0]
        found = label_slope(score, label, clusters, covariates)
        assert found is not None
        assert found.value == pytest.approx(wanted)
        assert found.low < found.value < found.high


def test_only_the_adjusted_test_within_clusters_keeps_its_level_where_labels_are_confounded() -> None:
    """The label has no effect, but depends on the cluster and on a covariate."""
    rejected = np.zeros(3)
    for seed in range(150):
        score, label, clusters, size = simulate(np.random.default_rng(seed))
        plain = kruskal_wallis(score, label, clusters, resamples=1).p
        within = label_slope(score, label, clusters, resamples=199)
        adjusted = label_slope(score, label, clusters, [size], resamples=199)
        assert within is not None
        assert adjusted is not None
        rejected += np.array([plain, within.p, adjusted.p]) < 0.05
    assert rejected[0] > 0.5 * 150
    assert rejected[1] > 0.3 * 150
    assert rejected[2] <= 0.1 * 150


def test_permutations_within_clusters_hold_the_level_of_the_unordered_test() -> None:
    """Labels differ between clusters only by chance within them; scores differ between clusters."""
    rejected = np.zeros(2)
    for seed in range(150):
        rng = np.random.default_rng(seed)
        cluster = np.repeat(np.arange(6), 10)
        label = (rng.random(60) < np.linspace(0.1, 0.9, 6)[cluster]).astype(int)
        score = 2 * cluster + rng.normal(size=60)
        found = kruskal_wallis(score, label.astype(str), cluster.astype(str), resamples=199)
        rejected += np.array([found.p, found.within]) < 0.05
    assert rejected[0] > 0.8 * 150
    assert rejected[1] <= 0.1 * 150


def test_a_real_slope_is_found() -> None:
    score, label, clusters, size = simulate(np.random.default_rng(5), slope=-0.8)
    found = label_slope(score, label, clusters, [size])
    assert found is not None
    assert found.high < 0
    assert found.p < 0.01


def test_a_label_that_is_constant_in_each_cluster_has_no_slope() -> None:
    assert label_slope([1, 2, 3, 4], [0, 0, 1, 1], list("aabb")) is None
    assert label_slope([1, 2, 3, 4], [0, 1, 0, 1], list("aabb"), [[5, 7, 5, 7]]) is None


def test_a_constant_covariate_changes_nothing() -> None:
    score, label, clusters, _ = simulate(np.random.default_rng(2))
    alone, beside = (label_slope(score, label, clusters, some) for some in ([], [np.ones(60)]))
    assert alone == beside


def test_the_slope_without_one_author_is_that_of_the_others() -> None:
    score, label, clusters, size = simulate(np.random.default_rng(3), slope=0.5)
    people = np.array([f"p{number % 4}" for number in range(60)])
    found = label_slopes_without(score, label, clusters, [size], people)
    rest = people != "p2"
    kept = [name for name, keep in zip(clusters, rest, strict=True) if keep]
    wanted = label_slope(score[rest], label[rest], kept, [size[rest]])
    assert wanted is not None
    assert found["p2"] == pytest.approx(wanted.value)
    assert sorted(found) == ["p0", "p1", "p2", "p3"]


def test_a_mean_of_one_cluster_has_no_interval() -> None:
    found = estimate_few_clusters([1.0, 0.0], ["a", "a"])
    assert (found.mean, found.n, found.clusters) == (0.5, 2, 1)
    assert math.isnan(found.low)


@pytest.mark.slow
def test_intervals_of_slopes_and_means_hold_the_true_value_with_twelve_clusters() -> None:
    held = np.zeros(2)
    for seed in range(500):
        rng = np.random.default_rng([500, seed])
        score, label, clusters, size = simulate(rng, slope=-0.4)
        slope = label_slope(score, label, clusters, [size], seed=seed)
        mean = estimate_few_clusters(rng.normal(size=12).repeat(5) + rng.normal(size=60), clusters, seed=seed)
        assert slope is not None
        held += np.array([slope.low <= -0.4 <= slope.high, mean.low <= 0 <= mean.high])
    print(f"slope {held[0] / 500:.3f}, mean {held[1] / 500:.3f}")
    assert (held / 500 > 0.9).all()
