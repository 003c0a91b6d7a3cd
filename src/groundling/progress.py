"""How far something has come: a bar where there is a terminal to draw it on, else a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

EVERY = 60.0  # seconds from one line to the next


class Bar:
    """One that shows nothing."""

    def show(self, what: str, done: int, of: int) -> None:
        """So much of it is done; 0 of 0 where nobody knows how much there is."""

    def advance(self, steps: int) -> None:
        """So much more is done."""


class Drawn(Bar):
    def __init__(self, drawn: Progress) -> None:
        self._drawn, self._task = drawn, drawn.add_task("", total=None)

    def show(self, what: str, done: int, of: int) -> None:
        self._drawn.update(self._task, description=what, completed=done, total=of or None)

    def advance(self, steps: int) -> None:
        self._drawn.advance(self._task, steps)


class Told(Bar):
    """In a log, where a bar cannot be drawn."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._last = clock, clock()
        self._what, self._done, self._of = "", 0, 0

    def show(self, what: str, done: int, of: int) -> None:
        self._what, self._done, self._of = what, done, of
        if self._clock() - self._last >= EVERY:
            self._last = self._clock()
            print(
                f"{self._done:,} of {self._of:,} {self._what}".rstrip() if of else what,
                file=sys.stderr,
                flush=True,
            )

    def advance(self, steps: int) -> None:
        self.show(self._what, self._done + steps, self._of)


@contextmanager
def progress(shown: bool = True) -> Iterator[Bar]:
    if not shown:
        yield Bar()
        return
    if not sys.stderr.isatty():
        yield Told()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as drawn:
        yield Drawn(drawn)
