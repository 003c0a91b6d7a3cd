"""Tests whether a score depends on a label, such as the abstraction level of an instruction.

Kruskal and Wallis' test takes units as independent. Those of one cluster, such as the steps for one image,
are not, and labels may be confounded with other properties of a unit. So the label is also tested within
clusters: its values are permuted within each cluster, and the slope over ordered labels is estimated with an
intercept for each cluster, also adjusted for covariates (permuted residuals, Freedman and Lane 1983)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from groundling.scores.intervals import (
    ROUNDING,
    Estimate,
    Floats,
    Indices,
    Labels,
    Values,
    bca_interval,
    check_interval_values,
    group_clusters,
    interval_batch_size,
    resample_statistic,
    sum_by_cluster,
)

RESAMPLES = 1_999


class KruskalWallis(Struct, frozen=True):
    h: float
    freedom: int
    p: float
    within: float
    """The p of the same statistic with labels permuted within clusters."""


class LabelSlope(Struct, frozen=True):
    """The change of the score for one step of an ordered label, within clusters."""

    value: float
    low: float
    high: float
    p: float
    """Two-sided, from permutations within clusters."""


def kruskal_wallis(
    values: Values, labels: Labels, clusters: Labels, *, seed: int = 0, resamples: int = RESAMPLES
) -> KruskalWallis:
    """Test whether values differ between labels; nan where there is one label or all values are equal."""
    from scipy.special import chdtrc

    scores = check_interval_values(values, clusters)
    _, place = np.unique(np.asarray(labels), return_inverse=True)
    member = np.eye(place.max(initial=-1) + 1)[place]
    ranks = _average_ranks(scores)
    freedom = member.shape[1] - 1
    if freedom < 1 or np.ptp(ranks) == 0:
        return KruskalWallis(np.nan, max(freedom, 0), np.nan, np.nan)
    spread = float(((ranks - ranks.mean()) ** 2).sum()) / (len(ranks) - 1)

    def statistic(arranged: Floats) -> Floats:
        sums = (arranged - ranks.mean()) @ member
        h: Floats = (sums**2 / member.sum(axis=0)).sum(axis=1) / spread
        return h

    h = float(statistic(ranks[None])[0])
    found = np.concatenate(
        [statistic(some) for some in _permute_within(ranks, clusters, np.random.default_rng(seed), resamples)]
    )
    return KruskalWallis(h, freedom, float(chdtrc(freedom, h)), _share_at_least(found, h))


def label_slope(
    values: Values,
    labels: Values,
    clusters: Labels,
    covariates: Sequence[Values] = (),
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> LabelSlope | None:
    """Estimate the slope over an ordered label within clusters, adjusted for covariates. The interval
    resamples clusters. None if no cluster has two labels that the covariates do not tell apart."""
    scores = check_interval_values(values, clusters)
    rng = np.random.default_rng(seed)
    index, sizes = group_clusters(clusters)
    columns = [check_interval_values(column, clusters) for column in (scores, labels, *covariates)]
    y, *x = (column - (sum_by_cluster(column, index) / sizes)[index] for column in columns)
    kept = [x[0], *(column for column in x[1:] if np.abs(column).max() > ROUNDING)]
    design = np.column_stack(kept)
    unique = _residuals(design[:, 0], design[:, 1:])
    if len(sizes) < 2 or unique @ unique <= ROUNDING * max(float(x[0] @ x[0]), 1.0):
        return None
    squares = np.array([design[index == one].T @ design[index == one] for one in range(len(sizes))])
    products = np.array([design[index == one].T @ y[index == one] for one in range(len(sizes))])

    def slopes(times: Floats) -> Floats:
        left = np.einsum("rc,cij->rij", times, squares)
        # a resample may hold too few clusters for a single solution
        found: Floats = (np.linalg.pinv(left) @ (times @ products)[:, :, None])[:, 0, 0]
        return found

    def resample_slopes(chosen: Indices) -> Floats:
        return slopes(np.array([np.bincount(row, minlength=len(sizes)) for row in chosen], dtype=np.float64))

    value = float(slopes(np.ones((1, len(sizes))))[0])
    without = slopes(1 - np.eye(len(sizes)))
    low, high = bca_interval(
        resample_statistic(resample_slopes, (len(sizes),), rng, resamples), value, without, len(sizes)
    )
    rest = _residuals(y, design[:, 1:])
    found = np.concatenate([some @ unique for some in _permute_within(rest, clusters, rng, resamples)])
    return LabelSlope(value, low, high, _share_at_least(np.abs(found), abs(float(rest @ unique))))


def label_slopes_without(
    values: Floats, labels: Floats, clusters: Labels, covariates: Sequence[Floats], groups: Labels
) -> dict[str, float]:
    """Return the adjusted slope without each of the groups, such as the authors of instructions."""
    owner, names = np.asarray(groups), np.asarray(clusters)
    found = {}
    for group in np.unique(owner):
        rest = owner != group
        slope = label_slope(
            values[rest], labels[rest], names[rest], [column[rest] for column in covariates], resamples=1
        )
        if slope is not None:
            found[str(group)] = slope.value
    return found


def estimate_few_clusters(values: Values, clusters: Labels, *, seed: int = 0) -> Estimate:
    """Estimate a mean with the interval for few clusters, `bca_interval`."""
    scores = check_interval_values(values, clusters)
    index, sizes = group_clusters(clusters)
    sums = sum_by_cluster(scores, index)
    mean = float(sums.sum() / sizes.sum())
    if len(sizes) < 2:
        return Estimate(mean, np.nan, np.nan, len(scores), len(sizes))

    def means(chosen: Indices) -> Floats:
        found: Floats = sums[chosen].sum(axis=1) / sizes[chosen].sum(axis=1)
        return found

    found = resample_statistic(means, (len(sizes),), np.random.default_rng(seed), RESAMPLES)
    without = (sums.sum() - sums) / (sizes.sum() - sizes)
    return Estimate(mean, *bca_interval(found, mean, without, len(sizes)), len(scores), len(sizes))


def _average_ranks(scores: Floats) -> Floats:
    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Floats = (last - (counts - 1) / 2)[place]
    return ranks


def _permute_within(
    column: Floats, clusters: Labels, rng: np.random.Generator, resamples: int
) -> list[Floats]:
    """Return batches of the column, a permutation within clusters in each row."""
    index, _ = group_clusters(clusters)
    order = np.argsort(index, kind="stable")
    own, sorted_index = column[order], index[order].astype(np.float64)
    batch, found = interval_batch_size(len(column)), []
    for done in range(0, resamples, batch):
        keys = sorted_index + rng.random((min(batch, resamples - done), len(column)))
        rows = np.empty_like(keys)
        rows[:, order] = own[np.argsort(keys, axis=1)]
        found.append(rows)
    return found


def _residuals(column: Floats, design: Floats) -> Floats:
    if not design.shape[1]:
        return column
    rest: Floats = column - design @ np.linalg.lstsq(design, column, rcond=None)[0]
    return rest


def _share_at_least(found: Floats, value: float) -> float:
    """Return the p value; the observed arrangement is one of those possible."""
    return float((1 + (found >= value * (1 - 1e-9)).sum()) / (1 + len(found)))
