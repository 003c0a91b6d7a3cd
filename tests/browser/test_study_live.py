"""A study in a real browser: from the address to the end, with a partner who leaves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.live import OpenServer, People
from tests.browser.test_accessibility import faults
from tests.web.study_helpers import write_study

if TYPE_CHECKING:
    from playwright.sync_api import Page


def come_to_quiz(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("radio", name="yes").check()
    page.get_by_role("button", name="Send").click()


def test_two_people_go_through_a_study_and_one_leaves(
    people: People, open_server: OpenServer, tmp_path: Path
) -> None:
    server = open_server("--study", str(write_study(tmp_path / "pairs")))
    ann, bob = people.person(), people.person()
    ann.goto(f"{server.url}/study/pairs?person=ann")
    ann.get_by_role("heading", name="Before you take part").wait_for()
    assert faults(ann) == []
    come_to_quiz(ann, f"{server.url}/study/pairs")
    ann.get_by_role("heading", name="Waiting for a partner").wait_for()
    assert faults(ann) == []
    come_to_quiz(bob, f"{server.url}/study/pairs?person=bob")
    bob.get_by_role("link", name="Start").wait_for()
    assert faults(bob) == []
    ann.wait_for_url("**/r/**")
    bob.get_by_role("link", name="Start").click()
    bob.locator("#table").wait_for()
    bob.goto(f"{server.url}/study/pairs")
    bob.get_by_role("button", name="Leave the study").click()
    bob.locator("#confirm-yes").click()
    bob.get_by_text("You have left the study").wait_for()
    assert faults(bob) == []
    ann.get_by_role("link", name="Continue with the study").click()
    ann.get_by_text("This was not your fault").wait_for()
    ann.get_by_role("heading", name="Waiting for a partner").wait_for()
