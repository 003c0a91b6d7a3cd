"""Lookup of tables in the format of other benchmarks: `groundling score --as NAME`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from groundling.core.pack import choices_hint, installed_entry_points, load
from groundling.core.values import Problem
from groundling.report.text_table import TextTable
from groundling.runs.stored_run import Run

GROUP = "groundling.tables"
TableMaker: TypeAlias = Callable[[Sequence[Run]], TextTable]
"""Makes a table of runs, which may be of several games."""


def find_external_table(name: str) -> TableMaker:
    known = installed_entry_points(GROUP)
    if name not in known:
        raise Problem(
            f"there is no table in the format of {name!r}: {choices_hint(known)}"
            if known
            else f"no table {name!r} is installed"
        )
    maker: TableMaker = load(known[name].value)
    return maker
