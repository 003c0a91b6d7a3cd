"""How long CoDraw's trained players take for an answer, on one core: those whose weights lie in `weights`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from groundling.boards.scene import KINDS, Scene
from groundling.core.pack import Seat, find, load
from groundling.core.player import Ask
from groundling.core.values import Problem
from groundling.games.codraw.make import builtin
from groundling.games.codraw.players.template.plan import messages
from groundling.games.codraw.players.template.sentences import Words
from groundling.games.codraw.rules import DrawerView, Spoken, TellerView

WEIGHTS = Path(os.environ.get("GROUNDLING_WEIGHTS", Path(__file__).parents[1] / "weights"))
SCENES = 20
MOST = {"drawer": 50.0, "teller": 300.0}
"""Milliseconds an answer."""


def answers() -> Iterator[tuple[str, float, float]]:
    """What was asked of whom, the median milliseconds of CPU time, and how many it may take. A Teller thinks of all its
    messages when it is asked for the first. Each scene is new to it; lengths of dialogs are not, after the first round."""
    if find_spec("torch") is None:
        return
    import torch

    torch.set_num_threads(1)
    for folder in sorted(WEIGHTS.glob("*/card.json")):
        for role in ("drawer", "teller"):
            codraw = find("codraw")
            try:
                player: Any = load(codraw.players["weights"])(Seat(codraw, codraw.new(), role, "weights", str(folder.parent)))
            except Problem:  # it sits in the other seat
                continue
            for name, views in (_told() if role == "drawer" else _shown()).items():
                for _ in range(2 if role == "drawer" else 1):
                    times = [_time(player, role, view) for view in views]
                yield f"codraw: {player.name}, {name}", 1000 * median(times[1:]), MOST[role]


def _time(player: Any, role: str, view: Any) -> float:
    start = process_time()
    asyncio.run(player.act(Ask("bench", role, view, (), None, 0)))
    return process_time() - start


def _told() -> dict[str, list[DrawerView]]:
    """The first and the last message of the `template` Teller."""
    views: dict[str, list[DrawerView]] = {"first message": [], "last message": []}
    for park in builtin()[:SCENES]:
        talk = [Spoken("teller", message) for message in messages(Words(park.target, Random(park.id)), 140)]
        for name, said in zip(views, (talk[:1], talk), strict=True):
            views[name].append(DrawerView(KINDS, Scene(), tuple(said), asked=False, cap=140, silent=True))
    return views


def _shown() -> dict[str, list[TellerView]]:
    parks = builtin()[:SCENES]
    return {"whole dialog": [TellerView(park.target, (), None, 0, False, False, None, 140, False) for park in parks]}
