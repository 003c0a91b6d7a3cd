"""Our time beside that of clemcore, clembench's framework, on instances that clembench published: 180 of its
reference game, and 59 of its image game with 50 rounds each. The players of both always give the same
replies, so that nothing but the framework takes time.

clemcore's pins conflict with ours: `make bench-peers` installs it into an environment of its own, PEER. Its
games are not on PyPI; bench/clem_games has both after their published rules and no more. Without PEER, the
figures of clemcore are RECORDED ones, of another time and machine.

CPU seconds, the least of REPETITIONS. Commands are processes of the Python that runs the measurement, with
compiled bytecode: `make bench-peers` takes that of .venv, which holds all that development needs. `played`
includes the rows of the score table: they are computed as episodes are closed, and `scored` reads them.
clemcore computes them in `scored`. `played and scored` is the sum, in which it does not matter when they are
computed."""

from __future__ import annotations

import gzip
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from groundling.core.pack import find, load
from groundling.core.source import find_source
from groundling.runs.instances import encode_instances
from groundling.runs.scoring import encode_run_scores
from groundling.runs.scoring_table import write_scoring_table
from groundling.runs.session import new_session_plan, prepare_session

from .number import Number

VERSION = "3.7.2"
PEER = Path("build/clemcore/bin").absolute()
GAMES = Path(__file__).parent / "clem_games"
REPETITIONS = 15
PARTS = {"reference": ("v1.6-en", "instances_v1.6_en"), "image": ("default", "instances")}
"""What clembench's reader calls the instances, and the name of their file."""
ROUNDS = 50
GRID = "▢ P O T ▢\n▢ S ▢ ▢ ▢\n▢ ▢ ▢ ▢ ▢\n▢ ▢ ▢ ▢ ▢\n▢ D A M ▢"
REPLIES = {
    "reference": {
        "giver": ["Expression: The one that looks like the target."],
        "follower": ["Answer: first"],
    },
    "image": {"giver": ["Instruction: Put X in all cells"] * ROUNDS, "follower": [GRID] * ROUNDS},
}
RECORDED = {
    "reference": {"played": 0.491, "scored": 0.103, "command": 17.6},
    "image": {"played": 1.278, "scored": 0.275, "command": 19.1},
    "start-up": {"games": 8.2},
}
"""What clemcore took on two shared cores of a server."""

Seconds = dict[str, dict[str, float]]


DATA = Path(os.environ.get("GROUNDLING_DATA", "../shared/data")).absolute() / "clembench"


def can_measure_clemcore() -> bool:
    return PEER.is_dir() and DATA.is_dir()


def copy_clem_games(folder: Path) -> Path:
    """Make a folder with clembench's games and the instances that it published."""
    shutil.copytree(GAMES, folder)
    for game, (_, file) in PARTS.items():
        (folder / f"{game}game" / "in").mkdir()
        packed = (DATA / f"{game}game" / f"{file}.json.gz").read_bytes()
        (folder / f"{game}game" / "in" / "instances.json").write_bytes(gzip.decompress(packed))
    return folder


def measure_clemcore_rows(folder: Path) -> list[Number]:
    if not DATA.is_dir():
        return []
    ours = {game: _measure_ours(folder / f"clem {game}", game, DATA) for game in PARTS}
    ours = {game: _with_sum(times) for game, times in ours.items()}
    ours["start-up"] = {"games": _least(lambda: _run(folder, [sys.executable, "-m", "groundling", "games"]))}
    theirs = _measure_clemcore(folder / "clemcore") if PEER.is_dir() else RECORDED
    theirs = {part: _with_sum(times) for part, times in theirs.items()}
    told = f"clemcore {VERSION}" + ("" if PEER.is_dir() else ", recorded")
    return [
        Number(
            f"{part} beside clembench: {name}",
            1000 * mine,
            "ms",
            f"{told}: {1000 * theirs[part][name]:,.0f}",
            theirs[part][name] / mine,
        )
        for part, found in ours.items()
        for name, mine in found.items()
    ]


def _with_sum(times: dict[str, float]) -> dict[str, float]:
    both = {"played and scored": times["played"] + times["scored"]} if "played" in times else {}
    return {**times, **both}


def _measure_ours(folder: Path, game: str, data: Path) -> dict[str, float]:
    folder.mkdir()
    found = find_source("clembench").read_collections(data, PARTS[game][0])
    instances = next(part.instances for part in found if part.game == game)
    (folder / "instances.jsonl").write_bytes(encode_instances(instances))
    seats = {role: f"script:{folder / role}.jsonl" for role in REPLIES[game]}
    for role, replies in REPLIES[game].items():
        lines = (json.dumps({"episode": one.id, "replies": replies}) for one in instances)
        (folder / f"{role}.jsonl").write_text("\n".join(lines))
    played, scored = zip(
        *(_play_and_score(folder / f"run {n}", game, instances, seats) for n in range(REPETITIONS)),
        strict=True,
    )
    command = [sys.executable, "-m", "groundling"]
    options = ["--turns", str(ROUNDS)] if game == "image" else []
    options += [word for role, spec in seats.items() for word in ("--seat", f"{role}={spec}")]

    def run_commands() -> float:
        shutil.rmtree(folder / "run", ignore_errors=True)
        play = [*command, "play", game, str(folder / "instances.jsonl"), *options, "-o", str(folder / "run")]
        return _run(folder, play) + _run(folder, [*command, "score", str(folder / "run")])

    return {"played": min(played), "scored": min(scored), "command": _least(run_commands)}


def _play_and_score(folder: Path, game: str, instances: Any, seats: dict[str, str]) -> tuple[float, float]:
    pack = find(game)
    settings = load(pack.game).Settings(**({"turns": ROUNDS} if game == "image" else {}))
    plan = new_session_plan(pack, instances, None, settings=settings, source="clembench", seats=seats)
    session = prepare_session(pack, plan, folder)
    start = process_time()
    session.play_missing(16)
    played = process_time()
    write_scoring_table(session.folder, encode_run_scores(session.folder))
    return played - start, process_time() - played


def _measure_clemcore(folder: Path) -> Seconds:
    copy_clem_games(folder)
    measure = [str(PEER / "python"), "measure.py", str(REPETITIONS)]
    told = subprocess.run(measure, cwd=folder, check=True, capture_output=True).stdout
    found: Seconds = json.loads(told.splitlines()[-1])
    clem = str(PEER / "clem")
    for game in PARTS:

        def run_commands(name: str = f"{game}game") -> float:
            shutil.rmtree(folder / "results", ignore_errors=True)
            return _run(folder, [clem, "run", "-g", name, "-m", "mock"]) + _run(
                folder, [clem, "score", "-g", name]
            )

        found[game]["command"] = _least(run_commands)
    found["start-up"] = {"games": _least(lambda: _run(folder, [clem, "list", "games"]))}
    return found


def _least(work: Callable[[], float]) -> float:
    """Return the least of three: the first may have to compile bytecode."""
    return min(work(), work(), work())


def _run(folder: Path, command: list[str]) -> float:
    """Return the CPU seconds of a command that may keep its bytecode."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, check=True, capture_output=True, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
