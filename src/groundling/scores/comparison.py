"""Statistical comparison of two players, in pairs on the same instances or as independent samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from groundling.scores.intervals import (
    RESAMPLES,
    ROUNDING,
    Floats,
    Labels,
    Values,
    bootstrap_interval,
    check_interval_values,
    cluster_sums,
    interval_batch_size,
    is_flat,
    merge_clusters,
    percentile_interval,
)

ALPHA = 0.05
POWER = 0.8
# Of five clusters' 32 sign patterns two are the most extreme: p cannot fall below 2/32, which is above ALPHA.
MIN_CLUSTERS = 6


class Comparison(Struct, frozen=True):
    name: str  # what is compared: measure, set
    n: int  # pairs
    clusters: int
    a: float
    b: float
    difference: float  # b - a
    low: float
    high: float
    p: float
    holm: float  # nan until `adjust_comparisons` has seen all that is tested together
    effect: float  # mean / standard deviation of the clusters' mean differences
    detectable: float  # the smallest true difference that a test at .05 finds with a power of 80 %
    paired: bool = True  # else two independent samples: n and clusters are those of both together


def compare_pairs(
    name: str,
    a: Values,
    b: Values,
    clusters: Labels,
    *,
    weights: Values | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Comparison:
    """Compare pairs a[i], b[i]: means, a 95 % interval of b - a by cluster bootstrap, and a two-sided p by
    sign flips of clusters. A pair counts as much as its weight, else 1.

    - No pairs: every number is nan.
    - One cluster: no interval; p is 1, since both sign patterns are equally extreme.
    - Clusters without a difference cannot change p and are left out of the flips, so that with up to 13
      others the test is exact. All differences zero: p is 1, the interval [0, 0].
    - All clusters differ by the same amount: the interval has no width and `effect` is nan, or 0 if they do
      not differ at all; `detectable` is nan, since a spread of zero says nothing about power.
    - Under six clusters p cannot fall to .05: `detectable` is infinite. Under about fifteen it is too
      optimistic, since p is coarse."""
    first, second = check_interval_values(a, clusters), check_interval_values(b, clusters)
    if not first.size:
        return _empty_comparison(name)
    (sums_a, sizes), (sums_b, _) = (cluster_sums(side, clusters, weights) for side in (first, second))
    # Rounding must not look like a small difference that always has the same sign.
    sums = np.where(
        np.abs(sums_b - sums_a) <= ROUNDING * (np.abs(sums_a) + np.abs(sums_b)), 0.0, sums_b - sums_a
    )
    rng = np.random.default_rng(seed)
    low, high = (
        bootstrap_interval(sums, sizes, rng, resamples=resamples) if len(sizes) > 1 else (np.nan, np.nan)
    )
    total = sizes.sum()
    return Comparison(
        name=name,
        n=first.size,
        clusters=len(sizes),
        a=float(sums_a.sum() / total),
        b=float(sums_b.sum() / total),
        difference=float(sums.sum() / total),
        low=low,
        high=high,
        p=sign_flip_p(sums, rng, resamples),
        holm=np.nan,
        effect=effect_size(sums / sizes),
        detectable=detectable_difference(sums, sizes),
    )


def compare_samples(
    name: str,
    a: Values,
    clusters_a: Labels,
    b: Values,
    clusters_b: Labels,
    *,
    weights: tuple[Values | None, Values | None] = (None, None),
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Comparison:
    """Compare two independent samples: clusters are resampled on each side for the interval, and permuted
    between the sides for p. With fewer than two clusters on a side there is no interval, and p is 1."""
    from scipy.stats import permutation_test

    first, second = check_interval_values(a, clusters_a), check_interval_values(b, clusters_b)
    if not first.size or not second.size:
        return _empty_comparison(name, paired=False)
    rng = np.random.default_rng(seed)
    sides = [cluster_sums(first, clusters_a, weights[0]), cluster_sums(second, clusters_b, weights[1])]
    counts = [len(sizes) for _, sizes in sides]
    means = [float(sums.sum() / sizes.sum()) for sums, sizes in sides]
    merged = [merge_clusters(rng, *side) for side in sides]
    sums, sizes = (np.concatenate(columns) for columns in zip(*merged, strict=True))
    left, right = np.arange(len(merged[0][0])), np.arange(len(merged[0][0]), len(sums))

    def difference_of_means(one: Any, other: Any, axis: int = -1) -> Any:
        return sums[other].sum(axis) / sizes[other].sum(axis) - sums[one].sum(axis) / sizes[one].sum(axis)

    low, high, p = np.nan, np.nan, 1.0
    if min(len(left), len(right)) > 1:
        low, high = percentile_interval(
            lambda one, other: difference_of_means(left[one], right[other]),
            (len(left), len(right)),
            rng,
            resamples=resamples,
        )
        p = float(
            permutation_test(
                (left, right),
                difference_of_means,
                permutation_type="independent",
                vectorized=True,
                n_resamples=resamples,
                batch=interval_batch_size(len(sums)),
                random_state=rng,  # named `rng` too from scipy 1.15 on
            ).pvalue
        )
    variances = [float(np.var(sums / sizes, ddof=1)) if len(sums) > 1 else np.nan for sums, sizes in sides]
    spread, gap, freedom = math.sqrt(sum(variances) / 2), means[1] - means[0], sum(counts) - 2
    return Comparison(
        name=name,
        n=first.size + second.size,
        clusters=sum(counts),
        a=means[0],
        b=means[1],
        difference=gap,
        low=low,
        high=high,
        p=p,
        holm=np.nan,
        effect=0.0 if gap == 0 else float(gap / spread) if spread > 0 else np.nan,
        detectable=difference_with_power(math.hypot(*(clustered_error(*side) for side in sides)), freedom)
        if freedom >= MIN_CLUSTERS
        else np.inf,
        paired=False,
    )


def adjust_comparisons(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Fill in `holm`: comparisons that are reported together are adjusted together."""
    adjusted = adjust_holm([comparison.p for comparison in comparisons])
    return [replace(comparison, holm=p) for comparison, p in zip(comparisons, adjusted, strict=True)]


