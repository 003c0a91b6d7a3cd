"""The administration pages in a real browser."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.browser.live import LiveServer, People, admin_token, outcome, said, say

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
FORMULA = '=HYPERLINK("http://evil.example") <img src=x onerror=alert(1)>'


def sign_in(server: LiveServer, people: People) -> Page:
    page = people.person()
    page.goto(f"{server.url}/admin/login#{admin_token()}")
    page.wait_for_selector("#new select")
    return page


def test_only_the_token_opens_the_door_and_signing_out_closes_it(server: LiveServer, people: People) -> None:
    page = people.person()
    page.goto(f"{server.url}/admin")
    page.wait_for_url("**/admin/login")
    page.fill("#token", "wrong")
    page.click("text=Log in")
    page.wait_for_selector("#trouble:has-text('wrong token')")
    people.complaints.clear()  # the browser's own, of the refusal
    page.fill("#token", admin_token())
    page.click("text=Log in")
    page.wait_for_selector("#new select")
    assert admin_token() not in page.url
    assert page.evaluate("document.cookie") == ""
    page.click("text=Log out")
    page.wait_for_url("**/admin/login")
    page.goto(f"{server.url}/admin")
    page.wait_for_url("**/admin/login")


def test_who_waits_is_seen(server: LiveServer, people: People) -> None:
    page = sign_in(server, people)
    waiting = people.person()
    waiting.goto(f"{server.url}/wait#codraw/teller")
    page.wait_for_selector("#waiting:has-text('CoDraw, teller: one person')")
    waiting.close()
    page.wait_for_selector("#waiting:has-text('Nobody')")


def test_all_games_are_taken_home(server: LiveServer, people: People, tmp_path: Path) -> None:
    giver = people.sit(server.room("reference", "giver")["giver"])
    say(giver, FORMULA)
    outcome(giver)
    page = sign_in(server, people)
    for link, name in (("Transcripts", "games.jsonl"), ("Events", "games.parquet"), ("Scores", "games.csv")):
        with page.expect_download() as download:
            page.click(f"a:has-text('{link}')")
        assert download.value.suggested_filename == name
        download.value.save_as(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 0
    games = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text(encoding="utf-8").splitlines()]
    said = [move.get("text") for game in games for event in game["events"] for move in event.get("moves", ())]
    assert FORMULA in said
    assert "HYPERLINK" not in (tmp_path / "games.csv").read_text(encoding="utf-8")


def test_a_person_switches_the_colours_which_is_kept_and_recorded(server: LiveServer, people: People) -> None:
    links = server.room("hexagons", "instructor", "executor")
    instructor, executor = people.sit(links["instructor"]), people.sit(links["executor"])
    tile = instructor.locator("#panel-target polygon:not([fill='#ffffff'])").first
    before = tile.evaluate("tile => getComputedStyle(tile).fill")
    instructor.click("#palette")
    assert instructor.get_attribute("#palette", "aria-pressed") == "true"
    assert tile.evaluate("tile => getComputedStyle(tile).fill") != before
    instructor.reload()
    instructor.wait_for_selector("#palette[aria-pressed=true]")
    say(instructor, "Paint the first tile red")
    said(executor)
    executor.click("text=Got it")
    executor.click("#buttons >> text=Next step")
    instructor.wait_for_selector("body.turn")
    page = sign_in(server, people)
    with page.expect_download() as download:
        page.click("a:has-text('Transcripts')")
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    game = next(each for each in map(json.loads, lines) if each["room"] == instructor.url.split("/")[4])
    told = {
        event["role"]: event["detail"]["palette"] for event in game["events"] if event["type"] == "replied"
    }
    assert told == {"instructor": "safe", "executor": "usual"}


def test_two_who_end_the_same_game_and_one_who_asks_for_nonsense(server: LiveServer, people: People) -> None:
    links = server.room("reference", "giver", "follower")
    giver, _ = people.sit(links["giver"]), people.sit(links["follower"])
    room = giver.url.split("/")[4]
    pages = [sign_in(server, people) for _ in range(2)]
    for page in pages:
        page.click(f'#open tr[data-room="{room}"] >> text=End')
    first, second = pages
    first.click("#confirm-yes")
    first.wait_for_selector(f'#over tr[data-room="{room}"]')
    second.click("#confirm-yes")
    second.wait_for_selector("#trouble:text-is('This game is over already.')")
    with second.expect_response("**/admin/api/rooms"):
        pass
    second.wait_for_selector(f'#over tr[data-room="{room}"]')
    assert second.inner_text("#trouble") == "This game is over already.", (
        "nothing that happens by itself takes it away"
    )
    people.complaints.clear()  # the browser's own, of the refusal
    first.fill("#new-minutes", "soon")
    first.click("#new >> text=Create room")
    first.wait_for_selector("#trouble:has-text('soon is not a number of minutes')")
    first.fill("#new-minutes", "")
    first.click("#new >> text=Create room")
    first.wait_for_selector("#links .link")
    assert first.inner_text("#trouble") == ""


def test_stuck_rooms_are_counted_and_come_first(server: LiveServer, people: People) -> None:
    links = server.room("reference", "giver", "follower")
    giver, _ = people.sit(links["giver"]), people.sit(links["follower"])
    giver.wait_for_selector("body.turn")
    waits = people.sit(server.room("reference", "giver", "follower")["giver"])
    page = people.person()
    page.clock.set_system_time(datetime.now() + timedelta(minutes=6))
    page.goto(f"{server.url}/admin/login#{admin_token()}")
    page.wait_for_selector(f'#open tr[data-room="{giver.url.split("/")[4]}"] >> text=stuck: nothing happens')
    newer = page.locator(f'#open tr[data-room="{waits.url.split("/")[4]}"]')
    assert "stuck" not in newer.inner_text()
    rows = ["stuck" in row for row in page.locator("#open tbody tr").all_inner_texts()]
    assert rows == sorted(rows, reverse=True)
    assert page.locator("#tally div:has-text('stuck') dd").inner_text() == str(sum(rows))
    assert page.locator("#open tbody tr").first.get_by_text("End").is_visible()


def test_a_game_that_is_over_is_stepped_through(server: LiveServer, people: People) -> None:
    giver = people.sit(server.room("reference", "giver")["giver"])
    say(giver, FORMULA)
    outcome(giver)
    page = sign_in(server, people)
    page.click(f'#over tr[data-room="{giver.url.split("/")[4]}"] >> text=Replay')
    page.wait_for_selector("body.ready")
    assert FORMULA in page.inner_text("#said")
    assert page.locator("#boards .board").count() >= 2
    page.click("text=All rooms")
    page.wait_for_selector("#over tr")


def test_rooms_can_be_used_on_a_narrow_screen(server: LiveServer, people: People) -> None:
    links = server.room("codraw", "teller", "drawer")
    teller, _ = people.sit(links["teller"]), people.sit(links["drawer"])
    page = sign_in(server, people)
    page.set_viewport_size({"width": 320, "height": 700})
    row = page.locator(f'#open tr[data-room="{teller.url.split("/")[4]}"]')
    row.wait_for()
    for what in ("Watch", "End"):
        place = row.locator(f"text={what}").bounding_box()
        assert place is not None
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= 320
    assert page.evaluate("document.documentElement.scrollWidth") == 320
