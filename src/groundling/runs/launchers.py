"""Launchers start workers that play the episodes of a run (`--workers processes=4`, `--workers ray`). They
come from the entry-point group `groundling.launchers`, know jobs and tasks, and no game. One process keeps
the log."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

from groundling.core.events import AnyEvent, encode_event_lines, event_decoder
from groundling.core.game import AnyGame
from groundling.core.pack import choices_hint, installed_entry_points, load
from groundling.core.values import Problem
from groundling.runs.budget import BudgetSpent, SpendingBudget
from groundling.runs.engine import EpisodePlayer
from groundling.runs.episode_worker import EpisodeTask, WorkerJob, make_worker_job
from groundling.runs.plan import PlannedEpisode
from groundling.runs.session import RunSession, WorkerStarter

GROUP = "groundling.launchers"
MOST_LOSSES = 3
"""How often a worker may be lost with one episode before the run stops."""


class WorkerLost(Exception):  # noqa: N818 - the episode is played on by another worker
    """The worker of an episode is gone."""


class Workers(Protocol):
    """Workers that have been started for a job."""

    def play_episode(self, task: EpisodeTask) -> AsyncIterator[bytes]:
        """Yield the new log lines of an episode. Raise WorkerLost if the worker is gone, BudgetSpent if the
        next call does not fit the limit."""


class Launcher(Protocol):
    count: int
    """The number of workers."""

    def start_workers(self, job: WorkerJob) -> AbstractAsyncContextManager[Workers]:
        """Start the workers inside a running event loop, and stop them in the end."""


def find_launcher(text: str) -> Launcher:
    """Return the launcher that `--workers` names, such as `processes=4` or `ray://HOST:10001`."""
    name = re.split("[=:?]", text, maxsplit=1)[0]
    known = installed_entry_points(GROUP)
    if name not in known:
        raise Problem(f"--workers {text}: there is no {name!r}: {choices_hint(known)}")
    make: Callable[[str], Launcher] = load(known[name].value)
    return make(text)


def make_worker_starter(
    launcher: Launcher, budget: SpendingBudget, jobs: int | None, *, reuse: bool
) -> WorkerStarter:
    """Return what starts the workers of a launcher for a session. What is left of the budget is divided among
    them, and so are the episodes that are played at a time."""

    @asynccontextmanager
    async def start_workers(session: RunSession) -> AsyncIterator[EpisodePlayer]:
        at_once = -(-(jobs or session.default_jobs) // launcher.count)
        job = make_worker_job(session, budget.share_rest(launcher.count), reuse=reuse, at_once=at_once)
        async with launcher.start_workers(job) as workers:
            play_episode = play_on_workers(workers, session.game)

            async def play_within_budget(
                episode: PlannedEpisode, so_far: tuple[AnyEvent, ...]
            ) -> AsyncIterator[AnyEvent]:
                try:
                    async for event in play_episode(episode, so_far):
                        yield event
                except BudgetSpent as lack:
                    budget.stopped = str(lack)
                    raise

            yield play_within_budget

    return start_workers


def play_on_workers(workers: Workers, game: AnyGame) -> EpisodePlayer:
    """Return a function that plays an episode on some worker. If the worker is lost, another one continues
    after the events that have arrived."""
    decoder = event_decoder(type(game))

    async def play_episode(episode: PlannedEpisode, so_far: tuple[AnyEvent, ...]) -> AsyncIterator[AnyEvent]:
        events, losses = list(so_far), 0
        while True:
            task = EpisodeTask(episode.id, episode.instance.id, episode.seed, encode_event_lines(events))
            try:
                async for lines in workers.play_episode(task):
                    for event in decoder.decode_lines(lines):
                        events.append(event)
                        yield event
            except WorkerLost as lost:
                losses += 1
                if losses == MOST_LOSSES:
                    raise Problem(
                        f"{losses} workers were lost with episode {episode.id} ({lost}): "
                        "run the same command again, with fewer workers if memory is short"
                    ) from None
            else:
                return

    return play_episode
