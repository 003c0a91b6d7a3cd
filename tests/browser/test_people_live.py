"""What a page observes in a real browser, and the code by which a person is found and erased."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import pytest
from tests.browser.live import LiveServer, People, instance_of, outcome, pick, turn
from tests.browser.test_admin_live import sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def row_of(admin: Page, page: Page) -> dict[str, str]:
    """The row of the person on this page."""
    seat = tuple(page.url.split("/")[4:6])
    table = admin.request.get(f"{admin.url}/api/games.people.csv").text()
    (row,) = [each for each in csv.DictReader(io.StringIO(table)) if (each["room"], each["role"]) == seat]
    return row


def test_a_page_reports_device_focus_first_action_and_typing(server: LiveServer, people: People) -> None:
    lineup = instance_of("reference")
    links = server.room("reference", "giver", "follower", instance=lineup.id)
    giver, follower = people.sit(links["giver"]), people.sit(links["follower"], **PHONE)
    turn(giver)
    giver.wait_for_timeout(50)  # until the first action
    giver.locator("#words").press_sequentially("the fullest one", delay=5)
    giver.evaluate("document.hasFocus = () => false; dispatchEvent(new Event('blur'))")
    giver.wait_for_timeout(1500)  # a change that lasts is reported
    giver.evaluate("document.hasFocus = () => true; dispatchEvent(new Event('focus'))")
    giver.wait_for_timeout(1500)
    giver.click("#say-button")
    turn(follower).tap(f"#choice-{lineup.answer}")
    follower.tap("#pick-button")
    assert "Score 1 of 1" in outcome(follower)
    admin = sign_in(server, people)
    one, other = row_of(admin, giver), row_of(admin, follower)
    assert (one["device"], one["width"], one["height"], one["order"]) == ("laptop", "1280", "800", "1")
    assert other["device"] == "phone"
    assert (one["replies"], one["blurs"], other["blurs"]) == ("1", "1", "0")
    for name in ("first_action", "typing", "unfocused"):
        assert float(one[name]) > 0, name
    assert (other["typing"], float(other["first_action"]) > 0) == ("", True)
    again = server.room("reference", "giver")["giver"]
    giver.goto(again)
    turn(giver)
    giver.locator("#words").press_sequentially("x")  # a second game of the same browser
    assert wait_for_order(admin, giver) == "2"


def wait_for_order(admin: Page, page: Page) -> Any:
    while not (order := row_of(admin, page)["order"]):
        page.wait_for_timeout(50)
    return order


def test_a_person_sees_their_code_and_is_found_and_erased_by_it(server: LiveServer, people: People) -> None:
    lineup = instance_of("reference")
    links = server.room("reference", "giver", "follower", instance=lineup.id)
    giver, follower = people.sit(links["giver"]), people.sit(links["follower"])
    giver.click("text=Got it")
    giver.click("#help-button")
    code = giver.locator("#help .seat-code strong").inner_text()
    turn(giver).fill("#words", "the fullest one")
    giver.click("#say-button")
    pick(follower, f"#choice-{lineup.answer}")
    assert f"Your code for this game is {code}." in outcome(giver)
    assert code not in outcome(follower)
    admin = sign_in(server, people)
    admin.fill("#person-code", code.lower())
    admin.click("#person button")
    admin.wait_for_selector("#person-found:has-text('Giver in')")
    admin.click("text=Erase what this person did")
    admin.click("#confirm-yes")
    admin.wait_for_selector("#person-found:has-text('what the others did stays')")
    follower.reload()
    follower.wait_for_selector("#now:has-text('What you did is kept')")
    follower.goto(f"{follower.url}replay")
    follower.wait_for_selector("body.ready")
    said = follower.locator("#said").inner_text()
    assert "(erased)" in said
    assert "the fullest one" not in said
    assert "Answer:" in said
