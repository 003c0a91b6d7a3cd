"""The interface of stored runs: their plan and their transcripts."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from groundling.core.code_files import FILE_SPEC
from groundling.core.events import Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, command_name, find, load
from groundling.core.values import Problem


class Run(Struct, frozen=True, dict=True):
    path: Path
    game: str = ""
    """The game to read it with, as commands take it, instead of the one that it was played with."""

    @abstractmethod
    def read_about(self) -> Mapping[str, Any]:
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
        """Load the game: the one that is given, else from where it was loaded when the run was played."""
        return self._pack

    @cached_property
    def _pack(self) -> Pack:
        about = self.read_about()
        name, origin = str(about["plan"]["game"]), about.get("origins", {}).get("game")
        pack = find(self.game or (self._find_code(origin["code"]) if origin else name))
        if pack.name != name:
            raise Problem(
                f"{self.path} is a run of {name}, not of {command_name(pack)}: give {name} with --game"
            )
        return pack

    def _find_code(self, code: str) -> str:
        """Return recorded code as commands take it from here: files are recorded relative to the run."""
        found = FILE_SPEC.fullmatch(code)
        if not found:
            return code
        file = os.path.relpath(self.path / found["file"])
        if not Path(file).is_file():
            raise Problem(
                f"{self.path} was played with {file}, which is not there: give the game with --game"
            )
        return f"{file}:{found['name']}"

    def changed_code(self) -> str:
        """Return a warning if the game's code is not what the run was played with, else ""."""
        origin, now = self.read_about().get("origins", {}).get("game"), self.find_pack().code
        if not origin or not now or origin["sha256"] == now.sha256:
            return ""
        return f"{now.code} has changed since {self.path} was played: its scores may differ"

    def make_game(self) -> AnyGame:
        pack = self.find_pack()
        try:
            settings = msgspec.convert(self.read_about()["plan"]["settings"], load(pack.game).Settings)
        except msgspec.ValidationError as trouble:
            raise Problem(f"{self.path} has settings that {pack.name} does not have: {trouble}") from None
        return pack.new(settings)
