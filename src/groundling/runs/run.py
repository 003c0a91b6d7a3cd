"""The interface of stored runs: their plan and their transcripts.

Our runs are folders. Readers of other formats come from the entry-point group `groundling.runs`, by file
suffix."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from groundling.core.events import Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, find, load
from groundling.core.values import Problem

GROUP = "groundling.runs"


class Run(Struct, frozen=True):
    path: Path

    @abstractmethod
    def read_about(self) -> dict[str, Any]:
        """Return the metadata: `plan` (game, settings, seats…), the number of `episodes`, versions."""

    @abstractmethod
    def read_transcripts(self) -> Iterator[Transcript]:
        """Yield every episode that was begun."""

    def read_episodes(self, episodes: Sequence[str]) -> Iterator[Transcript]:
        """Yield only these episodes, in this order."""
        found = {
            transcript.episode: transcript
            for transcript in self.read_transcripts()
            if transcript.episode in episodes
        }
        return (found[name] for name in episodes)

    @property
    @abstractmethod
    def scores_path(self) -> Path:
        """The file that keeps the scores."""

    def control_runs(self) -> Mapping[str, Run]:
        """Return the control runs of this run by name."""
        return {}

    def find_pack(self) -> Pack:
        return find(self.read_about()["plan"]["game"])

    def make_game(self) -> AnyGame:
        pack = self.find_pack()
        try:
            settings = msgspec.convert(self.read_about()["plan"]["settings"], load(pack.game).Settings)
        except msgspec.ValidationError as trouble:
            raise Problem(f"{self.path} has settings that {pack.name} does not have: {trouble}") from None
        return pack.new(settings)


def open_run(name: str | Path) -> Run:
    """Open a run by the path of its folder or file."""
    from groundling.runs.run_folder import RunFolder

    path = Path(name)
    for reader in entry_points(group=GROUP, name=path.suffix.removeprefix(".")):
        if not path.is_dir():
            kind: type[Run] = load(reader.value)
            return kind(path)
    return RunFolder(path)


def read_recordings(path: Path) -> Mapping[str, Transcript]:
    """Read a run's transcripts by episode."""
    run = open_run(path)
    run.read_about()
    return {transcript.episode: transcript for transcript in run.read_transcripts()}
