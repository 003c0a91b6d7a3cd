"""Whether a player does better on a published set than on fresh sets of the same recipe, beyond what the
items themselves explain."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from groundling.scores.comparison import Comparison, compare_samples
from groundling.scores.intervals import RESAMPLES, ROUNDING, Labels, Values, is_flat


class ItemScores(Struct, frozen=True):
    """The scores of a player on some items, and those of players that cannot have seen the items."""

    player: Values
    rules: Values
    """The mean score of these players on the same item, for every score of the player."""
    clusters: Labels
    weights: Values | None = None


class ExposureEstimate(Struct, frozen=True):
    name: str
    raw: Comparison
    """The player: a is the mean on the fresh sets, b on the published set."""
    adjusted: Comparison
    """The difference of the player minus the difference of the rules, which is how much the items differ in
    difficulty: a and b are the means by which the player exceeds the rules."""
    clusters: tuple[int, int]
    """Of the published set and of the fresh sets."""
    flat_rules: bool
    """Whether the rules score the same on all items, so that they say nothing about difficulty."""

    @property
    def rules_difference(self) -> float:
        found = self.raw.difference - self.adjusted.difference
        return 0.0 if abs(found) <= ROUNDING else found


def estimate_exposure(
    name: str, published: ItemScores, fresh: ItemScores, *, seed: int = 0, resamples: int = RESAMPLES
) -> ExposureEstimate:
    """Estimate published minus fresh. The sides share no items, so they are compared as independent samples
    of clusters; within an item the player is compared with the rules, so that noise which both share drops
    out. The estimate is about these items: another published set could differ more or less by chance."""

    def compare_sides(a: Values, b: Values) -> Comparison:
        return compare_samples(
            name,
            a,
            fresh.clusters,
            b,
            published.clusters,
            weights=(fresh.weights, published.weights),
            seed=seed,
            resamples=resamples,
        )

    rules = [np.asarray(side.rules, dtype=np.float64) for side in (fresh, published)]
    beyond = [np.asarray(side.player) - rule for side, rule in zip((fresh, published), rules, strict=True)]
    together = np.concatenate(rules)
    return ExposureEstimate(
        name,
        compare_sides(fresh.player, published.player),
        compare_sides(*beyond),
        (len(set(published.clusters)), len(set(fresh.clusters))),
        flat_rules=not together.size or is_flat(together),
    )
