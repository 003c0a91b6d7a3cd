"""The scored episodes of a tournament, game by game, with those of its controls and what was said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
from msgspec import Struct

from groundling.core.events import SCORED, Transcript
from groundling.core.pack import Measure, Pack, Scores, load
from groundling.core.values import Problem, Say
from groundling.players import CONTROLS
from groundling.report.ability_ranking import GameRanking, rank_game
from groundling.report.leaderboard import LeaderboardEpisode, pair_key
from groundling.runs.pair_scores import FOLLOWER, GIVER, SELF_PLAY, GamePairs, score_game_pairs
from groundling.runs.run_folder import RunFolder
from groundling.runs.tournament_folder import TournamentPair

SEATS = {"giver": GIVER, "follower": FOLLOWER}
"""The column with the player of each seat."""
MOST_WORDS = 400
"""Characters of what was said that are shown of an episode."""


class GatheredGame(Struct, frozen=True):
    """A game of a tournament with its scored episodes and those of its controls."""

    pack: Pack
    played: GamePairs
    controls: dict[str, GamePairs]
    runs: list[TournamentPair]
    ranking: GameRanking | None
    """None where abilities cannot be compared: players are not connected, or the instances too few."""

    @property
    def measure(self) -> Measure:
        return load(self.pack.measures)[0]

    def seat_rows(self, seat: str, player: str, control: str = "") -> pl.DataFrame | None:
        """Return the episodes of a player with others."""
        found = self.controls.get(control) if control else self.played
        if found is None:
            return None
        rows = found.episodes
        return rows.filter((rows[SEATS[seat]] == player) & ~rows[SELF_PLAY])

    def pair_rows(self, pair: TournamentPair, control: str = "") -> pl.DataFrame | None:
        found = self.controls.get(control) if control else self.played
        if found is None:
            return None
        rows = found.episodes
        return rows.filter((rows[GIVER] == pair.giver) & (rows[FOLLOWER] == pair.follower))


class EpisodeNotes:
    """Collects what was said in each episode of each pair."""

    def __init__(self) -> None:
        self.episodes: dict[str, list[LeaderboardEpisode]] = {}

    def note_for(self, pack: Pack, pair: TournamentPair) -> Any:
        found = self.episodes.setdefault(pair_key(pair), [])
        main = load(pack.measures)[0].name

        def note(transcript: Transcript, scores: Scores) -> None:
            said = " / ".join(
                move.text
                for role, move in transcript.event_moves()
                if isinstance(move, Say) and role == pack.speaker
            )
            score = scores.episode.get(main) if transcript.status in SCORED else None
            found.append(
                LeaderboardEpisode(
                    transcript.episode,
                    transcript.opened.instance.set,
                    transcript.status,
                    score,
                    said if len(said) <= MOST_WORDS else f"{said[:MOST_WORDS]}…",
                )
            )

        return note


def gather_game(runs: Sequence[TournamentPair], name: str, notes: EpisodeNotes | None) -> GatheredGame | None:
    """Score a game's runs; None if nothing has a score yet."""
    mine = [run for run in runs if run.game == name and RunFolder(run.run).log_path.exists()]
    parts: dict[str, GamePairs] = {}
    for control in ("", *CONTROLS):
        some = [run for run in mine if (run.control or "") == control]
        note_for = notes.note_for if notes and not control else None
        try:
            parts[control] = next(score_game_pairs(some, note_for=note_for))
        except (Problem, StopIteration):  # nothing of it has a score
            continue
    if "" not in parts:
        return None
    played = parts.pop("")
    return GatheredGame(played.pack, played, parts, mine, _rank_players(played))


def _rank_players(played: GamePairs) -> GameRanking | None:
    try:
        return rank_game(played)
    except Problem:
        return None
