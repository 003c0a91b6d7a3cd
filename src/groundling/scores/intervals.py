"""Confidence intervals of means by cluster bootstrap, since episodes of one cluster are not independent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Values = Sequence[float] | NDArray[Any]
Labels = Sequence[str] | NDArray[Any]

RESAMPLES = 9_999
# More clusters than this are merged at random into as many blocks. Blocks of independent clusters are
# independent too, and 9,999 resamples of 500 blocks say more for the same work than 50 resamples of 100,000
# clusters.
MAX_BLOCKS = 500
MAX_CELLS = 500_000  # numbers held at once while resampling
ROUNDING = 1e-12  # relative differences below this are rounding


class Estimate(Struct, frozen=True):
    mean: float
    low: float
    high: float
    n: int
    clusters: int


def estimate_mean(
    values: Values,
    clusters: Labels,
    *,
    weights: Values | None = None,
    low: float | None = None,
    high: float | None = None,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Estimate:
    """Estimate the mean over episodes and its percentile interval by cluster bootstrap. `low` and `high` are
    the range of the measure. With `weights`, such as the number of steps that each episode's value is a mean
    of, the result is the mean over all steps.

    - No episodes: mean and interval are nan.
    - One cluster: the interval is nan, since the spread between clusters is unknown.
    - All values at one end of a known range (36 of 36 solved): resampling would claim certainty, so the
      interval is Clopper and Pearson's with one trial per cluster, scaled to the range. It holds for graded
      measures too.
    - All values equal elsewhere, or all clusters' means equal: the interval has no width.
    - Few clusters: percentile intervals are too narrow. In simulation a 95 % interval held the true mean in
      82 % of cases with 5 clusters, 89 % with 10, 93 % with 30.
    """
    scores = check_interval_values(values, clusters)
    check_interval_range(scores, low, high)
    if not scores.size:
        return Estimate(np.nan, np.nan, np.nan, 0, 0)
    sums, sizes = cluster_sums(scores, clusters, weights)
    count = len(sizes)
    left, right = np.nan, np.nan
    if count > 1:
        left, right = exact_interval(scores, count, low, high, level) or bootstrap_interval(
            sums, sizes, np.random.default_rng(seed), level, resamples
        )
    # Rounding must not carry a mean of ones past one.
    mean = float(np.clip(sums.sum() / sizes.sum(), scores.min(), scores.max()))
    if left == right:
        left = right = mean
    return Estimate(mean, left, right, scores.size, count)


def bootstrap_interval(
    sums: Floats, sizes: Floats, rng: np.random.Generator, level: float = 0.95, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """Return the percentile interval of sums.sum() / sizes.sum() over resampled clusters, at least two."""
    if is_flat(sums / sizes):
        mean = float(sums.sum() / sizes.sum())
        return mean, mean
    sums, sizes = merge_clusters(rng, sums, sizes)

    def mean_of_clusters(chosen: Indices) -> Floats:
        ratio: Floats = sums[chosen].sum(axis=-1) / sizes[chosen].sum(axis=-1)
        return ratio

    return percentile_interval(mean_of_clusters, (len(sums),), rng, level, resamples)


def percentile_interval(
    statistic: Callable[..., Floats],
    counts: Sequence[int],
    rng: np.random.Generator,
    level: float = 0.95,
    resamples: int = RESAMPLES,
) -> tuple[float, float]:
    """Return the percentile interval of a statistic over samples that are resampled independently. The
    results are those of `scipy.stats.bootstrap`, whose import takes longer than most runs take to score."""
    tail, ordered = (1 - level) / 2, np.sort(resample_statistic(statistic, counts, rng, resamples))
    return _linear_quantile(ordered, tail), _linear_quantile(ordered, 1 - tail)


def resample_statistic(
    statistic: Callable[..., Floats],
    counts: Sequence[int],
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
) -> Floats:
    """Return a statistic's values, given an array of chosen indices for each sample, a resample a row."""
    batch = interval_batch_size(sum(counts))
    found = [
        statistic(*(rng.integers(0, count, (min(batch, resamples - done), count)) for count in counts))
        for done in range(0, resamples, batch)
    ]
    return np.concatenate(found)


