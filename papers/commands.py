"""What the commands of these folders share."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec

from groundling.core.values import Problem

P = ParamSpec("P")


def report_problems(main: Callable[[], None]) -> Callable[[], None]:
    """A command that says in one line what is wrong with its input."""

    @wraps(main)
    def command() -> None:
        try:
            main()
        except Problem as problem:
            sys.exit(f"error: {problem}")
        except (FileNotFoundError, NotADirectoryError) as trouble:
            sys.exit(f"error: {trouble.filename} cannot be read: give a file or folder that exists")

    return command


def run_logged(file: Path, job: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
    """Run a job in a process of its own, which prints to a file."""
    with file.open("a", buffering=1, encoding="utf-8") as log:
        sys.stdout = sys.stderr = log
        try:
            job(*args, **kwargs)
        except BaseException:
            traceback.print_exc(file=log)
            raise SystemExit(1) from None
