"""Every page is held against axe's rules for WCAG 2.2 AA and its good practices, in every state that people
meet, in both colour schemes and at three widths."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.browser.live import (
    LAPTOP,
    TABLET,
    Library,
    People,
    admin_token,
    instance_of,
    outcome,
    said,
    say,
    turn,
)
from tests.web.room_helpers import GAMES

from groundling.core.pack import find
from groundling.report.html import render_html_report

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

pytest.importorskip(
    "axe_playwright_python", reason="pages are NOT held against axe: pip install axe-playwright-python"
)

pytestmark = pytest.mark.slow
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PHONE: ViewportSize = {"width": 390, "height": 844}
LOOKS = ["color-contrast", "target-size", "scrollable-region-focusable"]
"""The rules whose verdict depends on the colour scheme or on the width of the window."""
ASK = """([rules]) => axe.run(document, {
  runOnly: rules, resultTypes: ["violations"], rules: {"label-content-name-mismatch": {enabled: true}}
})"""
NAMED = "label-content-name-mismatch"
"""Letters that are drawn in a picture are not its label: a grid is called by its heading, and its empty cells
are read out."""


def faults(page: Page) -> list[str]:
    """What axe finds, a line each."""
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE)
    found = list(violations(page, TAGS))
    page.emulate_media(color_scheme="dark")
    for size in (TABLET, PHONE):
        page.set_viewport_size(size)
        found += violations(page, LOOKS)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(LAPTOP)
    return found


def violations(page: Page, rules: list[str]) -> list[str]:
    found: list[dict[str, Any]] = page.evaluate(ASK, [rules])["violations"]
    return [
        f"{each['impact']} {each['id']}: {node['html'][:120]}"
        for each in found
        for node in each["nodes"]
        if not (each["id"] == NAMED and node["html"].startswith("<g "))
    ]


def test_the_ways_in(library: Library, people: People) -> None:
    page = people.person()
    page.goto(library.url)
    page.wait_for_selector("#games .game")
    assert faults(page) == []
    page.click("#image >> text=Invite somebody")
    page.wait_for_selector("#image .link")
    assert faults(page) == []
    page.goto(f"{library.url}/wait#hexagons/executor")
    page.wait_for_selector("text=Looking for somebody")
    assert faults(page) == []
    page.goto(f"{library.url}/join")
    page.wait_for_selector("text=There is no link here")
    assert faults(page) == []


def test_states_of_pages(library: Library, people: People) -> None:
    page = people.person()
    page.goto(f"{library.url}/join#never-made")
    page.wait_for_selector(".state.error")
    assert faults(page) == []
    page.goto(f"{library.url}/wait")
    page.wait_for_selector(".state.empty")
    assert faults(page) == []
    page.route("**/api/games", lambda route: route.abort())
    page.goto(library.url)
    page.wait_for_selector(".state.offline")
    assert faults(page) == []
    page.unroute("**/api/games")
    page.route("**/api/games", lambda route: None)
    page.goto(f"{library.url}/gallery/", wait_until="commit")
    page.wait_for_selector(".state.loading")
    assert faults(page) == []
    people.complaints.clear()  # the browser's own, of the refusal and the lost connection


def test_consent_and_waiting_for_a_partner(library: Library, people: People) -> None:
    links = library.room("reference", "giver", "follower", consent="We keep what you say.")
    page = people.sit(links["giver"])
    page.wait_for_selector("text=I agree")
    assert faults(page) == []
    page.click("text=I agree")
    page.wait_for_selector("text=Waiting for your partner")
    assert faults(page) == []
    other = people.sit(links["follower"])
    other.click("text=No, thank you")
    other.wait_for_selector("text=You do not take part")
    assert faults(other) == []
    page.wait_for_selector("#unbegun >> text=Keep waiting")
    assert faults(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_seat_of_every_game_and_what_comes_after(game: str, library: Library, people: People) -> None:
    roles = find(game).roles
    links = library.room(game, *roles, instance=instance_of(game).id)
    pages = [people.sit(links[role]) for role in roles]
    for page in pages:
        page.wait_for_selector("#table:not([hidden])")
        assert faults(page) == []  # with the help
        page.click("text=Got it")
    first, second = pages
    say(first, "Something to begin with, on the left")
    said(second)
    turn(second)
    for page in pages:
        page.click("#palette")
        assert faults(page) == []
    first.click("#end")
    assert faults(first) == []  # are you sure?
    first.click("#confirm-yes")
    for page in pages:
        outcome(page)
        assert faults(page) == []


def test_admin_pages(library: Library, people: People) -> None:
    page = people.person()
    page.goto(f"{library.url}/admin")
    page.wait_for_selector("#token")
    assert faults(page) == []
    giver = people.sit(library.room("reference", "giver", "follower")["giver"])
    ended = people.sit(library.room("reference", "giver")["giver"])
    ended.click("#end")
    ended.click("#confirm-yes")
    outcome(ended)
    page.fill("#token", admin_token())
    page.click("text=Log in")
    page.wait_for_selector("#over tbody tr")
    page.click("#new >> text=Create room")
    page.wait_for_selector("#links .link")
    assert faults(page) == []
    for seat in (giver, ended):
        page.goto(f"{library.url}/admin/watch/{seat.url.split('/')[4]}")
        page.wait_for_selector(".watched")
        page.wait_for_selector("#count:not(:empty)")
        assert faults(page) == []
    page.goto(f"{library.url}/styleguide")
    page.wait_for_selector("#boards .board")
    assert faults(page) == []
    page.goto(f"{library.url}/admin/rooms/{ended.url.split('/')[4]}/replay")
    page.wait_for_selector("body.ready")
    assert faults(page) == []


def test_the_editor_of_items(library: Library, people: People) -> None:
    page = people.person()
    page.goto(f"{library.url}/admin/login#{admin_token()}")
    page.click("#pages >> text=Items")
    page.wait_for_selector("#form img[src^='data:image/svg']")
    page.fill("#search", "knife")
    assert faults(page) == []
    page.click("#add")  # something is wrong now
    page.wait_for_selector("#faults:not([hidden])")
    assert faults(page) == []
    for tab in ("Properties", "Defaults"):
        page.click(f"#tabs >> text={tab}")
        assert faults(page) == []


def test_recorded_games_and_their_replay(library: Library, people: People) -> None:
    page = people.person()
    page.goto(f"{library.url}/runs/")
    page.wait_for_selector("#books a")
    assert faults(page) == []
    page.click("#books a")
    page.wait_for_selector("#rows tr")
    assert faults(page) == []
    page.fill("#jump input", "9")
    page.click("#jump >> text=Go")
    page.wait_for_selector("#trouble:has-text('Give a number from 1 to 3')")
    assert faults(page) == []
    page.click("#rows a >> nth=0")
    page.wait_for_selector("body.ready")
    for key in ("End", "ArrowLeft"):
        page.keyboard.press(key)
        assert faults(page) == []
    page.click("#palette")
    assert faults(page) == []
    for path in ("/runs/boards/nothing/replay", "/runs/nothing/", "/nothing/at/all"):
        page.goto(library.url + path)
        page.wait_for_selector("text=/there is no/i")
        assert faults(page) == []
    people.complaints.clear()  # the browser's own, of what is not there


def test_the_report(library: Library, people: People, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(render_html_report([str(library.boards.path)]), encoding="utf-8")
    page = people.person()
    page.goto(file.as_uri())
    page.wait_for_selector("#viewer:not([hidden])")
    assert faults(page) == []
    page.click("summary >> nth=0")
    page.keyboard.press("End")
    assert faults(page) == []


def test_galleries_and_the_board_to_draw_on(library: Library, people: People) -> None:
    page = people.person()
    page.goto(f"{library.url}/gallery/")
    page.wait_for_selector("#games .card")
    assert faults(page) == []
    for path in (*(f"{game}/" for game in GAMES), "director/?of=items", "hexagons/?set=nothing"):
        page.goto(f"{library.url}/gallery/{path}")
        page.wait_for_selector("#status:not(:empty)")
        assert faults(page) == []
    page.goto(f"{library.url}/gallery/hexagons/draw")
    page.wait_for_selector("#save:not([hidden])")
    page.click('[data-tile="3,3"]')
    page.fill("#called", "dot")
    page.click("text=Save to the gallery")
    page.wait_for_selector("text=paint at least 3 tiles")
    assert faults(page) == []
    people.complaints.clear()  # the browser's own, of the refusal


def test_axe_finds_the_faults_of_a_page_that_has_some(people: People, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    bad.write_text(
        '<html><body><img src="x.png"><button></button><p style="color: #ddd">pale</p></body></html>',
        encoding="utf-8",
    )
    page = people.person()
    page.goto(bad.as_uri())
    found = " ".join(faults(page))
    people.complaints.clear()  # of the picture that is not there
    for rule in ("image-alt", "button-name", "color-contrast"):
        assert rule in found
