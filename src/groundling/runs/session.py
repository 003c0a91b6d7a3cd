"""What `groundling play` does, without printing: plan, seat the players, play or resume, and play the
controls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from os.path import normpath
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from groundling.core.events import Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, Seat
from groundling.core.player import Player, player_info
from groundling.core.values import Instance, Problem, Role
from groundling.players import CONTROLS
from groundling.players.player_specs import check_seats, make_players, with_recorded_specs
from groundling.players.replay_player import choose_replay_donors
from groundling.runs.engine import RunSummary, RunTally, play_plan, summarise_run
from groundling.runs.event_log import EventLog
from groundling.runs.instances import check_instance_ids
from groundling.runs.plan import RunPlan
from groundling.runs.run import read_recordings
from groundling.runs.run_folder import RunFolder

DEFAULT_JOBS = 16
"""Concurrent episodes by default."""


class RunSession(Struct, frozen=True):
    """A plan with its players and its folder, ready to play."""

    pack: Pack
    game: AnyGame
    plan: RunPlan
    players: dict[Role, Player]
    folder: RunFolder

    def read_tally(self) -> RunTally:
        """Read the progress of an earlier run from its log."""
        tally = RunTally()
        if self.folder.log_path.exists():
            self.folder.prepare_folder(self.plan)
            tally.read_log(self.folder.log_path)
        return tally

    @property
    def spent_tokens(self) -> int:
        """Tokens that the run has used so far."""
        return self.read_tally().total_tokens

    def read_summary(self) -> RunSummary:
        return summarise_run(self.plan, self.read_tally())

    @property
    def is_interactive(self) -> bool:
        return any(player_info(player).interactive for player in self.players.values())

    @property
    def default_jobs(self) -> int:
        """Concurrent episodes: more than usual if a player answers in batches, unless another player is a
        language model, which costs money and has rate limits."""
        infos = [player_info(player) for player in self.players.values()]
        if any(info.wordings for info in infos):
            return DEFAULT_JOBS
        return max(DEFAULT_JOBS, *(info.at_once for info in infos))

    def play_missing(
        self,
        jobs: int,
        on_start: Callable[[int], None] = lambda done: None,
        on_synced: Callable[[list[str]], None] = lambda episodes: None,
        budget: int | None = None,
    ) -> None:
        """Play what is missing, for at most `budget` tokens. `on_synced` is called from another thread with
        the episodes that are safe on disk."""
        self.folder.prepare_folder(self.plan)
        with EventLog(self.folder.log_path, on_synced) as log:
            tally = self.read_tally()
            on_start(sum(tally.is_done(episode.id) for episode in self.plan.planned_episodes()))
            asyncio.run(play_plan(self.plan, log, self.game, self.players, tally, jobs=jobs, budget=budget))

    def control_session(self, name: str) -> RunSession:
        """Return the same run with the speaker's words, from this run's log, removed or exchanged."""
        plan = self.plan
        seats = {**plan.seats, self.pack.speaker: f"{name}:.."}
        folder = RunFolder(self.folder.path / name)
        return prepare_session(
            self.pack, msgspec.structs.replace(plan, seats=seats), folder.path, base=folder.path
        )


def prepare_session(
    pack: Pack, plan: RunPlan, folder: Path | None, *, base: Path | None = None
) -> RunSession:
    """Make the players of a plan. Runs that players replay are found relative to `base`, else to the working
    folder."""

    def open_recordings(name: str) -> Mapping[str, Transcript]:
        return read_recordings(Path(normpath(base / name)) if base else Path(name))

    game = pack.new(plan.settings)
    plan = msgspec.structs.replace(plan, seats=with_recorded_specs(plan.seats, pack, game, plan.instances))
    check_seats(plan.seats, pack, game, plan.instances)
    return make_session(
        pack, game, plan, make_players(pack, game, plan.seats, plan.instances, open_recordings), folder
    )


def make_session(
    pack: Pack, game: AnyGame, plan: RunPlan, players: dict[Role, Player], folder: Path | None
) -> RunSession:
    """Make a session whose plan records what identifies these players."""
    infos = {role: player_info(player) for role, player in players.items()}
    origins = {"game": pack.code, **{role: info.origin for role, info in infos.items()}}
    plan = msgspec.structs.replace(
        plan,
        facts={role: dict(info.facts) for role, info in infos.items()},
        wordings=max(1, *(info.wordings for info in infos.values())),
        origins={who: origin for who, origin in origins.items() if origin},
    )
    return RunSession(
        pack, game, plan, players, RunFolder(folder or Path("runs") / f"{pack.name}-{plan.identity_hash()}")
    )


def check_controls(session: RunSession) -> None:
    """Raise Problem before the run if controls cannot be played after it."""
    speaker = session.pack.speaker
    if not any(speaker in session.game.seats(instance) for instance in session.plan.instances):
        raise Problem(
            f"with these settings nobody sits as {speaker}, whose words the controls take away: "
            "leave out --controls"
        )
    choose_replay_donors(
        Seat(session.pack, session.game, session.pack.speaker, "shuffled", instances=session.plan.instances)
    )


def control_sessions(session: RunSession) -> list[RunSession]:
    """Return the control runs. They need all words of the run itself, so it must be complete."""
    if not session.read_summary().is_complete:
        raise Problem(
            f"the controls replay the words of {session.folder.path}, and some are missing: "
            "run it again first"
        )
    return [session.control_session(name) for name in CONTROLS]


def new_session_plan(pack: Pack, instances: Sequence[Instance], limit: int | None, **fields: Any) -> RunPlan:
    if limit is not None and limit < 1:
        raise Problem(f"limit is {limit}: play at least 1 episode")
    check_instance_ids("the built-in set", instances)
    return RunPlan(game=pack.name, instances=list(instances)[:limit], **fields)
