"""Three people in browsers and forty bots walk through the HEXAGONS template, to an exported data set."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

import pytest
from tests.browser.live import People

import groundling
from groundling.cli.main import main
from groundling.studies.pilot import BotHabits
from groundling.studies.study import GameTask, QuizTask
from groundling.studies.study_checks import read_usable_study
from groundling.studies.study_file import read_study
from groundling.studies.study_state import StudyState
from groundling.web.studies.server_pilot import (
    PilotServer,
    read_pilot_state,
    run_server_pilot,
    write_fast_study,
)
from groundling.web.studies.study_bots import StudyBot

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
TEMPLATE = Path(groundling.__file__).parent / "games" / "hexagons" / "studies" / "hexagons"
BOTS = 40
SPEED = 6.0
MOST_SECONDS = 1800.0
QUESTIONS = [
    question
    for stage in read_study(TEMPLATE).stages
    if isinstance(stage.task, QuizTask)
    for question in stage.questions
]
HABITS = BotHabits(decline=0, leave=0, fall_silent=0, arrive_twice=0, visits=200)
"""Nobody leaves: a task that somebody left is only given to others when its time limit is over."""


def make_study(folder: Path) -> Path:
    """A small copy, in which one task is enough to be a candidate, and everybody else is chosen as Verifier
    when nobody else comes."""
    assert main(["study", "new", "hexagons", str(folder), "--scale", "0.01"]) == 0
    text = (folder / "study.toml").read_text()
    assert text.count("most = 3\n") == 2
    text = text.replace("most = 3\n", "most = 1\n")
    text = text.replace("candidates = 10  #", "candidates = 60  #").replace("most = 8  #", "most = 40  #")
    (folder / "study.toml").write_text(text)
    return folder


class Browser:
    """A person who does whatever the study gives them, in a browser."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.done: list[str] = []
        page.goto(address)
        page.set_default_timeout(5000)

    def step(self) -> None:
        """Do one thing, if there is something to do. What vanishes meanwhile is looked for the next time."""
        from playwright.sync_api import TimeoutError as Vanished

        with suppress(Vanished):
            self._do_something()

    def _do_something(self) -> None:
        page = self.page
        if "/study/" in page.url:
            self._go_on()
        elif (back := page.get_by_role("link", name="Continue with the study")).is_visible():
            back.click()
        elif page.locator("#say").is_visible():
            assert page.locator("#panel-target").is_visible(), "who writes sees the image"
            field = page.locator("#words")
            field.press_sequentially("Paint the first tile of the first row red.")
            field.press("Enter")
            field.press_sequentially("Paint the tile below it blue.")
            page.locator("#say-button").click()
            page.locator("#confirm-yes").click()
            page.locator("#talk li:nth-child(2)").wait_for()
            self.done.append("write")
        elif page.locator("#buttons button").is_visible() and page.locator(".drawing").is_visible():
            if not page.locator("#panel-target").count():
                self.done.append("verify")
            self._paint(3)
            page.locator("#buttons button").first.click()
            if page.locator("#confirm-yes").is_visible():
                page.locator("#confirm-yes").click()

    def _go_on(self) -> None:
        page = self.page
        if (age := page.locator("#of-age")).is_visible():
            age.check()
        for question in QUESTIONS:
            if (right := page.get_by_label(question.answer, exact=True)).is_visible():
                right.check()
        for name in ("I agree", "Start", "Send the drawing", "Send", "Continue after all"):
            button = page.get_by_role("button", name=name, exact=True)
            if button.is_visible():
                if name == "Send the drawing":
                    self._paint(40)
                    self.done.append("draw")
                button.click()
                return
        if (start := page.get_by_role("link", name="Go to the game")).is_visible():
            start.click()
        elif page.get_by_text("You have finished").is_visible():
            page.goto(self.address)  # for a decision, or for more work

    def _paint(self, tiles: int) -> None:
        tile = self.page.locator("[data-tile='1,1']").last
        tile.focus()
        for number in range(tiles):
            self.page.keyboard.press(str(2 + len(self.done) % 6))
            self.page.keyboard.press("Enter")
            self.page.keyboard.press("ArrowDown" if number % 2 else "ArrowRight")


