"""The cards of a tournament's players: what they are, and what identifies them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundling.players.player_specs import read_player_spec
from groundling.report.leaderboard import LeaderboardEntry
from groundling.report.leaderboard_games import GatheredGame
from groundling.runs.cross_play import cross_play_roles
from groundling.runs.run_folder import RunFolder
from groundling.runs.tournament_folder import PEOPLE
from groundling.runs.tournament_plan import TournamentPlan


def gather_facts(games: Sequence[GatheredGame]) -> dict[str, dict[str, dict[str, str]]]:
    """Return what run.toml says of each player, by game and seat."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for game in games:
        speaker, listener = cross_play_roles(game.pack)
        for run in game.runs:
            if not run.control:
                known = RunFolder(run.run).read_about()["plan"].get("players", {})
                for seat, player, role in (
                    ("giver", run.giver, speaker),
                    ("follower", run.follower, listener),
                ):
                    place = found.setdefault(player, {})
                    place[f"{game.pack.name}, {seat}"] = dict(known.get(role, {}))
    return found


def make_entries(
    facts: Mapping[str, dict[str, dict[str, str]]], plan: TournamentPlan | None, games: Sequence[GatheredGame]
) -> list[LeaderboardEntry]:
    entries = []
    for name, places in sorted(facts.items()):
        spec = plan.players[name].spec if plan and name in plan.players else name
        entries.append(
            LeaderboardEntry(name=name, player=spec, provider=_name_provider(name, spec, games), facts=places)
        )
    return entries


def _name_provider(name: str, spec: str, games: Sequence[GatheredGame]) -> str:
    """Return who or what answers: a hosted model's provider, this machine, code, people, or rules."""
    read = read_player_spec(spec)
    if name == PEOPLE:
        return "recorded people"
    if read.is_code:
        return "code"
    if read.is_model:
        return read.name.partition("/")[0]
    if read.name == "gguf":
        return "this machine (GGUF)"
    if read.name == "weights":
        return "trained weights"
    own = any(read.name in game.pack.players for game in games)
    return "a player of the game" if own else read.name
