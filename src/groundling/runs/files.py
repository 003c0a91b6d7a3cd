"""What writing and reading many things shares."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from groundling.files import write_whole

__all__ = ["no_collecting", "write_whole"]


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
