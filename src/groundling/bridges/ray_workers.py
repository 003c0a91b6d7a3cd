"""Workers that are actors of a Ray cluster: `--workers ray` starts one on this machine, `--workers
ray://HOST:PORT` joins one. Its nodes need groundling, and what the players need, at the same paths."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from groundling.core.values import Problem
from groundling.runs.budget import BudgetSpent
from groundling.runs.episode_worker import EpisodeTask, WorkerJob, make_worker
from groundling.runs.launchers import WorkerLost

try:
    import ray
    from ray.exceptions import RayActorError, RayError, RayTaskError
except ImportError:
    raise Problem("--workers ray needs Ray: pip install 'groundling[ray]'") from None

PLACE_SECONDS = 60
"""How long a cluster may take to start the first worker."""


class RayEpisodeWorker:
    """Plays episodes inside an actor. What ends an episode early is a message, as errors of ours would arrive
    inside errors of Ray's."""

    def __init__(self, job: bytes) -> None:
        self._worker = make_worker(job)

    def read_problem(self) -> str:
        """Return why the players could not be made; nothing if they are there."""
        return self._worker if isinstance(self._worker, str) else ""

    async def play_episode(self, task: bytes) -> AsyncIterator[tuple[str, bytes]]:
        """Yield log lines as `("", lines)`, or why the episode was left as `(kind, message)`."""
        if isinstance(self._worker, str):
            yield "problem", self._worker.encode()
            return
        try:
            async for lines in self._worker.play_episode(msgspec.msgpack.decode(task, type=EpisodeTask)):
                yield "", lines
        except BudgetSpent as lack:
            yield "spent", str(lack).encode()
        except Problem as trouble:
            yield "problem", str(trouble).encode()


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
            ray.init(
                address=None if address == "ray" else address,
                log_to_driver=False,
                logging_level=logging.ERROR,
                include_dashboard=False if address == "ray" else None,
            )
        except Exception as trouble:  # Ray raises many kinds, plain Exception among them
            first = str(trouble).strip().splitlines()[0]
            raise Problem(f"no Ray cluster could be reached at {address}: {first}") from None

    @asynccontextmanager
    async def start_workers(self, job: WorkerJob) -> AsyncIterator[RayWorkers]:
        kind = ray.remote(RayEpisodeWorker).options(
            num_cpus=self._cpus, num_gpus=self._gpus, max_restarts=-1, max_concurrency=job.at_once + 1
        )
        encoded = msgspec.json.encode(job)  # not in the object store: an actor restarts on other nodes, too
        workers = RayWorkers([kind.remote(encoded) for _ in range(self.count)])
        try:
            await workers.check_players()
            yield workers
        finally:
            workers.stop_workers()


class RayWorkers:
    def __init__(self, actors: list[Any]) -> None:
        self._open: dict[Any, int] = dict.fromkeys(actors, 0)

    async def check_players(self) -> None:
        """Wait for the first worker, and raise Problem if it could not make the players."""
        first = next(iter(self._open))
        try:
            problem = await asyncio.wait_for(
                asyncio.wrap_future(first.read_problem.remote().future()), PLACE_SECONDS
            )
        except TimeoutError:
            raise Problem(
                "the cluster has no free place for a worker: give fewer CPU or GPU to each"
            ) from None
        except RayActorError as trouble:
            raise Problem(f"a worker could not start: {str(trouble).splitlines()[0]}") from None
        if problem:
            raise Problem(str(problem))

    async def play_episode(self, task: EpisodeTask) -> AsyncIterator[bytes]:
        actor = min(self._open, key=self._open.__getitem__)
        self._open[actor] += 1
        try:
            method = actor.play_episode.options(num_returns="streaming")
            async for reference in method.remote(msgspec.msgpack.encode(task)):
                kind, content = await reference
                if kind == "spent":
                    raise BudgetSpent(content.decode())
                if kind == "problem":
                    raise Problem(content.decode())
                yield content
        except RayTaskError:
            raise
        except RayError as trouble:
            raise WorkerLost(str(trouble).splitlines()[0]) from None
        finally:
            self._open[actor] -= 1

    def stop_workers(self) -> None:
        for actor in self._open:
            ray.kill(actor)
