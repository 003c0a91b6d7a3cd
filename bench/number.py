"""What was measured, beside what it is measured by."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import isnan, nan

from msgspec import Struct
from rich.console import Console
from rich.table import Table


class Number(Struct):
    name: str
    value: float
    unit: str
    peer: str
    ratio: float


def at_most(name: str, value: float, unit: str, limit: float) -> Number:
    return Number(name, value, unit, f"at most {limit:g}", limit / value if value else nan)


def at_least(name: str, value: float, unit: str, limit: float) -> Number:
    return Number(name, value, unit, f"at least {limit:g}", value / limit)


def none(name: str, value: float, unit: str) -> Number:
    """There must not be any."""
    return Number(name, value, unit, "none", 0.0 if value else 1.0)


def alone(name: str, value: float, unit: str, peer: str = "") -> Number:
    return Number(name, value, unit, peer, nan)


def console() -> Console:
    return Console() if sys.stdout.isatty() else Console(width=140)


def table(title: str, found: Sequence[Number]) -> Table:
    shown = Table(title=title)
    for name in ("name", "value", "unit", "peer", "ratio"):
        shown.add_column(name, justify="right" if name in ("value", "ratio") else "left")
    for number in found:
        value = (
            ""
            if isnan(number.value)
            else f"{number.value:,.3g}"
            if number.value < 100
            else f"{number.value:,.0f}"
        )
        shown.add_row(
            number.name, value, number.unit, number.peer, "" if isnan(number.ratio) else f"{number.ratio:.2f}"
        )
    return shown
