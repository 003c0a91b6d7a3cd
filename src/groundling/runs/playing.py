"""Play prepared sessions: their budget, their workers, their progress."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from groundling.core.values import Problem
from groundling.progress import progress_bar
from groundling.runs.budget import SpendingBudget
from groundling.runs.launchers import find_launcher, make_worker_starter
from groundling.runs.prices import find_prices
from groundling.runs.session import RunSession, WorkerStarter
from groundling.runs.shards import Shard


def make_session_budget(
    sessions: Sequence[RunSession],
    *,
    tokens: int | None = None,
    cost: float | None = None,
    prices: Path | None = None,
    shard: Shard | None = None,
) -> SpendingBudget:
    """Return the budget that these runs and their controls share, with what they have spent so far."""
    players = [player for session in sessions for player in session.players.values()]
    known = find_prices(players, prices, required=cost is not None)
    if shard:  # the processes that play the other shards cannot be asked what they spend
        tokens = None if tokens is None else tokens // shard.count
        cost = None if cost is None else cost / shard.count
    budget = SpendingBudget(tokens, cost, known)
    for session in sessions if budget.is_limited else ():
        session.count_spent(budget)
    return budget


def make_session_workers(
    session: RunSession, workers: str, jobs: int | None, budget: SpendingBudget, *, reuse: bool
) -> WorkerStarter | None:
    """Return what starts the workers that `--workers` names; None if it was not given."""
    if not workers:
        return None
    if session.is_interactive:
        raise Problem("somebody plays at this terminal, which workers cannot reach: leave out --workers")
    return make_worker_starter(find_launcher(workers), budget, jobs, reuse=reuse)


def play_session(
    session: RunSession, jobs: int | None, budget: SpendingBudget, *, reuse: bool = True, workers: str = ""
) -> None:
    """Play what is missing of a session, with a progress bar, here or on workers."""
    start_workers = make_session_workers(session, workers, jobs, budget, reuse=reuse)
    budget.stopped = ""
    plan = session.asked
    with progress_bar(shown=not session.is_interactive) as bar:
        session.play_missing(
            jobs=1 if session.is_interactive else jobs or session.default_jobs,
            on_start=lambda done: bar.set_progress(plan.game, done, len(plan)),
            on_synced=lambda episodes: bar.advance_by(len(episodes)),
            budget=budget,
            reuse=reuse,
            start_workers=start_workers,
        )
