"""`groundling score`, `compare` and `show`: looking at runs that were played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console

from ..core.events import Transcript
from ..core.pack import find, load
from ..core.values import Problem, missing
from ..players import CONTROLS
from ..report.episode import episode_pictures, episode_text
from ..runs.folder import RunFolder
from ..runs.scoring import frame, score_run, write_scores


def score(names: list[str]) -> None:
    try:
        from ..report.tables import score_table
    except ImportError:
        raise missing("score") from None
    rows: dict[str, list[dict[str, Any]]] = {}
    unplayed: list[str] = []
    for name in names:
        folder = RunFolder(Path(name))
        runs = {"": folder, **folder.controls()}
        for control, run in runs.items():
            rows.setdefault(run.read()["plan"]["game"], []).extend(_score(run, control))
        unplayed += [name] if set(runs) != {"", *CONTROLS} else []
    console = _console()
    for game, found in rows.items():
        if not found:
            raise Problem(f"nothing has been played yet in {', '.join(names)}: give the groundling play command again")
        console.print(score_table(find(game), frame(found)))
    for name in unplayed:
        print(f"{name}: the controls were not played; groundling play … --controls adds them to the table")


def _score(folder: RunFolder, control: str) -> list[dict[str, Any]]:
    """Score a run, write its Parquet, and say how it stands."""
    about = folder.read()
    scorer = score_run(folder, control)
    if scorer.rows:
        write_scores(folder, frame(scorer.rows))
    counts = {status: sum(row["status"] == status for row in scorer.rows) for status in ("played", "aborted", "errored")}
    absent = about["episodes"] - sum(counts.values())
    parts = " + ".join(f"{status} {count}" for status, count in {**counts, "missing": absent}.items())
    print(f"{folder.path}: planned {about['episodes']} = {parts}")
    return list(scorer.rows)


def compare(a: str, b: str) -> None:
    try:
        from ..report.pairing import compare_sides, comparison_table
    except ImportError:
        raise missing("score") from None
    sides = []
    for name in (a, b):
        path, _, chosen = name.partition("@")
        folder = RunFolder(Path(path))
        rows = [row for row in score_run(folder).rows if not chosen or row["set"] == chosen]
        if not rows:
            raise Problem(f"nothing to compare in {name}: nothing was played{' of that set' if chosen else ''}")
        sides.append((folder.read()["plan"]["game"], frame(rows)))
    if sides[0][0] != sides[1][0]:
        raise Problem(f"{a} is a run of {sides[0][0]}, {b} of {sides[1][0]}: compare runs of one game")
    found, unpaired = compare_sides(load(find(sides[0][0]).measures), sides[0][1], sides[1][1])
    _console().print(comparison_table(a, b, found))
    if unpaired:
        print(f"{unpaired} episodes have no partner on the other side and are left out")


def show(name: str, episode: str, svg: str) -> None:
    folder = RunFolder(Path(name))
    pack, game = folder.pack(), folder.game()
    if not episode:
        for transcript in folder.transcripts():
            print(_line(transcript))
        return
    for transcript in folder.transcripts():
        if transcript.episode == episode:
            break
    else:
        raise Problem(f"{name} has no episode {episode!r}: groundling show {name} lists them")
    print(episode_text(pack, game, transcript), end="")
    if svg:
        Path(svg).mkdir(parents=True, exist_ok=True)
        for file, picture in episode_pictures(pack, game, transcript).items():
            (Path(svg) / file).write_text(picture, encoding="utf-8")
        print(f"pictures in {svg}")


def _line(transcript: Transcript) -> str:
    result = transcript.result
    return f"{transcript.episode}  {transcript.status}" + (f"  {result.score:g}" if result else "")


def _console() -> Console:
    """As wide as the terminal; where there is none, wide enough not to cut a number."""
    console = Console()
    return console if console.is_terminal else Console(width=160)
