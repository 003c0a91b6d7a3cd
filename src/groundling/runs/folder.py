"""A run as a folder: `run.toml` holds the plan, `log.jsonl` the events, `scores.parquet` the scores."""

from __future__ import annotations

import platform
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from groundling import __version__
from groundling.core.events import Transcript, encode
from groundling.core.pack import Pack
from groundling.core.values import Problem
from groundling.players import CONTROLS
from groundling.runs.files import write_whole
from groundling.runs.log import chosen, transcripts
from groundling.runs.plan import Plan
from groundling.runs.run import Run


class RunFolder(Run, frozen=True):
    @property
    def log(self) -> Path:
        return self.path / "log.jsonl"

    @property
    def about(self) -> Path:
        return self.path / "run.toml"

    @property
    def scores(self) -> Path:
        return self.path / "scores.parquet"

    def prepare(self, plan: Plan) -> None:
        """Create the folder for this plan, or check that it was created for this plan."""
        identity = plan.identity()
        if self.about.exists():
            there = self.read()["plan"]
            other = [key for key in identity if there.get(key, {}) != identity[key]]
            if other:
                raise Problem(
                    f"{self.path} holds another run (other {', '.join(other)}): "
                    "choose another folder with -o, or remove it"
                )
            return
        if self.log.exists():
            raise Problem(f"{self.path} has a log but no run.toml: choose another folder with -o")
        self._describe(plan.source, len(plan), identity)

    def _describe(self, source: str, episodes: int, plan: Mapping[str, Any]) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        about = {
            "groundling": __version__,
            "python": platform.python_version(),
            "platform": platform.platform(),
            "created": datetime.now(UTC).replace(microsecond=0),
            "source": source,
            "episodes": episodes,
            "plan": plan,
        }
        write_whole(self.about, tomli_w.dumps(about).encode())

    def write(self, pack: Pack, transcripts: Iterable[Transcript], source: str) -> int:
        """Write games that were played elsewhere, all with the same settings, and return their number. Only
        the result of an earlier call of this method is overwritten."""
        found = list(transcripts)
        if not found:
            return 0
        if self.log.exists() and "seats" in self.read()["plan"]:
            raise Problem(f"{self.path} holds a run that was played here: choose another folder with -o")
        settings = {encode(transcript.opened.settings): transcript.opened.settings for transcript in found}
        if len(settings) > 1:
            raise Problem(
                f"{source} has games of {len(settings)} different settings: import its parts one by one"
            )
        plan = {"game": pack.name, "settings": msgspec.to_builtins(found[0].opened.settings)}
        self._describe(source, len(found), plan)
        write_whole(
            self.log, b"".join(encode(event) + b"\n" for transcript in found for event in transcript.events)
        )
        return len(found)

    def read(self) -> dict[str, Any]:
        """Return the content of run.toml."""
        try:
            with self.about.open("rb") as file:
                about = tomllib.load(file)
        except FileNotFoundError:
            raise Problem(f"{self.path} is not a run: give a folder made by groundling play") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as trouble:
            raise Problem(f"{self.about} cannot be read ({trouble}): restore it from a copy") from None
        if not isinstance(about.get("plan"), dict):
            raise Problem(f"{self.about} has no plan: it was not written by groundling play")
        return about

    def transcripts(self) -> Iterator[Transcript]:
        if self.log.exists():
            yield from transcripts(self.log, type(self.game()))

    def chosen(self, episodes: Sequence[str]) -> Iterator[Transcript]:
        return chosen(self.log, type(self.game()), episodes)

    def controls(self) -> dict[str, RunFolder]:
        found = {name: RunFolder(self.path / name) for name in CONTROLS}
        return {name: folder for name, folder in found.items() if folder.about.exists()}
