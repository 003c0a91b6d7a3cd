"""Open stored runs.

Our runs are folders. Readers of other formats come from the entry-point group `groundling.runs`, by file
suffix."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from groundling.core.events import Transcript
from groundling.core.pack import installed_entry_points, load
from groundling.core.values import Problem
from groundling.runs.run_folder import RunFolder
from groundling.runs.sharded_run import ShardedRun, has_shards
from groundling.runs.stored_run import Run

GROUP = "groundling.runs"


def open_run(name: str | Path, game: str = "") -> Run:
    """Open a run by its folder or file, to be read with the game that it was played with or with `game`."""
    path = Path(name)
    reader = installed_entry_points(GROUP).get(path.suffix.removeprefix("."))
    if reader is None or path.is_dir():
        return ShardedRun(path, game) if has_shards(path) else RunFolder(path, game)
    kind: type[Run] = load(reader.value)
    return kind(path, game)


def read_run_recordings(path: Path) -> Mapping[str, Transcript]:
    """Read a run's transcripts by episode."""
    run = open_run(path)
    run.read_about()
    return {transcript.episode: transcript for transcript in run.read_transcripts()}


def find_run_episode(run: Run, name: str, episode: str) -> Transcript:
    for transcript in run.read_transcripts():
        if transcript.episode == episode:
            return transcript
    raise Problem(f"{name} has no episode {episode!r}: groundling show {name} lists them")
