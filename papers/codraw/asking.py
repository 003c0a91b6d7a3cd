"""What questions or a peek gain: runs in which the same players play the same scenes in several ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct
from papers.codraw.played import find_runs, read_games, said_by, seat_specs
from papers.codraw.tables import NONE

from groundling.core.events import Transcript
from groundling.core.values import Problem, Role
from groundling.games.codraw.instance import DRAWER, TELLER
from groundling.games.codraw.players.questions import parse_own_question
from groundling.games.codraw.score import cluster
from groundling.games.codraw.text_table import format_text_table
from groundling.players.player_specs import PlayerSpec
from groundling.runs.run_folder import RunFolder
from groundling.scores.comparison import compare_pairs

WAYS = ("peek", "mend", "ask", "questions", "when")
"""Options of a seat that are a way of playing; with any other it is another player."""


class TrialRun(Struct, frozen=True):
    """One pair of players, in one of the ways in which they can play."""

    pair: tuple[str, str]
    way: str
    games: list[Transcript]

    @property
    def similarity(self) -> list[float]:
        return [game.result.score if game.result else 0.0 for game in self.games]

    @property
    def clusters(self) -> list[str]:
        return [cluster(game.opened.instance) for game in self.games]

    @property
    def mean_questions(self) -> float:
        """Questions per game."""
        asked = [
            parse_own_question(text) is not None for game in self.games for text in said_by(game, DRAWER)
        ]
        return sum(asked) / len(self.games)

    @property
    def mean_messages(self) -> float:
        """Messages of the Teller per game."""
        return sum(len(said_by(game, TELLER)) for game in self.games) / len(self.games)


def read_trial(run: RunFolder) -> TrialRun:
    specs = seat_specs(run)
    ways = [way for role in (TELLER, DRAWER) if (way := _seat_way(specs[role]))]
    return TrialRun(
        (_player_name(specs, TELLER), _player_name(specs, DRAWER)), " ".join(ways), read_games(run)
    )


def _seat_way(spec: PlayerSpec) -> str:
    """Return the options of a seat that are a way of playing; empty if it neither peeks nor asks."""
    given = {key: value for key, value in spec.options.items() if key in WAYS and value != "no"}
    return ",".join(f"{key}={value}" for key, value in given.items())


def _player_name(specs: dict[Role, PlayerSpec], role: Role) -> str:
    spec = specs[role]
    others = [f"{key}={value}" for key, value in spec.options.items() if key not in WAYS]
    return ",".join([f"{spec.name}:{spec.arg}" if spec.arg else spec.name, *others])


def trial_table(folder: Path) -> Iterator[str]:
    """Yield the table of what each way gains over the pair that neither asks nor peeks."""
    trials = [read_trial(run) for run in find_runs(folder)]
    rows = []
    for pair in sorted({trial.pair for trial in trials}):
        ways = sorted((trial for trial in trials if trial.pair == pair), key=lambda trial: trial.way)
        plain = ways[0]
        if plain.way:
            raise Problem(
                f"{folder} has no run in which {pair[0]} and {pair[1]} neither ask nor peek: play that too"
            )
        rows += [(*pair, *_format_cells(trial, plain)) for trial in ways]
    head = ("teller", "drawer", "", "similarity", "difference", "questions", "messages")
    yield from format_text_table(head, rows)
    clusters = trials[0].clusters
    scenes = f"{len(clusters):,} scenes in {len(set(clusters)):,} clusters"
    yield f"{scenes}; differences are from the first row of the same pair, scene by scene;"
    yield "their 95 % intervals resample clusters; questions of the Drawer and messages of the Teller a game"
    if aborted := sum(game.status != "played" for trial in trials for game in trial.games):
        yield f"{aborted:,} games were aborted, and count 0"


def _format_cells(trial: TrialRun, plain: TrialRun) -> Sequence[str]:
    difference = NONE
    if trial is not plain:
        gained = compare_pairs(trial.way, plain.similarity, trial.similarity, plain.clusters)
        difference = f"{gained.difference:+.3f} [{gained.low:+.3f}, {gained.high:+.3f}]"
    counts = f"{trial.mean_questions:.2f}", f"{trial.mean_messages:.1f}"
    return trial.way or "neither", f"{np.mean(trial.similarity):.3f}", difference, *counts
