"""Atomic file writes, tables as TOML, and advice about file errors."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import tomli_w

from groundling.core.values import Problem

RUN_FILES = frozenset(
    ["run.toml", "log.jsonl", "log.sha256", "instances.sha256", "offered.txt", "notes.jsonl", "blame.json"]
)
"""What cannot be computed again from other files of a run's folder, except for blame.json."""


def write_whole_file(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write a file atomically and sync it, with exactly this mode if given. Devices are written directly."""
    if path.exists() and not path.is_file():
        _write_through(path, data)
        return
    path = path.resolve() if path.is_symlink() else path
    draft = path.with_name(path.name + ".part")
    try:
        with _open_new(draft, mode) as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except BaseException as trouble:  # also on Ctrl-C
        with suppress(OSError):
            draft.unlink()
        if isinstance(trouble, OSError):
            trouble.filename = str(path)
        raise


def write_output(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write a file that the user named. Databases and the files of runs and studies are never replaced."""
    if path.is_file() and _is_record(path):
        raise Problem(f"{path} belongs to a run or study and is not overwritten: choose another file")
    write_whole_file(path, data, mode)


def is_run_folder(folder: Path) -> bool:
    """Whether the folder holds a run, in one piece or in shards."""
    return (folder / "run.toml").exists() or (folder / "shards").is_dir()


def _is_record(path: Path) -> bool:
    if path.name in RUN_FILES:
        return is_run_folder(path.parent)
    with path.open("rb") as stream:
        return path.name in ("study.toml", "tournament.toml") or stream.read(15) == b"SQLite format 3"


def _open_new(path: Path, mode: int | None) -> BinaryIO:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644 if mode is None else mode)
    if mode is not None:
        os.fchmod(file, mode)  # undo the umask
    return os.fdopen(file, "wb")


def encode_toml(table: Mapping[str, Any], unstated: Sequence[object] = (None,)) -> bytes:
    """Encode a table without the keys whose values are unstated, such as None, which TOML cannot write."""
    return tomli_w.dumps(_drop_values(table, unstated)).encode()


def _drop_values(value: Any, unwanted: Sequence[object]) -> Any:
    if isinstance(value, Mapping):
        kept = {key: _drop_values(part, unwanted) for key, part in value.items()}
        return {key: part for key, part in kept.items() if part not in unwanted}
    return [_drop_values(part, unwanted) for part in value] if isinstance(value, list | tuple) else value


def file_error_advice(trouble: OSError | UnicodeDecodeError) -> str:
    """One line that says what is wrong with a file and what to do."""
    if isinstance(trouble, UnicodeDecodeError):
        return "a file that should be text is not UTF-8: check the paths"
    what = f"{trouble.filename}: {trouble.strerror}" if trouble.filename else str(trouble)
    return f"{what}; {_ADVICE.get(trouble.errno or 0, 'check the path, or choose another place')}"


_FULL = "free some space and run the same command again, what was finished is kept"
_CLOSED = "choose a path where you have permission to read and write"
_ADVICE = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _FULL,
    errno.EACCES: _CLOSED,
    errno.EPERM: _CLOSED,
    errno.EROFS: _CLOSED,
    errno.ENOENT: "check the path",
    errno.EISDIR: "name a file, not a folder",
    errno.EEXIST: "name a folder, not a file",
    errno.ENOTDIR: "name a folder, not a file",
}


def _write_through(path: Path, data: bytes) -> None:
    try:
        with path.open("wb") as stream:
            stream.write(data)
    except OSError as trouble:
        trouble.filename = str(path)
        raise
