"""What abilities allow to say: differences, ranks, groups, equivalence, special pairs, and the power to find
differences. All tests are on the scale of the score, with errors from resampled clusters and Student's t."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from groundling.core.values import Problem
from groundling.scores.abilities import AbilityFit, PairCells, SeatFit, check_connected_pairs, fit_residuals
from groundling.scores.comparison import ALPHA, adjust_holm, difference_with_power
from groundling.scores.intervals import Floats

TINY = 1e-9


class PlayerDifference(Struct, frozen=True):
    """The expected score of one player minus that of another with the same partners."""

    better: str
    worse: str
    difference: float
    error: float
    p: float
    holm: float
    equivalent: float
    """Holm's p of a difference outside the margin, by two one-sided tests; nan if no margin was given."""


class SeatRanks(Struct, frozen=True):
    """What the differences of one seat's players say."""

    differences: list[PlayerDifference]
    ranks: dict[str, tuple[int, int]]
    """The ranks that each player can have; with 95 % confidence all true ranks are within."""
    groups: list[list[str]]
    """The largest groups of players that cannot be told apart."""


class SpecialPair(Struct, frozen=True):
    """A pair whose scores differ from what the abilities of its players predict."""

    giver: str
    follower: str
    self_play: bool
    mean: float
    expected: float
    error: float
    p: float
    q: float
    """The false discovery rate at which it would be named (Benjamini and Hochberg)."""


class DesignPower(Struct, frozen=True):
    """The smallest difference of two players that a design finds with a power of 80 %."""

    clusters: int
    one_pair: float
    """A difference that was chosen beforehand …"""
    all_pairs: float
    """… and one of all pairs, at the strictest level of Holm."""


def rank_players(fit: SeatFit, clusters: int, margin: float | None = None) -> SeatRanks:
    """Test all differences together (Holm). Ranks and groups follow from those that remain."""
    names, means = fit.names, [player.score for player in fit.players]
    order = sorted(range(len(names)), key=lambda at: (-means[at], names[at]))
    found, ps, outside = [], [], []
    for one, other in combinations(order, 2):
        gap = means[one] - means[other]
        error = _inflate_error(fit.scores[:, one] - fit.scores[:, other], clusters)
        found.append((one, other, gap, error))
        ps.append(_two_sided(gap, error, clusters))
        outside.append(math.nan if margin is None else _outside_margin(gap, error, clusters, margin))
    holm, equal = adjust_holm(ps), adjust_holm(outside)
    differences = [
        PlayerDifference(names[one], names[other], gap, error, p, adjusted, same)
        for (one, other, gap, error), p, adjusted, same in zip(found, ps, holm, equal, strict=True)
    ]
    told = {(one.better, one.worse) for one in differences if one.holm < ALPHA}
    ranks = {
        name: (
            1 + sum(worse == name for _, worse in told),
            len(names) - sum(better == name for better, _ in told),
        )
        for name in (names[at] for at in order)
    }
    return SeatRanks(differences, ranks, _group_players([names[at] for at in order], told))


def _two_sided(gap: float, error: float, clusters: int) -> float:
    from scipy.special import stdtr

    if error <= TINY:
        return 1.0 if abs(gap) <= TINY else math.nan
    return 2 * float(stdtr(clusters - 1, -abs(gap) / error))


def _outside_margin(gap: float, error: float, clusters: int, margin: float) -> float:
    from scipy.special import stdtr

    if error <= TINY:
        return math.nan
    return max(float(stdtr(clusters - 1, (sign * gap - margin) / error)) for sign in (-1, 1))


def _inflate_error(resampled: Floats, clusters: int) -> float:
    """Return the standard error; resampling n clusters makes it too small by sqrt((n - 1) / n)."""
    return float(np.nanstd(resampled, ddof=1)) * math.sqrt(clusters / (clusters - 1))


def _group_players(names: Sequence[str], told: set[tuple[str, str]]) -> list[list[str]]:
    """Return all largest groups without a pair that is told apart, by splitting at each such pair."""
    groups = [frozenset(names)]
    for pair in told:
        split = [group - {name} for group in groups if group >= set(pair) for name in pair]
        kept = list(dict.fromkeys([*(group for group in groups if not group >= set(pair)), *split]))
        groups = [group for group in kept if not any(group < other for other in kept)]
    ordered = [[name for name in names if name in group] for group in groups]
    return sorted(ordered, key=lambda group: [names.index(name) for name in group])


