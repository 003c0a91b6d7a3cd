"""Verifies the folder of a run: its log line by line, its checksums, and the sums of run.toml."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from groundling import __version__
from groundling.core.consistency import ENDINGS, find_contradiction
from groundling.core.events import (
    AnyEvent,
    Closed,
    Opened,
    Transcript,
    check_event_schema,
    encode_event_json,
    event_decoder,
    refuse_newer_events,
)
from groundling.core.game import AnyGame
from groundling.core.values import Problem
from groundling.runs.plan import episode_seed
from groundling.runs.run_folder import RunFolder
from groundling.runs.scoring import count_scoring_statuses
from groundling.runs.verification import CheckedAbout, Finding, Verification

if TYPE_CHECKING:
    from hashlib import _Hash


class _EpisodeLines:
    """The events of one episode and the lines they are in."""

    def __init__(self) -> None:
        self.events: list[AnyEvent] = []
        self.numbers: list[int] = []
        self.hashed: _Hash = sha256()


class _EpisodeName(Struct):
    episode: str = ""


class FolderCheck:
    """Reads the log of a run line by line and adds what is off to a Verification."""

    def __init__(self, run: RunFolder, about: CheckedAbout, game: AnyGame, found: Verification) -> None:
        self.run, self.about, self.plan, self.game, self.found = run, about, about.plan, game, found
        self.open: dict[str, _EpisodeLines] = {}
        self.statuses: dict[str, str] = {}
        """What became of each episode that was begun."""
        self.closed: set[str] = set()
        self.instances: dict[str, bytes] = {}
        """The instances in the order in which they were first opened, as they are hashed in run.toml."""
        self.foreign: set[str] = set()
        """Other versions that recorded episodes."""
        self.checksums = self._read_checksums()
        self.planned = dict(run.read_instance_digests()[: about.planned_instances])
        """The SHA-256 of each planned instance; none in runs of older versions."""

    def add(
        self, message: str, *, line: int | None = None, episode: str = "", path: Path | None = None
    ) -> None:
        self.found.findings.append(Finding(path or self.run.log_path, message, line, episode))

    def check_folder(self) -> None:
        for number, line in self._whole_lines():
            self._check_line(number, line)
        for name, lines in list(self.open.items()):
            self._check_episode(name, lines)
        self._check_missing()
        self._check_sums()
        self._check_growth()
        self.found.counts = count_scoring_statuses(self.statuses.values(), self.about.episodes)
        self._add_notes()

    def _read_checksums(self) -> dict[str, tuple[str, int]]:
        """Return the digest and the line number of each checksum by episode."""
        path, found = self.run.checksums_path, dict[str, tuple[str, int]]()
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        for number, line in enumerate(lines, 1):
            digest, _, name = line.decode(errors="replace").rstrip("\n").partition("  ")
            if len(digest) != 64 or not name or not line.endswith(b"\n"):
                if number < len(lines):
                    self.add("this is not a checksum", line=number, path=path)
            elif name in found:
                self.add("it has a second checksum", line=number, episode=name, path=path)
            else:
                found[name] = digest, number
        return found

    def _whole_lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines of the log; a torn last line is left out, as it was never acknowledged."""
        if not self.run.log_path.exists():
            return
        with self.run.log_path.open("rb") as file:
            torn = 0
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n") or b"\0" in line:
                    torn = torn or number
                    continue
                if torn:
                    self.add("this line is torn, and whole lines follow it", line=torn)
                    torn = 0
                yield number, line
            if torn:
                self.found.notes.append(f"line {torn} is torn: playing on will cut it off")

    def _check_line(self, number: int, line: bytes) -> None:
        try:
            event = event_decoder(type(self.game)).decode(line)
            if isinstance(event, Opened):
                check_event_schema(event)
        except (msgspec.MsgspecError, UnicodeDecodeError, Problem) as trouble:
            self._add_broken_line(number, line, trouble)
            return
        name = event.episode
        if name in self.closed:
            self.add("this line comes after the episode was closed", line=number, episode=name)
            return
        if name not in self.open:
            if not isinstance(event, Opened):
                self.add("it was not opened", line=number, episode=name)
                self.statuses[name] = "damaged"
                self.closed.add(name)
                return
            self.open[name] = _EpisodeLines()
            self._check_opened(number, event)
        lines = self.open[name]
        lines.events.append(event)
        lines.numbers.append(number)
        lines.hashed.update(line)
        if isinstance(event, Closed):
            self._check_episode(name, lines)
            self._check_digest(name, lines)
            self.closed.add(name)
            del self.open[name]

    def _add_broken_line(self, number: int, line: bytes, trouble: Exception) -> None:
        try:
            refuse_newer_events(line)
        except Problem as newer:
            trouble = newer
        try:
            name = msgspec.json.decode(line, type=_EpisodeName).episode
        except (msgspec.MsgspecError, UnicodeDecodeError):
            name = ""
        self.add(f"this is not an event of {self.game.name} ({trouble})", line=number, episode=name)

    def _check_opened(self, number: int, opened: Opened[Any, Any]) -> None:
        """Check an episode against the plan of the run."""

        def expect(what: str, logged: object, planned: object) -> None:
            if logged != planned:
                told = f"{what} is {logged}, but the plan gives {planned}"
                self.add(told, line=number, episode=opened.episode)

        if opened.version != __version__:
            self.foreign.add(opened.version)
        if self.plan.seats is None:
            return
        plan, instance = self.plan, opened.instance
        name, _, repeat = opened.episode.partition("#")
        expect("the id of the instance", instance.id, name)
        if repeat and not (repeat.isdecimal() and 2 <= int(repeat) <= plan.repeat * plan.wordings):
            self.add("the plan has no such repeat", line=number, episode=opened.episode)
        expect("the seed", opened.seed, episode_seed(plan.seed, opened.episode))
        expect("strict", opened.strict, plan.strict)
        expect("retries", opened.retries, plan.retries)
        encoded = encode_event_json(instance)
        if plan.selection:
            if instance.id not in self.planned:
                self.add("its instance is not planned", line=number, episode=opened.episode)
            elif opened.version == __version__:
                digest = sha256(encoded + b"\n").hexdigest()
                expect("the SHA-256 of the instance", digest, self.planned[instance.id])
        if self.instances.setdefault(instance.id, encoded) != encoded:
            self.add("its instance differs from that of another repeat", line=number, episode=opened.episode)

    def _check_episode(self, name: str, lines: _EpisodeLines) -> None:
        transcript = Transcript(tuple(lines.events))
        wrong = find_contradiction(self.game, transcript)
        self.statuses[name] = "damaged" if wrong else transcript.status
        if wrong:
            self.add(wrong.message, line=lines.numbers[wrong.number], episode=name)
        last = lines.events[-1]
        if self.plan.seats is not None and isinstance(last, Closed) and last.reason not in ENDINGS:
            self.add(f"it is closed as {last.reason!r}", line=lines.numbers[-1], episode=name)

    def _check_digest(self, name: str, lines: _EpisodeLines) -> None:
        expected = self.checksums.get(name)
        if expected is None:
            return
        if expected[0] == lines.hashed.hexdigest():
            self.found.matching += 1
        else:
            self.add("its lines were changed: their SHA-256 differs", line=lines.numbers[-1], episode=name)

    def _check_missing(self) -> None:
        """Every episode that has a checksum was closed when that was written."""
        for name, (_, number) in self.checksums.items():
            if name not in self.closed:
                told = "is not closed in the log" if name in self.open else "is not in the log"
                message = f"it has a checksum, but {told}: lines were removed"
                self.add(message, line=number, episode=name, path=self.run.checksums_path)

    def _check_sums(self) -> None:
        """Check the numbers and the hash in run.toml against the log."""
        about, plan, path = self.about, self.plan, self.run.about_path
        begun = len(self.statuses)
        rounds = plan.repeat * plan.wordings
        if plan.seats is None:
            if begun != about.episodes:
                self.add(f"episodes is {about.episodes}, but the log has {begun}", path=path)
        elif begun > about.episodes or about.episodes % rounds:
            self.add(f"episodes is {about.episodes}, but the log has {begun} in {rounds} rounds", path=path)
        elif begun == about.episodes and not self.foreign:
            if len(self.instances) * rounds != about.episodes:
                told = f"episodes is {about.episodes}, but {len(self.instances)} instances were played"
                self.add(told, path=path)
            order = [name for name in self.planned if name in self.instances] or self.instances
            digest = sha256(b"".join(self.instances[name] + b"\n" for name in order)).hexdigest()
            if plan.instances != digest:
                self.add("plan.instances is not the SHA-256 of the instances in the log", path=path)

    def _check_growth(self) -> None:
        """Check the planned instances and each growth against the numbers in run.toml."""
        about, path = self.about, self.run.about_path
        count = about.planned_instances
        if self.plan.selection and len(self.planned) < count:
            told = f"{count} instances are planned, but this names {len(self.planned)}"
            self.add(told, path=self.run.instances_path)
        after = [(step.episodes[0], step.instances[0], step.repeat[0]) for step in about.growth[1:]]
        after.append((about.episodes, count, self.plan.repeat))
        for step, expected in zip(about.growth, after, strict=False):
            if (step.episodes[1], step.instances[1], step.repeat[1]) != expected:
                told = f"the growth to {step.episodes[1]} episodes contradicts the numbers that follow it"
                self.add(told, path=path)
            if step.ended > step.episodes[0]:
                self.add(f"a growth counts {step.ended} of {step.episodes[0]} episodes as ended", path=path)
        if about.growth != sorted(about.growth, key=lambda step: step.at):
            self.add("the times of the growths are out of order", path=path)

    def _add_notes(self) -> None:
        notes, without = self.found.notes, len(self.closed - self.checksums.keys())
        if without:
            notes.append(
                f"{without} of {len(self.closed)} closed episodes have no checksum: they are older than "
                "checksums, or the process was killed"
            )
        for version in sorted(self.foreign):
            notes.append(f"recorded by groundling {version}: texts were not read again by {__version__}")
        if self.about.erased:
            notes.append(f"erased, so not in the log: {', '.join(self.about.erased)}")
