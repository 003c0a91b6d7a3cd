"""Whoever runs the server looks at it in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.browser.live import House, People, outcome, said, say, serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

TOKEN = "a token that nobody guesses"
FORMULA = '=HYPERLINK("http://evil.example") <img src=x onerror=alert(1)>'


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROUNDLING_ADMIN_TOKEN", TOKEN)
        with serving(tmp_path_factory.mktemp("office") / "games.db", "--admin") as found:
            yield found


def enter(office: House, people: People) -> Page:
    page = people.person()
    page.goto(f"{office.url}/admin/login#{TOKEN}")
    page.wait_for_selector("#new select")
    return page


def test_only_the_token_opens_the_door_and_signing_out_closes_it(office: House, people: People) -> None:
    page = people.person()
    page.goto(f"{office.url}/admin")
    page.wait_for_url("**/admin/login")
    page.fill("#token", "wrong")
    page.click("text=Sign in")
    page.wait_for_selector("#trouble:has-text('not the token')")
    people.complaints.clear()  # the browser's own, of the refusal
    page.fill("#token", TOKEN)
    page.click("text=Sign in")
    page.wait_for_selector("#new select")
    assert TOKEN not in page.url
    assert page.evaluate("document.cookie") == ""
    page.click("text=Sign out")
    page.wait_for_url("**/admin/login")
    page.goto(f"{office.url}/admin")
    page.wait_for_url("**/admin/login")


def test_a_room_is_made_watched_and_ended(office: House, people: People) -> None:
    page = enter(office, people)
    page.select_option("#new-game", "reference")
    page.fill("#new-instance", "edits-2-01")
    page.click("#new >> text=Make the room")
    page.wait_for_selector("#links .link")
    links = [field.input_value() for field in page.locator("#links input").all()]
    giver, follower = (people.sit(link) for link in links)
    room = giver.url.split("/")[4]
    row = f'#open tr[data-room="{room}"]'
    page.wait_for_selector(f"{row} >> text=edits-2-01")
    page.wait_for_selector(f"{row} .there.here >> nth=1")

    looking = page.context.new_page()
    looking.goto(f"{office.url}/admin/watch/{room}")
    looking.wait_for_selector("[data-role=follower] svg")
    assert looking.locator("[data-role=giver] svg").count() == 1
    say(giver, FORMULA)
    said(follower)
    looking.wait_for_selector("[data-role=follower] .words")
    assert looking.locator("[data-role=follower] .words").inner_text() == FORMULA
    assert looking.locator("[data-role] .who").all_inner_texts() == ["Giver", "Giver"], (
        "seats go by their names"
    )
    assert looking.locator("[data-role=follower].turn").count() == 1
    assert looking.locator("img[src=x]").count() == 0
    assert looking.locator("main button, main input, main textarea").count() == 0

    page.click(f"{row} >> text=End")
    page.click("#confirm-yes")
    assert "whoever runs this server" in outcome(giver)
    page.wait_for_selector(f'#over tr[data-room="{room}"] >> text=ended early')
    looking.wait_for_selector("#state:has-text('whoever runs this server')")


def test_who_waits_is_seen(office: House, people: People) -> None:
    page = enter(office, people)
    waiting = people.person()
    waiting.goto(f"{office.url}/wait#codraw/teller")
    page.wait_for_selector("#waiting:has-text('CoDraw, teller: one person')")
    waiting.close()
    page.wait_for_selector("#waiting:has-text('Nobody')")


def test_all_games_are_taken_home(office: House, people: People, tmp_path: Path) -> None:
    giver = people.sit(office.room("reference", "giver")["giver"])
    say(giver, FORMULA)
    outcome(giver)
    page = enter(office, people)
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


def test_a_person_switches_the_colours_which_is_kept_and_recorded(office: House, people: People) -> None:
    links = office.room("hexagons", "instructor", "executor")
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
    page = enter(office, people)
    with page.expect_download() as download:
        page.click("a:has-text('Transcripts')")
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    game = next(each for each in map(json.loads, lines) if each["room"] == instructor.url.split("/")[4])
    told = {
        event["role"]: event["detail"]["palette"] for event in game["events"] if event["type"] == "replied"
    }
    assert told == {"instructor": "safe", "executor": "usual"}


def test_two_who_end_the_same_game_and_one_who_asks_for_nonsense(office: House, people: People) -> None:
    links = office.room("reference", "giver", "follower")
    giver, _ = people.sit(links["giver"]), people.sit(links["follower"])
    room = giver.url.split("/")[4]
    pages = [enter(office, people) for _ in range(2)]
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
    first.click("#new >> text=Make the room")
    first.wait_for_selector("#trouble:has-text('soon is not a number of minutes')")
    first.fill("#new-minutes", "")
    first.click("#new >> text=Make the room")
    first.wait_for_selector("#links .link")
    assert first.inner_text("#trouble") == ""


def test_a_game_that_is_over_is_stepped_through(office: House, people: People) -> None:
    giver = people.sit(office.room("reference", "giver")["giver"])
    say(giver, FORMULA)
    outcome(giver)
    page = enter(office, people)
    page.click(f'#over tr[data-room="{giver.url.split("/")[4]}"] >> text=Replay')
    page.wait_for_selector("body.ready")
    assert FORMULA in page.inner_text("#said")
    assert page.locator("#boards .board").count() >= 2
    page.click("text=All rooms")
    page.wait_for_selector("#over tr")


def test_rooms_can_be_used_on_a_narrow_screen(office: House, people: People) -> None:
    links = office.room("codraw", "teller", "drawer")
    teller, _ = people.sit(links["teller"]), people.sit(links["drawer"])
    page = enter(office, people)
    page.set_viewport_size({"width": 320, "height": 700})
    row = page.locator(f'#open tr[data-room="{teller.url.split("/")[4]}"]')
    row.wait_for()
    for what in ("Watch", "End"):
        place = row.locator(f"text={what}").bounding_box()
        assert place is not None
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= 320
    assert page.evaluate("document.documentElement.scrollWidth") == 320
