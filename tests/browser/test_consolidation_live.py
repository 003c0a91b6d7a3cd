"""Judges in real browsers: one paints the corrected board, another overlooks the error, a third decides."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.browser.live import OpenServer, People, apart
from tests.browser.test_accessibility import faults
from tests.browser.test_annotation_live import begin
from tests.browser.test_study_live import press
from tests.games.hexagons.small import FLOWER, LINE
from tests.games.hexagons.test_study_results import LATER, SHORT, write_planted_data
from tests.web.test_consolidation_study import WRONG, write_judging

from groundling.cli import main
from groundling.games.hexagons.data import read_data_images

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow


def judge_item(page: Page, looks: bool) -> None:
    judged = page.locator("figure", has_text="To be judged").locator("svg")
    red = judged.locator("text", has_text="R").count()
    if looks and page.locator(".said").inner_text() == WRONG and red == SHORT.painted_count:
        page.get_by_role("radio", name="yes").check()
        press(page, "Next")
        told = page.get_by_text("Please answer: What kind of error?").bounding_box()
        assert told
        assert told["y"] < page.evaluate("innerHeight"), "it is seen where the button was pressed"
        page.get_by_role("radio", name="under-execution").check()
        page.get_by_role("radio", name="red").check(force=True)
        page.locator('[data-tile="5,3"][data-colour]').click()
        page.locator('[data-tile="5,3"][data-colour="4"]').wait_for()
        assert faults(page) == []
    else:
        page.get_by_role("radio", name="no").check()
    press(page, "Next")


def settle_item(page: Page) -> None:
    """Take over what the judge who found the error painted, by the key of their letter."""
    corrected = page.locator('[data-tile="5,3"][data-colour="4"]')
    assert page.locator(".side h3").all_inner_texts() == ["Annotator A", "Annotator B"]
    sides = page.locator(".side").all_inner_texts()
    page.keyboard.press("ab"[["under-execution" in side for side in sides].index(True)])
    corrected.wait_for()
    assert page.get_by_role("radio", name="under-execution").is_checked()
    assert faults(page) == []
    page.keyboard.press("Control+z")
    corrected.wait_for(state="detached")
    assert not page.get_by_role("radio", name="yes").is_checked()
    page.locator(".side", has_text="under-execution").get_by_role("button", name="Take this").click()
    corrected.wait_for()
    press(page, "Next")


def test_judges_correct_a_board_by_painting_and_a_third_settles_it(
    people: People, open_server: OpenServer, tmp_path: Path
) -> None:
    data = write_planted_data(tmp_path / "data")
    folder = apart(lambda: write_judging(tmp_path / "judging", data))
    server = open_server("--study", str(folder))
    for name in ("ann", "ben"):
        page = people.person()
        begin(page, f"{server.url}/study/judging?person={name}")
        assert faults(page) == []
        for number in range(7):
            page.get_by_text(f"Item {number + 1} of 7", exact=True).wait_for()
            judge_item(page, looks=name == "ann")
        press(page, "Send all")
        page.get_by_role("heading", name="Thank you!").wait_for()
    cem = people.person()
    begin(cem, f"{server.url}/study/judging?person=cem")
    cem.get_by_text("Item 1 of 1", exact=True).wait_for()
    settle_item(cem)
    press(cem, "Send all")
    cem.get_by_role("heading", name="Thank you!").wait_for()
    db = next(tmp_path.rglob("*.db"))
    export = ["study", "export", str(folder), "--db", str(db), "--format", "published"]
    assert apart(lambda: main([*export, "--data", str(data), "-o", str(tmp_path / "out")])) == 0
    steps = read_data_images(tmp_path / "out", "dev")[0].steps
    assert [step.board for step in steps] == [LINE, LINE, FLOWER, LATER]
    assert people.complaints == []
