"""Abilities in one game: the fit and all tests, from the scores of its pairs."""

from __future__ import annotations

import numpy as np
import polars as pl
from msgspec import Struct

from groundling.core.pack import Measure, Pack, load
from groundling.core.values import Problem, Role
from groundling.report.score_table import episode_weights
from groundling.runs.cross_play import cross_play_roles
from groundling.runs.pair_scores import FOLLOWER, GIVER, SELF_PLAY, GamePairs
from groundling.scores.abilities import AbilityFit, PairScores, SeatFit, check_connected_pairs, fit_abilities
from groundling.scores.ability_tests import (
    DesignPower,
    SeatRanks,
    SpecialPair,
    design_power,
    find_special_pairs,
    rank_players,
)
from groundling.scores.intervals import Values

CHOICE = "choose"
"""The shape of games whose scores are right or wrong."""


class RankedSeat(Struct, frozen=True):
    role: Role
    fit: SeatFit
    ranks: SeatRanks
    power: list[DesignPower]


class GameRanking(Struct, frozen=True):
    pack: Pack
    measure: Measure
    fit: AbilityFit
    seats: tuple[RankedSeat, RankedSeat]
    special: list[SpecialPair]
    episodes: int
    instances: int
    uneven: int
    """The number of pairs that did not play all instances."""
    left_out: list[str]
    """Players without a partner but themselves."""

    @property
    def is_choice(self) -> bool:
        return self.fit.cells.is_choice


def rank_game(found: GamePairs, margin: float | None = None, seed: int = 0) -> GameRanking:
    """Estimate and test the abilities of one game's players."""
    measure = load(found.pack.measures)[0]
    own = found.episodes[SELF_PLAY].to_numpy()
    both = list(zip(found.episodes[GIVER].to_list(), found.episodes[FOLLOWER].to_list(), strict=True))
    pairs = list(dict.fromkeys(pair for pair, alone in zip(both, own, strict=True) if not alone))
    try:
        check_connected_pairs(pairs)
    except Problem as trouble:
        raise Problem(f"{found.pack.name}: {trouble}") from None
    givers, followers = {one for one, _ in pairs}, {other for _, other in pairs}
    known = pl.Series([giver in givers and follower in followers for giver, follower in both])
    rows = found.episodes.filter(known)
    by_pair = rows.group_by(GIVER, FOLLOWER).agg(pl.col("instance").n_unique())
    instances = rows["instance"].n_unique()
    played = pair_scores_of(found.pack, measure, rows)
    fit = fit_abilities(played, seed=seed)
    seats = []
    for role, seat in zip(cross_play_roles(found.pack), (fit.giver, fit.follower), strict=True):
        ranks = rank_players(seat, fit.cells.clusters, margin)
        seats.append(RankedSeat(role, seat, ranks, design_power(ranks, fit.cells.clusters)))
    return GameRanking(
        found.pack,
        measure,
        fit,
        (seats[0], seats[1]),
        find_special_pairs(fit),
        rows.height,
        instances,
        int((by_pair["instance"] < instances).sum()),
        sorted({name for pair in both for name in pair} - givers - followers),
    )


def pair_scores_of(pack: Pack, measure: Measure, rows: pl.DataFrame) -> PairScores:
    """Return the scored episodes as arrays. Scores of a game of choice are right or wrong, with a chance
    level; in other games they are graded."""
    scores = rows[measure.name].to_numpy().astype(np.float64)
    choice = pack.shape == CHOICE and bool(np.isin(scores, (0.0, 1.0)).all())
    chances: Values | None = rows["chance"].to_numpy() if choice else None
    return PairScores(
        rows[GIVER].to_list(),
        rows[FOLLOWER].to_list(),
        rows["cluster"].to_list(),
        scores,
        chances,
        episode_weights(rows, by_weight=measure.by_weight),
        rows[SELF_PLAY].to_numpy(),
        measure.low,
        measure.high,
    )
