"""Somebody sends as fast as they can, in a process of their own, every other few seconds. What do the
neighbours notice?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from ..number import Number, alone, at_most, none
from . import Form
from .plan import PERIOD, Plan
from .servers import measure, percentile, pid, server

ROOMS = 100


def flood(folder: Path, form: Form) -> list[Number]:
    with server(folder / "games.db") as one:
        flooder = subprocess.Popen(
            [sys.executable, "-m", "bench.load.flooder", one.url], stdout=subprocess.PIPE, text=True
        )
        try:
            plan = Plan(
                urls=(one.url,), codraw=ROOMS, endless=True, flood=True, seconds=2 * PERIOD * form.floods
            )
            got = measure(plan, [pid(one)])
        finally:
            flooder.terminate()
        sent = int((flooder.communicate()[0].split() or ["0"])[-1])
    calm, flooded = (percentile(got.seen.took[kind], 0.99) for kind in ("calm", "flooded"))
    return [
        alone("flooding seat: frames sent", sent / PERIOD / form.floods, "1/s"),
        alone(f"flooding seat: p99 of {ROOMS} rooms without it", calm, "ms"),
        at_most(f"flooding seat: p99 of {ROOMS} rooms with it", flooded, "ms", round(1.1 * calm, 2)),
        none("flooding seat: neighbours' messages not delivered", got.seen.lost, "messages"),
    ]
