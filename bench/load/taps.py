"""How much work a page has with one tap on a phone, in a walk through each game in a real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.live import People, chromium, serving, which_chromium
from tests.browser.test_hands_live import WALKS, Fingers, play_through
from tests.browser.test_page_states import FRAMES

from ..number import Number, alone, at_most
from . import Form

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

SLOWER = 4
"""How much slower a phone is than this machine."""


def taps(folder: Path, form: Form) -> list[Number]:
    if which_chromium() is None:
        return [alone("taps", float("nan"), "s", "NOT MEASURED: there is no chromium here")]
    with serving(folder / "games.db") as server, chromium() as browser:
        people = People(browser)
        found = []
        for game in WALKS:
            hands = MeasuredFingers()
            play_through(hands, game, server, people)
            slowest = SLOWER * max(hands.seconds.values())
            found.append(
                at_most(f"{game}: most work of the page for a tap, {SLOWER} times slower", slowest, "s", 0.1)
            )
        people.leave()
    return found


class MeasuredFingers(Fingers):
    """Fingers that measure the work of the page for each tap: scripts, styles and layout, until two frames
    later. It is processor time, so that other work on this machine does not count."""

    METRICS = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration")

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._sessions: dict[Page, CDPSession] = {}

    def _work(self, page: Page) -> float:
        if page not in self._sessions:
            self._sessions[page] = page.context.new_cdp_session(page)
            self._sessions[page].send("Performance.enable", {"timeDomain": "threadTicks"})
        metrics = self._sessions[page].send("Performance.getMetrics")["metrics"]
        return sum(float(each["value"]) for each in metrics if each["name"] in self.METRICS)

    def press(self, page: Page, selector: str) -> None:
        page.wait_for_selector(selector)
        before = self._work(page)
        page.tap(selector)
        page.evaluate(FRAMES)
        work = self._work(page) - before
        if page.is_hidden("#outcome"):  # else the result that the server sent was built meanwhile
            self.seconds[selector] = work

    def select(self, page: Page, choice: str) -> None:
        self.press(page, choice)