def adjust_holm(ps: Sequence[float]) -> list[float]:
    """Return Holm's step-down adjusted p values in the order given. A nan was not tested and stays nan."""
    adjusted = np.array(ps, dtype=np.float64)
    tested = np.flatnonzero(np.isfinite(adjusted))
    order = tested[np.argsort(adjusted[tested], kind="stable")]
    steps = adjusted[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(p) for p in adjusted]


def sign_flip_p(sums: Floats, rng: np.random.Generator, resamples: int = RESAMPLES) -> float:
    """Return the two-sided p of the sum under random signs of clusters; exact for few patterns, never 0."""
    from scipy.stats import permutation_test

    (moved,) = merge_clusters(rng, sums[sums != 0])
    if len(moved) < 2:
        return 1.0
    found = permutation_test(
        (moved,),
        _sum_axis,
        permutation_type="samples",
        vectorized=True,
        n_resamples=resamples,
        batch=interval_batch_size(len(moved)),
        random_state=rng,  # named `rng` too from scipy 1.15 on
    )
    return float(found.pvalue)


def effect_size(means: Floats) -> float:
    """Return the mean of the clusters' mean differences in units of their standard deviation."""
    if not means.any():
        return 0.0
    if len(means) < 2 or is_flat(means):
        return np.nan
    return float(means.mean() / means.std(ddof=1))


def detectable_difference(sums: Floats, sizes: Floats) -> float:
    """Return the true difference at which a test at .05 has 80 % power."""
    if len(sums) < MIN_CLUSTERS:
        return np.inf
    if is_flat(sums / sizes):
        return np.nan
    return difference_with_power(clustered_error(sums, sizes), len(sums) - 1)


def difference_with_power(error: float, freedom: float, alpha: float = ALPHA) -> float:
    """Return (t + z) standard errors; nan for a spread of zero, which says nothing about power."""
    from scipy.stats import norm, t

    return float((t.ppf(1 - alpha / 2, freedom) + norm.ppf(POWER)) * error) if error > 0 else np.nan


def clustered_error(sums: Floats, sizes: Floats) -> float:
    """Return the clustered standard error of sums.sum() / sizes.sum()."""
    count = len(sums)
    if count < 2:
        return np.nan
    residuals = sums - sizes * (sums.sum() / sizes.sum())
    return float(np.sqrt(count / (count - 1) * (residuals**2).sum()) / sizes.sum())


def _empty_comparison(name: str, *, paired: bool = True) -> Comparison:
    nan = math.nan
    return Comparison(name, 0, 0, nan, nan, nan, nan, nan, nan, nan, nan, nan, paired)


def _sum_axis(sums: Floats, axis: int = -1) -> Any:
    return sums.sum(axis=axis)
