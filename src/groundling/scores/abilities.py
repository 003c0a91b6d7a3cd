"""Abilities of givers and followers from the scores of their pairs, with intervals that resample instances.

A pair's expected score is `link(level + giver + follower)`. In games of choice the link is c + (1 - c) *
logistic(…), where c is the chance level of the instance; for graded scores it is the identity. Effects of one
seat add up to 0. All are averages over instances, which are random: whole clusters are resampled, with all
utterances and repeats in them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from groundling.core.values import Problem
from groundling.scores.intervals import MAX_BLOCKS, Floats, Indices, Labels, Values, exact_interval

RESAMPLES = 999
LEVEL = 0.95
STEPS = 60
LARGEST_STEP = 2.0
CONVERGED = 1e-5
RIDGE = 1e-9
"""Keeps the equations solvable when a resample leaves a player out."""


class PairScores(Struct, frozen=True):
    """Scored episodes, one entry each."""

    givers: Labels
    followers: Labels
    clusters: Labels
    scores: Values
    chances: Values | None = None
    """The chance level of each episode's instance in a game of choice; None for graded scores."""
    weights: Values | None = None
    self_play: NDArray[np.bool_] | None = None
    """Episodes of a player with itself: they are no part of abilities."""
    low: float | None = None
    high: float | None = None


class PairCells(Struct, frozen=True):
    """Scores summed by cluster and cell. A cell is a pair at one level of chance."""

    givers: list[str]
    followers: list[str]
    giver: Indices
    """The giver of each cell."""
    follower: Indices
    chance: Floats
    counted: NDArray[np.bool_]
    """Whether the cell is part of the main effects."""
    sums: Floats
    """By cluster, then by cell: the weighted sum of scores …"""
    sizes: Floats
    """… and the sum of weights."""
    is_choice: bool

    @property
    def clusters(self) -> int:
        return len(self.sums)


class SeatAbility(Struct, frozen=True):
    """The ability of one player in one seat."""

    name: str
    episodes: int
    ability: float
    """On the scale of the link, relative to the mean of the seat."""
    low: float
    high: float
    score: float
    """The expected score with the average partner of this tournament."""
    score_low: float
    score_high: float
    partners_low: float
    """The interval of the score with new partners: partners are resampled too."""
    partners_high: float


class SeatFit(Struct, frozen=True):
    """The players of one seat, with the resampled values that tests are made from."""

    players: list[SeatAbility]
    abilities: Floats
    """By resample, then by player …"""
    scores: Floats

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.players]


class AbilityFit(Struct, frozen=True):
    giver: SeatFit
    follower: SeatFit
    cells: PairCells
    sums: Floats
    """By resample, then by cell."""
    sizes: Floats


def sum_pair_cells(played: PairScores, rng: np.random.Generator) -> PairCells:
    """Sum scores by cluster and cell. Clusters beyond MAX_BLOCKS are merged at random."""
    scores = np.asarray(played.scores, dtype=np.float64)
    chances = np.zeros_like(scores) if played.chances is None else np.asarray(played.chances, np.float64)
    weights = np.ones_like(scores) if played.weights is None else np.asarray(played.weights, np.float64)
    own = np.zeros(len(scores), bool) if played.self_play is None else played.self_play
    givers, giver = np.unique(np.asarray(played.givers), return_inverse=True)
    followers, follower = np.unique(np.asarray(played.followers), return_inverse=True)
    names, cluster = np.unique(np.asarray(played.clusters), return_inverse=True)
    rows = np.column_stack([giver, follower, own, np.round(chances, 9)])
    kinds, cell = np.unique(rows, axis=0, return_inverse=True)
    if len(names) > MAX_BLOCKS:
        cluster = (rng.permutation(len(names)) % MAX_BLOCKS)[cluster]
    shape = int(cluster.max()) + 1, len(kinds)
    sums, sizes = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, (cluster, cell.ravel()), scores * weights)
    np.add.at(sizes, (cluster, cell.ravel()), weights)
    return PairCells(
        givers.tolist(),
        followers.tolist(),
        kinds[:, 0].astype(np.int64),
        kinds[:, 1].astype(np.int64),
        kinds[:, 3],
        kinds[:, 2] == 0,
        sums,
        sizes,
        played.chances is not None,
    )


def check_connected_pairs(pairs: Sequence[tuple[str, str]]) -> None:
    """Raise Problem if abilities of all players cannot be compared through shared partners."""
    parts: list[tuple[set[str], set[str]]] = []
    for giver, follower in pairs:
        joined = [part for part in parts if giver in part[0] or follower in part[1]]
        parts = [part for part in parts if part not in joined]
        givers = {giver}.union(*(part[0] for part in joined))
        parts.append((givers, {follower}.union(*(part[1] for part in joined))))
    if not parts or len({one for one, _ in pairs}) + len({other for _, other in pairs}) < 3:
        raise Problem("there is nothing to rank: play at least two players in one seat with the same partner")
    if len(parts) > 1:
        told = ["/".join(sorted(givers)) + " → " + "/".join(sorted(followers)) for givers, followers in parts]
        raise Problem(
            f"the pairs are not connected ({'; '.join(told)}; self-play does not count): "
            "play pairs that have partners in common"
        )


