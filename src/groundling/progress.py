"""A bar of how far something has come, where there is a terminal to draw it on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress


class Bar:
    def __init__(self, drawn: Progress | None = None) -> None:
        self._drawn = drawn
        self._task = drawn.add_task("", total=None) if drawn else None

    def show(self, what: str, done: int, of: int) -> None:
        """So much of it is done; 0 of 0 where nobody knows how much there is."""
        if self._drawn is not None and self._task is not None:
            self._drawn.update(self._task, description=what, completed=done, total=of or None)

    def advance(self, steps: int) -> None:
        if self._drawn is not None and self._task is not None:
            self._drawn.advance(self._task, steps)


@contextmanager
def progress(shown: bool = True) -> Iterator[Bar]:
    if not shown or not sys.stderr.isatty():
        yield Bar()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as drawn:
        yield Bar(drawn)
