"""How much faster two processes play than one, and what large runs in shards take."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path

from .number import Number, alone, at_least

PLAY = ["play", "hexagons", "--seat", "instructor=narrator", "--seat", "executor=parser"]
REPEATS = 6
SHARD_EPISODES = 100_000
"""The most episodes of one shard in the table of large runs."""


def run_command(*words: str) -> float:
    """Run a command of groundling and return the seconds that it took."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "groundling", *words], check=True, capture_output=True)
    return time.perf_counter() - start


def measure_worker_rows(folder: Path) -> list[Number]:
    """Rows with wall time: what counts is how soon it is done."""
    one = run_command(*PLAY, "--repeat", str(REPEATS), "-o", str(folder / "one"))
    two = run_command(*PLAY, "--repeat", str(REPEATS), "-o", str(folder / "two"), "--workers", "processes=2")
    return [at_least("workers: 2 processes beside 1, CPU-bound players", one / two, "times", 1.7)]


def measure_large_run(folder: Path, episodes: int) -> list[Number]:
    """Play this number of reference episodes in shards, two at a time, and score them as one run."""
    shards = max(2, episodes // SHARD_EPISODES)
    seats = ["--seat", "giver=gold", "--seat", "follower=rule"]
    play = [sys.executable, "-m", "groundling", "play", "reference", *seats, "--repeat", str(episodes // 36)]
    start = time.perf_counter()
    waiting = [[*play, "--shard", f"{number}/{shards}", "-o", str(folder)] for number in range(1, shards + 1)]
    running: list[subprocess.Popen[bytes]] = []
    while waiting or running:
        while waiting and len(running) < 2:
            running.append(subprocess.Popen(waiting.pop(), stdout=subprocess.DEVNULL))
        if running.pop(0).wait():
            raise SystemExit("a shard failed")
    played = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    scored = run_command("score", str(folder))
    whole = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    name = f"{episodes:,} episodes in {shards} shards"
    return [
        alone(f"{name}: played", played, "s"),
        alone(f"{name}: largest memory of a process that plays", memory, "MiB"),
        alone(f"{name}: scored", scored, "s"),
        alone(f"{name}: largest memory of any process", whole, "MiB"),
    ]
