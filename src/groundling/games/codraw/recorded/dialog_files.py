"""The published dialogs on disk: one JSON file, one file a dialog, or one line a dialog. All three give
the same records with the published fields, ordered by id."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from groundling.core.values import Problem

SPLITS = ("train", "val", "test")
_ID = re.compile(rf"({'|'.join(SPLITS)})_\d+")
RELEASE = "CoDraw_1_0.json"
_NAMES = ("codraw.jsonl.gz", "codraw.jsonl", RELEASE)
INCOMPLETE = "incomplete.json"
"""Sessions of our own collections that ended early, which are no part of the data."""

RELEASED = {
    "train": "a43b1f27d00dd7423f82940aec69b6edb00a58de9e8589c0348b557380952041",
    "val": "747267a418dd2b823c459cfbeaabfe18f029706bfeb8856c114c08c547b940f0",
}
"""The checksums of version 1.0. The checksum of test is unknown: that split is held out."""


class RawRound(Struct, gc=False, omit_defaults=True):
    msg_t: str
    msg_d: str
    abs_b: str
    """The canvas before the round."""
    abs_d: str
    """The canvas after the round."""
    peeked: bool = False
    similarity: float | None = None
    """The similarity after the round; only our own collections have it."""


class DialogRecord(Struct, omit_defaults=True):
    image_id: int
    abs_t: str
    dialog: list[RawRound]
    id: str = ""
    split: str = ""
    seconds: float | None = None
    """The duration; only our own collections have it."""
    players: tuple[str, str] | None = None
    """Pseudonyms of Teller and Drawer; only our own collections have them."""
    left: tuple[str, ...] = ()
    """Those of them who left before the end."""


class _Release(Struct):
    data: dict[str, DialogRecord]


def encode_release(data: Mapping[str, DialogRecord]) -> bytes:
    """Write dialogs as one file, as they are published."""
    return msgspec.json.encode(_Release(dict(data)))


def load_incomplete_dialogs(path: Path) -> list[DialogRecord]:
    """Load the sessions that ended early, which a collection of our own has beside its data."""
    file = path / INCOMPLETE
    return list(_read_file(file)) if file.is_file() else []


def find_dialog_files(path: Path) -> list[Path]:
    """Return the files that hold the dialogs; none if there are no dialogs."""
    if path.is_file():
        return [path]
    for name in _NAMES:
        if (path / name).is_file():
            return [path / name]
    return sorted(file for file in path.glob("*_*.json") if _ID.fullmatch(file.stem))


def load_dialog_files(path: Path, split: str = "") -> list[DialogRecord]:
    """Load all dialogs, or those of one split."""
    if split and split not in SPLITS:
        raise Problem(f"there is no split {split!r}: choose from {', '.join(SPLITS)}")
    found = [record for file in find_dialog_files(path) for record in _read_file(file)]
    if not found:
        raise Problem(
            f"{path} holds no CoDraw dialogs: give {', '.join(_NAMES)} or a folder of files such as "
            "train_00001.json"
        )
    return sorted((one for one in found if split in ("", one.split)), key=lambda record: record.id)


def _read_file(file: Path) -> Iterator[DialogRecord]:
    data = file.read_bytes()
    try:
        if file.suffix == ".gz":
            data = gzip.decompress(data)
        if ".jsonl" in file.suffixes:
            yield from (
                _with_id(record, record.id, file)
                for record in msgspec.json.Decoder(DialogRecord).decode_lines(data)
            )
        elif _ID.fullmatch(file.stem):
            yield _with_id(msgspec.json.decode(data, type=DialogRecord), file.stem, file)
        else:
            for name, record in msgspec.json.decode(data, type=_Release).data.items():
                yield _with_id(record, name, file)
    except (msgspec.DecodeError, EOFError, OSError) as trouble:
        raise Problem(f"{file} cannot be read as CoDraw dialogs ({trouble}): download it again") from trouble


def _with_id(record: DialogRecord, name: str, file: Path) -> DialogRecord:
    """Set the id from the file name or the key, and the split from the first part of the id."""
    found = _ID.fullmatch(name)
    if not found:
        raise Problem(f"{file} holds a dialog with the id {name!r}: ids are such as train_00001")
    record.id, record.split = name, found[1]
    return record


def dialog_files_checksum(found: Iterable[DialogRecord]) -> str:
    """Hash the content of records, whatever files they came from."""
    total = sha256()
    for record in found:
        rounds: list[Any] = [[r.msg_t, r.msg_d, r.abs_b, r.abs_d, r.peeked] for r in record.dialog]
        total.update(msgspec.json.encode([record.id, record.image_id, record.abs_t, rounds]))
    return total.hexdigest()


def dialog_files_verdict(split: str, found: Sequence[DialogRecord]) -> str:
    """Tell in words whether a split is as released."""
    if any(record.players for record in found):  # the release does not name them
        return "a collection of its own"
    if split not in RELEASED:
        return "no checksum to compare with"
    return (
        "as released" if dialog_files_checksum(found) == RELEASED[split] else "NOT as released (version 1.0)"
    )
