"""Plays single episodes of a run in another process or on another machine. Everything that travels is bytes:
the job, which a worker gets once, tasks, and the log lines of the events that are played."""

from __future__ import annotations

import platform
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from groundling.core.events import encode_event_lines, event_decoder
from groundling.core.pack import command_name, find, load
from groundling.core.table import play
from groundling.core.values import Problem, Role
from groundling.files import file_error_advice
from groundling.runs.budget import SpendingBudget
from groundling.runs.plan import RunPlan
from groundling.runs.prices import ModelPrice
from groundling.runs.reply_reuse import reuse_logged_replies
from groundling.runs.session import RunSession, prepare_session


class WorkerJob(Struct, frozen=True):
    """What a worker needs to make the players of a run."""

    game: str
    """As commands take it."""
    folder: str
    base: str | None
    settings: Any
    seats: dict[Role, str]
    instances: msgspec.Raw
    """All instances that players may choose from, as JSON."""
    seed: int
    repeat: int
    retries: int
    strict: bool
    at_once: int
    """Episodes that one worker plays at a time."""
    tokens: int | None = None
    money: float | None = None
    prices: dict[str, ModelPrice] = {}
    """The limits of one worker."""
    reuse: bool = False


class EpisodeTask(Struct, frozen=True):
    episode: str
    instance: str
    seed: int
    lines: bytes = b""
    """What the log has of the episode."""


def make_worker_job(
    session: RunSession, budget: SpendingBudget | None, *, reuse: bool, at_once: int
) -> WorkerJob:
    """`budget` is what one worker may spend."""
    plan = session.plan
    return WorkerJob(
        game=command_name(session.pack),
        folder=str(session.folder.path.resolve()),
        base=None if session.base is None else str(session.base.resolve()),
        settings=msgspec.to_builtins(plan.settings),
        seats=dict(plan.seats),
        instances=msgspec.Raw(msgspec.json.encode(plan.known_instances)),
        seed=plan.seed,
        repeat=plan.repeat,
        retries=plan.retries,
        strict=plan.strict,
        at_once=at_once,
        tokens=budget.tokens if budget else None,
        money=budget.money if budget else None,
        prices=dict(budget.prices) if budget else {},
        reuse=reuse,
    )


def make_worker(job: bytes) -> EpisodeWorker | str:
    """Return a worker, or in one line why its players cannot be made, such as a file that is not there."""
    try:
        return EpisodeWorker(job)
    except (Problem, OSError) as trouble:
        told = file_error_advice(trouble) if isinstance(trouble, OSError) else trouble
        return f"on {platform.node()}: {told}"


class EpisodeWorker:
    """The players of a run, made once."""

    def __init__(self, job: bytes) -> None:
        self.job = msgspec.json.decode(job, type=WorkerJob)
        pack = find(self.job.game)
        rules = load(pack.game)
        instances = msgspec.json.decode(self.job.instances, type=list[rules.Instance])  # type: ignore[name-defined]
        plan = RunPlan(
            game=pack.name,
            settings=msgspec.convert(self.job.settings, rules.Settings),
            instances=instances,
            source="",
            seats=self.job.seats,
            seed=self.job.seed,
            repeat=self.job.repeat,
            retries=self.job.retries,
            strict=self.job.strict,
        )
        base = None if self.job.base is None else Path(self.job.base)
        session = prepare_session(pack, plan, Path(self.job.folder), base=base)
        self._game, players = session.game, session.players
        self._instances = {one.id: one for one in instances}
        budget = SpendingBudget(self.job.tokens, self.job.money, self.job.prices)
        self._players = budget.limit_players(players)
        if self.job.reuse:
            self._players = reuse_logged_replies(session.folder, pack.name, self._players)
        self._decoder = event_decoder(type(self._game))

    async def play_episode(self, task: EpisodeTask) -> AsyncIterator[bytes]:
        """Yield the log line of each event as it happens."""
        instance = self._instances[task.instance]
        events = play(
            self._game,
            instance,
            {role: self._players[role] for role in self._game.seats(instance)},
            seed=task.seed,
            clock=time.time,
            episode=task.episode,
            so_far=tuple(self._decoder.decode_lines(task.lines)),
            retries=self.job.retries,
            strict=self.job.strict,
        )
        async for event in events:
            yield encode_event_lines([event])
