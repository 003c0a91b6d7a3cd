"""Replays on the server's pages, in a real Chromium."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest
from tests.browser.live import Library, People, instance_of, misfits, outcome, pick, say
from tests.browser.test_report import SAME, drawn

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


pytestmark = pytest.mark.slow
SEEN = """async () => {
  for (const frame of [1, 2]) await new Promise(requestAnimationFrame);
  const { x, y, width } = document.activeElement.getBoundingClientRect();
  return document.activeElement.contains(document.elementFromPoint(x + width / 2, y + 2));
}"""
"""Whether what has the focus is covered by nothing, once the page has been painted."""


def watch(page: Page, url: str) -> Page:
    page.goto(url)
    page.wait_for_selector("body.ready")
    return page


def at(page: Page) -> int:
    return int(page.locator("#slider").input_value())


def test_from_the_home_page_to_an_episode_and_on_to_the_next(people: People, library: Library) -> None:
    page = people.person()
    page.goto(library.url)
    page.click("text=Recorded games")
    page.click("text=boards")
    names = [transcript.episode for transcript in library.boards.read_transcripts()]
    page.wait_for_selector("#rows tr")
    assert page.locator("#rows th").all_inner_texts() == names
    page.fill("#find", names[1])
    page.wait_for_selector("#rows tr:nth-child(2)", state="detached")
    page.click(f"text={names[1]}")
    page.wait_for_selector("body.ready")
    page.click("text=Next")
    page.wait_for_url(f"**/{names[2]}/replay*")
    page.wait_for_selector("body.ready")
    assert page.locator("#name").inner_text() == names[2]
    assert f"3 of {len(names)}" in page.locator("#facts").inner_text()


def test_every_step_shows_what_was_drawn_forth_and_back(people: People, library: Library) -> None:
    page = people.person()
    episode, steps = next(drawn(library.boards))
    watch(page, f"{library.url}/runs/boards/{episode}/replay")
    for way in (range(len(steps)), reversed(range(len(steps)))):
        for step in way:
            assert at(page) == step
            for role, svg in steps[step].items():
                assert page.evaluate(SAME, [role, svg]), f"step {step}, {role}"
            page.keyboard.press("ArrowRight" if way == range(len(steps)) else "ArrowLeft")
    page.keyboard.press("End")
    assert at(page) == len(steps) - 1
    for role, svg in steps[-1].items():
        assert page.evaluate(SAME, [role, svg])
    page.keyboard.press("Home")
    assert at(page) == 0
    assert page.locator("#back").is_disabled()


def test_a_moment_has_an_address(people: People, library: Library) -> None:
    first = next(iter(library.boards.read_transcripts()))
    page = watch(people.person(), f"{library.url}/runs/boards/{first.episode}/replay#event-4")
    assert at(page) == 2, "a reply and what became of it are one step"
    page.click("#on")
    assert page.evaluate("location.hash") == "#event-5"
    assert page.locator("#link").get_attribute("href") == "#event-5"
    page.evaluate("location.hash = '#event-99999'")
    page.wait_for_selector("#on:disabled")
    other = watch(people.person(), page.url)
    assert at(other) == at(page)


def test_scores_are_a_curve_that_leads_to_its_turns(people: People, library: Library) -> None:
    first = next(iter(library.boards.read_transcripts()))
    page = watch(people.person(), f"{library.url}/runs/boards/{first.episode}/replay")
    assert page.locator("#turn").inner_text() == ""
    dots = page.locator("#curve circle")
    assert dots.count() > 1
    assert "f1 after each turn" in (page.locator("#curve svg").get_attribute("aria-label") or "")
    dots.last.click()
    assert page.locator("#turn").inner_text().startswith(f"after turn {dots.count()}: f1 ")


@pytest.mark.parametrize(("motion", "pace"), [("no-preference", 900), ("reduce", 2500)])
def test_it_plays_by_itself_and_slowly_for_those_who_want_less_motion(
    people: People, library: Library, motion: Any, pace: int
) -> None:
    first = next(iter(library.boards.read_transcripts()))
    page = people.person(reduced_motion=motion)
    page.clock.install(time=datetime(2030, 1, 1))
    watch(page, f"{library.url}/runs/boards/{first.episode}/replay")
    page.clock.pause_at(datetime(2030, 1, 2))  # it would go on by itself while a slow machine thinks
    page.click("#play")
    assert page.locator("#play").inner_text() == "Pause"
    page.clock.run_for(pace - 100)
    assert at(page) == 0
    page.clock.run_for(200)
    assert at(page) == 1
    page.click("#play")
    page.clock.run_for(5 * pace)
    assert at(page) == 1
    page.keyboard.press("End")
    page.click("#play")
    assert at(page) == 0, "from the end it begins anew"
    page.clock.run_for(100 * pace)
    assert page.locator("#play").inner_text() == "Play"
    assert page.locator("#on").is_disabled()


def test_an_episode_can_be_taken_home(people: People, library: Library) -> None:
    first = next(iter(library.boards.read_transcripts()))
    page = watch(people.person(), f"{library.url}/runs/boards/{first.episode}/replay")
    found: list[Path] = []
    for label in ("Events, JSON", "Pictures, SVG", "Pictures, PNG"):
        with page.expect_download() as download:
            page.click(f"text={label}")
        found.append(Path(download.value.path()))
    assert len(json.loads(found[0].read_bytes())) == len(first.events)
    assert all(ZipFile(file).testzip() is None for file in found[1:])


def test_those_who_played_watch_it_again_and_strangers_do_not(browser: Browser, library: Library) -> None:
    people = People(browser)
    lineup = instance_of("reference", 3)
    links = library.room("reference", "giver", "follower", instance=lineup.id)
    giver, follower = people.sit(links["giver"]), people.sit(links["follower"])
    say(giver, "<b>the one</b> in the middle")
    pick(follower, f"#choice-{lineup.answer}")
    for page in (giver, follower):
        outcome(page)
        page.click("text=Watch it again")
        page.wait_for_selector("body.ready")
        assert page.locator("#name").inner_text() == "Replay of your game"
        assert "<b>the one</b> in the middle" in page.locator("#said").inner_text()
        assert page.locator("#boards .board").count() == 2
    assert people.complaints == []
    stranger = people.person()
    stranger.goto(giver.url)
    stranger.wait_for_selector("text=Only those who played this game")
    assert "the one" not in stranger.content()
    giver.click("text=Back to the result")
    outcome(giver)
    people.leave()


def test_the_game_is_fetched_with_the_page_and_once(people: People, library: Library) -> None:
    first = next(iter(library.boards.read_transcripts()))
    page = people.person()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(library.url)))
    watch(page, f"{library.url}/runs/boards/{first.episode}/replay")
    assert asked.count(f"/runs/boards/{first.episode}/replay.json") == 1
    files = [path for path in asked if path.endswith((".js", ".css", ".json"))]
    assert len(files) == len(set(files))
    when = (
        "([name, what]) => "
        "performance.getEntriesByType('resource').find((each) => each.name.endsWith(name))[what]"
    )
    fetched, loaded = (
        page.evaluate(when, of)
        for of in (["/replay.json", "startTime"], ["/static/replay.js", "responseEnd"])
    )
    assert fetched < loaded, "the server can work while scripts are on their way"


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_a_long_talk_does_not_drive_the_list_away(
    people: People, library: Library, size: tuple[int, int]
) -> None:
    (game,) = library.long.read_transcripts()
    page = people.person(viewport={"width": size[0], "height": size[1]})
    watch(page, f"{library.url}/runs/long/{game.episode}/replay")
    board = page.locator("#board-drawer")
    for key in ("Home", "End"):
        page.keyboard.press(key)
        assert board.evaluate("each => each.clientHeight") < size[1]
    assert board.evaluate("each => each.scrollHeight > each.clientHeight")
    board.focus()
    assert board.evaluate("each => each === document.activeElement"), "it can be scrolled without a mouse"
    assert page.locator("#said [aria-current]").is_visible()
    assert page.locator("#others input").count() == 0, "there is no other number to go to"


def test_the_controls_stay_in_place_but_over_nothing_that_has_the_focus(
    people: People, library: Library
) -> None:
    (game,) = library.long.read_transcripts()
    page = watch(
        people.person(viewport={"width": 390, "height": 844}),
        f"{library.url}/runs/long/{game.episode}/replay",
    )
    page.locator("#files").scroll_into_view_if_needed()
    page.locator("#said button").first.focus()
    assert page.evaluate(SEEN)


def test_it_fits_and_can_be_read(people: People, library: Library) -> None:
    first = next(iter(library.boards.read_transcripts()))
    page = people.person(reduced_motion="reduce")
    watch(page, f"{library.url}/runs/boards/{first.episode}/replay#event-4")
    assert misfits(page) == []
    page.goto(f"{library.url}/runs/boards/")
    page.wait_for_selector("#rows tr")
    assert misfits(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.locator(".scroll").evaluate("each => each.scrollWidth <= each.clientWidth"), (
        "no column is out of sight"
    )


def test_an_episode_is_found_by_its_number_and_the_list_is_found_again(
    people: People, library: Library
) -> None:
    names = [transcript.episode for transcript in library.boards.read_transcripts()]
    page = people.person()
    page.goto(f"{library.url}/runs/boards/")
    page.fill("#find", "image")
    page.wait_for_url("**/?find=image")
    for wrong in ("0", "4", "two", ""):
        page.fill("#jump input", wrong)
        page.press("#jump input", "Enter")
        page.wait_for_selector("#trouble:has-text('Give a number from 1 to 3')")
    page.fill("#jump input", "2")
    page.click("#jump >> text=Go")
    page.wait_for_url(f"**/{names[1]}/replay*")
    page.wait_for_selector("body.ready")
    page.fill("#others input", "3")
    page.press("#others input", "Enter")
    page.wait_for_url(f"**/{names[2]}/replay*")
    page.wait_for_selector("body.ready")
    page.go_back()
    page.wait_for_selector(f"#name:text-is('{names[1]}')")
    page.go_back()
    page.wait_for_selector("#rows tr")
    assert page.input_value("#find") == "image"


def test_the_worst_episode_of_a_run_is_one_click_away(people: People, library: Library) -> None:
    page = people.person()
    page.goto(f"{library.url}/runs/boards/")
    page.wait_for_selector("#rows tr")
    played = page.locator("#rows .n:nth-child(5)").all_inner_texts()
    for order in (sorted(played, key=float), sorted(played, key=float, reverse=True), played):
        page.click("#by-score button")
        page.wait_for_selector(f"#rows tr:first-child .n:text-is('{order[0]}')")
        assert page.locator("#rows .n:nth-child(5)").all_inner_texts() == order
    page.click("#by-score button")
    page.wait_for_url("**/?order=lowest")
    page.reload()
    page.wait_for_selector("#by-score[aria-sort=ascending]")


def test_safe_colours_are_chosen_in_replays_too(people: People, library: Library) -> None:
    first = next(iter(library.boards.read_transcripts()))
    page = watch(people.person(), f"{library.url}/runs/boards/{first.episode}/replay")
    painted = """() => [...document.querySelector("#board-instructor").shadowRoot.querySelectorAll("polygon")]
      .filter((tile) => tile.getAttribute("fill") !== "#ffffff").map((tile) => getComputedStyle(tile).fill)"""
    usual = page.evaluate(painted)
    page.click("#palette")
    safe = page.evaluate(painted)
    assert len(usual) == len(safe) > 0
    assert not set(usual) & set(safe)
    page.reload()
    page.wait_for_selector("body.ready")
    page.keyboard.press("End")
    assert page.evaluate(painted) == safe
    page.click("#palette")
    assert page.evaluate(painted) == usual


def test_what_is_not_there_is_said_in_words(browser: Browser, library: Library) -> None:
    people = People(browser)
    page = people.person(viewport={"width": 390, "height": 844})
    for path, words in (
        ("/nothing", "There is nothing at this address"),
        ("/runs/nothing/", "There is no such run here."),
        ("/runs/boards/nothing/replay", "There is no episode 'nothing' in boards."),
        ("/runs/boards/..%2f..%2fetc%2fpasswd/replay", "There is no episode '../../etc/passwd' in boards."),
        ("/r/nothing/giver/replay", "Only those who played this game"),
        ("/runs/boards/?from=99999&find=%3Cb%3Ex", "0 of 3 recorded games"),
    ):
        page.goto(library.url + path)
        page.wait_for_selector(f'text="{words}"' if words.endswith(".") else f"text={words}")
        assert page.evaluate("document.documentElement.scrollWidth") == 390
    people.leave()
