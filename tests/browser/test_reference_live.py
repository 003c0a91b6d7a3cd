"""The reference game in the browser: two people, one alone, and the keyboard alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.browser.live import LiveServer, People, instance_of, outcome, say, turn

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
LINEUP = instance_of("reference")


def tab_to(page: Page, selector: str) -> None:
    """By the Tab key alone."""
    for _ in range(80):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached")


def select_by_keyboard(page: Page, place: int) -> None:
    """The grids are one Tab stop; arrow keys select one of them."""
    tab_to(page, "#choice-1")
    page.keyboard.press("Space")
    for _ in range(place - 1):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector(f"#choice-{place}[aria-checked=true]:focus")


def test_one_person_guides_the_built_in_follower(server: LiveServer, people: People) -> None:
    giver = people.sit(server.room("reference", "giver", instance=LINEUP.id)["giver"])
    rows = (
        f"row {number} is {' '.join(row)}"
        for number, row in enumerate(LINEUP.grids[0].text().splitlines(), 1)
    )
    say(giver, "; ".join(rows))
    assert "of 1" in outcome(giver)


def test_one_person_follows_the_built_in_giver_by_keyboard_alone(server: LiveServer, people: People) -> None:
    follower = people.sit(server.room("reference", "follower", instance=LINEUP.id)["follower"])
    turn(follower)
    select_by_keyboard(follower, LINEUP.answer)
    ring = "getComputedStyle(document.activeElement).outlineStyle"
    assert follower.evaluate(ring) == "solid"
    follower.keyboard.press("Tab")
    follower.keyboard.press("Enter")
    assert "Score 1 of 1" in outcome(follower)
    tab_to(follower, "#outcome button.primary")
    follower.keyboard.press("Enter")
    follower.wait_for_selector("#table:not([hidden])")


def test_both_seats_can_be_played_by_keyboard_alone(server: LiveServer, people: People) -> None:
    links = server.room("reference", "giver", "follower", instance=LINEUP.id)
    giver, follower = people.sit(links["giver"]), people.sit(links["follower"])
    turn(giver)
    tab_to(giver, "#words")
    giver.keyboard.type("the fullest one")
    giver.keyboard.press("Enter")
    turn(follower)
    select_by_keyboard(follower, LINEUP.answer % 3 + 1)
    tab_to(follower, "#pick-button")
    follower.keyboard.press("Space")
    assert "Score 0 of 1" in outcome(follower)
    assert "Score 0 of 1" in outcome(giver)


def test_a_double_click_is_no_reason_to_complain(server: LiveServer, people: People) -> None:
    follower = people.sit(server.room("reference", "follower", instance=LINEUP.id)["follower"])
    turn(follower).dblclick(f"#choice-{LINEUP.answer}")
    follower.dblclick("#pick-button")
    assert "Score 1 of 1" in outcome(follower)
    follower.wait_for_timeout(200)
    assert follower.locator("#complaint").inner_text() == ""
