"""What `groundling blame` found, in a file beside the run that reports read."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from groundling import __version__
from groundling.core.values import Problem
from groundling.files import write_whole_file
from groundling.runs.stored_run import Run
from groundling.scores.blame import LossSplit


class ClauseCredit(Struct, frozen=True):
    event: int
    """The number of the event in which it was said."""
    text: str
    credit: float
    """What the panel loses, on average, without this clause or with another one."""


class EpisodeBlame(Struct, frozen=True):
    episode: str
    set: str
    cluster: str
    split: LossSplit
    panel: list[float]
    reference: list[float]
    asked: float | None
    clauses: list[ClauseCredit] = []


class RunBlame(Struct, frozen=True):
    measure: str
    panel: list[str]
    reference: str
    exchange: bool
    episodes: list[EpisodeBlame]
    version: str = __version__


def blame_path(run: Run) -> Path:
    return run.path / "blame.json" if run.path.is_dir() else run.path.with_name(f"{run.path.name}.blame.json")


def write_blame(run: Run, found: RunBlame) -> Path:
    path = blame_path(run)
    write_whole_file(path, msgspec.json.encode(found))
    return path


def read_blame(run: Run) -> dict[str, EpisodeBlame]:
    """Return what was found by episode; nothing if the run was not blamed."""
    path = blame_path(run)
    if not path.is_file():
        return {}
    try:
        found = msgspec.json.decode(path.read_bytes(), type=RunBlame)
    except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
        raise Problem(f"{path} cannot be read ({trouble}): remove it, or repeat groundling blame") from None
    return {one.episode: one for one in found.episodes}
