"""Helpers for bulk reading and writing: atomic writes, and a pause of the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from groundling.files import write_whole_file

__all__ = ["pause_garbage_collection", "write_whole_file"]


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
