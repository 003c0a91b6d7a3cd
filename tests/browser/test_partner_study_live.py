"""A study with unknown partners in a real browser: two people, then one with a program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.browser.live import OpenServer, People, come_back, said, say, turn
from tests.browser.test_accessibility import faults

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
STUDY = """
title = "Draw what I see"
contact = "lab@example.org"
consent = "consent.md"
debriefing = "debriefing.md"
[privacy]
programs = true
[pay]
floor = 0
[stimuli.scenes]
game = "codraw"
recipe = {{ n = 1, seed = 4 }}
[[stages]]
name = "games"
items = "scenes"
wait_minutes = 5
[stages.task]
kind = "game"
game = "codraw"
seats = {{ teller = "person", drawer = "person" }}
settings = {{ rounds = 20 }}
farewell = "that is all, goodbye"
pace = {{ seconds = 0.2, a_character = 0.005 }}
[stages.partners.{name}]
seats = {seats}
[[stages]]
name = "ratings"
title = "About this game"
after_each = "games"
[stages.task]
kind = "questionnaire"
questions = [
  {{ text = "How fluent was your partner?", kind = "scale", ends = ["not at all", "very"] }},
  {{ text = "Who was your partner?", choices = ["a person", "a program"], asks_partner = true }},
]
"""


def write_partner_study(folder: Path, name: str, seats: str) -> Path:
    folder.mkdir()
    (folder / "study.toml").write_text(STUDY.format(name=name, seats=seats))
    (folder / "consent.md").write_text("Your partner may be a person or a program.\n")
    (folder / "debriefing.md").write_text("We study partners.\n")
    return folder


def press(page: Page, label: str) -> None:
    page.get_by_role("button", name=label, exact=True).click()


def act(page: Page, label: str) -> None:
    turn(page).locator("#buttons").get_by_role("button", name=label, exact=True).click()
    if page.locator("#confirm-yes").is_visible():
        page.click("#confirm-yes")


def begin(page: Page, address: str) -> None:
    page.goto(address)
    press(page, "I agree")
    page.get_by_text("a person or a program").first.wait_for()
    press(page, "Start")


def rate_and_end(page: Page, guess: str) -> str:
    """Answer the questions about the game. Returns the last page."""
    page.get_by_role("link", name="Continue with the study").click()
    page.get_by_role("heading", level=2, name="About this game").wait_for()
    assert faults(page) == []
    page.get_by_role("radio", name="5", exact=True).check()
    page.get_by_role("radio", name=guess, exact=True).check()
    press(page, "Send")
    page.get_by_role("heading", name="Thank you!").wait_for()
    return page.locator("main").inner_text()


def test_people_write_paste_peek_and_are_told_at_the_end_that_the_partner_was_a_person(
    people: People, open_server: OpenServer, tmp_path: Path
) -> None:
    server = open_server("--study", str(write_partner_study(tmp_path / "pairs", "person", "{}")))
    pages = [people.person(), people.person()]
    for page in pages:
        begin(page, f"{server.url}/study/pairs")
    for page in pages:
        page.wait_for_url("**/r/**")
        page.wait_for_selector("#title:not(:empty)")
    teller, drawer = pages if pages[0].locator("#scene").count() else pages[::-1]
    say(teller, "a boy 👦🏽 kicks a ball ⚽ — “left” of the tree 🌳")
    assert said(drawer)[-1] == "a boy 👦🏽 kicks a ball ⚽ — “left” of the tree 🌳"
    turn(drawer).locator("#words").press_sequentially("which tree??", delay=1)
    drawer.locator("#words").press("Enter")
    assert said(teller, 2)[-1] == "which tree??"
    turn(teller).locator("#words").evaluate(
        "(box, text) => { box.focus(); document.execCommand('insertText', false, text); }", "pine " * 2000
    )
    kept = teller.locator("#words").input_value()
    assert len(kept) <= 140 or teller.locator("#say-button").is_disabled()
    say(teller, "the pine tree")
    act(drawer, "OK")
    act(teller, "Peek")
    teller.locator("#peek").wait_for()
    come_back(teller).locator("#peek").wait_for()
    assert not teller.locator("#words").is_visible(), "nobody writes while the canvas is open"
    act(teller, "Close")
    act(teller, "Finish")
    act(drawer, "Agree")
    for page in pages:
        page.get_by_role("link", name="Continue with the study").wait_for()
        assert "program" not in page.locator("main").inner_text()
        last = rate_and_end(page, "a person")
    assert "Game 1: a person" in last
    assert people.complaints == []


def test_a_program_takes_its_time_says_goodbye_and_is_known_only_at_the_end(
    people: People, open_server: OpenServer, tmp_path: Path
) -> None:
    seats = '{ teller = "template" }'
    server = open_server("--study", str(write_partner_study(tmp_path / "alone", "template", seats)))
    ann = people.person()
    begin(ann, f"{server.url}/study/alone")
    ann.wait_for_url("**/r/**")
    ann.wait_for_selector("#title:not(:empty)")
    for _ in range(20):
        turn(ann)
        assert "program" not in ann.locator("body").inner_text()
        if ann.locator("#buttons").get_by_role("button", name="Agree", exact=True).is_visible():
            break
        act(ann, "OK")
        ann.wait_for_selector("body:not(.turn)")
    assert said(ann)[-2:] == ["that is all, goodbye", "ok"]
    act(ann, "Agree")
    ann.get_by_role("link", name="Continue with the study").wait_for()
    assert "template" not in ann.locator("main").inner_text()
    assert "Game 1: a program" in rate_and_end(ann, "a person")
    assert people.complaints == []
