"""Turns of the reference game through our PettingZoo environment, beside the environments of clemcore and
TextArena, with the same constant replies. Those two are measured where `make bench-peers` has installed them;
else their figures are RECORDED ones, of another time and machine."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from time import process_time

from groundling.bridges.pettingzoo import env

from .clemcore_peer import PEER, can_measure_clemcore, copy_clem_games
from .number import Number, at_least

TURNS = 20_000
RECORDED = {"clemcore": 6_225.0, "TextArena": 1_057.0}
"""Turns a second of CPU time on two shared cores of a busy server, of clemcore 3.7.2 and TextArena 0.7.4."""
WORDS = "Expression: The one that looks like the target."


def count_turns(turns: int = TURNS) -> float:
    """Return the turns a second of CPU time, with every observation made."""
    played = env("reference")
    played.reset(seed=0)
    done, start = 0, process_time()
    while done < turns:
        played.reset()
        for agent in played.agent_iter():
            _, _, terminated, truncated, _ = played.last()
            over = terminated or truncated
            played.step(None if over else WORDS if agent == "giver" else 0)
            done += not over
    return done / (process_time() - start)


def measure_environment_rows(folder: Path) -> list[Number]:
    ours = count_turns()
    found = [at_least("reference: turns in PettingZoo", ours, "1/s", 5_000)]
    peers, told = (_measure_peers(folder), "") if can_measure_clemcore() else (RECORDED, ", recorded")
    return found + [
        Number(f"reference: turns beside {name}", ours, "1/s", f"{name}{told}: {rate:,.0f}", ours / rate)
        for name, rate in peers.items()
    ]


def _measure_peers(folder: Path) -> dict[str, float]:
    """Measure what is installed in the peers' environment."""
    games = copy_clem_games(folder / "clem environments")
    command: list[str | Path] = [PEER / "python", "environments.py", str(TURNS // 10)]
    done = subprocess.run(command, cwd=games, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found
