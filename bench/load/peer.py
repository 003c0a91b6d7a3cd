"""oTree's chat and ours: as many pairs, one message and one reply a second each, by the same people."""

from __future__ import annotations

from math import nan
from pathlib import Path

from ..number import Number, alone
from . import Form, otree
from .plan import OTREE, Plan
from .servers import Measured, measure, percentile, pid, server

PAIRS = 50
TIMES = 8
"""So much less than oTree's."""


def peer(folder: Path, form: Form) -> list[Number]:
    with server(folder / "games.db") as one:
        ours = measure(Plan(urls=(one.url,), codraw=PAIRS, endless=True, seconds=form.peer), [pid(one)])
    name = f"CoDraw, {PAIRS} rooms: server CPU a message"
    if not otree.installed():
        return [alone(name, _each(ours), "ms", f"NOT MEASURED: otree {OTREE} cannot be installed here")]
    with otree.otree(folder / "otree") as (url, process):
        theirs = measure(Plan(urls=(url,), otree=PAIRS, seconds=form.peer), [process])
    took = theirs.seen.took.get("otree", [nan])
    told = f"oTree {OTREE}, chat: {_each(theirs):.2f}, p99 {percentile(took, 0.99):.0f} ms; {TIMES} x wanted"
    return [Number(name, _each(ours), "ms", told, _each(theirs) / _each(ours))]


def _each(got: Measured) -> float:
    """Milliseconds a message."""
    return 1000 * got.cpu / max(1, sum(len(took) for took in got.seen.took.values()))
