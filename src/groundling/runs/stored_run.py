"""The interface of stored runs: their plan and their transcripts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from groundling.core.events import Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, find, load


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
        return pack.new(msgspec.convert(self.read_about()["plan"]["settings"], load(pack.game).Settings))
