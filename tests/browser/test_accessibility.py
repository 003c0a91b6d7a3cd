"""Every page is held against axe's rules for WCAG 2.2 AA and its good practices, in every state that people
meet."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.browser.live import House, People, instance_of, outcome, said, say, serving, turn
from tests.browser.test_report import apart

from groundling.cli import main
from groundling.core.pack import find

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest.importorskip(
    "axe_playwright_python", reason="pages are NOT held against axe: pip install axe-playwright-python"
)

TOKEN = "a token that nobody guesses"
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ASK = """([tags]) => axe.run(document, {
  runOnly: tags, resultTypes: ["violations"], rules: {"label-content-name-mismatch": {enabled: true}}
})"""
NAMED = "label-content-name-mismatch"
"""Letters that are drawn in a picture are not its label: a grid is called by its heading, and its empty cells are read out."""
TABLET = {"width": 820, "height": 1180}
GAMES = ("reference", "image", "hexagons", "codraw", "director")


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server with somebody who runs it."""
    folder = tmp_path_factory.mktemp("office")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROUNDLING_ADMIN_TOKEN", TOKEN)
        seats = "--seat", "instructor=narrator", "--seat", "executor=parser"
        run = str(folder / "boards")
        assert (
            apart(lambda: main(["play", "hexagons", "--mode", "live", *seats, "--limit", "2", "-o", run]))
            == 0
        )
        options = ("--admin", "--items", str(folder / "items.json"), "--gallery", "--run", run)
        with serving(folder / "games.db", *options) as found:
            yield found


