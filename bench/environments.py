"""Turns of the reference game through our PettingZoo environment, beside the environments of clemcore and
TextArena (its game Taboo, which is nearest), with constant replies and every observation made. A turn is one
reply of one player. These two are measured where `make bench-peers` has installed them; else their figures
are RECORDED ones, of another time and machine. All are the most of three measurements."""

from __future__ import annotations

import subprocess
from itertools import count, repeat
from pathlib import Path
from time import process_time

from groundling.bridges.pettingzoo import env

from .clemcore_peer import GAMES, PEER, can_measure_clemcore, copy_clem_games
from .number import Number, at_least

TURNS = 10_000
TEXTARENA = Path("build/textarena").absolute()
RECORDED = {"clemcore": 7_201.0, "TextArena": 3_690.0}
"""Turns a second of CPU time on two shared cores of a server, of clemcore 3.7.2 and TextArena 0.7.4."""
WORDS = "Expression: The one that looks like the target."


def count_turns(*, again: bool, turns: int = TURNS) -> float:
    """Return the turns a second of CPU time. Where the same words come `again` in all episodes, most
    observations are known and need not be drawn."""
    played = env("reference")
    played.reset(seed=0)
    words = repeat(WORDS) if again else (f"{WORDS} {number}" for number in count())
    done, start = 0, process_time()
    while done < turns:
        played.reset()
        for agent in played.agent_iter():
            _, _, terminated, truncated, _ = played.last()
            over = terminated or truncated
            played.step(None if over else next(words) if agent == "giver" else 0)
            done += not over
    return done / (process_time() - start)


def measure_environment_rows(folder: Path) -> list[Number]:
    ours, fresh = (max(count_turns(again=again) for _ in range(3)) for again in (True, False))
    found = [
        at_least("reference: turns in PettingZoo", ours, "1/s", 5_000),
        at_least("reference: turns in PettingZoo, no words twice", fresh, "1/s", 5_000),
    ]
    measured = {}
    if can_measure_clemcore():
        measured["clemcore"] = _measure_peer("clemcore", PEER, copy_clem_games(folder / "clem environments"))
    if (TEXTARENA / "installed").exists():
        measured["TextArena"] = _measure_peer("TextArena", TEXTARENA / "bin", GAMES)
    for name, recorded in RECORDED.items():
        rate = measured.get(name, recorded)
        told = f"{name}{'' if name in measured else ', recorded'}: {rate:,.0f}"
        found.append(Number(f"reference: turns beside {name}", ours, "1/s", told, ours / rate))
    return found


def _measure_peer(name: str, place: Path, folder: Path) -> float:
    command = [str(place / "python"), "environments.py", name, str(TURNS // 5)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return float(done.stdout.splitlines()[-1])
