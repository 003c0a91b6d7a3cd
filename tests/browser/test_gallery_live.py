"""Galleries and the board to draw on, in a real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.browser.live import LiveServer, OpenServer, People, at_seat, misfits, turn
from tests.games.hexagons.test_hexagons_data import put, record
from tests.web.room_helpers import GAMES

if TYPE_CHECKING:
    from playwright.sync_api import Page
pytestmark = pytest.mark.slow


def gallery(page: Page, server: LiveServer, path: str) -> Page:
    page.goto(f"{server.url}/gallery/{path}")
    page.wait_for_selector(".cards .card")
    return page


def names(page: Page) -> list[str]:
    return page.locator("#cards h2").all_inner_texts()


def test_every_game_has_pictures_that_can_be_seen(people: People, server: LiveServer) -> None:
    page = people.person()
    for game in GAMES:
        picture = gallery(page, server, f"{game}/").locator("#cards img").first
        picture.scroll_into_view_if_needed()
        picture.evaluate("(image) => image.decode()")
        assert picture.evaluate("(image) => image.naturalWidth") > 100
        assert ": " in (picture.get_attribute("alt") or "")


def test_pictures_are_found_by_set_level_and_id(people: People, server: LiveServer) -> None:
    page = people.person()
    page.goto(server.url)
    page.click("text=Galleries")
    page.click("text=HEXAGONS")
    page.wait_for_selector("#cards .card")
    assert page.locator("#status").inner_text() == "112 of 112"
    first = names(page)
    page.click("text=Next page")
    page.wait_for_selector("text=13 to 24 of 112")
    assert not set(first) & set(names(page))
    page.select_option("select[name=level]", "2")
    page.select_option("select[name=set]", "objects")
    page.wait_for_selector("text=1 to 12 of 14")
    page.locator("#cards summary").first.click()
    assert "paint" in page.locator("#cards pre").first.inner_text()
    page.reload()
    page.wait_for_selector("#cards .card")
    assert page.locator("select[name=level]").input_value() == "2"
    page.fill("#find", "095")
    page.wait_for_selector("#cards .card:nth-child(2)", state="detached")
    assert names(page) == ["image-095"]


def test_a_new_image_is_drawn_saved_and_played(people: People, server: LiveServer) -> None:
    page = gallery(people.person(), server, "hexagons/")
    page.click("text=Draw a new one")
    page.wait_for_selector("#save:not([hidden])")
    page.fill("#called", "<i>my hat</i>")
    page.click("text=Save to the gallery")
    page.wait_for_selector("text=paint at least 3 tiles")
    people.complaints.clear()  # the browser tells of the refusal
    page.click("text=red")
    for tile in ("3,3", "3,4", "3,5", "3,6"):
        page.click(f'[data-tile="{tile}"]')
    page.click("text=Undo stroke")
    page.focus('[data-tile="4,4"]')
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    assert "row 4, column 4, black" in (page.get_attribute('[data-tile="4,4"]', "aria-label") or "")
    assert "white" in (page.get_attribute('[data-tile="3,6"]', "aria-label") or "")
    page.click("text=Save to the gallery")
    page.wait_for_url("**/gallery/hexagons/?of=drawn*")
    page.wait_for_selector("#cards .card")
    assert names(page) == ["<i>my hat</i>"]
    assert page.locator("#cards dd").all_inner_texts() == ["drawn", "4", "2"]
    page.click("text=Play as instructor")
    at_seat(page)
    turn(page)
    letters = [
        page.text_content(f'#panels [data-tile="{tile}"] text') for tile in ("3,3", "3,4", "3,5", "4,4")
    ]
    assert letters == ["R", "R", "R", "K"]
    assert page.locator("#panels [data-tile] text").count() == 4


def test_the_page_of_a_gallery_is_found_again(people: People, server: LiveServer) -> None:
    page = gallery(people.person(), server, "hexagons/?level=2")
    page.click("text=Next page")
    page.wait_for_selector("text=/^13 to /")
    seen = names(page)
    page.click("text=Draw a new one")
    page.wait_for_selector("#save:not([hidden])")
    page.go_back()
    page.wait_for_selector("text=/^13 to /")
    assert names(page) == seen
    assert page.input_value("select[name=level]") == "2"


def test_items_are_on_show_and_nobody_plays_them(people: People, server: LiveServer) -> None:
    page = gallery(people.person(), server, "director/")
    page.select_option("select[name=of]", "items")
    page.wait_for_selector("#status:has-text('275 of 275')")
    page.select_option("select[name=colour]", "red")
    page.fill("#find", "book")
    page.wait_for_selector("#cards h2:text-is('small red book')")
    assert page.locator("#cards button").count() == 0
    picture = page.locator("#cards img").first
    picture.evaluate("(image) => image.decode()")
    assert picture.evaluate("(image) => image.naturalWidth") > 50


def test_they_fit_and_can_be_read(people: People, server: LiveServer) -> None:
    page = people.person()
    for path in ("", "director/", "hexagons/"):
        gallery(page, server, path)
        assert misfits(page) == []
    page.goto(f"{server.url}/gallery/hexagons/draw")
    page.wait_for_selector("#save:not([hidden])")
    assert [bad for bad in misfits(page) if "<text" not in bad] == []


def test_what_can_be_chosen_fits_a_narrow_window(
    people: People, open_server: OpenServer, tmp_path: Path
) -> None:
    """Parts of published data have longer names than ours."""
    put(tmp_path, "train", record())
    server = open_server("--gallery", "--data", f"hexagons={tmp_path}")
    page = gallery(people.person(viewport={"width": 320, "height": 640}), server, "hexagons/")
    page.wait_for_selector("#choices select")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
