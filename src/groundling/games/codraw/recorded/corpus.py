"""Many dialogs as arrays: packed scenes, lists of messages, and a cache of both."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from groundling.boards.scene.packed import Batch, pack_texts
from groundling.games.codraw.recorded.dialogs import Policy, canvases, kept
from groundling.games.codraw.recorded.reading import Record, files_of, records

Ints: TypeAlias = NDArray[np.int32]
FORMAT = 1
"""The version of the cache format; caches of other versions are not used."""


class Corpus(Struct, frozen=True):
    """Dialogs by number, and their rounds one after the other."""

    ids: list[str]
    numbers: Ints
    """Scene numbers."""
    targets: Batch
    starts: Ints
    """Where each dialog's rounds begin, and at last where all rounds end."""
    canvases: Batch
    """The canvas after each round."""
    peeks: NDArray[np.bool_]
    """Whether the Teller peeked before the round."""
    teller: list[str]
    drawer: list[str]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def splits(self) -> NDArray[np.str_]:
        return np.array([name.partition("_")[0] for name in self.ids])

    @property
    def lengths(self) -> Ints:
        return np.diff(self.starts)

    @property
    def dialog(self) -> Ints:
        """The number of the dialog, for each round."""
        return np.repeat(np.arange(len(self), dtype=np.int32), self.lengths)

    @property
    def befores(self) -> Batch:
        """The canvas before each round, as the round before left it."""
        found = (
            np.concatenate([pack_texts([""]), self.canvases[:-1]]) if len(self.canvases) else self.canvases
        )
        found[self.starts[:-1][self.lengths > 0]] = pack_texts([""])
        return found

    @property
    def finals(self) -> Batch:
        """The canvas at the end of each dialog; empty if it has no rounds."""
        return self._canvas_before(self.starts[1:])

    @property
    def unaided(self) -> Batch:
        """The canvas that the Teller saw at the peek, or the final one if nobody peeked."""
        ends = self.starts[1:].copy()
        peeked = np.flatnonzero(self.peeks)
        ends[self.dialog[peeked][::-1]] = peeked[::-1]
        return self._canvas_before(ends)

    def _canvas_before(self, rounds: Ints) -> Batch:
        """Return the canvas before each of these rounds; empty before the dialog's first."""
        if not len(self.canvases):
            return np.repeat(pack_texts([""]), len(self), axis=0)
        found = self.canvases[np.maximum(rounds - 1, 0)]
        found[rounds == self.starts[:-1]] = pack_texts([""])
        return found


def joined(one: Corpus, other: Corpus) -> Corpus:
    """Return the dialogs of both, one after the other."""
    both = {
        name: np.concatenate([getattr(one, name), getattr(other, name)])
        for name in ("numbers", "targets", "canvases", "peeks")
    }
    return Corpus(
        ids=[*one.ids, *other.ids],
        starts=np.concatenate([one.starts, one.starts[-1] + other.starts[1:]]),
        teller=[*one.teller, *other.teller],
        drawer=[*one.drawer, *other.drawer],
        **both,
    )


def corpus(path: Path, split: str, policy: Policy, *, cache: Path | None = None) -> Corpus:
    """Load the dialogs of a split (of all with ""), from the cache folder if they are in it."""
    if cache is None:
        return pack_records(records(path, split), policy)
    file = cache / f"codraw-{_key(path, split, policy)}.npz"
    if file.is_file():
        return _load(file)
    found = pack_records(records(path, split), policy)
    _save(found, file)
    return found


def cache_folder() -> Path:
    """Return $GROUNDLING_CACHE, or a folder in the user's cache directory."""
    if own := os.environ.get("GROUNDLING_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "groundling"


def pack_records(found: Sequence[Record], policy: Policy) -> Corpus:
    """Pack dialogs into arrays; equal canvases are parsed once."""
    if policy.start != "carry":
        raise ValueError('arrays hold one canvas a round: read them with the policy start="carry"')
    texts = [[after for _, after in canvases(record, policy)] for record in found]
    known: dict[str, int] = {}
    rows = [known.setdefault(text, len(known)) for dialog in texts for text in dialog]
    rounds = [raw for record in found for raw in kept(record, policy)]
    return Corpus(
        ids=[record.id for record in found],
        numbers=np.array([record.image_id for record in found], np.int32),
        targets=pack_texts(record.abs_t for record in found),
        starts=np.concatenate([[0], np.cumsum([len(dialog) for dialog in texts])]).astype(np.int32),
        canvases=pack_texts(known)[np.array(rows, np.intp)],
        peeks=np.array([raw.peeked for raw in rounds], np.bool_),
        teller=[raw.msg_t for raw in rounds],
        drawer=[raw.msg_d for raw in rounds],
    )


def _key(path: Path, split: str, policy: Policy) -> str:
    """Hash the current files by path, size and time."""
    files = [(str(file.resolve()), file.stat().st_size, file.stat().st_mtime_ns) for file in files_of(path)]
    return sha256(msgspec.json.encode([FORMAT, files, split, policy])).hexdigest()[:16]


def _save(found: Corpus, file: Path) -> None:
    """Write the file atomically: other processes may be reading it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(f".{os.getpid()}.part")
    with part.open("wb") as out:
        np.savez(out, **arrays(found))  # type: ignore[arg-type]
    part.replace(file)


def _load(file: Path) -> Corpus:
    with np.load(file) as stored:
        return from_arrays(stored)


def arrays(found: Corpus) -> dict[str, NDArray[Any]]:
    """Return a corpus as arrays; its texts are JSON in one of them."""
    words = np.frombuffer(msgspec.json.encode([found.ids, found.teller, found.drawer]), np.uint8)
    return {"words": words, **{name: getattr(found, name) for name in _ARRAYS}}


def from_arrays(stored: Mapping[str, NDArray[Any]]) -> Corpus:
    words = stored["words"].tobytes()
    ids, teller, drawer = msgspec.json.decode(words, type=tuple[list[str], list[str], list[str]])
    return Corpus(ids=ids, teller=teller, drawer=drawer, **{name: stored[name] for name in _ARRAYS})


_ARRAYS = ("numbers", "targets", "starts", "canvases", "peeks")
