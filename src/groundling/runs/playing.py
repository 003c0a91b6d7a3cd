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
from groundling.core.player import Player
from groundling.core.values import Instance, Problem, Role
from groundling.players import CONTROLS
from groundling.players.recite import donors
from groundling.players.seating import check_seats, sit_down, with_recorded
from groundling.runs.engine import Summary, Tally, run, summarise
from groundling.runs.folder import RunFolder
from groundling.runs.instances import check_ids
from groundling.runs.log import Log
from groundling.runs.plan import Plan
from groundling.runs.run import recordings

JOBS = 16
"""Concurrent episodes by default."""


class Session(Struct, frozen=True):
    """A plan with its players and its folder, ready to play."""

    pack: Pack
    game: AnyGame
    plan: Plan
    players: dict[Role, Player]
    folder: RunFolder

    def tally(self) -> Tally:
        """Read the progress of an earlier run from its log."""
        tally = Tally()
        if self.folder.log.exists():
            self.folder.prepare(self.plan)
            tally.read(self.folder.log)
        return tally

    @property
    def tokens(self) -> int:
        """Tokens that the run has used so far."""
        return self.tally().tokens

    def summary(self) -> Summary:
        return summarise(self.plan, self.tally())

    @property
    def interactive(self) -> bool:
        return any(getattr(player, "interactive", False) for player in self.players.values())

    @property
    def at_once(self) -> int:
        """Concurrent episodes: more than usual if a player answers in batches, unless another player is a
        language model, which costs money and has rate limits."""
        players = self.players.values()
        if any(hasattr(player, "prompts") for player in players):
            return JOBS
        return max(JOBS, *(getattr(player, "at_once", 0) for player in players))

    def play(
        self,
        jobs: int,
        on_start: Callable[[int], None] = lambda done: None,
        on_synced: Callable[[list[str]], None] = lambda episodes: None,
        budget: int | None = None,
    ) -> None:
        """Play what is missing, for at most `budget` tokens. `on_synced` is called from another thread with
        the episodes that are safe on disk."""
        self.folder.prepare(self.plan)
        with Log(self.folder.log, on_synced) as log:
            tally = self.tally()
            on_start(sum(tally.done(episode.id) for episode in self.plan.episodes()))
            asyncio.run(run(self.plan, log, self.game, self.players, tally, jobs=jobs, budget=budget))

    def control(self, name: str) -> Session:
        """Return the same run with the speaker's words, from this run's log, removed or exchanged."""
        plan = self.plan
        seats = {**plan.seats, self.pack.speaker: f"{name}:.."}
        folder = RunFolder(self.folder.path / name)
        return prepare(self.pack, msgspec.structs.replace(plan, seats=seats), folder.path, base=folder.path)


def prepare(pack: Pack, plan: Plan, folder: Path | None, *, base: Path | None = None) -> Session:
    """Make the players of a plan. Runs that players replay are found relative to `base`, else to the working
    folder."""

    def opened(name: str) -> Mapping[str, Transcript]:
        return recordings(Path(normpath(base / name)) if base else Path(name))

    game = pack.new(plan.settings)
    plan = msgspec.structs.replace(plan, seats=with_recorded(plan.seats, pack, game, plan.instances))
    check_seats(plan.seats, pack, game, plan.instances)
    return seated(pack, game, plan, sit_down(pack, game, plan.seats, plan.instances, opened), folder)


def seated(
    pack: Pack, game: AnyGame, plan: Plan, players: dict[Role, Player], folder: Path | None
) -> Session:
    """Make a session whose plan records what identifies these players."""
    facts = {role: dict(getattr(player, "facts", {})) for role, player in players.items()}
    wordings = max(len(getattr(player, "prompts", "1")) for player in players.values())
    plan = msgspec.structs.replace(plan, facts=facts, wordings=wordings)
    return Session(pack, game, plan, players, RunFolder(folder or Path("runs") / f"{pack.name}-{plan.key()}"))


def check_controls(session: Session) -> None:
    """Raise Problem before the run if controls cannot be played after it."""
    speaker = session.pack.speaker
    if not any(speaker in session.game.seats(instance) for instance in session.plan.instances):
        raise Problem(
            f"with these settings nobody sits as {speaker}, whose words the controls take away: "
            "leave out --controls"
        )
    donors(
        Seat(session.pack, session.game, session.pack.speaker, "shuffled", instances=session.plan.instances)
    )


def controls(session: Session) -> list[Session]:
    """Return the control runs. They need all words of the run itself, so it must be complete."""
    if not session.summary().complete:
        raise Problem(
            f"the controls recite the words of {session.folder.path}, and some are missing: "
            "run it again first"
        )
    return [session.control(name) for name in CONTROLS]


def new_plan(pack: Pack, instances: Sequence[Instance], limit: int | None, **fields: Any) -> Plan:
    if limit is not None and limit < 1:
        raise Problem(f"limit is {limit}: play at least 1 episode")
    check_ids("the built-in set", instances)
    return Plan(game=pack.name, instances=list(instances)[:limit], **fields)
