"""Workers that are processes of this machine: `--workers processes=4`."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection

import msgspec
from msgspec import Struct

from groundling.core.values import Problem
from groundling.runs.budget import BudgetSpent
from groundling.runs.episode_worker import EpisodeTask, WorkerJob, make_worker
from groundling.runs.launchers import WorkerLost

FLUSH_SECONDS = 0.01
"""Lines that are played within this time travel together."""


class Played(Struct, frozen=True):
    """Lines of an episode, and how it ended, if it did."""

    episode: str
    lines: bytes
    ended: bool = False
    spent: str = ""
    problem: str = ""


class ProcessLauncher:
    def __init__(self, text: str) -> None:
        number = text.partition("=")[2] or str(os.cpu_count() or 1)
        if not number.isdecimal() or not 1 <= int(number) <= 512:
            raise Problem(f"--workers {text}: give the number of processes, as in --workers processes=4")
        self.count = int(number)

    @asynccontextmanager
    async def start_workers(self, job: WorkerJob) -> AsyncIterator[ProcessPool]:
        pool = ProcessPool(self.count, msgspec.json.encode(job))
        try:
            yield pool
        finally:
            pool.stop_workers()


class _Process:
    """A worker process and the episodes that it plays."""

    def __init__(self, job: bytes) -> None:
        context = get_context("spawn")
        self.connection, other = context.Pipe()
        self.process = context.Process(target=run_worker_process, args=(job, other), daemon=True)
        self.process.start()
        other.close()
        self.episodes: dict[str, asyncio.Queue[Played | None]] = {}
        asyncio.get_running_loop().add_reader(self.connection.fileno(), self._receive)
        self.is_lost = False

    def _receive(self) -> None:
        try:
            played = msgspec.msgpack.decode(self.connection.recv_bytes(), type=list[Played])
        except (EOFError, OSError):
            self.give_up()
            return
        for one in played:
            if one.episode in self.episodes:
                self.episodes[one.episode].put_nowait(one)

    def send_task(self, task: EpisodeTask) -> None:
        try:
            self.connection.send_bytes(msgspec.msgpack.encode(task))
        except OSError:
            self.give_up()

    def give_up(self) -> None:
        """Let others continue the episodes of a process that is gone."""
        if not self.is_lost:
            self.is_lost = True
            self.stop()
            for queue in self.episodes.values():
                queue.put_nowait(None)

    def stop(self) -> None:
        asyncio.get_running_loop().remove_reader(self.connection.fileno())
        self.process.kill()


class ProcessPool:
    def __init__(self, count: int, job: bytes) -> None:
        self._job = job
        self._processes = [_Process(job) for _ in range(count)]

    async def play_episode(self, task: EpisodeTask) -> AsyncIterator[bytes]:
        process = self._choose_process()
        queue = process.episodes[task.episode] = asyncio.Queue()
        process.send_task(task)
        try:
            while True:
                played = await queue.get()
                if played is None:
                    raise WorkerLost("its process ended")
                if played.lines:
                    yield played.lines
                if played.problem:
                    raise Problem(played.problem)
                if played.spent:
                    raise BudgetSpent(played.spent)
                if played.ended:
                    return
        finally:
            process.episodes.pop(task.episode, None)

    def _choose_process(self) -> _Process:
        """Return the process with the fewest episodes, after replacing those that are gone."""
        for at, process in enumerate(self._processes):
            if process.is_lost:
                self._processes[at] = _Process(self._job)
        return min(self._processes, key=lambda one: len(one.episodes))

    def stop_workers(self) -> None:
        for process in self._processes:
            if not process.is_lost:
                process.stop()
        for process in self._processes:
            process.process.join()


def run_worker_process(job: bytes, connection: Connection) -> None:
    """Play the tasks that arrive until the other side is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the process that keeps the log
    asyncio.run(_WorkerProcess(job, connection).serve_tasks())


class _WorkerProcess:
    def __init__(self, job: bytes, connection: Connection) -> None:
        self._connection = connection
        self._worker = make_worker(job)
        self._outbox: list[Played] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve_tasks(self) -> None:
        done, loop = asyncio.Event(), asyncio.get_running_loop()

        def receive() -> None:
            try:
                for task in self._waiting_tasks():
                    self._tasks.add(started := loop.create_task(self._play_task(task)))
                    started.add_done_callback(self._tasks.discard)
            except (EOFError, OSError):
                done.set()

        loop.add_reader(self._connection.fileno(), receive)
        self._tasks.add(loop.create_task(self._send_outbox()))
        await done.wait()

    def _waiting_tasks(self) -> Iterator[EpisodeTask]:
        while self._connection.poll():
            yield msgspec.msgpack.decode(self._connection.recv_bytes(), type=EpisodeTask)

    async def _play_task(self, task: EpisodeTask) -> None:
        spent, problem = "", ""
        if isinstance(self._worker, str):
            problem = self._worker
        else:
            try:
                async for lines in self._worker.play_episode(task):
                    self._outbox.append(Played(task.episode, lines))
            except BudgetSpent as trouble:
                spent = str(trouble)
            except Problem as trouble:
                problem = str(trouble)
        self._outbox.append(Played(task.episode, b"", ended=True, spent=spent, problem=problem))

    async def _send_outbox(self) -> None:
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            if self._outbox:
                sent, self._outbox = self._outbox, []
                self._connection.send_bytes(msgspec.msgpack.encode(sent))
