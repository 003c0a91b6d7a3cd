"""The researcher's page of a study in a real browser, while bots and people take part."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from tests.browser.live import LiveServer, OpenServer, People, admin_token, apart
from tests.browser.test_accessibility import faults
from tests.web.study_helpers import write_study

from groundling.studies.pilot import BotHabits
from groundling.studies.study_checks import read_usable_study
from groundling.web.studies.server_pilot import PilotServer, run_server_pilot
from groundling.web.study_store import open_study_database

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

pytestmark = pytest.mark.slow
PHONE: ViewportSize = {"width": 390, "height": 844}
BOTS = 6
STUDY = """
title = "Describing in pairs"
contact = "a@example.org"
consent = "consent.md"
[privacy]
programs = true
[pay]
floor = 0
base = 0.5
[recruiting]
places = 30
[groups.best]
stage = "into-best"
by = "administrator"
[stimuli.refs]
game = "reference"
file = "refs.jsonl"
[[stages]]
name = "into-best"
pass_mark = 1.0
[stages.task]
kind = "quiz"
attempts = 9
questions = [{ text = "May you stop?", choices = ["yes", "no"], answer = "yes" }]
[[stages]]
name = "pairs"
items = "refs"
group = "best"
most = 2
pay = 1.0
task = { kind = "game", game = "reference", seats = { giver = "person", follower = "person" } }
[[stages]]
name = "alone"
items = "refs"
answers = 2
pay = 0.5
task = { kind = "game", game = "reference", seats = { giver = "person", follower = "gold" } }
"""


def let_bots_come(server: LiveServer, folder: Path) -> None:
    """Several at once; each does a task and is finished."""
    never = {"decline": 0, "leave": 0, "fall_silent": 0, "come_back": 0, "arrive_twice": 0, "slip": 0}
    run_bots(server, folder, BOTS, BotHabits(**never, visits=0, pass_administrator=None))


def run_bots(server: LiveServer, folder: Path, bots: int, habits: BotHabits) -> None:
    """Let bots take part in a study of a server that runs already."""
    study, database = read_usable_study(folder).study, server.items.with_name("games.db")
    place = PilotServer(folder, database)
    place.port = urlsplit(server.url).port or 0
    asyncio.run(run_server_pilot(place, study, folder.name, database, bots, 1, habits))


def begin_task(page: Page, address: str) -> None:
    """Pass the quiz, begin the first game, and go back to the page of the study."""
    page.goto(address)
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("radio", name="yes").check()
    page.get_by_role("button", name="Send").click()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/r/**")
    page.goto(address)
    page.get_by_role("link", name="Go to the game").wait_for()


def find_code(server: LiveServer, name: str) -> str:
    database = open_study_database(str(server.items.with_name("games.db")))
    try:
        query = "SELECT person FROM study_people WHERE service_id = ?"
        return str(database.fetch_rows(query, (name,))[0][0])
    finally:
        database.close()


def tally(page: Page, name: str, value: str) -> None:
    page.locator("#tally div", has_text=name).filter(has_text=value).wait_for()


def open_person(page: Page, code: str) -> None:
    page.fill("#find", code)
    page.get_by_role("button", name=f"Open {code}").click()
    page.get_by_role("heading", name=f"Person {code}").wait_for()


def press(page: Page, button: str, told: str) -> None:
    """Press a button in a person's dialog, and confirm it."""
    page.locator("#person").get_by_role("button", name=button).click()
    page.locator("#confirm-yes").click()
    page.locator("#told", has_text=told).wait_for()


def write(page: Page, text: str, told: str) -> None:
    """Answer the question that is open."""
    page.locator("#input-value").fill(text)
    page.locator("#input-yes").click()
    page.locator("#told", has_text=told).wait_for()