def fit_abilities(played: PairScores, *, seed: int = 0, resamples: int = RESAMPLES) -> AbilityFit:
    """Estimate all abilities. Intervals resample clusters; those "with new partners" also partners."""
    rng = np.random.default_rng(seed)
    cells = sum_pair_cells(played, rng)
    if cells.clusters < 2:
        raise Problem("all scores come from one cluster of instances: play more instances")
    model = AbilityModel(cells)
    share = 1 / cells.clusters
    drawn = rng.multinomial(cells.clusters, [share] * cells.clusters, resamples).astype(np.float64)
    sums, sizes = drawn @ cells.sums, drawn @ cells.sizes
    center = model.fit_weighted(cells.sums.sum(0)[None], cells.sizes.sum(0)[None])
    resampled = model.fit_weighted(sums, sizes, center)
    seats = []
    for side, count in ((0, len(cells.followers)), (1, len(cells.givers))):
        partner = cells.follower if side == 0 else cells.giver
        chosen = rng.multinomial(count, [1 / count] * count, resamples).astype(np.float64)
        heavy = chosen[:, partner]
        again = model.fit_weighted(sums * heavy, sizes * heavy, center)
        new = model.expected_by_player(again, side, chosen / count)
        seats.append(_summarize_seat(model, played, side, center, resampled, new))
    return AbilityFit(seats[0], seats[1], cells, sums, sizes)


