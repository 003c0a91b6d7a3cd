"""A player's skill over several games: the share of the way from chance to the best possible score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from groundling.report.leaderboard import LeaderboardSeat, LeaderboardSkill
from groundling.report.leaderboard_games import SEATS, GatheredGame
from groundling.report.score_table import episode_weights
from groundling.scores.intervals import (
    Estimate,
    Floats,
    Indices,
    cluster_sums,
    exact_interval,
    percentile_interval,
)


class SkillPart(Struct, frozen=True):
    """A player's scores in one game, by cluster, as shares of the way from chance to the top."""

    shares: Floats
    """Each episode's share of the way from the lowest score to the top."""
    floor: float
    """The skill at the lowest score, below 0 where guessing scores."""
    sums: Floats
    sizes: Floats


def gather_skills(
    games: Sequence[GatheredGame], seats: Sequence[LeaderboardSeat]
) -> Iterator[LeaderboardSkill]:
    by_name = {game.pack.name: game for game in games}
    for seat in SEATS:
        mine = [one for one in seats if one.seat == seat]
        for player in dict.fromkeys(one.player for one in mine):
            own = [one for one in mine if one.player == player]
            parts = [_skill_part(by_name[one.game], seat, player) for one in own]
            costs = [one.dollars for one in own]
            known = [cost for cost in costs if cost is not None]
            yield LeaderboardSkill(
                player,
                seat,
                len(own),
                estimate_skill(parts),
                [one.game for one in own if one.wordless],
                sum(known) if len(known) == len(costs) else None,
                sum(one.usage.total_tokens for one in own),
            )


def _skill_part(game: GatheredGame, seat: str, player: str) -> SkillPart:
    rows = game.seat_rows(seat, player)
    assert rows is not None
    chance, top = (rows[name].to_numpy().astype(np.float64) for name in ("chance", "top"))
    scores, lowest = rows[game.measure.name].to_numpy(), game.measure.low or 0.0
    room = np.where(top > chance, top - chance, 1.0)
    weights = episode_weights(rows, by_weight=game.measure.by_weight)
    sums, sizes = cluster_sums((scores - chance) / room, rows["cluster"].to_list(), weights)
    shares = (scores - lowest) / np.where(top > lowest, top - lowest, 1.0)
    return SkillPart(shares, float(((lowest - chance) / room).mean()), sums, sizes)


def estimate_skill(parts: Sequence[SkillPart]) -> Estimate:
    """Estimate the mean skill over games, each of which counts the same. Clusters are resampled within games;
    at one end of all games the interval is the exact one for the game with the fewest clusters."""

    def mean_skill(*chosen: Indices) -> Floats:
        ratios = [
            part.sums[at].sum(axis=-1) / part.sizes[at].sum(axis=-1)
            for part, at in zip(parts, chosen, strict=True)
        ]
        found: Floats = np.mean(ratios, axis=0)
        return found

    counts = [len(part.sums) for part in parts]
    mean = float(np.mean([part.sums.sum() / part.sizes.sum() for part in parts]))
    low = high = np.nan
    if min(counts) > 1:
        floor = float(np.mean([part.floor for part in parts]))
        shares = np.concatenate([part.shares for part in parts])
        exact = exact_interval(shares, min(counts), 0.0, 1.0, 0.95)
        low, high = (
            [floor + (1 - floor) * end for end in exact]
            if exact
            else percentile_interval(mean_skill, counts, np.random.default_rng(0))
        )
    return Estimate(mean, low, high, sum(len(part.shares) for part in parts), sum(counts))