def find_special_pairs(fit: AbilityFit) -> list[SpecialPair]:
    """Test each pair for scores that its players' abilities do not predict, self-play included. Pairs that
    are found leave the main effects one by one, as they would make the others of their players look special.
    """
    counted = fit.cells.counted.copy()
    while True:
        found = _test_pairs(fit, counted)
        new = [
            (pair, cells)
            for pair, cells in found
            if pair.q < ALPHA and counted[cells].any() and _can_leave(fit.cells, counted, cells)
        ]
        if not new:
            return [pair for pair, _ in found]
        counted[new[0][1]] = False


def _can_leave(cells: PairCells, counted: NDArray[np.bool_], pair: list[int]) -> bool:
    """Return whether the abilities of all players can still be compared without this pair."""
    left = counted.copy()
    left[pair] = False
    kept = [
        (str(one), str(other)) for one, other in zip(cells.giver[left], cells.follower[left], strict=True)
    ]
    try:
        check_connected_pairs(kept)
    except Problem:
        return False
    same = len(set(cells.giver[left])), len(set(cells.follower[left]))
    return same == (len(set(cells.giver[counted])), len(set(cells.follower[counted])))


def _test_pairs(fit: AbilityFit, counted: NDArray[np.bool_]) -> list[tuple[SpecialPair, list[int]]]:
    """Test all pairs against the main effects of some cells, the most special first. In games of choice an
    error is at least the binomial one, as a pair that wins all has no spread."""
    cells, clusters = fit.cells, fit.cells.clusters
    predicted, residuals = fit_residuals(fit, counted)
    sums, sizes = cells.sums.sum(0), cells.sizes.sum(0)
    pairs: dict[tuple[int, int, bool], list[int]] = {}
    for place, key in enumerate(zip(cells.giver, cells.follower, cells.counted, strict=True)):
        pairs.setdefault((int(key[0]), int(key[1]), not key[2]), []).append(place)
    rows, ps = [], []
    for (giver, follower, own), at in pairs.items():
        shares = sizes[at] / sizes[at].sum()
        mean, expected = float(sums[at].sum() / sizes[at].sum()), float(predicted[at] @ shares)
        error = _inflate_error(residuals[:, at] @ shares, clusters)
        if cells.is_choice:
            played = int((cells.sizes[:, at].sum(1) > 0).sum())
            error = max(error, math.sqrt(max(expected * (1 - expected), 0) / played))
        rows.append((cells.givers[giver], cells.followers[follower], own, mean, expected, error))
        ps.append(_two_sided(mean - expected, error, clusters) if error > TINY else math.nan)
    qs = adjust_discoveries(ps)
    found = [
        (SpecialPair(*row, p, q), at) for row, p, q, at in zip(rows, ps, qs, pairs.values(), strict=True)
    ]
    return sorted(found, key=lambda one: (math.isnan(one[0].q), one[0].q, one[0].p))


def adjust_discoveries(ps: Sequence[float]) -> list[float]:
    """Return Benjamini and Hochberg's adjusted p values in the order given. A nan was not tested."""
    adjusted = np.array(ps, dtype=np.float64)
    tested = np.flatnonzero(np.isfinite(adjusted))
    order = tested[np.argsort(-adjusted[tested], kind="stable")]
    count = len(order)
    steps = adjusted[order] * count / np.arange(count, 0, -1)
    adjusted[order] = np.minimum(np.minimum.accumulate(steps), 1.0) if count else steps
    return [float(p) for p in adjusted]


def design_power(ranks: SeatRanks, clusters: int, factors: Sequence[int] = (1, 2, 4)) -> list[DesignPower]:
    """Return what can be found with these clusters and with more, for the typical error of a difference."""
    errors = [one.error for one in ranks.differences if one.error > TINY]
    if not errors:
        return []
    error, tests = float(np.median(errors)), len(ranks.differences)
    found = []
    for factor in factors:
        count, smaller = clusters * factor, error / math.sqrt(factor)
        both = [difference_with_power(smaller, count - 1, ALPHA / number) for number in (1, tests)]
        found.append(DesignPower(count, *both))
    return found


def clusters_to_tell(difference: PlayerDifference, clusters: int) -> float:
    """Return the number of clusters at which this difference, if true, is found with a power of 80 %."""
    if difference.error <= TINY or abs(difference.difference) <= TINY:
        return math.inf
    needed = difference_with_power(difference.error, clusters - 1)
    return max(clusters * (needed / difference.difference) ** 2, 2.0)