def fit_residuals(fit: AbilityFit, counted: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return the expected score of each cell, and by resample the observed means minus the expected scores,
    where only these cells are part of the main effects."""
    model = AbilityModel(replace(fit.cells, counted=counted))
    center = model.fit_weighted(fit.cells.sums.sum(0)[None], fit.cells.sizes.sum(0)[None])
    resampled = model.fit_weighted(fit.sums, fit.sizes, center)
    means = np.divide(fit.sums, fit.sizes, out=np.full_like(fit.sums, np.nan), where=fit.sizes > 0)
    return model.expected_cells(center)[0], means - model.expected_cells(resampled)


class AbilityModel:
    """The additive model of one game. Parameters are a row for each data set that is fitted: the level, then
    the effects of all givers but the last, then of all followers but the last."""

    def __init__(self, cells: PairCells) -> None:
        self.cells = cells
        self._counts = len(cells.givers), len(cells.followers)
        self._contrasts = [_sum_to_zero(count) for count in self._counts]
        givers, followers = (
            contrast[index]
            for contrast, index in zip(self._contrasts, (cells.giver, cells.follower), strict=True)
        )
        self._design = np.hstack([np.ones((len(cells.giver), 1)), givers, followers])
        self._counted, self._counted_chance = self._design[cells.counted], cells.chance[cells.counted]
        self._squares = _outer_rows(self._counted)
        effects = np.zeros((1 + sum(self._counts), self._design.shape[1]))
        effects[0, 0] = 1
        split = 1 + self._counts[0]
        effects[1:split, 1 : split - 1], effects[split:, split - 1 :] = self._contrasts
        self._effects = effects
        self._effect_squares = _outer_rows(effects)
        levels, where = np.unique(cells.chance, return_inverse=True)
        self._levels = levels
        self._shares = np.bincount(where, weights=cells.sizes.sum(0)) / cells.sizes.sum()

    def fit_weighted(self, sums: Floats, sizes: Floats, start: Floats | None = None) -> Floats:
        """Return the parameters for each row of sums and sizes of cells, by Fisher scoring. A log-F(1, 1)
        penalty on every effect, worth one observation, keeps the effects of players that win or lose all
        episodes finite."""
        sums, sizes = sums[:, self.cells.counted], sizes[:, self.cells.counted]
        width = self._design.shape[1]
        found = np.zeros((len(sums), width)) if start is None else np.repeat(start, len(sums), axis=0)
        if not self.cells.is_choice:
            found[:] = 0
        active = np.arange(len(sums))
        for _ in range(STEPS):
            slope, weight = self._slopes(found[active], sums[active], sizes[active])
            gradient = slope @ self._counted
            information = (weight @ self._squares).reshape(-1, width, width)
            if self.cells.is_choice:
                tame = _logistic(found[active] @ self._effects.T)
                gradient += (0.5 - tame) @ self._effects
                information += ((tame * (1 - tame)) @ self._effect_squares).reshape(-1, width, width)
            information += RIDGE * np.eye(width)
            step = np.linalg.solve(information, gradient[..., None])[..., 0].astype(np.float64, copy=False)
            if not self.cells.is_choice:
                return step
            largest = np.abs(step).max(axis=1, keepdims=True)
            found[active] += step * np.minimum(1, LARGEST_STEP / np.maximum(largest, LARGEST_STEP))
            active = active[largest[:, 0] > CONVERGED]
            if not len(active):
                break
        return found

    def _slopes(self, found: Floats, sums: Floats, sizes: Floats) -> tuple[Floats, Floats]:
        """Return the derivative of the likelihood by the linear predictor of each cell, and the weight."""
        if not self.cells.is_choice:
            return sums, sizes
        chance, odds = self._counted_chance, _logistic(found @ self._counted.T)
        p = chance + (1 - chance) * odds
        ratio = odds / p
        return (sums - sizes * p) * ratio, sizes * (1 - chance) * odds * (1 - odds) * ratio

    def expected_cells(self, found: Floats) -> Floats:
        """Return the expected score of each cell."""
        predictor = found @ self._design.T
        if not self.cells.is_choice:
            return predictor
        return self.cells.chance + (1 - self.cells.chance) * _logistic(predictor)

    def player_effects(self, found: Floats, side: int) -> Floats:
        split = 1 + self._counts[0]
        return (found @ self._effects.T)[:, 1:split] if side == 0 else (found @ self._effects.T)[:, split:]

    def expected_by_player(
        self, found: Floats, side: int, partners: Floats | None = None, effects: Floats | None = None
    ) -> Floats:
        """Return each player's expected score over all partners of the tournament, the same for all players,
        or over partners with these weights."""
        own = self.player_effects(found, side) if effects is None else effects
        others = self.player_effects(found, 1 - side)
        weights = np.full(others.shape, 1 / others.shape[1]) if partners is None else partners
        total = np.zeros_like(own)
        for at in range(others.shape[1]):
            predictor = found[:, :1] + own + others[:, at : at + 1]
            total += weights[:, at : at + 1] * self._average_link(predictor)
        return total

    def _average_link(self, predictor: Floats) -> Floats:
        """Return the expected score over the chance levels of the instances."""
        if not self.cells.is_choice:
            return predictor
        chance = float(self._levels @ self._shares)
        return chance + (1 - chance) * _logistic(predictor)

    def effect_with_score(self, found: Floats, side: int, score: float) -> float:
        """Return the effect at which a player's expected score is this one; infinite beyond the range."""
        lowest, highest = -30.0, 30.0
        width = self._counts[side]

        def score_at(effect: float) -> float:
            return float(self.expected_by_player(found, side, effects=np.full((1, width), effect))[0, 0])

        if score <= score_at(lowest):
            return -math.inf
        if score >= score_at(highest):
            return math.inf
        for _ in range(60):
            middle = (lowest + highest) / 2
            lowest, highest = (middle, highest) if score_at(middle) < score else (lowest, middle)
        return lowest


def _summarize_seat(
    model: AbilityModel, played: PairScores, side: int, center: Floats, resampled: Floats, new: Floats
) -> SeatFit:
    cells = model.cells
    names = cells.givers if side == 0 else cells.followers
    labels = np.asarray(played.givers if side == 0 else played.followers)
    counted = np.ones(len(labels), bool) if played.self_play is None else ~played.self_play
    ability, score = model.player_effects(center, side)[0], model.expected_by_player(center, side)[0]
    abilities = model.player_effects(resampled, side)
    scores = model.expected_by_player(resampled, side)
    # an additive model may expect scores beyond the ends of the scale of pairs that were not played
    low = -math.inf if played.low is None else played.low
    high = math.inf if played.high is None else played.high
    score = np.clip(score, low, high)
    ranges = [widened_interval(abilities, cells.clusters)]
    ranges += [np.clip(widened_interval(values, cells.clusters), low, high) for values in (scores, new)]
    players = []
    for at, name in enumerate(names):
        own = (labels == name) & counted
        bounds = [float(value) for pair in ranges for value in pair[:, at]]
        values = np.asarray(played.scores, np.float64)[own]
        clusters = len(set(np.asarray(played.clusters)[own].tolist()))
        exact = exact_interval(values, clusters, played.low, played.high, LEVEL) if len(values) else None
        if exact is not None:  # all won or all lost: resampling would claim certainty
            ends = [model.effect_with_score(center, side, end) for end in exact]
            ends = [-math.inf, ends[1]] if exact[0] == played.low else [ends[0], math.inf]
            bounds = [*ends, *exact, *exact]
        summary = float(ability[at]), *bounds[:2], float(score[at]), *bounds[2:]
        players.append(SeatAbility(name, int(own.sum()), *summary))
    return SeatFit(players, abilities, scores)


def widened_interval(values: Floats, clusters: int, level: float = LEVEL) -> Floats:
    """Return the percentile interval of each column, widened as Student's t is for few clusters."""
    from scipy.special import ndtr, stdtrit

    wide = math.sqrt(clusters / (clusters - 1)) * float(stdtrit(clusters - 1, (1 + level) / 2))
    return np.quantile(values, [float(ndtr(-wide)), float(ndtr(wide))], axis=0)


def _sum_to_zero(count: int) -> Floats:
    """Return the matrix from free parameters to effects that add up to 0."""
    return np.vstack([np.eye(count - 1), np.full((1, count - 1), -1.0)])


def _outer_rows(matrix: Floats) -> Floats:
    return (matrix[:, :, None] * matrix[:, None, :]).reshape(len(matrix), -1)


def _logistic(values: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(values, -30, 30)))
