"""How a file is written so that nobody ever finds half of it. Every room that writes files may use this."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """The whole file or none, on disk when this returns, and with exactly that mode where one is given. A device or a pipe is
    written to as it is, not replaced by a file."""
    if path.exists() and not path.is_file():
        _write_through(path, data)
        return
    path = path.resolve() if path.is_symlink() else path
    draft = path.with_name(path.name + ".part")
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644 if mode is None else mode)
    try:
        with os.fdopen(file, "wb") as stream:
            if mode is not None:
                os.fchmod(file, mode)  # the umask took something off it
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except BaseException as trouble:  # Ctrl-C too must not leave half a file
        draft.unlink(missing_ok=True)
        if isinstance(trouble, OSError):
            trouble.filename = str(path)
        raise


def _write_through(path: Path, data: bytes) -> None:
    try:
        with path.open("wb") as stream:
            stream.write(data)
    except OSError as trouble:
        trouble.filename = str(path)
        raise
