"""Servers to be measured, each a process of its own, and what they cost."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread

import msgspec
import psutil
from msgspec import Struct
from tests.web.server_process import Server

from .plan import Plan, Seen

PROXY = ("--proxy", "127.0.0.1")
"""The crowd names an address for each pair, as a proxy would: one address may open only so many rooms."""


@contextmanager
def server(db: object, *options: str) -> Iterator[Server]:
    started = Server(db, *PROXY, *options)
    started.start()
    try:
        yield started
    finally:
        if started.process and started.process.poll() is None:
            started.process.terminate()
            started.process.wait()


def family(pid: int) -> list[psutil.Process]:
    root = psutil.Process(pid)
    return [root, *root.children(recursive=True)]


def cpu(pids: Sequence[int]) -> float:
    """Seconds of all of these, and of the processes that they started."""
    times = [process.cpu_times() for pid in pids for process in family(pid)]
    return float(sum(each.user + each.system for each in times))


def memory(pids: Sequence[int]) -> float:
    """MB."""
    return float(sum(process.memory_info().rss for pid in pids for process in family(pid))) / 1e6


class Measured(Struct):
    seen: Seen
    cpu: float
    """Seconds of the servers while it was counted …"""
    others: float
    """… of the database, where that is another program …"""
    crowd: float
    """… and of the people."""
    memory: list[float]
    """MB, every few seconds."""


def measure(
    plan: Plan, pids: Sequence[int], others: Sequence[int] = (), module: str = "bench.load.crowd"
) -> Measured:
    """Send a crowd, and look at what it costs while it is counted."""
    command = [sys.executable, "-m", module, msgspec.json.encode(plan).decode()]
    people = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    )
    assert people.stdout is not None
    told = people.stdout.readline()
    if told.strip() != "begin":
        people.wait()
        raise RuntimeError(f"the crowd did not begin: {told}")
    before = [cpu(pids), cpu(others), cpu([people.pid])]
    sizes: list[float] = []
    stop = Event()

    def look() -> None:
        while not stop.wait(2):
            sizes.append(memory(pids))

    looking = Thread(target=look, daemon=True)
    looking.start()
    told = people.stdout.readline()
    after = [cpu(pids), cpu(others), cpu([people.pid])]
    stop.set()
    looking.join()
    people.wait()
    seen = msgspec.json.decode(told, type=Seen)
    ours, others_, crowd = (b - a for a, b in zip(before, after, strict=True))
    return Measured(seen, ours, others_, crowd, sizes)


def pid(started: Server) -> int:
    assert started.process is not None
    return started.process.pid


def percentile(values: Sequence[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
