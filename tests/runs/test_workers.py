from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from multiprocessing import active_children
from pathlib import Path

import msgspec
import pytest
from tests.helpers import session
from tests.runs.test_shards import timeless_events

from groundling.cli.main import main
from groundling.core.values import Problem
from groundling.runs.budget import BudgetSpent, SpendingBudget
from groundling.runs.engine import EpisodePlayer
from groundling.runs.episode_worker import EpisodeTask, EpisodeWorker, WorkerJob, make_worker_job
from groundling.runs.launchers import WorkerLost, find_launcher, make_worker_starter
from groundling.runs.process_workers import ProcessLauncher, ProcessPool
from groundling.runs.session import RunSession
from groundling.runs.verify import find_runs, verify_run

SEATS = {"giver": "gold", "follower": "random"}


class LocalWorkers:
    """Workers in this process, some of which are lost after two events, at the first try or at every one."""

    count = 2

    def __init__(self, losses: int = 0, *, always: bool = False) -> None:
        self.losses, self.always = losses, always
        self.worker: EpisodeWorker | None = None
        self.tasks: list[EpisodeTask] = []

    @asynccontextmanager
    async def start_workers(self, job: WorkerJob) -> AsyncIterator[LocalWorkers]:
        self.worker = EpisodeWorker(msgspec.json.encode(job))
        yield self

    async def play_episode(self, task: EpisodeTask) -> AsyncIterator[bytes]:
        assert self.worker is not None
        self.tasks.append(task)
        number = 0
        async for lines in self.worker.play_episode(task):
            yield lines
            number += 1
            if self.losses and number == 2 and (self.always or not task.lines):
                self.losses -= 1
                raise WorkerLost("it was switched off")


def play_with(run: RunSession, launcher: LocalWorkers | ProcessLauncher) -> None:
    run.play_missing(4, start_workers=make_worker_starter(launcher, SpendingBudget(), 4, reuse=False))


def test_workers_play_the_episodes_of_one_process_although_some_are_lost(tmp_path: Path) -> None:
    session(tmp_path / "one", SEATS, limit=8, repeat=2).play_missing(4)
    workers = LocalWorkers(losses=5)
    run = session(tmp_path / "many", SEATS, limit=8, repeat=2)
    play_with(run, workers)
    assert run.read_summary().is_complete
    assert timeless_events(tmp_path / "many") == timeless_events(tmp_path / "one")
    assert len(workers.tasks) == 16 + 5
    assert not any(verify_run(run).findings for run in find_runs(tmp_path))


def test_what_arrived_from_a_lost_worker_is_not_played_again(tmp_path: Path) -> None:
    workers = LocalWorkers(losses=1)
    play_with(session(tmp_path, SEATS, limit=1), workers)
    first, second = workers.tasks
    assert first.lines == b""
    assert second.lines.count(b"\n") == 2


def test_a_run_stops_when_workers_are_lost_again_and_again(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="3 workers were lost with episode"):
        play_with(session(tmp_path, SEATS, limit=1), LocalWorkers(losses=9, always=True))


def test_the_budget_that_is_left_is_divided(tmp_path: Path) -> None:
    budget = SpendingBudget(tokens=1_000, money=4.0)
    budget.spent_tokens, budget.spent_money = 100, 1.0
    share = budget.share_rest(3)
    assert (share.tokens, share.money) == (300, 1.0)
    job = make_worker_job(session(tmp_path, SEATS), share, reuse=True, at_once=2)
    assert (job.tokens, job.money, job.reuse) == (300, 1.0, True)


def test_a_spent_worker_leaves_its_episode_unfinished_and_says_why(tmp_path: Path) -> None:
    class Spent(LocalWorkers):
        async def play_episode(self, task: EpisodeTask) -> AsyncIterator[bytes]:
            raise BudgetSpent("all is spent")
            yield b""

    budget, run = SpendingBudget(tokens=5), session(tmp_path, SEATS, limit=3)
    run.play_missing(4, start_workers=make_worker_starter(Spent(), budget, 4, reuse=False))
    assert budget.stopped == "all is spent"
    assert run.read_summary().missing == 3


@pytest.mark.slow
def test_processes_that_are_killed_are_replaced(tmp_path: Path) -> None:
    session(tmp_path / "one", SEATS).play_missing(4)
    run = session(tmp_path / "many", SEATS)
    starter = make_worker_starter(ProcessLauncher("processes=2"), SpendingBudget(), 4, reuse=False)

    @asynccontextmanager
    async def start_and_kill(started: RunSession) -> AsyncIterator[EpisodePlayer]:
        async with starter(started) as play_episode:
            assert len(worker_pids()) == 2
            for pid in worker_pids():
                os.kill(pid, signal.SIGKILL)
            yield play_episode

    run.play_missing(4, start_workers=start_and_kill)
    assert run.read_summary().is_complete
    assert timeless_events(tmp_path / "many") == timeless_events(tmp_path / "one")
    assert worker_pids() == []


def worker_pids() -> list[int]:
    return [child.pid for child in active_children() if child.pid]


@pytest.mark.slow
def test_a_player_that_cannot_be_pickled_plays_in_processes(tmp_path: Path) -> None:
    (tmp_path / "locked.py").write_text(
        "import threading\n"
        "from groundling.core.player import Reply\n"
        "class Locked:\n"
        "    def __init__(self):\n        self.lock = threading.Lock()\n"
        "    async def act(self, ask):\n        return Reply(text='Answer: first')\n"
    )
    seats = ["--seat", "giver=gold", "--seat", f"follower={tmp_path}/locked.py:Locked"]
    play = ["play", "reference", *seats, "--limit", "4", "-o", str(tmp_path / "run")]
    assert main([*play, "--workers", "processes=1"]) == 0
    assert len(timeless_events(tmp_path / "run")) == 4


@pytest.mark.slow
def test_a_player_that_cannot_be_made_in_a_process_is_told_in_one_line(tmp_path: Path) -> None:
    async def play_first(job: bytes) -> None:
        pool = ProcessPool(1, job)
        try:
            async for _ in pool.play_episode(EpisodeTask("x", "x", 0)):
                pass
        finally:
            pool.stop_workers()

    good = make_worker_job(session(tmp_path, SEATS), None, reuse=False, at_once=1)
    bad = msgspec.structs.replace(good, seats={"giver": "gold", "follower": "script:nowhere.txt"})
    with pytest.raises(Problem, match="nowhere"):
        asyncio.run(play_first(msgspec.json.encode(bad)))


@pytest.mark.parametrize(
    ("text", "told"), [("processes=x", "number of processes"), ("slurm", "choose from processes, ray")]
)
def test_wrong_workers_are_refused_in_one_line(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = ["--seat", "giver=gold", "--seat", "follower=rule"]
    assert main(["play", "reference", *seats, "-o", str(tmp_path / "run"), "--workers", text]) != 0
    assert told in " ".join(capsys.readouterr().err.split())


def test_launchers_are_found_by_their_name() -> None:
    assert find_launcher("processes=3").count == 3