def bca_interval(
    values: Floats, value: float, jackknife: Floats, clusters: int, level: float = 0.95
) -> tuple[float, float]:
    """Return Efron's bias-corrected and accelerated interval from resampled values, the value itself and the
    values without each cluster. It fits skewed statistics, such as an agreement close to 1, better than
    percentiles. For few clusters it is widened as Student's t is (Hesterberg 2015): by sqrt(n / (n - 1)), and
    to the tails of n - 1 degrees of freedom."""
    from scipy.special import ndtr, ndtri, stdtrit

    shift = float(ndtri(np.clip(((values < value).mean() + (values <= value).mean()) / 2, 0.001, 0.999)))
    away = jackknife.mean() - jackknife
    spread = float((away**2).sum())
    skew = float((away**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0
    wide = float(np.sqrt(clusters / (clusters - 1)) * stdtrit(clusters - 1, (1 + level) / 2))
    ordered = np.sort(values)
    shares = [ndtr(shift + (shift + z) / (1 - skew * (shift + z))) for z in (-wide, wide)]
    return _linear_quantile(ordered, float(shares[0])), _linear_quantile(ordered, float(shares[1]))


def _linear_quantile(ordered: Floats, share: float) -> float:
    """Return what `np.quantile` does, which imports `numpy.ma`: that takes longer than all of the rest."""
    if np.isnan(ordered[-1]):
        return np.nan
    place = share * (len(ordered) - 1)
    part, at = place - int(place), int(place)
    below, above = float(ordered[at]), float(ordered[min(at + 1, len(ordered) - 1)])
    return above - (above - below) * (1 - part) if part >= 0.5 else below + (above - below) * part


def exact_interval(
    scores: Floats, trials: int, low: float | None, high: float | None, level: float
) -> tuple[float, float] | None:
    """Return Clopper and Pearson's interval if every score lies at one end of a known range, else None."""
    if low is None or high is None:
        return None
    slack, tail = ROUNDING * (high - low), (1 - level) / 2
    if scores.max() <= low + slack:
        return low, low + (high - low) * (1 - tail ** (1 / trials))
    if scores.min() >= high - slack:
        return low + (high - low) * tail ** (1 / trials), high
    return None


def check_interval_values(values: Values, clusters: Labels) -> Floats:
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim != 1 or len(scores) != len(clusters):
        raise ValueError(f"{len(scores)} values need as many cluster labels, not {len(clusters)}")
    if not np.isfinite(scores).all():
        raise ValueError("values must be finite: leave out, and count, the episodes without a score")
    return scores


def check_interval_range(scores: Floats, low: float | None, high: float | None) -> None:
    for value in (scores.min(), scores.max()) if scores.size else ():
        slack = ROUNDING * max(1.0, abs(value))
        if (low is not None and value < low - slack) or (high is not None and value > high + slack):
            raise ValueError(f"{value} is outside the measure's range, {low} to {high}")


def group_clusters(clusters: Labels) -> tuple[NDArray[np.intp], Floats]:
    """Return the rank of each episode's cluster by name, and the cluster sizes in that order."""
    _, index, sizes = np.unique(np.asarray(clusters), return_inverse=True, return_counts=True)
    return index, sizes.astype(np.float64)


def cluster_sums(scores: Floats, clusters: Labels, weights: Values | None = None) -> tuple[Floats, Floats]:
    """Return the weighted sums and sizes of the clusters; without weights an episode counts 1."""
    index, sizes = group_clusters(clusters)
    if weights is None:
        return sum_by_cluster(scores, index), sizes
    heavy = check_interval_values(weights, clusters)
    if not (heavy > 0).all():
        raise ValueError("weights must be above 0: leave out what does not count")
    return sum_by_cluster(scores * heavy, index), sum_by_cluster(heavy, index)


def sum_by_cluster(scores: Floats, index: NDArray[np.intp]) -> Floats:
    """Sum each cluster's scores in a fixed order: the order of episodes must not change even the last bit."""
    order = np.lexsort((scores, index))
    return _sum_by_index(index[order], scores[order])


def merge_clusters(rng: np.random.Generator, *columns: Floats) -> tuple[Floats, ...]:
    """Reduce columns to at most `MAX_BLOCKS` rows by merging clusters at random."""
    count = len(columns[0])
    if count <= MAX_BLOCKS:
        return columns
    block = rng.permutation(count) % MAX_BLOCKS
    return tuple(_sum_by_index(block, column) for column in columns)


def interval_batch_size(width: int) -> int:
    return max(1, MAX_CELLS // width)


def is_flat(values: Floats) -> bool:
    return bool(np.ptp(values) <= ROUNDING * np.abs(values).max())


def _sum_by_index(index: NDArray[np.intp], weights: Floats) -> Floats:
    # numpy's types promise integers
    return np.bincount(index, weights=weights).astype(np.float64, copy=False)