def faults(page: Page) -> list[str]:
    """What axe finds, a line each."""
    page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate(ASK, [TAGS])["violations"]
    return [
        f"{each['impact']} {each['id']}: {node['html'][:120]}"
        for each in found
        for node in each["nodes"]
        if not (each["id"] == NAMED and node["html"].startswith("<g "))
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_ways_in(scheme: str, office: House, people: People) -> None:
    page = people.person(color_scheme=scheme)
    page.goto(office.url)
    page.wait_for_selector("#games .game")
    assert faults(page) == []
    page.click("#image >> text=Invite somebody")
    page.wait_for_selector("#image .link")
    assert faults(page) == []
    page.goto(f"{office.url}/wait#hexagons/executor")
    page.wait_for_selector("text=Looking for somebody")
    assert faults(page) == []
    page.goto(f"{office.url}/join")
    page.wait_for_selector("text=There is no link here")
    assert faults(page) == []


def test_consent_and_waiting_for_a_partner(office: House, people: People) -> None:
    asked = people.sit(
        office.room("reference", "giver", "follower", consent="We keep what you say.")["giver"]
    )
    asked.wait_for_selector("text=I agree")
    assert faults(asked) == []
    asked.click("text=I agree")
    asked.wait_for_selector("text=Waiting for your partner")
    assert faults(asked) == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_seat_of_every_game_and_what_comes_after(
    game: str, scheme: str, office: House, people: People
) -> None:
    roles = find(game).roles
    links = office.room(game, *roles, instance=instance_of(game).id)
    pages = [
        people.sit(links[role], color_scheme=scheme, viewport=TABLET if scheme == "dark" else None)
        for role in roles
    ]
    for page in pages:
        page.wait_for_selector("#table:not([hidden])")
        assert scheme == "dark" or faults(page) == []  # with the help
        page.click("text=Got it")
    first, second = pages
    say(first, "Something to begin with, on the left")
    said(second)
    turn(second)
    for page in pages:
        page.click("#palette")
        assert faults(page) == []
    first.click("#end")
    assert scheme == "dark" or faults(first) == []  # are you sure?
    first.click("#confirm-yes")
    for page in pages:
        outcome(page)
        assert faults(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_of_whoever_runs_the_server(scheme: str, office: House, people: People) -> None:
    page = people.person(color_scheme=scheme)
    page.goto(f"{office.url}/admin")
    page.wait_for_selector("#token")
    assert faults(page) == []
    giver = people.sit(office.room("reference", "giver", "follower")["giver"])
    ended = people.sit(office.room("reference", "giver")["giver"])
    ended.click("#end")
    ended.click("#confirm-yes")
    outcome(ended)
    page.fill("#token", TOKEN)
    page.click("text=Sign in")
    page.wait_for_selector("#over tbody tr")
    page.click("#new >> text=Make the room")
    page.wait_for_selector("#links .link")
    assert faults(page) == []
    for seat in (giver, ended):
        page.goto(f"{office.url}/admin/watch/{seat.url.split('/')[4]}")
        page.wait_for_selector(".watched")
        page.wait_for_selector("#count:not(:empty)")
        assert faults(page) == []
    page.goto(f"{office.url}/admin/rooms/{ended.url.split('/')[4]}/replay")
    page.wait_for_selector("body.ready")
    assert faults(page) == []
    page.goto(f"{office.url}/admin/pages/director/")
    page.wait_for_selector("#form img[src^='data:image/svg']")
    assert faults(page) == []
    page.click("#add")  # something is wrong now
    page.wait_for_selector("#faults:not([hidden])")
    assert faults(page) == []
    for tab in ("Properties", "Defaults"):
        page.click(f"#tabs >> text={tab}")
        assert faults(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_recorded_games_and_their_replay(scheme: str, office: House, people: People) -> None:
    page = people.person(color_scheme=scheme, viewport=TABLET if scheme == "dark" else None)
    page.goto(f"{office.url}/runs/")
    page.wait_for_selector("#books a")
    assert faults(page) == []
    page.click("#books a")
    page.wait_for_selector("#rows tr")
    assert faults(page) == []
    page.fill("#jump input", "9")
    page.click("#jump >> text=Go")
    page.wait_for_selector("#trouble:has-text('Give a number from 1 to 2')")
    assert faults(page) == []
    page.click("#rows a >> nth=0")
    page.wait_for_selector("body.ready")
    for key in ("End", "ArrowLeft"):
        page.keyboard.press(key)
        assert faults(page) == []
    page.click("#palette")
    assert faults(page) == []
    for path in ("/runs/boards/nothing/replay", "/runs/nothing/", "/nothing/at/all"):
        page.goto(office.url + path)
        page.wait_for_selector("text=/there is no/i")
        assert faults(page) == []
    people.complaints.clear()  # the browser's own, of what is not there


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_galleries_and_the_board_to_draw_on(scheme: str, office: House, people: People) -> None:
    page = people.person(color_scheme=scheme, viewport=TABLET if scheme == "dark" else None)
    page.goto(f"{office.url}/gallery/")
    page.wait_for_selector("#games .card")
    assert faults(page) == []
    for path in (*(f"{game}/" for game in GAMES), "director/?of=items", "hexagons/?set=nothing"):
        page.goto(f"{office.url}/gallery/{path}")
        page.wait_for_selector("#status:not(:has-text('Looking'))")
        assert faults(page) == []
    page.goto(f"{office.url}/gallery/hexagons/draw")
    page.wait_for_selector("#save:not([hidden])")
    page.click('[data-tile="3,3"]')
    page.fill("#called", "dot")
    page.click("text=Save to the gallery")
    page.wait_for_selector("text=paint at least 3 tiles")
    assert faults(page) == []
    people.complaints.clear()  # the browser's own, of the refusal


def test_what_axe_cannot_see_from_here_is_not_there_by_mistake(
    office: House, people: People, tmp_path: Path
) -> None:
    """That the rules run at all: a page with faults has some."""
    (tmp_path / "bad.html").write_text(
        '<html><body><img src="x.png"><button></button></body></html>', encoding="utf-8"
    )
    page = people.person()
    page.goto((tmp_path / "bad.html").as_uri())
    found = " ".join(faults(page))
    people.complaints.clear()  # of the picture that is not there
    assert "image-alt" in found
    assert "button-name" in found
