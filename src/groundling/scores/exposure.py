"""Whether a player does better on a published set than on fresh ones, beyond what the items explain."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from groundling.scores.comparison import ALPHA, MIN_CLUSTERS, clustered_error, difference_with_power
from groundling.scores.intervals import ROUNDING, Labels, Values, check_interval_values, cluster_sums, is_flat


class ItemScores(Struct, frozen=True):
    """The scores of a player on some items, and those of players that cannot have seen the items."""

    player: Values
    rules: Values
    """The mean score of these players on the same item, for every score of the player."""
    clusters: Labels
    weights: Values | None = None


class SetDifference(Struct, frozen=True):
    """The means of a published set and of fresh sets, and published minus fresh."""

    published: float
    fresh: float
    difference: float
    low: float
    high: float
    detectable: float
    """The true difference that a test at .05 finds with a power of 80 %; nan if nothing varies."""


class ExposureEstimate(Struct, frozen=True):
    name: str
    raw: SetDifference
    """Of the player."""
    adjusted: SetDifference
    """Of the scores by which the player exceeds the rules: the difference of the player minus that of the
    rules, which is how much the items differ in difficulty."""
    clusters: tuple[int, int]
    """Of the published set and of the fresh sets."""
    flat_rules: bool
    """Whether the rules score the same on all items, so that they say nothing about difficulty."""

    @property
    def rules_difference(self) -> float:
        found = self.raw.difference - self.adjusted.difference
        return 0.0 if abs(found) <= ROUNDING else found


def estimate_exposure(name: str, published: ItemScores, fresh: ItemScores) -> ExposureEstimate:
    """Estimate published minus fresh. The sides share no items, so they are independent samples of clusters;
    within an item the player is compared with the rules."""
    sides = published, fresh
    scores = [check_interval_values(side.player, side.clusters) for side in sides]
    rules = [check_interval_values(side.rules, side.clusters) for side in sides]
    beyond = [player - rule for player, rule in zip(scores, rules, strict=True)]
    together = np.concatenate(rules)
    return ExposureEstimate(
        name,
        _compare_sets(scores, sides),
        _compare_sets(beyond, sides),
        (len(set(published.clusters)), len(set(fresh.clusters))),
        flat_rules=not together.size or is_flat(together),
    )


def _compare_sets(scores: list[np.ndarray], sides: tuple[ItemScores, ItemScores]) -> SetDifference:
    """Return Welch's interval with clustered standard errors. Its rate of false findings is the nominal one
    with 12 clusters too, where that of resampled clusters is half as much again. Under six clusters on a side
    there is no interval."""
    from scipy.stats import t

    if not all(score.size for score in scores):
        return SetDifference(*[math.nan] * 6)
    sums = [
        cluster_sums(score, side.clusters, side.weights) for score, side in zip(scores, sides, strict=True)
    ]
    published, fresh = (float(total.sum() / sizes.sum()) for total, sizes in sums)
    gap, counts = published - fresh, [len(sizes) for _, sizes in sums]
    if min(counts) < MIN_CLUSTERS:
        return SetDifference(published, fresh, gap, math.nan, math.nan, math.inf)
    variances = [clustered_error(*side) ** 2 for side in sums]
    error = math.sqrt(sum(variances))
    if error <= ROUNDING:
        return SetDifference(published, fresh, gap, gap, gap, math.nan)
    parts = sum(part**2 / (count - 1) for part, count in zip(variances, counts, strict=True))
    freedom = sum(variances) ** 2 / parts
    half = float(t.ppf(1 - ALPHA / 2, freedom)) * error
    return SetDifference(published, fresh, gap, gap - half, gap + half, difference_with_power(error, freedom))