def fits(page: Page) -> bool:
    """Whether the page itself does not scroll sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_a_researcher_watches_a_pilot_and_uses_every_button(
    people: People, open_server: OpenServer, tmp_path: Path
) -> None:
    folder = apart(lambda: write_study(tmp_path / "pilot", STUDY, items=20))
    server = open_server("--study", str(folder), "--limit-for", "127.0.0.0/8=1000")
    laptop, phone = people.person(), people.person(viewport=PHONE)
    for page in (laptop, phone):
        page.goto(f"{server.url}/admin/login#{admin_token()}")
        page.get_by_role("link", name="Study pilot").click()
        page.get_by_text("Nobody has come yet.").wait_for()
        assert fits(page)
    assert faults(laptop) == []

    # the page follows the pilot by itself, and keeps the order and the focus
    with ThreadPoolExecutor(1) as thread:
        bots = thread.submit(let_bots_come, server, folder)
        laptop.get_by_role("button", name="Sort by Minutes").click()
        laptop.locator("th[aria-sort=descending]", has_text="Minutes").wait_for()
        tally(laptop, "people came", str(BOTS))
        bots.result()
    tally(laptop, "taking part now", "0")
    tally(phone, "to be decided", str(BOTS))
    focused = "document.activeElement.getAttribute('aria-label')"
    assert laptop.evaluate(focused) == "Sort by Minutes"
    minutes = laptop.locator("#people tbody tr td:nth-child(7)").all_text_contents()
    assert len(minutes) == BOTS
    assert [float(each) for each in minutes] == sorted(map(float, minutes), reverse=True)
    laptop.locator("#plot-answers svg").wait_for()
    fitting = "each => each.offsetWidth <= each.parentElement.clientWidth"
    assert laptop.locator("#people table").evaluate(fitting), "every column is in view"
    assert faults(laptop) == []
    assert faults(phone) == []

    # two people are taken into the group and pushed on to a game of two
    ann, bob, cay = people.person(), people.person(), people.person()
    codes = {}
    for name, page in (("ann", ann), ("bob", bob), ("cay", cay)):
        begin_task(page, f"{server.url}/study/pilot?person={name}")
        codes[name] = find_code(server, name)
    for name in ("ann", "bob"):
        open_person(laptop, codes[name])
        press(laptop, "Qualify for best", "is now in the group best")
        press(laptop, "Push on", "gets the next task")
        assert faults(laptop) == []
        laptop.get_by_role("button", name="Close").click()
        people_page = ann if name == "ann" else bob
        people_page.reload()
        people_page.get_by_role("button", name="Start").click()
    for page in (ann, bob):
        page.wait_for_url("**/r/**")
    room = laptop.locator("#rooms tr", has_text=codes["ann"]).filter(has_text=codes["bob"])
    room.get_by_role("link", name="Watch").wait_for()
    room.get_by_role("button", name="End the game").click()
    laptop.locator("#confirm-yes").click()
    laptop.locator("#told", has_text="is ended").wait_for()
    ann.get_by_text("ended by the administrator").first.wait_for()

    # messages
    open_person(laptop, codes["cay"])
    laptop.locator("#person").get_by_role("button", name="Message").click()
    write(laptop, "Take your time.", f"Sent to {codes['cay']}")
    laptop.get_by_role("button", name="Close").click()
    laptop.get_by_role("button", name="Message to all").click()
    write(laptop, "We are here until six.", "people who take part now")
    cay.reload()
    cay.locator("#messages", has_text="Take your time.").wait_for()
    cay.locator("#messages", has_text="We are here until six.").wait_for()
    assert faults(cay) == []

    # decisions that end something
    open_person(laptop, codes["cay"])
    press(laptop, "Refuse for best", "is not taken in the group best")
    laptop.locator("#person").get_by_role("button", name="Exclude").click()
    laptop.locator("#input-yes").click()
    assert laptop.locator("#input").is_visible(), "there is no exclusion without a reason"
    write(laptop, "copied texts", "is excluded")
    laptop.locator("#person").get_by_role("button", name="Exclude").wait_for(state="detached")
    laptop.get_by_role("button", name="Close").click()
    phone.select_option("#show", "excluded")
    phone.locator("#people tr", has_text="copied texts").wait_for()
    cay.reload()
    cay.get_by_text("Your part has ended").wait_for()

    # recruiting
    phone.get_by_role("button", name="Pause recruiting").click()
    phone.get_by_role("button", name="Resume recruiting").wait_for()
    dan = people.person()
    dan.goto(f"{server.url}/study/pilot?person=dan")
    dan.get_by_text("There is no place or task for you now").wait_for()
    phone.get_by_role("button", name="Resume recruiting").click()
    phone.get_by_role("button", name="Pause recruiting").wait_for()
    phone.get_by_role("button", name="Add places").click()
    write(phone, "5", "35 people may take part")
    assert faults(phone) == []
    phone.set_viewport_size(PHONE)
    assert fits(phone)
