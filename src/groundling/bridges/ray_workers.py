"""Workers that are actors of a Ray cluster: `--workers ray` starts one on this machine, `--workers
ray://HOST:PORT` joins one. Its nodes need groundling, and what the players need, at the same paths."""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import msgspec
from msgspec import Struct

from groundling.core.values import Problem
from groundling.runs.budget import BudgetSpent
from groundling.runs.episode_worker import EpisodeTask, WorkerJob, make_worker
from groundling.runs.launchers import WorkerLost

try:
    import ray
    from ray.exceptions import RayError
except ImportError:
    raise Problem("--workers ray needs Ray: pip install 'groundling[ray]'") from None

PLACE_SECONDS = 60
"""How long a cluster may take to start a worker when there is none."""
RESTART_SECONDS = 1.0
"""How long to wait before asking again for a worker whose node is gone."""


class LinesRead(Struct, frozen=True):
    """Log lines of an episode, and how it ended, if it did: "ended", "spent", "problem", or "lost" if this
    worker does not play it."""

    lines: bytes = b""
    end: str = ""
    message: str = ""


class RayEpisodeWorker:
    """Plays episodes inside an actor. Lines are asked for, because Ray's clients cannot receive streams.
    What ends an episode early is a message, as errors of ours would arrive inside errors of Ray's."""

    def __init__(self, job: bytes) -> None:
        self._worker = make_worker(job)
        self._episodes: dict[str, asyncio.Queue[LinesRead]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def read_problem(self) -> str:
        """Return why the players could not be made; nothing if they are there."""
        return self._worker if isinstance(self._worker, str) else ""

    async def start_episode(self, task: bytes) -> None:
        found = msgspec.msgpack.decode(task, type=EpisodeTask)
        self._episodes[found.episode] = asyncio.Queue()
        self._tasks.add(started := asyncio.create_task(self._play_episode(found)))
        started.add_done_callback(self._tasks.discard)

    async def read_lines(self, episode: str) -> bytes:
        """Wait for lines of an episode, and return what there is."""
        queue = self._episodes.get(episode)
        if queue is None:
            return msgspec.msgpack.encode(LinesRead(end="lost"))
        found = [await queue.get()]
        while not queue.empty():
            found.append(queue.get_nowait())
        last = found[-1]
        if last.end:
            del self._episodes[episode]
        lines = b"".join(one.lines for one in found)
        return msgspec.msgpack.encode(LinesRead(lines, last.end, last.message))

    async def _play_episode(self, task: EpisodeTask) -> None:
        add, end = self._episodes[task.episode].put_nowait, LinesRead(end="ended")
        try:
            if isinstance(self._worker, str):
                raise Problem(self._worker)
            async for lines in self._worker.play_episode(task):
                add(LinesRead(lines))
        except BudgetSpent as lack:
            end = LinesRead(end="spent", message=str(lack))
        except Problem as trouble:
            end = LinesRead(end="problem", message=str(trouble))
        except Exception as trouble:  # the reader must not wait forever
            end = LinesRead(end="problem", message=f"a worker failed in episode {task.episode}: {trouble!r}")
        add(end)


class RayLauncher:
    def __init__(self, text: str) -> None:
        address, _, options = text.partition("?")
        given = dict(option.partition("=")[::2] for option in options.split("&") if option)
        unknown = given.keys() - {"workers", "cpus", "gpus"}
        if unknown or (address != "ray" and not address.startswith("ray://")):
            raise Problem(
                f"--workers {text}: write ray or ray://HOST:PORT, "
                "then ?workers=8, &cpus=1, &gpus=1 if you like, the last two for each worker"
            )
        try:
            self._cpus, self._gpus = float(given.get("cpus", 1)), float(given.get("gpus", 0))
            wanted = int(given.get("workers", 0))
        except ValueError:
            raise Problem(f"--workers {text}: workers, cpus and gpus are numbers") from None
        self._connect(address)
        offered = ray.cluster_resources()
        fit = offered.get("CPU", 0) / self._cpus if self._cpus else float("inf")
        if self._gpus:
            fit = min(fit, offered.get("GPU", 0) / self._gpus)
        if fit < 1:
            raise Problem(
                f"--workers {text}: the cluster has no {self._cpus:g} CPU and {self._gpus:g} GPU for a worker"
            )
        self.count = wanted or int(min(fit, 1_000))

    @staticmethod
    def _connect(address: str) -> None:
        if ray.is_initialized():
            return
        try:
            with warnings.catch_warnings(action="ignore"):
                ray.init(
                    address=None if address == "ray" else address,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    include_dashboard=False if address == "ray" else None,
                )
        except Exception as trouble:  # Ray raises many kinds, plain Exception among them
            first, *_, last = str(trouble).strip().splitlines() * 2
            told = f"{first} {last}" if first.endswith(":") else first
            raise Problem(f"no Ray cluster could be reached at {address}: {told}") from None

    @asynccontextmanager
    async def start_workers(self, job: WorkerJob) -> AsyncIterator[RayWorkers]:
        kind = ray.remote(RayEpisodeWorker).options(
            num_cpus=self._cpus, num_gpus=self._gpus, max_restarts=-1, max_concurrency=job.at_once + 1
        )
        encoded = msgspec.json.encode(job)  # not in the object store: an actor restarts on other nodes, too
        workers = RayWorkers([kind.remote(encoded) for _ in range(self.count)])
        try:
            await workers.wait_for_worker()
            yield workers
        finally:
            workers.stop_workers()


class RayWorkers:
    def __init__(self, actors: list[Any]) -> None:
        self._open: dict[Any, int] = dict.fromkeys(actors, 0)
        self._away = {actor: asyncio.ensure_future(self._wait_for_actor(actor)) for actor in actors}
        """Actors without a place on a node: they start, or their node is gone."""
        self._problem = ""

    async def _wait_for_actor(self, actor: Any) -> None:
        while True:
            try:
                self._problem = self._problem or str(await _call(actor.read_problem))
            except RayError:
                await asyncio.sleep(RESTART_SECONDS)
            else:
                del self._away[actor]
                return

    async def wait_for_worker(self) -> None:
        """Wait until there is a worker, and raise Problem if some worker could not make the players."""
        while len(self._away) == len(self._open):
            done, _ = await asyncio.wait(
                self._away.values(), timeout=PLACE_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            if not done:
                raise Problem(
                    "the cluster has no free place for a worker: give fewer CPU or GPU to each, or start "
                    "more nodes, and give the same command again"
                )
            for one in done:
                one.result()
        if self._problem:
            raise Problem(self._problem)

    async def play_episode(self, task: EpisodeTask) -> AsyncIterator[bytes]:
        await self.wait_for_worker()
        actor = min((one for one in self._open if one not in self._away), key=self._open.__getitem__)
        self._open[actor] += 1
        try:
            await _call(actor.start_episode, msgspec.msgpack.encode(task))
            while True:
                found = msgspec.msgpack.decode(await _call(actor.read_lines, task.episode), type=LinesRead)
                if found.lines:
                    yield found.lines
                if found.end == "spent":
                    raise BudgetSpent(found.message)
                if found.end == "problem":
                    raise Problem(found.message)
                if found.end == "lost":
                    raise WorkerLost("it was started again")
                if found.end:
                    return
        except RayError as trouble:
            if actor not in self._away:
                self._away[actor] = asyncio.ensure_future(self._wait_for_actor(actor))
            raise WorkerLost(str(trouble).splitlines()[0]) from None
        finally:
            self._open[actor] -= 1

    def stop_workers(self) -> None:
        for waiting in self._away.values():
            waiting.cancel()
        with suppress(Exception):  # the cluster may be gone, and ends what a lost client has started
            for actor in self._open:
                ray.kill(actor)


async def _call(method: Any, *values: object) -> Any:
    """Call a method of an actor, and wait for what it returns."""
    try:
        answer = asyncio.wrap_future(method.remote(*values).future())
        # an actor that is stopped answers with an error, which asyncio prints unless somebody looks at it
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        # shielded, because Ray prints a traceback when it answers a future that was cancelled
        return await asyncio.shield(answer)
    except ConnectionError as trouble:
        raise Problem(
            f"the Ray cluster is gone ({str(trouble).splitlines()[0]}): give the same command again"
        ) from None
