"""How soon pages can be used, in a real Chromium on the same machine, with nothing in its cache."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from tests.browser.live import People, chromium, serving, which_chromium

from groundling.core.pack import find, load
from groundling.games.codraw.make import builtin
from groundling.games.codraw.players.template.message_plan import message_plan_texts
from groundling.games.codraw.players.template.scene_describer import SceneDescriber
from groundling.runs.run_folder import RunFolder
from groundling.runs.session import new_session_plan, prepare_session

from ..number import Number, alone, at_most
from . import Form

if TYPE_CHECKING:
    from playwright.sync_api import Page

SETTLED = 1500
"""Milliseconds in which a window that was just opened gets ready: half a second of work of Chromium's own."""
ROUNDS = 75
"""Each is four events, and two steps."""
MOVED = """async (step) => {
  while (!document.body?.classList.contains("ready")) await new Promise(requestAnimationFrame);
  const slider = document.getElementById("slider");
  slider.value = step;
  slider.dispatchEvent(new Event("input", {bubbles: true}));
  for (const painted of [1, 2]) await new Promise(requestAnimationFrame);
  const where = document.getElementById("where").textContent;
  if (where.startsWith(`step ${step} `)) return performance.now() / 1000;
  throw new Error("the replay did not go there");
}"""
"""Moves the slider as soon as possible and returns the seconds from the start of the navigation until that
step was painted, by the page's own clock. The first frame after the move paints it, the second follows."""


def pages(folder: Path, form: Form) -> list[Number]:
    if which_chromium() is None:
        return [alone("pages", float("nan"), "s", "NOT MEASURED: there is no chromium here")]
    run = _long_game(folder)
    (game,) = run.read_transcripts()
    with serving(folder / "games.db", "--run", str(run.path)) as server, chromium() as browser:
        people = People(browser)

        def first(page: Page) -> float:
            begun = perf_counter()
            page.goto(server.url)
            page.click("#games li:last-child input[type=radio] >> nth=1")
            return perf_counter() - begun

        def replay(page: Page) -> float:
            page.goto(f"{server.url}/runs/{run.path.name}/{game.episode}/replay", wait_until="commit")
            took: float = page.evaluate(MOVED, ROUNDS)
            return took

        works: dict[str, Callable[[Page], float]] = {
            "first page, until a seat is chosen": first,
            f"replay of {len(game.events)} events, until it is moved to the middle": replay,
        }
        found = []
        for name, work in works.items():
            took = [_once(people, work) for _ in range(form.pages + 1)][1:]
            found.append(at_most(f"{name}: median", median(took), "s", 1))
            found.append(alone(f"{name}: slowest of {form.pages}", max(took), "s"))
        people.leave()
    return found


def _once(people: People, work: Callable[[Page], float]) -> float:
    page = people.person()
    page.wait_for_timeout(SETTLED)
    took = work(page)
    page.close()
    return took


def _long_game(folder: Path) -> RunFolder:
    """In which somebody goes on describing scenes, and the grammar Drawer draws them on top of each other."""
    pack, parks = find("codraw"), builtin()
    said = [
        f"Say: {text}"
        for park in parks
        for text in message_plan_texts(SceneDescriber(park.target, Random(park.id)), 140)
    ]
    script = folder / "teller.jsonl"
    script.write_text(json.dumps({"episode": parks[0].id, "replies": said[:ROUNDS]}) + "\n")
    settings = load(pack.game).Settings(rounds=ROUNDS)
    seats = {"teller": f"script:{script}", "drawer": "grammar"}
    plan = new_session_plan(pack, parks[:1], None, settings=settings, source="bench", seats=seats)
    session = prepare_session(pack, plan, folder / "long")
    session.play_missing(1)
    return session.folder
