"""The append-only log of a run: one event per line, episodes interleaved, synced to disk before it is
acknowledged. Beside it, `log.sha256` has a checksum for each closed episode."""

from __future__ import annotations

import fcntl
import gc
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from time import monotonic, sleep
from zlib import crc32

import msgspec
from msgspec import Struct

from groundling.core.events import (
    AnyEvent,
    Closed,
    Failed,
    Opened,
    Transcript,
    check_event_schema,
    encode_event_lines,
    event_decoder,
    refuse_newer_events,
)
from groundling.core.game import AnyGame
from groundling.core.values import Problem

SYNC_SECONDS = 0.04
"""Lines that arrive within this time are synced together; an event waits well under 0.1 s in all."""
GROUP_EVENTS = 2_500
"""This number of events is written without waiting for more; later ones wait until the writer takes them."""
BLOCK_BYTES = 1 << 18
"""The size of the blocks in which a log is decoded."""


def log_checksums_path(log: Path) -> Path:
    """Return the file with the SHA-256 of each closed episode's lines. It is written after the log, so that
    whatever it names is in the log, however the process ended."""
    return log.with_suffix(".sha256")


def log_checksum_line(episode: str, digest: str) -> bytes:
    return f"{digest}  {episode}\n".encode()


class EventLog:
    """A log open for writing, by one process at a time."""

    def __init__(self, path: Path, on_synced: Callable[[list[str]], None] = lambda episodes: None) -> None:
        """`on_synced` is called from another thread with the episodes that ended in the lines just synced."""
        self.path = path
        self._on_synced = on_synced
        self._file = _open_to_append(path)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            cut_torn_log_tail(path)
            self._sums_file = _open_to_append(log_checksums_path(path))
            cut_torn_log_tail(log_checksums_path(path))
        except BlockingIOError:
            os.close(self._file)
            raise Problem(
                f"{path.parent} is being played by another process: wait for it or choose another folder"
            ) from None
        except (Problem, OSError):
            os.close(self._file)
            raise
        _sync_folder(path.parent)
        self._crc = log_crc(path)
        self._events: list[AnyEvent] = []
        """What is not on disk yet, apart from what the writer has just taken."""
        self._open: dict[str, list[bytes]] = {}
        """The lines of each open episode, for its checksum, where all of them are known."""
        self._filled, self._due = Flag(), Flag()
        """There are events; they have to be written without waiting for more."""
        self._since, self._writing, self._closing = 0.0, False, False
        self._trouble: Exception | None = None
        self._writer = Thread(target=self._write_loop, name="log", daemon=True)
        self._writer.start()

    def resume_episode(self, episode: str, lines: Iterable[bytes]) -> None:
        """Continue the checksum of an episode with these lines, all that the log has of it."""
        self._open[episode] = list(lines)

    @property
    def unclosed(self) -> list[str]:
        """The episodes that were opened or resumed, and are not closed."""
        return list(self._open)

    @property
    def synced_crc(self) -> int:
        """The CRC-32 of what is on disk."""
        return self._crc

    def append_event(self, event: AnyEvent) -> None:
        if self._trouble is not None:
            raise self._trouble
        self._events.append(event)
        if not self._filled.is_set():
            self._since = monotonic()
            self._filled.set()
        elif len(self._events) >= GROUP_EVENTS:
            self._due.set()
            sleep(0.001)
        # If players never wait, the interpreter may not schedule the writer for seconds: yield to it.
        elif not self._writing and monotonic() - self._since > 1.25 * SYNC_SECONDS:
            sleep(0.001)

    def __enter__(self) -> EventLog:
        return self

    def __exit__(self, *trouble: object) -> None:
        self.close()

    def close(self) -> None:
        """Sync the remaining lines. Raise if anything could not be written, now or before."""
        self._closing = True
        self._due.set()
        self._filled.set()
        self._writer.join()
        os.fsync(self._sums_file)
        os.close(self._sums_file)
        os.close(self._file)
        if self._trouble is not None:
            raise self._trouble

    def _write_loop(self) -> None:
        while True:
            self._filled.wait()
            # events may have arrived during the last write
            self._due.wait(max(0.0, self._since + SYNC_SECONDS - monotonic()))
            self._filled.clear()
            self._due.clear()
            closing = self._closing
            events = self._events[:]
            del self._events[: len(events)]  # not clear(): more may have been appended
            if events:
                try:
                    ended = self._write_events(events)
                except Exception as trouble:  # a full disk, or a player's detail that is not JSON
                    if isinstance(trouble, OSError):
                        trouble.filename = str(self.path)
                    self._trouble = trouble
                    return
                finally:
                    self._writing = False
                self._on_synced(ended)
            if closing:
                return

    def _write_events(self, events: list[AnyEvent]) -> list[str]:
        """Write and sync events, and return the episodes that they end."""
        blocks: list[bytes] = []
        sums: list[bytes] = []
        ended: list[str] = []
        for episode, some in groupby(events, attrgetter("episode")):
            group = list(some)
            blocks.append(block := encode_event_lines(group))
            if isinstance(group[0], Opened):
                self._open[episode] = []
            if episode in self._open:
                self._open[episode].append(block)
            if isinstance(group[-1], Closed | Failed):
                ended.append(episode)
            if isinstance(group[-1], Closed) and episode in self._open:
                digest = sha256(b"".join(self._open.pop(episode))).hexdigest()
                sums.append(log_checksum_line(episode, digest))
        self._writing = True
        _write_all(self._file, block := b"".join(blocks))
        os.fsync(self._file)
        self._crc = crc32(block, self._crc)
        _write_all(self._sums_file, b"".join(sums))
        return ended


