"""Every page that loads data says that it loads, that there is nothing, what went wrong, and that there is no
connection; nothing moves when the data comes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.browser.live import Library, LiveServer, People, admin_token, at_seat, say, turn

import groundling.web
from groundling.core.pack import find

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocketRoute

pytestmark = pytest.mark.slow
PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1366, "height": 768}
STATIC = Path(groundling.web.__file__).parent / "static"
WITHOUT_STATES = ("error.html", "mturk.html", "styleguide.html", "study.html")
"""They wait for nothing; a study shows its states in its task."""
PAGES = {
    "/": ("**/api/games", "#games .game"),
    "/gallery/": ("**/api/games", "#games .card"),
    "/gallery/hexagons/draw": ("**/canvas.json", "#boards [data-tile]"),
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


def slow_down(page: Page) -> None:
    """Compute four times slower, as a cheap phone does."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})


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
    if size is PHONE:
        slow_down(page)
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
    page.route("**/api/sit", lambda route: None)
    page.goto(library.room("reference", "giver")["giver"], wait_until="commit")
    page.wait_for_selector(".state.loading >> text=Taking your seat")
    page.unroute("**/api/sit")
    link = library.room("reference", "giver")["giver"]
    page.route("**/api/sit", lambda route: route.abort())
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector(".state.offline >> text=The server cannot be reached.")
    page.unroute("**/api/sit")
    page.click("text=Try again")
    page.wait_for_selector("text=Reference game: you are the giver")
    people.complaints.clear()  # the browser's own, of the lost connection


def test_a_link_that_opens_no_seat_says_why(library: Library, people: People) -> None:
    page = people.person(viewport=PHONE)
    page.goto(f"{library.url}/join")
    page.wait_for_selector(".state.empty >> text=There is no link here")
    page.goto("about:blank")
    page.goto(f"{library.url}/join#never-made")
    page.wait_for_selector(".state.error >> text=This seat is not free")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    people.complaints.clear()  # the browser's own, of the refusal


def test_a_login_link_says_that_it_works_and_that_there_is_no_connection(
    library: Library, people: People
) -> None:
    page = people.person()
    page.route("**/login/trade", lambda route: None)
    page.goto(f"{library.url}/admin/login#{admin_token()}", wait_until="commit")
    page.wait_for_selector(".state.loading >> text=Logging in")
    page.unroute("**/login/trade")
    page.route("**/login/trade", lambda route: route.abort())
    page.goto("about:blank")
    page.goto(f"{library.url}/admin/login#{admin_token()}")
    page.wait_for_selector(".state.offline")
    page.unroute("**/login/trade")
    page.click("text=Try again")
    page.wait_for_selector("#tally dd")
    page.context.clear_cookies()
    page.goto(f"{library.url}/admin/login#wrong")
    page.wait_for_selector("#form .trouble:not(:empty)")
    assert page.is_hidden("#page-state")
    people.complaints.clear()  # the browser's own, of the lost connection and the refusal


SOCKETS = {
    "/wait#hexagons/executor": ("**/api/wait/**", ".state.loading >> text=Looking for somebody"),
    "seat": ("**/r/**/socket", "#title:has-text('you are the giver')"),
    "/admin/watch/": ("**/admin/watch/**/socket", "#seats .watched"),
}
"""The pages that hold a socket, with its address and what they then show."""


@pytest.mark.parametrize("path", SOCKETS)
def test_a_page_with_a_socket_says_that_it_loads_and_reconnects_by_itself(
    path: str, library: Library, people: People
) -> None:
    socket, content = SOCKETS[path]
    page = people.person(viewport=PHONE)
    link = library.room("reference", "giver")["giver"]
    if path != "/wait#hexagons/executor":
        page.goto(link)
        page.wait_for_url("**/r/**")
    url = page.url if path == "seat" else library.url + path
    if path.startswith("/admin"):
        url += page.url.split("/")[4]
        log_in(page, library)
    state = "held"

    def answer(route: WebSocketRoute) -> None:
        if state == "cut":
            route.close()
        elif state == "open":
            route.connect_to_server()

    page.route_web_socket(socket, answer)
    page.goto("about:blank")
    page.goto(url)
    page.wait_for_selector(".state.loading")
    state = "cut"
    page.goto("about:blank")
    page.goto(url)
    page.wait_for_selector(".state.offline >> text=Reconnecting")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    state = "open"
    page.wait_for_selector(content)
    assert not page.locator(".state.offline").is_visible()
    people.complaints.clear()  # the browser's own, of the lost connection


@pytest.mark.parametrize("path", SOCKETS)
def test_nothing_moves_while_a_page_with_a_socket_loads(path: str, library: Library, people: People) -> None:
    page = people.person(viewport=PHONE)
    room = library.room("reference", "giver", "follower")["giver"]
    if path.startswith("/admin"):
        log_in(page, library)
        seat = people.sit(room)
        path += seat.url.split("/")[4]
    slow_down(page)
    page.add_init_script(WATCH)
    page.goto(room if path == "seat" else library.url + path)
    page.wait_for_selector(
        "#page-state >> text=Looking" if path.startswith("/wait") else "#page-state[hidden]", state="attached"
    )
    page.wait_for_load_state("networkidle")
    assert shifted(page) < 0.01


@pytest.mark.parametrize("game", ["reference", "image", "hexagons", "codraw", "director"])
def test_the_board_does_not_move_when_a_turn_brings_an_instruction(
    game: str, library: Library, people: People
) -> None:
    first, second = find(game).roles
    links = library.room(game, first, second)
    page = people.person(viewport=PHONE)
    page.add_init_script(WATCH)
    page.goto(links[second])
    at_seat(page)
    giver = people.sit(links[first])
    page.click("text=Got it")
    page.wait_for_selector("#instruction:has-text('What your partner says appears here.')")
    page.wait_for_load_state("networkidle")
    page.wait_for_selector("#boards svg")
    before, top = shifted(page), page.locator("#boards svg").first.bounding_box()
    say(giver, "A long message, which takes several lines on a phone and would move a board without a place.")
    turn(page).wait_for_selector("#instruction:has-text('A long message')")
    assert page.locator("#boards svg").first.bounding_box() == top
    assert shifted(page) - before < 0.03


def test_a_room_that_is_gone_is_an_error_with_a_way_out(library: Library, people: People) -> None:
    page = people.person()
    log_in(page, library)
    page.goto(f"{library.url}/admin/watch/nothing")
    page.wait_for_selector(".state.error >> text=There is no such room.")
    page.goto(f"{library.url}/wait")
    page.wait_for_selector(".state.empty >> text=Choose a game and a seat first.")
    people.complaints.clear()  # the browser's own, of what is not there


def test_every_page_that_waits_for_something_uses_the_component_for_states() -> None:
    pages = [path for path in STATIC.rglob("*.html") if path.name not in WITHOUT_STATES]
    assert len(pages) >= 13
    assert [path.name for path in pages if 'id="page-state"' not in path.read_text()] == []


def test_a_browser_that_blocks_cookies_is_told_so_and_the_link_stays_good(
    server: LiveServer, people: People
) -> None:
    link = server.room("reference", "follower")["follower"]
    page = people.person(viewport=PHONE)
    denied = "Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('denied'); } })"
    page.add_init_script(denied)
    page.goto(link)
    page.wait_for_selector("#page-state >> text=Your browser blocks cookies")
    assert page.url == link, "the page can be loaded again"
    people.sit(link)
