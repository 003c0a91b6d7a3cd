"""How much faster two processes play than one, and what large runs in shards take."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from .number import Number, alone, at_least

PLAY = ["play", "hexagons", "--seat", "instructor=narrator", "--seat", "executor=parser"]
REPEATS = 2
ROUNDS = 3
LARGE = ["play", "reference", "--seat", "giver=gold", "--seat", "follower=random"]
INSTANCES = 36
"""Of the built-in set, each played equally often."""
SHARD_EPISODES = 100_000
"""The most episodes of one shard in the table of large runs."""
AT_ONCE = 2
"""Shards that are played at a time."""


class Used(Struct, frozen=True):
    wall: float
    cpu: float
    memory: float
    """The most of one process, in MiB."""


def run_command(*words: str) -> Used:
    """Run a command of groundling and return what it took."""
    return run_together([words])


def run_together(commands: list[tuple[str, ...]]) -> Used:
    """Run commands of groundling, a few at a time, tell when each is done, and return what all took."""
    start, waiting, running = time.perf_counter(), commands[::-1], set[int]()
    cpu = memory = 0.0
    while waiting or running:
        while waiting and len(running) < AT_ONCE:
            command = [sys.executable, "-m", "groundling", *waiting.pop()]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            running.add(process.pid)
        pid, status, used = os.wait4(-1, 0)
        running.discard(pid)
        if status:
            raise SystemExit("a command failed")
        cpu, memory = cpu + used.ru_utime + used.ru_stime, max(memory, used.ru_maxrss / 1024)
        done, wall = len(commands) - len(waiting) - len(running), time.perf_counter() - start
        took = f"{cpu:,.1f} s of CPU, {wall:,.1f} s, {memory:,.0f} MiB"
        print(f"{commands[0][0]}, {done} of {len(commands)}: {took}", file=sys.stderr, flush=True)
    return Used(time.perf_counter() - start, cpu, memory)


def measure_worker_rows(folder: Path) -> list[Number]:
    """Rows with wall time: what counts is how soon it is done. Each is the best of a few rounds. CPU time
    shows what workers add, also while other programs take a part of the cores."""
    play = (*PLAY, "--repeat", str(REPEATS))
    ones, twos = [], []
    for number in range(ROUNDS):  # by turns, as other programs come and go
        ones.append(run_command(*play, "-o", str(folder / f"one-{number}")))
        twos.append(run_command(*play, "-o", str(folder / f"two-{number}"), "--workers", "processes=2"))
    one, two = (min(found, key=lambda used: used.wall) for found in (ones, twos))
    return [
        at_least("workers: 2 processes beside 1, CPU-bound players", one.wall / two.wall, "times", 1.7),
        alone("workers: CPU time of 1 process", one.cpu, "s"),
        alone("workers: CPU time of 2 processes and the one that keeps the log", two.cpu, "s"),
    ]


def measure_large_runs(folder: Path, counts: Iterable[int]) -> str:
    """Play these numbers of reference episodes in shards, score each as one run, and report a sample. Return
    what each took as a table in Markdown."""
    found = {}
    for count in counts:
        run, repeats = folder / str(count), -(-count // INSTANCES)
        shards = max(2, count // SHARD_EPISODES)
        play = (*LARGE, "--repeat", str(repeats), "-o", str(run))
        found[f"{repeats * INSTANCES:,} episodes, {shards} shards"] = {
            "play": run_together(
                [(*play, "--shard", f"{number}/{shards}") for number in range(1, shards + 1)]
            ),
            "score": run_command("score", str(run)),
            "report": run_command("report", str(run), "-o", str(run / "report.html")),
        }
        shutil.rmtree(run)
    rows = [["", *found], ["---"] * (1 + len(found))]
    for verb in ("play", "score", "report"):
        used = [one[verb] for one in found.values()]
        rows.append([f"`{verb}`, wall time", *(f"{one.wall:,.1f} s" for one in used)])
        rows.append([f"`{verb}`, CPU time", *(f"{one.cpu:,.1f} s" for one in used)])
        rows.append([f"`{verb}`, most memory of a process", *(f"{one.memory:,.0f} MiB" for one in used)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
