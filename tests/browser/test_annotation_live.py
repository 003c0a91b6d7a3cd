"""Annotation in real browsers: two people label with the keyboard and on a phone and differ, and a third
settles it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.browser.live import OpenServer, People, admin_token, apart
from tests.browser.test_accessibility import faults
from tests.browser.test_study_live import PHONE, press
from tests.web.test_annotation_tasks import write_study

from groundling.cli import main

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow


def begin(page: Page, address: str) -> None:
    page.goto(address)
    press(page, "I agree")
    press(page, "Start")
    page.locator(".annotation").wait_for()


def mark_words(page: Page, first: str, last: str, label: str) -> None:
    """By tapping the first and the last word."""
    page.locator(".word", has_text=first).first.click()
    if last != first:
        page.locator(".word", has_text=last).first.click()
    press(page, label)


def count(page: Page, text: str) -> None:
    page.get_by_text(text, exact=True).wait_for()


def test_two_browsers_annotate_differ_and_a_third_settles(
    people: People, open_server: OpenServer, tmp_path: Path
) -> None:
    folder = write_study(tmp_path / "labels")
    server = open_server("--study", str(folder))
    address = f"{server.url}/study/labels"
    ann, ben, cem = people.person(), people.person(viewport=PHONE, has_touch=True), people.person()

    begin(ann, f"{address}?person=ann")
    assert faults(ann) == []
    ann.keyboard.press("Enter")
    ann.get_by_text("Please answer: level").wait_for()
    ann.keyboard.press("0")
    assert ann.get_by_role("radio", name="0").is_checked(), (
        "a label that begins with a digit has it as its key"
    )
    ann.keyboard.press("1")
    assert ann.get_by_role("radio", name="1").is_checked()
    ann.keyboard.press("Control+z")
    assert ann.get_by_role("radio", name="0").is_checked(), "undone"
    ann.get_by_role("textbox", name="remark").press_sequentially("two words")
    assert ann.get_by_role("textbox", name="remark").input_value() == "two words"
    mark_words(ann, "the", "the", "object")
    ann.get_by_text("“the”").wait_for()
    ann.reload()
    count(ann, "Item 2 of 2")
    ann.locator(".item").focus()
    ann.keyboard.press("Backspace")
    count(ann, "Item 1 of 2")
    ann.get_by_text("“the”").wait_for()
    press(ann, "Remove the mark object on “the”")
    assert ann.get_by_text("“the”").count() == 0
    press(ann, "Next")
    label_second(ann)

    begin(ben, f"{address}?person=ben")
    assert ben.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    for _ in range(2):
        ben.get_by_role("radio", name="1").check()
        press(ben, "Next")
    press(ben, "Send all")
    ben.get_by_role("heading", name="Thank you!").wait_for()

    begin(cem, f"{address}?person=cem")
    count(cem, "Item 1 of 1")
    assert cem.get_by_role("heading", level=3).all_inner_texts() == ["Annotator A", "Annotator B"]
    assert faults(cem) == []
    side = cem.locator(".side", has=cem.locator(".differs", has_text="0"))
    side.get_by_role("button", name="Take this").click()
    assert cem.get_by_role("radio", name="0").is_checked()
    press(cem, "Next")
    press(cem, "Send all")
    cem.get_by_role("heading", name="Thank you!").wait_for()

    watcher = people.person()
    watcher.goto(f"{server.url}/admin/login#{admin_token()}")
    watcher.wait_for_url("**/admin")
    watcher.goto(f"{server.url}/admin/studies/labels")
    watcher.get_by_role("heading", name="Agreement of annotators").wait_for()
    assert faults(watcher) == []
    out = tmp_path / "out"
    db = next(tmp_path.rglob("*.db"))
    assert apart(lambda: main(["study", "export", str(folder), "--db", str(db), "-o", str(out)])) == 0
    settled = list(csv.DictReader((out / "labels" / "labels-level.settled.csv").open()))
    assert sorted((row["label"], row["settled_by"]) for row in settled) == [
        ("0", "adjudication"),
        ("1", "all"),
    ]
    assert people.complaints == []


def label_second(page: Page) -> None:
    """Skip the second item with a reason, think better of it, label it, and send both."""
    count(page, "Item 2 of 2")
    press(page, "Skip")
    page.get_by_label("Why can it not be labelled?").fill("no words")
    assert faults(page) == []
    page.get_by_role("dialog").get_by_role("button", name="Skip").click()
    count(page, "Please check, then send")
    page.get_by_text("Skipped: no words").wait_for()
    press(page, "Item 2")
    press(page, "Do not skip")
    page.get_by_role("radio", name="1").check()
    press(page, "Next")
    assert faults(page) == []
    press(page, "Send all")
    page.get_by_role("heading", name="Thank you!").wait_for()
