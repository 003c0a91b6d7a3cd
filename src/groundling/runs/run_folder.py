"""A run as a folder: `run.toml` holds the plan, `log.jsonl` the events, `scores.parquet` the scores."""

from __future__ import annotations

import os
import platform
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from operator import add
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from groundling import __version__
from groundling.core.code_files import FILE_SPEC, CodeOrigin
from groundling.core.events import Closed, Transcript, encode_event_json
from groundling.core.pack import Pack, load
from groundling.core.values import Instance, Problem
from groundling.files import encode_toml, write_whole_file
from groundling.players import CONTROLS
from groundling.runs.event_log import (
    log_checksum_line,
    log_checksums_path,
    read_log_episodes,
    read_log_transcripts,
)
from groundling.runs.instances import hash_instances
from groundling.runs.plan import RunPlan, Selection, drop_recording_hashes
from groundling.runs.sampling import count_strata, merge_strata
from groundling.runs.stored_run import Run


class RunFolder(Run, frozen=True):
    @property
    def log_path(self) -> Path:
        return self.path / "log.jsonl"

    @property
    def checksums_path(self) -> Path:
        return log_checksums_path(self.log_path)

    @property
    def about_path(self) -> Path:
        return self.path / "run.toml"

    @property
    def scores_path(self) -> Path:
        return self.path / "scores.parquet"

    @property
    def rows_path(self) -> Path:
        """The file with the rows that were computed while the run was played."""
        return self.path / "rows.msgpack"

    @property
    def instances_path(self) -> Path:
        """The SHA-256 of each planned instance, written before run.toml, which says how many lines count."""
        return self.path / "instances.sha256"

    @property
    def offered_path(self) -> Path:
        """The file with the ids of the instances from which the planned ones were chosen, where these are
        more. As many of its lines count as plan.strata of run.toml adds up to."""
        return self.path / "offered.txt"

    @property
    def keeps_first_instances(self) -> bool:
        """Whether the folder was begun when `--limit` meant the first instances, and keeps that meaning."""
        return self.about_path.exists() and self.read_about()["plan"].get("selection", "first") == "first"

    def check_plan(self, plan: RunPlan) -> None:
        """Raise Problem if the folder was begun with another identity than this plan has. Settings that the
        game did not have then had their default."""
        identity, there = plan.identity_fields(), self.read_about()["plan"]
        defaults = msgspec.to_builtins(type(plan.settings)())
        there = {**there, "settings": {**defaults, **there.get("settings", {})}}
        keys = {**identity, "code": {}}
        then = _known_facts({key: there.get(key, {}) for key in keys})
        now = _known_facts({key: identity.get(key, {}) for key in keys})
        if then == now:
            return
        if {key for key in keys if then[key] != now[key]} == {"code"}:
            raise self._changed_code_problem(there.get("code", {}), plan.origins)
        raise Problem(
            f"{self.path} holds another run (other {'; '.join(_name_differences(then, now))}): "
            "choose another folder with -o, or remove it"
        )

    def merge_plan(self, plan: RunPlan, pack: Pack) -> RunPlan:
        """Return the plan of the folder with what this plan adds to it: instances or repeats."""
        for path in (self.path, *self.path.parents):
            if path.is_file():
                raise Problem(f"{path} is a file: choose a folder with -o")
        if (self.path / "tournament.toml").exists():
            raise Problem(f"{self.path} holds a tournament: choose another folder with -o")
        if not self.about_path.exists():
            return plan
        self.check_plan(plan)
        there, before = self.read_about()["plan"], self._planned_instances(plan)
        known = {instance.id for instance in before}
        merged = [*before, *(instance for instance in plan.instances if instance.id not in known)]
        strata, offered = there.get("strata") or count_strata(pack, before), self._read_offered_ids(before)
        if offered is None:
            strata = merge_strata(strata, plan.strata, max)
        else:
            seen = set(offered)
            added = [instance for instance in plan.offered or plan.instances if instance.id not in seen]
            strata = merge_strata(strata, count_strata(pack, added), add)
            offered = [*offered, *(instance.id for instance in added)]
        whole = sum(sum(sizes.values()) for sizes in strata.values())
        how: Selection = "first" if self.keeps_first_instances else plan.selection
        return replace(
            plan,
            instances=merged,
            offered_ids=offered or [],
            repeat=max(plan.repeat, there["repeat"]),
            selection="all" if len(merged) >= whole else how,
            strata=strata,
        )

    def _read_offered_ids(self, planned: Sequence[Instance]) -> list[str] | None:
        """Return the ids of all instances offered before; None where only their number is known."""
        strata = self.read_about()["plan"].get("strata", {})
        total = sum(sum(sizes.values()) for sizes in strata.values()) or len(planned)
        known = [instance.id for instance in planned]
        if self.offered_path.exists():
            known = self.offered_path.read_text("utf-8").splitlines()[:total]
        return known if len(known) == total else None

    def _planned_instances(self, plan: RunPlan) -> list[Instance]:
        """Return the instances of the folder's plan, out of those that are given now and those in its log."""
        about = self.read_about()
        count, digest = count_planned_instances(about), about["plan"]["instances"]
        given: dict[str, Instance] = {one.id: one for one in [*plan.offered, *plan.instances]}
        planned = self.read_instance_digests()[:count]
        if not planned:  # an old folder: the first instances of its source
            sources = (lambda: plan.offered, lambda: plan.instances, self._logged_instances)
            candidates = (source()[:count] for source in sources)
            found = next((some for some in candidates if hash_instances(some) == digest), None)
            if found is None:
                raise Problem(
                    f"{self.path} holds a run of other instances: choose another folder with -o, or remove it"
                )
            return found
        for name, known in planned:
            if name in given and hash_instances([given[name]]) != known:
                raise Problem(
                    f"{self.path} has another instance with the id {name!r}: choose another folder with -o"
                )
        if not all(name in given for name, _ in planned):
            given = {**{one.id: one for one in self._logged_instances()}, **given}
        unknown = [name for name, _ in planned if name not in given]
        if unknown:
            raise Problem(
                f"{self.path} is planned with instances that are neither given nor played yet "
                f"({unknown[0]}{'…' if unknown[1:] else ''}): give these too"
            )
        return [given[name] for name, _ in planned]

    def _logged_instances(self) -> list[Instance]:
        found = {run.opened.instance.id: run.opened.instance for run in self.read_transcripts()}
        return list(found.values())

    def read_instance_digests(self) -> list[tuple[str, str]]:
        """Return id and SHA-256 of the planned instances in order; none in folders of older versions."""
        lines = self.instances_path.read_text("utf-8").split("\n") if self.instances_path.exists() else []
        return [(name, digest) for digest, _, name in (line.partition("  ") for line in lines) if name]

    def prepare_folder(self, plan: RunPlan) -> None:
        """Create the folder for this plan, or check that it was created for this plan."""
        if self.about_path.exists():
            self.check_plan(plan)
            return
        if self.log_path.exists():
            raise Problem(f"{self.path} has a log but no run.toml: choose another folder with -o")
        self.path.mkdir(parents=True, exist_ok=True)
        self._write_instance_names(plan)
        fields = {**plan.identity_fields(), **plan.extent_fields()}
        self._write_about(plan.source, len(plan), fields, plan.origins)

    def grow_folder(self, plan: RunPlan, ended: int) -> None:
        """Write a plan that adds to that of the folder, and log the growth. `ended` episodes of the run have
        a result. Only the process that holds the log may call this."""
        about = self.read_about()
        there, count = about["plan"], count_planned_instances(about)
        if hash_instances(plan.instances[:count]) != there["instances"] or plan.repeat < there["repeat"]:
            raise Problem(f"{self.path} was changed by another process: give the command again")
        if len(plan) == about["episodes"]:
            return
        self._write_instance_names(plan)
        step = {
            "at": datetime.now(UTC).replace(microsecond=0),
            "ended": ended,
            "episodes": [about["episodes"], len(plan)],
            "instances": [count, len(plan.instances)],
            "repeat": [there["repeat"], plan.repeat],
        }
        plan_table = {**there, **plan.identity_fields(), **plan.extent_fields()}
        growth = [*about.get("growth", []), step]
        sources = list(dict.fromkeys([*about["source"].split(" + "), plan.source]))
        grown = {**about, "source": " + ".join(sources), "episodes": len(plan), "plan": plan_table}
        write_whole_file(self.about_path, encode_toml({**grown, "growth": growth}))

    def _write_instance_names(self, plan: RunPlan) -> None:
        lines = [f"{hash_instances([one])}  {one.id}\n" for one in plan.instances]
        write_whole_file(self.instances_path, "".join(lines).encode())
        if len(plan.offered_ids) > len(plan.instances) or self.offered_path.exists():
            write_whole_file(self.offered_path, "".join(f"{name}\n" for name in plan.offered_ids).encode())

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
        """Return an origin for run.toml: a path relative to the run if both are in the working folder."""
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
        write_whole_file(self.about_path, encode_toml(about))

    def write_recording_about(
        self,
        pack: Pack,
        settings: Any,
        source: str,
        episodes: int,
        erased: Sequence[str] = (),
        data: str = "",
    ) -> None:
        """Write run.toml for games that no plan of ours began."""
        plan = {
            "game": pack.name,
            "settings": msgspec.to_builtins(settings),
            **({"data": data} if data else {}),
        }
        self._write_about(source, episodes, plan, {"game": pack.code} if pack.code else {}, erased)

    def write_transcripts(
        self,
        pack: Pack,
        transcripts: Iterable[Transcript],
        source: str,
        erased: Sequence[str] = (),
        data: str = "",
    ) -> int:
        """Write games that were played elsewhere, all with the same settings, and return their number. Only
        the result of an earlier call of this method is overwritten. `erased` names games that are left out
        because somebody's part in them was deleted, `data` the reader of published data."""
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
        self.write_recording_about(pack, found[0].opened.settings, source, len(found), erased, data)
        lines = {
            game.episode: b"".join(encode_event_json(event) + b"\n" for event in game.events)
            for game in found
        }
        self.checksums_path.unlink(missing_ok=True)  # never let it name what the log does not have
        write_whole_file(self.log_path, b"".join(lines.values()))
        write_whole_file(
            self.checksums_path,
            b"".join(
                log_checksum_line(game.episode, sha256(lines[game.episode]).hexdigest())
                for game in found
                if isinstance(game.events[-1], Closed)
            ),
        )
        return len(found)

    def read_about(self) -> Mapping[str, Any]:
        """Return the content of run.toml."""
        try:
            about = _parse_toml(self.about_path.read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            raise Problem(f"{self.path} is not a run: give a folder made by groundling play") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as trouble:
            raise Problem(f"{self.about_path} cannot be read ({trouble}): restore it from a copy") from None
        if not isinstance(about.get("plan"), dict):
            raise Problem(f"{self.about_path} has no plan: it was not written by groundling play")
        return about

    def read_transcripts(self) -> Iterator[Transcript]:
        if self.log_path.exists():
            yield from read_log_transcripts(self.log_path, load(self.find_pack().game))

    def read_episodes(self, episodes: Sequence[str]) -> Iterator[Transcript]:
        return read_log_episodes(self.log_path, load(self.find_pack().game), episodes)

    def control_runs(self) -> dict[str, RunFolder]:
        found = {name: RunFolder(self.path / name, self.game) for name in CONTROLS}
        return {name: folder for name, folder in found.items() if folder.about_path.exists()}


@lru_cache(16)
def _parse_toml(content: bytes) -> Mapping[str, Any]:
    return tomllib.loads(content.decode())


def count_planned_instances(about: Mapping[str, Any]) -> int:
    """Return the number of instances that the plan in run.toml has."""
    plan = about["plan"]
    count: int = about["episodes"] // (plan.get("repeat", 1) * plan.get("wordings", 1))
    return count


def _known_facts(identity: Mapping[str, Any]) -> dict[str, Any]:
    """Return the identity without the hashes of recordings, which may grow."""
    return {**identity, "players": drop_recording_hashes(identity["players"])}


def _name_differences(then: Any, now: Any, name: str = "") -> Iterator[str]:
    """Yield each value that differs as "seats.follower: rule there, gold here"."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key in dict.fromkeys([*then, *now]):
            if then.get(key) != now.get(key):
                yield from _name_differences(then.get(key), now.get(key), f"{name}.{key}" if name else key)
    else:
        yield f"{name}: {shorten_value(then)} there, {shorten_value(now)} here"


def shorten_value(value: object) -> str:
    """Return a value as text, of a SHA-256 only the beginning."""
    text = "none" if value is None else str(value)
    return f"{text[:12]}…" if len(text) == 64 and text.isalnum() else text
