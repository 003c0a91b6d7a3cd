"""Whether players that are good in one game are good in another, beyond the noise of both estimates."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from groundling.scores.abilities import LEVEL, RESAMPLES, SeatFit
from groundling.scores.intervals import Floats

FEWEST_PLAYERS = 4


class AbilityAgreement(Struct, frozen=True):
    players: int
    correlation: float
    """Of the estimates."""
    reliabilities: tuple[float, float]
    """The share of the variance of each game's abilities that is not noise."""
    disattenuated: float
    """The correlation divided by the root of both reliabilities, within -1 and 1; nan if one is 0."""
    low: float
    high: float
    """The interval resamples players."""


def agree_abilities(one: SeatFit, other: SeatFit, *, seed: int = 0) -> AbilityAgreement | None:
    """Compare the abilities of the players of two games. None if they share fewer than FEWEST_PLAYERS."""
    shared = [name for name in one.names if name in other.names]
    if len(shared) < FEWEST_PLAYERS:
        return None
    sides = [_abilities_and_errors(fit, shared) for fit in (one, other)]
    rng, values = np.random.default_rng(seed), []
    for _ in range(RESAMPLES):
        chosen = rng.integers(0, len(shared), len(shared))
        if len(set(chosen.tolist())) > 2:
            values.append(_disattenuate([(found[chosen], errors[chosen]) for found, errors in sides])[2])
    known = np.array([value for value in values if math.isfinite(value)])
    # fewer resamples than this say that the reliability itself is in doubt
    tails = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    low, high = np.quantile(known, tails) if len(known) >= RESAMPLES / 2 else (math.nan, math.nan)
    correlation, reliabilities, corrected = _disattenuate(sides)
    return AbilityAgreement(len(shared), correlation, reliabilities, corrected, float(low), float(high))


def _abilities_and_errors(fit: SeatFit, names: list[str]) -> tuple[Floats, Floats]:
    """Return abilities relative to the mean of these players, and their errors."""
    at = [fit.names.index(name) for name in names]
    found, resampled = np.array([fit.players[place].ability for place in at]), fit.abilities[:, at]
    errors = (resampled - resampled.mean(1, keepdims=True)).std(axis=0, ddof=1)
    return found - found.mean(), errors


def _disattenuate(sides: list[tuple[Floats, Floats]]) -> tuple[float, tuple[float, float], float]:
    variances = [float(found.var(ddof=1)) for found, _ in sides]
    if min(variances) <= 0:
        return math.nan, (0.0, 0.0), math.nan
    correlation = float(np.corrcoef(sides[0][0], sides[1][0])[0, 1])
    one, other = (
        max(0.0, 1 - float((errors**2).mean()) / variance)
        for (_, errors), variance in zip(sides, variances, strict=True)
    )
    corrected = correlation / math.sqrt(one * other) if one * other > 0 else math.nan
    return correlation, (one, other), max(-1.0, min(1.0, corrected)) if corrected == corrected else corrected
