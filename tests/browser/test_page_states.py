"""Every page that loads data says that it loads, that there is nothing, what went wrong, and that there is no
connection; nothing moves when the data comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.browser.live import Library, People, admin_token

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1366, "height": 768}
PAGES = {
    "/": ("**/api/games", "#games .game"),
    "/gallery/": ("**/api/games", "#games .card"),
    "/gallery/hexagons/": ("**/cards.json*", "#cards .card"),
    "/runs/": ("**/books.json", "#books .card"),
    "/runs/boards/": ("**/episodes.json*", "#rows tr"),
    "/runs/boards/{episode}/replay": ("**/replay.json", "#boards .board"),
    "/admin": ("**/admin/api/rooms", "#tally dd"),
    "/admin/pages/director/": ("**/call/open", "#list button"),
}
"""The pages, with what they ask for and what they then show."""
WATCH = """window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def log_in(page: Page, library: Library) -> None:
    page.goto(f"{library.url}/admin/login#{admin_token()}")
    page.wait_for_selector("#tally dd")


def address(path: str, library: Library) -> str:
    return library.url + path.format(episode=next(iter(library.boards.read_transcripts())).episode)


def shifted(page: Page) -> float:
    """How much was moved so far."""
    page.evaluate(FRAMES)
    total: float = page.evaluate("window.shifted")
    return total


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_says_that_it_loads_and_nothing_moves_when_it_is_there(
    path: str, size: dict[str, int], library: Library, people: People
) -> None:
    data, content = PAGES[path]
    page = people.person(viewport=size)
    if path.startswith("/admin"):
        log_in(page, library)
    page.add_init_script(WATCH)
    page.route(data, lambda route: None)  # it is held until it is let go
    page.goto(address(path, library), wait_until="commit")
    page.wait_for_selector(".state.loading")
    page.evaluate(FRAMES)
    page.unroute(data)
    page.wait_for_selector(content)
    page.wait_for_load_state("networkidle")
    assert shifted(page) < 0.01
    page.evaluate("document.querySelector('main').prepend(document.createElement('hr'))")
    page.evaluate("document.querySelector('hr').style.height = '50px'")
    assert shifted(page) > 0, "what moves is noticed"


@pytest.mark.parametrize("path", PAGES)
def test_a_page_without_a_connection_says_so_and_tries_again(
    path: str, library: Library, people: People
) -> None:
    data, content = PAGES[path]
    page = people.person(viewport=PHONE)
    if path.startswith("/admin"):
        log_in(page, library)
    page.route(data, lambda route: route.abort())
    page.goto(address(path, library))
    page.wait_for_selector(".state.offline >> text=The server cannot be reached.")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.unroute(data)
    page.click("text=Try again")
    page.wait_for_selector(content)
    assert not page.locator(".state.offline").is_visible()
    people.complaints.clear()  # the browser's own, of the lost connection


def test_a_search_that_finds_nothing_says_what_to_do(library: Library, people: People) -> None:
    page = people.person()
    for path in ("/runs/boards/?find=nothing", "/gallery/hexagons/?find=nothing"):
        page.goto(library.url + path)
        page.wait_for_selector(".state.empty:has-text('earch for less')")


def test_a_link_is_still_good_when_the_connection_comes_back(library: Library, people: People) -> None:
    page = people.person()
    page.route("**/api/sit", lambda route: route.abort())
    page.goto(library.room("reference", "giver")["giver"])
    page.wait_for_selector(".state.offline >> text=The server cannot be reached.")
    page.unroute("**/api/sit")
    page.click("text=Try again")
    page.wait_for_selector("text=Reference game: you are the giver")
    people.complaints.clear()  # the browser's own, of the lost connection
