"""Collections of episodes that the server shows for replay: runs and published data."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import TypeVar

from msgspec import Struct
from starlette.exceptions import HTTPException

from groundling.core.events import Transcript, encode_event_json, event_decoder
from groundling.core.pack import Pack, find, load
from groundling.core.source import find_source
from groundling.core.values import Instance, Problem
from groundling.runs.blame_file import EpisodeBlame, read_blame
from groundling.runs.run import open_run
from groundling.runs.step_notes import StepNote, notes_by_episode
from groundling.runs.stored_run import Run
from groundling.web.episode_filter import EpisodeLabels, label_episode, mark_noted_episodes

T = TypeVar("T")
log = logging.getLogger("groundling.web")


class EpisodeRow(Struct, frozen=True, array_like=True):
    episode: str
    set: str
    status: str
    score: float | None
    events: int


class EpisodeCollection(ABC):
    """A named collection of episodes, without those of instances that are secret."""

    def __init__(self, name: str, kind: str, pack: Pack, is_secret: Callable[[Instance], bool]) -> None:
        self.name, self.kind, self.pack, self._is_secret = name, kind, pack, is_secret
        for part in (pack.game, pack.draw, pack.score, pack.report.judge):
            load(part)  # import these before the first request
        self._lock, self._labels_lock = Lock(), Lock()
        self._labels: Mapping[str, EpisodeLabels] = {}
        self._labelled: Sequence[EpisodeRow] | None = None

    @abstractmethod
    def episode_rows(self) -> Sequence[EpisodeRow]:
        """All episodes. May read files; concurrent calls wait for each other."""

    @abstractmethod
    def read_episode(self, name: str) -> Transcript:
        """The transcript of an episode that is in the collection."""

    def find_episode(self, name: str) -> Transcript | None:
        return self.read_episode(name) if any(row.episode == name for row in self.episode_rows()) else None

    def episode_labels(self) -> Mapping[str, EpisodeLabels]:
        """The labels and scores of all episodes by name, computed at the first request and kept."""
        rows = self.episode_rows()
        with self._labels_lock:
            if self._labelled is not rows:
                found = self.read_episodes([row.episode for row in rows])
                self._labels = {each.episode: label_episode(self.pack, each) for each in found}
                self._labelled = rows
        return mark_noted_episodes(self._labels, self.read_notes())

    def read_episodes(self, names: Sequence[str]) -> Iterable[Transcript]:
        return map(self.read_episode, names)

    def read_notes(self) -> Mapping[str, Sequence[StepNote]]:
        """Notes on steps by episode."""
        return {}

    def gallery_instances(self) -> Sequence[Instance]:
        """The instances that a gallery can show."""
        return ()

    def find_blame(self, name: str) -> EpisodeBlame | None:
        """Return what `groundling blame` found about an episode."""
        return None


class RunCollection(EpisodeCollection):
    """A run, which may grow while it is shown."""

    def __init__(self, name: str, run: Run, is_secret: Callable[[Instance], bool]) -> None:
        super().__init__(name, "run", run.find_pack(), is_secret)
        self._run, self._seen = run, (0.0, 0)
        self._rows: Sequence[EpisodeRow] = ()

    def episode_rows(self) -> Sequence[EpisodeRow]:
        with self._lock:
            if not self._run.path.exists():
                raise Problem(f"{self._run.path} no longer exists")
            file = self._run.path if self._run.path.is_file() else self._run.path / "log.jsonl"
            there = file.stat() if file.exists() else None
            seen = (there.st_mtime, there.st_size) if there else (0.0, 0)
            if seen != self._seen:
                self._rows = [
                    library_episode_row(transcript)
                    for transcript in self._run.read_transcripts()
                    if not self._is_secret(transcript.opened.instance)
                ]
                self._seen = seen
            return self._rows

    def read_episode(self, name: str) -> Transcript:
        return next(iter(self.read_episodes([name])))

    def read_episodes(self, names: Sequence[str]) -> Iterable[Transcript]:
        return self._run.read_episodes(names)

    def read_notes(self) -> Mapping[str, Sequence[StepNote]]:
        return notes_by_episode(self._run)

    def find_blame(self, name: str) -> EpisodeBlame | None:
        return read_blame(self._run).get(name)


class DatasetCollection(EpisodeCollection):
    """A part of published data, read at the first request and kept as encoded events."""

    def __init__(
        self, name: str, pack: Pack, path: Path, part: str, is_secret: Callable[[Instance], bool]
    ) -> None:
        super().__init__(name, "data", pack, is_secret)
        self._path, self._part = path, part
        self._rows: list[EpisodeRow] | None = None
        self._events: dict[str, bytes] = {}
        self._instances: Sequence[Instance] = ()

    def episode_rows(self) -> Sequence[EpisodeRow]:
        with self._lock:
            if self._rows is None:
                collections = find_source(self.pack.name).read_collections(self._path, self._part)
                rows = []
                for transcript in (each for one in collections for each in one.transcripts):
                    if self._is_secret(transcript.opened.instance):
                        continue
                    self._events[transcript.episode] = b"\n".join(map(encode_event_json, transcript.events))
                    rows.append(library_episode_row(transcript))
                self._instances = [
                    instance
                    for one in collections
                    for instance in one.instances
                    if not self._is_secret(instance)
                ]
                self._rows = rows
            return self._rows

    def read_episode(self, name: str) -> Transcript:
        return Transcript(tuple(event_decoder(load(self.pack.game)).decode_lines(self._events[name])))

    def gallery_instances(self) -> Sequence[Instance]:
        self.episode_rows()
        return self._instances


async def read_library_in_thread(book: EpisodeCollection, work: Callable[[], T]) -> T:
    """Read in a thread. Errors go to the log, as pages must not show paths."""
    try:
        return await asyncio.to_thread(work)
    except Exception as trouble:  # a file may have become unreadable in any way
        log.warning("%s cannot be read: %s", book.name, trouble)
        raise HTTPException(503, f"{book.name} cannot be read now: the server's log says why") from trouble


def library_episode_row(transcript: Transcript) -> EpisodeRow:
    result = transcript.result
    score = None if result is None else round(result.score, 4)
    return EpisodeRow(
        transcript.episode, transcript.opened.instance.set, transcript.status, score, len(transcript.events)
    )


def choose_unused_name(name: str, taken: Collection[str]) -> str:
    """The name, with a number where it is taken."""
    names = (name, *(f"{name}-{number}" for number in range(2, len(taken) + 3)))
    return next(each for each in names if each not in taken)


def open_episode_library(
    runs: Iterable[str], data: Iterable[str], is_secret: Callable[[Instance], bool] = lambda instance: False
) -> tuple[EpisodeCollection, ...]:
    """Open runs by name and data as GAME=PATH, but for secret instances; Problem if one cannot be read."""
    books: list[EpisodeCollection] = []

    def unused_name(name: str) -> str:
        return choose_unused_name(name, {book.name for book in books})

    for name in runs:
        run = open_run(name)
        run.read_about()
        books.append(RunCollection(unused_name(Path(name).resolve().name), run, is_secret))
    for given in data:
        game, mark, where = given.partition("=")
        path = Path(where)
        if not mark or not where:
            raise Problem(f"--data {given} is not GAME=PATH: write it as in --data hexagons=FOLDER")
        if not path.exists():
            raise Problem(f"{path} does not exist: give the folder or file of the data as published")
        pack, parts = find(game), load(find_source(game).parts)(path)
        if not parts:
            raise Problem(
                f"{path} holds no data that the {game} reader knows: give the folder or file as published"
            )
        books += [
            DatasetCollection(unused_name(f"{game}-{part}".replace("/", "-")), pack, path, part, is_secret)
            for part in parts
        ]
    return tuple(books)
