"""What writing and reading many things shares."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_whole(path: Path, data: bytes, mode: int = 0o644) -> None:
    """The whole file or none, on disk when this returns."""
    draft = path.with_name(path.name + ".part")
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        with os.fdopen(file, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except BaseException as trouble:  # Ctrl-C too must not leave half a file
        draft.unlink(missing_ok=True)
        if isinstance(trouble, OSError):
            trouble.filename = str(path)
        raise


@contextmanager
def no_collecting() -> Iterator[None]:
    """Events and rows hold no cycles, and looking for some takes a good part of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