def walk_until(browsers: list[Browser], over: Callable[[], bool]) -> None:
    end = monotonic() + MOST_SECONDS
    while not over():
        assert monotonic() < end, "the study does not end"
        for browser in browsers:
            browser.step()
        browsers[0].page.wait_for_timeout(200)


def check_verified(state: StudyState) -> int:
    """Every finished procedure has two verifications by people of the other group. Returns how many."""
    stages = {stage.name: stage for stage in state.study.stages}
    verified: dict[str, list[str]] = {}
    authors: dict[str, str] = {}
    for name, task in state.tasks.items():
        stage = stages[task.assigned.stage]
        if not task.counted or stage.round is None or not isinstance(stage.task, GameTask):
            continue
        (person,) = task.assigned.seats.values()
        if stage.task.settings["mode"] == "align":
            authors[name] = person
        else:
            assert state.people[person].groups & {"verifiers", "instructors"} == {"verifiers"}
            verified.setdefault(task.assigned.items[0].partition("/")[0], []).append(person)
    assert set(verified) == set(authors)
    for name, people in verified.items():
        assert len(set(people)) == len(people) == 2
        assert authors[name] not in people
        assert "verifiers" not in state.people[authors[name]].groups or stages[
            state.tasks[name].assigned.stage
        ].name.endswith("recruitment"), "who was refused as Instructor may verify what others wrote"
    return len(authors)


def test_browsers_and_bots_walk_from_a_template_to_a_data_set(
    people: People, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, fast, place = make_study(tmp_path / "given"), tmp_path / "hexagons", tmp_path / "pilot.db"
    study = write_fast_study(read_usable_study(folder).study, folder, fast, SPEED)
    server = PilotServer(fast, place)
    server.start()
    bots: list[StudyBot] = []
    walking = Thread(
        daemon=True,
        target=lambda: bots.extend(
            asyncio.run(run_server_pilot(server, study, "hexagons", place, BOTS, 3, HABITS))
        ),
    )
    try:
        address = f"http://127.0.0.1:{server.port}/study/hexagons?person="
        browsers = [Browser(people.person(), f"{address}{name}") for name in ("ann", "bob")]
        walk_until(browsers, lambda: all("write" in browser.done for browser in browsers))
        walking.start()
        walk_until(browsers, lambda: read_pilot_state(place, "hexagons").group_sizes["instructors"] == 6)
        browsers.append(Browser(people.person(), f"{address}eve"))
        walk_until(browsers, lambda: not walking.is_alive())  # when everybody has an outcome
    finally:
        server.stop()
    assert len(bots) == BOTS
    assert "verify" in browsers[2].done
    state = read_pilot_state(place, "hexagons")
    assert state.complete
    procedures = check_verified(state)
    assert procedures >= 3 * (3 + 3), "of three images in each round"
    out, export = tmp_path / "out", ["study", "export", str(fast), "--db", str(place)]
    review = str(tmp_path / "review.csv")
    assert main([*export, "--review", review]) == 0
    capsys.readouterr()
    assert main([*export, "--format", "published", "--reviewed", review, "-o", str(out)]) == 0
    assert f"{procedures} drawing procedures" in capsys.readouterr().out
    assert main(["data", "stats", "hexagons", str(out)]) == 0
    told = capsys.readouterr().out
    assert all(f"Table {number}" in told for number in (1, 2, 6))
    assert f"{procedures} / 620" in told
    assert main(["data", "import", "hexagons", str(out), "-o", str(tmp_path / "imported")]) == 0
    assert "instances of hexagons" in capsys.readouterr().out
    played = ["--data", str(out), "--split", "train", "--seat", "executor=parser"]
    command = [sys.executable, "-m", "groundling", "play", "hexagons", *played, "-o", str(tmp_path / "run")]
    assert subprocess.run(command, check=False).returncode == 0  # the browser's loop runs in this process
