"""What a leaderboard holds, as it is written to JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from groundling import __version__
from groundling.core.values import Role
from groundling.report.score_table import format_estimate, format_score_number
from groundling.runs.seat_usage import SeatUsage
from groundling.runs.tournament_folder import TournamentPair
from groundling.scores.abilities import SeatAbility
from groundling.scores.intervals import Estimate


class LeaderboardGame(Struct, frozen=True, kw_only=True):
    name: str
    about: str
    measure: str
    measure_about: str
    giver: Role
    """What the game calls the seat of the speaker."""
    follower: Role
    chance: float | None
    """The mean score of guessing."""
    top: float | None
    instances: int
    source: str
    settings: dict[str, Any]
    ranked: bool
    """Whether abilities could be estimated: all players are connected through their partners."""


class LeaderboardSeat(Struct, frozen=True, kw_only=True):
    """A player in one seat of one game. Self-play is no part of its scores."""

    game: str
    player: str
    seat: str
    partners: int
    score: Estimate
    """The mean over all episodes with other players; aborted ones count 0."""
    ability: SeatAbility | None
    """In the model of `groundling rank`, with the expected score with the average partner."""
    played: float
    """The share of episodes that were not aborted …"""
    quality: float | None
    """… and the mean score of those."""
    silent: Estimate | None
    """For followers: the score without words …"""
    shuffled: Estimate | None
    """… and with words about other instances."""
    wordless: bool
    """It wins without words: the interval of `silent` is clearly above chance."""
    recited: float | None
    """For givers: the share of cells that are named one by one."""
    usage: SeatUsage
    dollars: float | None
    """What its calls cost; None if the price is not known."""

    @property
    def expected(self) -> Estimate | None:
        """The expected score with the average partner."""
        able = self.ability
        if able is None:
            return None
        return Estimate(able.score, able.score_low, able.score_high, able.episodes, self.score.clusters)


class LeaderboardPair(Struct, frozen=True, kw_only=True):
    game: str
    giver: str
    follower: str
    self_play: bool
    score: Estimate
    planned: int
    aborted: int
    silent: float | None
    shuffled: float | None
    shared: int
    """The number of games that both learned from."""
    known: int
    """The number of played instances that one of them learned from."""
    run: str
    """The folder of the run in the tournament."""


class LeaderboardSet(Struct, frozen=True):
    game: str
    set: str
    player: str
    seat: str
    score: Estimate


class LeaderboardEntry(Struct, frozen=True, kw_only=True):
    """The card of a player: what it is, and what identifies it in each seat that it took."""

    name: str
    player: str
    """As after `--seat ROLE=`."""
    provider: str
    facts: dict[str, dict[str, str]]
    """Its settings, such as sampling and the hash of prompts or weights, by game and seat."""


class LeaderboardSkill(Struct, frozen=True):
    """A player in one seat over all games: 0 is guessing, 1 the best possible score."""

    player: str
    seat: str
    games: int
    skill: Estimate
    wordless: list[str]
    """The games that it wins without words."""
    dollars: float | None
    tokens: int


class LeaderboardEpisode(Struct, frozen=True, array_like=True):
    id: str
    set: str
    status: str
    score: float | None
    said: str


class Leaderboard(Struct, frozen=True, kw_only=True):
    name: str
    created: str
    """When it was made (UTC)."""
    begun: str
    """When the first run was begun (UTC)."""
    ended: str
    versions: list[str]
    """The versions of groundling that the runs were played with."""
    groundling: str = __version__
    plan: str
    """The SHA-256 of the plan in tournament.toml."""
    repeat: int
    seed: int
    games: list[LeaderboardGame]
    skills: list[LeaderboardSkill]
    seats: list[LeaderboardSeat]
    pairs: list[LeaderboardPair]
    sets: list[LeaderboardSet]
    entries: list[LeaderboardEntry]


def pair_key(pair: TournamentPair | LeaderboardPair) -> str:
    return f"{pair.game}/{pair.giver}/{pair.follower}"


def leaderboard_schema() -> dict[str, Any]:
    return msgspec.json.schema(Leaderboard)


def wordless_lines(board: Leaderboard, game: str) -> Iterator[str]:
    """Yield what followers of a game score without words, if that is above chance."""
    chance = next(one.chance for one in board.games if one.name == game)
    for seat in board.seats:
        if seat.game == game and seat.wordless and seat.silent is not None:
            yield (
                f"{seat.player} wins without words: {format_estimate(seat.silent)}, chance "
                f"{format_score_number(chance)}"
            )
