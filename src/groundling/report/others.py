"""Lookup of tables in the format of other benchmarks: `groundling score --as NAME`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from rich.table import Table

from groundling.core.pack import choices, installed, load
from groundling.core.values import Problem
from groundling.runs.run import Run

GROUP = "groundling.tables"
Maker: TypeAlias = Callable[[Sequence[Run]], Table]
"""Makes a table of runs, which may be of several games."""


def find_table(name: str) -> Maker:
    known = installed(GROUP)
    if name not in known:
        raise Problem(
            f"there is no table as of {name!r}: {choices(known)}"
            if known
            else f"no table {name!r} is installed"
        )
    maker: Maker = load(known[name].value)
    return maker
