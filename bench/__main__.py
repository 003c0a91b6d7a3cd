"""Every number is CPU time of this machine in this run, beside a limit that we set ourselves or beside the bare work that
nobody can do without. A ratio over 1 is better than the limit or the peer."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table

from groundling.core.pack import find, load
from groundling.report.tables import score_table
from groundling.runs.instances import make_instances
from groundling.runs.playing import Session, new_plan, prepare
from groundling.runs.scoring import score_run, write_scores

GIVER = "Expression: the grid whose top row is full and whose last column has three letters"
FOLLOWER = "Answer: second"


class Number(Struct):
    name: str
    value: float
    unit: str
    peer: str
    ratio: float


def seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def spent(*command: str) -> float:
    """CPU seconds of a command, the median of five."""
    times = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return median(times)


def at_most(name: str, value: float, unit: str, limit: float) -> Number:
    return Number(name, value, unit, f"at most {limit:g}", limit / value)


def at_least(name: str, value: float, unit: str, limit: float) -> Number:
    return Number(name, value, unit, f"at least {limit:g}", value / limit)


def start_up() -> list[Number]:
    return [
        at_most("import groundling", spent(sys.executable, "-c", "import groundling"), "s", 0.3),
        at_most("groundling games", spent(sys.executable, "-m", "groundling", "games"), "s", 0.3),
    ]


def install(folder: Path) -> list[Number]:
    """A base install into an empty environment, without pip itself."""
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    pip = [str(python), "-m", "pip"]
    subprocess.run([*pip, "install", "--quiet", "--upgrade", "pip"], check=True, stderr=subprocess.DEVNULL)
    subprocess.run([*pip, "uninstall", "--quiet", "--yes", "setuptools"], check=False, stderr=subprocess.DEVNULL)
    site = next((folder / "venv").glob("lib/python*/site-packages"))
    before = _weight(site)
    subprocess.run([*pip, "install", "--quiet", "--quiet", "."], check=True)
    listed = json.loads(subprocess.run([*pip, "list", "--format=json"], check=True, capture_output=True).stdout)
    return [
        at_most("base install, packages", len([p for p in listed if p["name"] != "pip"]), "packages", 15),
        Number("base install, size", (_weight(site) - before) / 1e6, "MB", "", float("nan")),
    ]


def _weight(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def scripted(folder: Path, n: int) -> Session:
    """n episodes of the reference game between two scripts."""
    pack = find("reference")
    instances = make_instances(pack, load(pack.recipe)(n=n, seed=1))
    folder.mkdir(parents=True)
    for name, reply in (("giver", GIVER), ("follower", FOLLOWER)):
        lines = (json.dumps({"episode": instance.id, "replies": [reply]}) for instance in instances)
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    seats = {role: f"script:{folder / role}.jsonl" for role in pack.roles}
    plan = new_plan(pack, instances, None, settings=pack.new().settings, source="bench", seats=seats)
    return prepare(pack, plan, folder / "run")


def warm_up(folder: Path) -> None:
    """Importing polars and scipy is not scoring."""
    session = scripted(folder / "warm up", 4)
    session.play(1)
    score_table(session.pack, score_run(session.folder))


def episodes(folder: Path, n: int = 20_000) -> list[Number]:
    session = scripted(folder / "episodes", n)
    played = n / seconds(lambda: session.play(16))
    data = session.folder.log.read_bytes()
    lines = data.splitlines()
    events = [json.loads(line) for line in lines]

    def bare_write() -> None:
        with (folder / "bare").open("w") as file:
            for event in events:
                file.write(json.dumps(event) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def score() -> None:
        write_scores(session.folder, score_run(session.folder))

    warm_up(folder)
    scored = n / seconds(score)
    bare_written = n / seconds(bare_write)
    bare_read = n / seconds(lambda: [json.loads(line) for line in lines])
    return [
        at_least("episodes played and logged", played, "1/s", 5_000),
        Number(
            "the same", played, "1/s", f"json.dumps of the same events and a write: {bare_written:,.0f}", played / bare_written
        ),
        at_least("episodes scored", scored, "1/s", 20_000),
        Number("the same", scored, "1/s", f"json.loads of the same log: {bare_read:,.0f}", scored / bare_read),
        at_most("disk an episode", len(data) / n, "bytes", 2_000),
    ]


def growth(folder: Path, small: int = 10_000, large: int = 100_000) -> list[Number]:
    """What ten times the episodes cost: 10 times as much is linear."""
    times: dict[str, list[float]] = {"resume": [], "score": []}
    for n in (small, large):
        session = scripted(folder / str(n), n)
        session.play(16)
        times["resume"].append(seconds(lambda: session.play(16)))  # noqa: B023 - called at once
        times["score"].append(seconds(lambda: score_table(session.pack, score_run(session.folder))))  # noqa: B023
    return [
        Number(
            f"{name} {large:,} episodes",
            after,
            "s",
            f"{large // small} x {small:,} episodes: {before * 10:.2f}",
            before * 10 / after,
        )
        for name, (before, after) in times.items()
    ]


def main() -> None:
    found: list[Number] = []
    console = Console() if sys.stdout.isatty() else Console(width=140)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for part in (start_up, lambda: install(folder), lambda: episodes(folder), lambda: growth(folder)):
            found += part()
            console.print(f"{found[-1].name} done", style="dim")
    table = Table(title="bench (CPU time)")
    for name in ("name", "value", "unit", "peer", "ratio"):
        table.add_column(name, justify="right" if name in ("value", "ratio") else "left")
    for number in found:
        table.add_row(
            number.name,
            f"{number.value:,.3g}" if number.value < 100 else f"{number.value:,.0f}",
            number.unit,
            number.peer,
            "" if number.ratio != number.ratio else f"{number.ratio:.2f}",
        )
    console.print(table)
    Path("build").mkdir(exist_ok=True)
    Path("build/bench.json").write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2))


if __name__ == "__main__":
    main()
