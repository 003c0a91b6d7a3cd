"""Progress bars: drawn in a terminal, else printed as a line every minute."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

LOG_INTERVAL = 60.0  # seconds between two lines


class ProgressBar:
    """A progress bar that shows nothing."""

    def set_progress(self, what: str, done: int, of: int) -> None:
        """Set how much is done; 0 of 0 where the total is unknown."""

    def advance_by(self, steps: int) -> None:
        """Add to what is done."""


class TerminalProgressBar(ProgressBar):
    def __init__(self, drawn: Progress) -> None:
        self._drawn, self._task = drawn, drawn.add_task("", total=None)

    def set_progress(self, what: str, done: int, of: int) -> None:
        self._drawn.update(self._task, description=what, completed=done, total=of or None)

    def advance_by(self, steps: int) -> None:
        self._drawn.advance(self._task, steps)


class LogProgressBar(ProgressBar):
    """Prints lines to standard error where there is no terminal."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._last = clock, clock()
        self._what, self._done, self._of = "", 0, 0

    def set_progress(self, what: str, done: int, of: int) -> None:
        self._what, self._done, self._of = what, done, of
        if self._clock() - self._last >= LOG_INTERVAL:
            self._last = self._clock()
            print(
                f"{self._done:,} of {self._of:,} {self._what}".rstrip() if of else what,
                file=sys.stderr,
                flush=True,
            )

    def advance_by(self, steps: int) -> None:
        self.set_progress(self._what, self._done + steps, self._of)


@contextmanager
def progress_bar(shown: bool = True) -> Iterator[ProgressBar]:
    if not shown:
        yield ProgressBar()
        return
    if not sys.stderr.isatty():
        yield LogProgressBar()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as drawn:
        yield TerminalProgressBar(drawn)
