"""Tournaments whose true abilities are known."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from groundling.scores.abilities import AbilityModel, PairCells, PairScores
from groundling.scores.intervals import Floats

LEVEL, CHANCE = 0.5, 1 / 3
INSTANCES, WORDS = 0.8, 0.6
"""Standard deviations of instances, and of words nested in giver and instance."""


class SimulatedTournament(Struct, frozen=True):
    played: PairScores
    abilities: tuple[Floats, Floats]
    """The true effects of givers and followers, averaged over instances …"""
    scores: tuple[Floats, Floats]
    """… and the true scores with the average partner."""


def simulate_tournament(
    rng: np.random.Generator,
    *,
    choice: bool,
    givers: Floats | None = None,
    followers: Floats | None = None,
    special: Floats | None = None,
    instances: int = 60,
    repeats: int = 1,
) -> SimulatedTournament:
    """Play all pairs. Player k gives and follows; its games with itself are self-play."""
    one = np.linspace(-1, 1, 8) if givers is None else givers
    other = np.linspace(1, -1, 8) if followers is None else followers
    linear = LEVEL + one[:, None] + other[None, :] + (0 if special is None else special)
    hard, said = rng.normal(0, INSTANCES, instances), rng.normal(0, WORDS, (len(one), instances))
    each = linear[:, :, None] + hard + said[:, None, :]
    shape = (repeats, *each.shape)
    scores = (
        (rng.random(shape) < CHANCE + (1 - CHANCE) / (1 + np.exp(-each))).astype(np.float64)
        if choice
        else each / 10 + rng.normal(0, 0.2, shape)
    )
    giver, follower, instance = (np.tile(index.ravel(), repeats) for index in np.indices(each.shape))
    played = PairScores(
        [f"p{at}" for at in giver],
        [f"p{at}" for at in follower],
        [f"i{at}" for at in instance],
        scores.ravel(),
        np.full(scores.size, CHANCE) if choice else None,
        self_play=giver == follower,
        low=0.0 if choice else None,
        high=1.0 if choice else None,
    )
    return SimulatedTournament(played, *_true_values(linear, choice))


def _true_values(linear: Floats, choice: bool) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Fit the model to the expected scores over endlessly many instances."""
    points, weights = np.polynomial.hermite_e.hermegauss(60)
    spread = np.hypot(INSTANCES, WORDS) * points
    expected = (
        (CHANCE + (1 - CHANCE) / (1 + np.exp(-(linear[..., None] + spread)))) @ (weights / weights.sum())
        if choice
        else linear / 10
    )
    giver, follower = (index.ravel() for index in np.indices(linear.shape))
    many = np.full((1, linear.size), 1e7)
    cells = PairCells(
        [f"p{at}" for at in range(linear.shape[0])],
        [f"p{at}" for at in range(linear.shape[1])],
        giver,
        follower,
        np.full(linear.size, CHANCE if choice else 0.0),
        giver != follower,
        many * expected.ravel(),
        many,
        choice,
    )
    model = AbilityModel(cells)
    found = model.fit_weighted(cells.sums, cells.sizes)
    effects = model.player_effects(found, 0)[0], model.player_effects(found, 1)[0]
    return effects, (model.expected_by_player(found, 0)[0], model.expected_by_player(found, 1)[0])
