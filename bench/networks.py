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
from groundling.core.player import Ask, Reply
from groundling.core.values import Problem, Say
from groundling.games.codraw.make import builtin
from groundling.games.codraw.players.template.message_plan import message_plan_texts
from groundling.games.codraw.players.template.scene_describer import SceneDescriber
from groundling.games.codraw.rules import OK, DrawerView, SpokenMessage, TellerView

WEIGHTS = Path(os.environ.get("GROUNDLING_WEIGHTS", Path(__file__).parents[1] / "weights"))
SCENES = 20
MOST = {"drawer": 50.0, "teller": 300.0}
"""Milliseconds an answer."""


def answers() -> Iterator[tuple[str, float, float]]:
    """What was asked of whom, the median milliseconds of CPU time, and how many it may take. Each scene is
    new, also to a Drawer that has drawn others before."""
    if find_spec("torch") is None:
        return
    import torch

    torch.set_num_threads(1)
    for folder in sorted(WEIGHTS.glob("*/card.json")):
        for role, times in (("drawer", _drawn), ("teller", _told)):
            codraw = find("codraw")
            try:
                player: Any = load(codraw.players["weights"])(
                    Seat(codraw, codraw.new(), role, "weights", str(folder.parent))
                )
            except Problem:  # it sits in the other seat
                continue
            for name, found in times(player).items():
                yield f"codraw: {player.name}, {name}", 1000 * median(found), MOST[role]


def _time(player: Any, role: str, view: Any) -> tuple[float, Reply]:
    start = process_time()
    reply = asyncio.run(player.act(Ask("bench", role, view, (), None, 0)))
    return process_time() - start, reply


def _drawn(player: Any) -> dict[str, list[float]]:
    """Of the `template` Teller's messages; only the second lot of scenes counts."""
    found: dict[str, list[float]] = {}
    for some in (builtin()[SCENES : 2 * SCENES], builtin()[:SCENES]):
        found = {"first message": [], "any message": [], "last message": []}
        for park in some:
            talk = tuple(
                SpokenMessage("teller", message)
                for message in message_plan_texts(SceneDescriber(park.target, Random(park.id)), 140)
            )
            views = [
                DrawerView(KINDS, Scene(), talk[:many], asked=False, cap=140, silent=True)
                for many in range(1, len(talk) + 1)
            ]
            times = [_time(player, "drawer", view)[0] for view in views]
            found["first message"].append(times[0])
            found["any message"] += times
            found["last message"].append(times[-1])
    return found


def _told(player: Any) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {"first message": [], "any message": []}
    for park in builtin()[:SCENES]:
        talk: tuple[SpokenMessage, ...] = ()
        times = []
        while True:
            taken, reply = _time(
                player, "teller", TellerView(park.target, talk, None, 0, False, False, None, 140, False)
            )
            times.append(taken)
            if not isinstance(said := (reply.moves or ())[0], Say):
                break
            talk = (*talk, SpokenMessage("teller", said.text), SpokenMessage("drawer", OK))
        found["first message"].append(times[0])
        found["any message"] += times
    return found
