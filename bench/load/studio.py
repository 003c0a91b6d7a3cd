"""One process, SQLite with full durability: 250 rooms of CoDraw, in which somebody speaks and somebody
answers every second, and 50 of HEXAGONS, in which five tiles a second are painted. Game after game."""

from __future__ import annotations

from pathlib import Path

from ..number import Number, alone, at_most, none
from . import Form
from .plan import Plan
from .servers import measure, percentile, pid, server

CODRAW, HEXAGONS = 250, 50
SETTLED = 0.4
"""Memory must not grow after this part: by then there are as many old rooms as there will ever be."""


def studio(folder: Path, form: Form) -> list[Number]:
    with server(folder / "games.db") as one:
        got = measure(
            Plan(urls=(one.url,), codraw=CODRAW, hexagons=HEXAGONS, seconds=form.studio), [pid(one)]
        )
    took = [each for kind in got.seen.took.values() for each in kind]
    name = f"studio, {CODRAW} + {HEXAGONS} rooms"
    return [
        at_most(f"{name}: p50", percentile(took, 0.5), "ms", 20),
        at_most(f"{name}: p99", percentile(took, 0.99), "ms", 300),
        none(f"{name}: not delivered of {got.seen.sent:,}", got.seen.lost, "messages"),
        none(f"{name}: refused", sum(got.seen.refused.values()), "messages"),
        none(f"{name}: more than 0.5 s behind", got.seen.late, "messages"),
        alone(f"{name}: messages", len(took) / form.studio, "1/s"),
        alone(f"{name}: server CPU a message", 1000 * got.cpu / len(took), "ms"),
        alone(f"{name}: cores", got.cpu / form.studio, "", f"the crowd: {got.crowd / form.studio:.2f}"),
        alone(f"{name}: memory", max(got.memory), "MB"),
    ]


def memory(folder: Path, form: Form) -> list[Number]:
    """Of a server in which game after game is played: the most in the last part of the time, beside the one
    before."""
    with server(folder / "games.db") as one:
        got = measure(
            Plan(urls=(one.url,), codraw=CODRAW, hexagons=HEXAGONS, seconds=form.memory), [pid(one)]
        )
    settled = got.memory[int(SETTLED * len(got.memory)) :]
    half = len(settled) // 2
    before, after = max(settled[:half]), max(settled[half:])
    name = f"memory, {CODRAW} + {HEXAGONS} rooms for {form.memory / 60:g} minutes"
    every = max(1, len(got.memory) // 10)
    return [
        alone(
            f"{name}: at the end",
            got.memory[-1],
            "MB",
            "before: " + " ".join(f"{each:.0f}" for each in got.memory[::every]),
        ),
        at_most(f"{name}: last part to the one before", after / before, "x", 1.05),
        none(f"{name}: not delivered of {got.seen.sent:,}", got.seen.lost, "messages"),
    ]
