"""A run as a folder: `run.toml` holds the plan, `log.jsonl` the events, `scores.parquet` the scores."""

from __future__ import annotations

import os
import platform
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from groundling import __version__
from groundling.core.code_files import FILE_SPEC, CodeOrigin
from groundling.core.events import Closed, Transcript, encode_event_json
from groundling.core.pack import Pack
from groundling.core.values import Problem
from groundling.players import CONTROLS
from groundling.runs.event_log import checksum_line, checksums_path, read_log_episodes, read_log_transcripts
from groundling.runs.garbage_collection import write_whole
from groundling.runs.plan import RunPlan
from groundling.runs.stored_run import Run


class RunFolder(Run, frozen=True):
    @property
    def log_path(self) -> Path:
        return self.path / "log.jsonl"

    @property
    def checksums_path(self) -> Path:
        return checksums_path(self.log_path)

    @property
    def about_path(self) -> Path:
        return self.path / "run.toml"

    @property
    def scores_path(self) -> Path:
        return self.path / "scores.parquet"

    def prepare_folder(self, plan: RunPlan) -> None:
        """Create the folder for this plan, or check that it was created for this plan."""
        identity = plan.identity_fields()
        if self.about_path.exists():
            there = self.read_about()["plan"]
            other = [key for key in {**identity, "code": {}} if there.get(key, {}) != identity.get(key, {})]
            if other == ["code"]:
                raise self._changed_code_problem(there.get("code", {}), plan.origins)
            if other:
                raise Problem(
                    f"{self.path} holds another run (other {', '.join(other)}): "
                    "choose another folder with -o, or remove it"
                )
            return
        if self.log_path.exists():
            raise Problem(f"{self.path} has a log but no run.toml: choose another folder with -o")
        self._write_about(plan.source, len(plan), identity, plan.origins)

    def _changed_code_problem(self, then: Mapping[str, str], now: Mapping[str, CodeOrigin]) -> Problem:
        """Say what has changed. A run that is resumed with other code would hold the replies of both."""
        changes = [
            f"{origin.code} has changed (SHA-256 {then[who][:12]}… then, {origin.sha256[:12]}… now)"
            for who, origin in now.items()
            if then.get(who, origin.sha256) != origin.sha256
        ]
        changes += [f"the {who} came from elsewhere" for who in then.keys() ^ now.keys()]
        return Problem(
            f"{self.path} was begun with other code: {', '.join(changes)}; "
            "restore that, or choose another folder with -o"
        )

    def _origin_table(self, origin: CodeOrigin) -> dict[str, str]:
        """Return an origin for run.toml. A file is recorded relative to the run where both are in the working
        folder, so that this can be moved."""
        found = FILE_SPEC.fullmatch(origin.code)
        if not found:
            return {"code": origin.code, "sha256": origin.sha256}
        file, here = Path(found["file"]).resolve(), Path.cwd()
        if file.is_relative_to(here) and self.path.resolve().is_relative_to(here):
            file = Path(os.path.relpath(file, self.path.resolve()))
        return {"code": f"{file.as_posix()}:{found['name']}", "sha256": origin.sha256}

    def _write_about(
        self,
        source: str,
        episodes: int,
        plan: Mapping[str, Any],
        origins: Mapping[str, CodeOrigin],
        erased: Sequence[str] = (),
    ) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        about = {
            "groundling": __version__,
            "python": platform.python_version(),
            "platform": platform.platform(),
            "created": datetime.now(UTC).replace(microsecond=0),
            "source": source,
            "episodes": episodes,
            **({"erased": list(erased)} if erased else {}),
            "plan": plan,
            **({"origins": {who: self._origin_table(origins[who]) for who in origins}} if origins else {}),
        }
        write_whole(self.about_path, tomli_w.dumps(about).encode())

    def write_transcripts(
        self, pack: Pack, transcripts: Iterable[Transcript], source: str, erased: Sequence[str] = ()
    ) -> int:
        """Write games that were played elsewhere, all with the same settings, and return their number. Only
        the result of an earlier call of this method is overwritten. `erased` names games that are left out
        because somebody's part in them was deleted."""
        found = list(transcripts)
        if not found:
            return 0
        if self.log_path.exists() and "seats" in self.read_about()["plan"]:
            raise Problem(f"{self.path} holds a run that was played here: choose another folder with -o")
        settings = {
            encode_event_json(transcript.opened.settings): transcript.opened.settings for transcript in found
        }
        if len(settings) > 1:
            raise Problem(
                f"{source} has games of {len(settings)} different settings: import its parts one by one"
            )
        plan = {"game": pack.name, "settings": msgspec.to_builtins(found[0].opened.settings)}
        self._write_about(source, len(found), plan, {"game": pack.code} if pack.code else {}, erased)
        lines = {
            game.episode: b"".join(encode_event_json(event) + b"\n" for event in game.events)
            for game in found
        }
        self.checksums_path.unlink(missing_ok=True)  # never let it name what the log does not have
        write_whole(self.log_path, b"".join(lines.values()))
        write_whole(
            self.checksums_path,
            b"".join(
                checksum_line(game.episode, sha256(lines[game.episode]).hexdigest())
                for game in found
                if isinstance(game.events[-1], Closed)
            ),
        )
        return len(found)

    def read_about(self) -> dict[str, Any]:
        """Return the content of run.toml."""
        try:
            with self.about_path.open("rb") as file:
                about = tomllib.load(file)
        except FileNotFoundError:
            raise Problem(f"{self.path} is not a run: give a folder made by groundling play") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as trouble:
            raise Problem(f"{self.about_path} cannot be read ({trouble}): restore it from a copy") from None
        if not isinstance(about.get("plan"), dict):
            raise Problem(f"{self.about_path} has no plan: it was not written by groundling play")
        return about

    def read_transcripts(self) -> Iterator[Transcript]:
        if self.log_path.exists():
            yield from read_log_transcripts(self.log_path, type(self.make_game()))

    def read_episodes(self, episodes: Sequence[str]) -> Iterator[Transcript]:
        return read_log_episodes(self.log_path, type(self.make_game()), episodes)

    def control_runs(self) -> dict[str, RunFolder]:
        found = {name: RunFolder(self.path / name, self.game) for name in CONTROLS}
        return {name: folder for name, folder in found.items() if folder.about_path.exists()}