def log_crc(path: Path) -> int:
    """Return what `synced_crc` is when all of the log is synced."""
    crc = 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            crc = crc32(block, crc)
    return crc


def cut_torn_log_tail(path: Path) -> None:
    """Truncate a last line that was only partly written. It was never acknowledged."""
    good = sum(len(line) for _, line in whole_log_lines(path))
    with path.open("rb+") as file:
        if good < file.seek(0, os.SEEK_END):
            file.truncate(good)
            os.fsync(file.fileno())


def whole_log_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the complete lines of a log with their numbers; a torn tail is left out."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if _is_torn(line):
                _check_only_tail(path, number, file)
                return
            yield number, line


def read_events(path: Path, game: type[AnyGame]) -> Iterator[AnyEvent]:
    """Yield a log's events in order, decoded in blocks of lines; damaged blocks are read line by line."""
    read = event_decoder(game)
    before = 0
    with path.open("rb") as file:
        while block := file.readlines(BLOCK_BYTES):
            if not block[-1].endswith(b"\n"):
                block.pop()
            try:
                yield from read.decode_lines(b"".join(block))
            except (msgspec.MsgspecError, UnicodeDecodeError):
                yield from _read_events_by_line(path, before, read)
                return
            before += len(block)


def _read_events_by_line(path: Path, before: int, read: msgspec.json.Decoder[AnyEvent]) -> Iterator[AnyEvent]:
    """Yield the events after line `before`; raise Problem at a line that is broken or too new."""
    for number, line in whole_log_lines(path):
        if number > before:
            try:
                yield read.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
                refuse_newer_events(line)
                raise broken_log_line_problem(path, number, trouble) from None


def _is_torn(line: bytes) -> bool:
    """Whether a line is incomplete, or holds zeros because a power cut left blocks unwritten."""
    return not line.endswith(b"\n") or b"\0" in line


def _check_only_tail(path: Path, number: int, rest: Iterable[bytes]) -> None:
    """Raise Problem if complete lines follow a torn one: they may have been acknowledged."""
    if not all(map(_is_torn, rest)):
        raise Problem(
            f"{path}:{number} is torn, and whole lines follow it: restore it from a copy, or, if the machine "
            "lost power while it was written, "
            f"keep the first {number - 1} lines (head -n {number - 1})"
        )


def read_log_transcripts(path: Path, game: type[AnyGame]) -> Iterator[Transcript]:
    """Yield every episode of a log: closed ones as they end, then those that are still open."""
    going: dict[str, list[AnyEvent]] = {}
    seen: set[str] = set()
    for number, event in enumerate(read_events(path, game), 1):
        kind, episode = type(event), event.episode  # isinstance is ten times as slow on these
        if kind is Opened:
            check_event_schema(event)  # type: ignore[arg-type]
            if episode in seen:
                raise broken_log_line_problem(path, number, f"episode {episode} is opened twice")
            seen.add(episode)
            going[episode] = [event]
        elif episode not in going:
            raise broken_log_line_problem(path, number, f"episode {episode} was not opened or is closed")
        else:
            going[episode].append(event)
            if kind is Closed:
                yield Transcript(tuple(going.pop(episode)))
    for left in going.values():
        yield Transcript(tuple(left))


class _EpisodeOnly(Struct):
    episode: str


def read_log_episodes(path: Path, game: type[AnyGame], episodes: Sequence[str]) -> Iterator[Transcript]:
    """Yield only these episodes, in this order, without decoding the other lines in full."""
    peek, read = msgspec.json.Decoder(_EpisodeOnly), event_decoder(game)
    found: dict[str, list[AnyEvent]] = {name: [] for name in episodes}
    with path.open("rb") as file:
        while block := file.read(BLOCK_BYTES) + file.readline():
            *lines, _ = block.split(b"\n")  # without a torn tail
            glimpses = peek.decode_lines(block[: block.rfind(b"\n") + 1])
            if found.keys().isdisjoint(map(attrgetter("episode"), glimpses)):
                continue
            for line, glimpse in zip(lines, glimpses, strict=True):
                if glimpse.episode in found:
                    event = read.decode(line)
                    if isinstance(event, Opened):
                        found[event.episode] = []
                    found[event.episode].append(event)
    for events in found.values():
        yield Transcript(tuple(events))


def broken_log_line_problem(path: Path, number: int, why: object) -> Problem:
    return Problem(
        f"{path}:{number} is not an event of this log ({why}): restore it from a copy, or use a new folder"
    )


def _open_to_append(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)


def _write_all(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def _sync_folder(path: Path) -> None:
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Pause garbage collection: events and rows hold no cycles, and searching for some is slow."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
