"""The folder of a tournament: `DIR/GAME/GIVER--FOLLOWER` is the run of two players, with its controls."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from groundling.core.values import Problem
from groundling.runs.run_folder import RunFolder

TOURNAMENT_FILE = "tournament.toml"
VERSUS = "--"
"""What separates the two players in the name of a run's folder; no player's name has it."""

PEOPLE = "people"
"""The name of those whose words and moves were recorded with the instances."""


class TournamentPair(Struct, frozen=True):
    """A run of a giver and a follower, or one of its controls."""

    game: str
    giver: str
    """The name of the player in the tournament."""
    follower: str
    run: Path
    self_play: bool
    """Whether both are the same player, who may understand itself by a code of its own."""
    control: str | None = None
    """The control, such as `silent`, whose words replace those of the giver."""


def pair_folder(folder: Path, game: str, giver: str, follower: str) -> Path:
    return folder / game / f"{giver}{VERSUS}{follower}"


def read_pairs(folder: Path) -> list[TournamentPair]:
    """Return the runs of a tournament that were begun, each followed by its controls, ordered by game, giver
    and follower."""
    found = list(_find_pairs(folder))
    if not found:
        raise Problem(f"{folder} has no runs of a tournament: give a folder made by groundling tournament")
    return found


def _find_pairs(folder: Path) -> Iterator[TournamentPair]:
    for path in sorted(folder.glob(f"*/*{VERSUS}*/run.toml")):
        run = RunFolder(path.parent)
        giver, _, follower = run.path.name.partition(VERSUS)
        pair = TournamentPair(run.path.parent.name, giver, follower, run.path, giver == follower != PEOPLE)
        yield pair
        for control, played in run.control_runs().items():
            yield TournamentPair(pair.game, giver, follower, played.path, pair.self_play, control)
