"""One walk through each game, the waiting room, the admin pages and a report: what `make test` opens in a
browser. Everything else of this folder is slow."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.live import LiveServer, People, at_seat, come_back, outcome, pick, said, say, turn
from tests.browser.test_admin_live import FORMULA, sign_in
from tests.browser.test_codraw_live import PARK, canvas, draw_by_keyboard, draw_by_mouse, press
from tests.browser.test_codraw_live import tile as piece_button
from tests.browser.test_director_live import SAMPLE
from tests.browser.test_hexagons_live import IMAGE, NEXT, finish, kept, paint, shown, told
from tests.browser.test_image_live import DONE, PICTURE, SIZE, draw, drawn
from tests.browser.test_pages_live import open_game
from tests.browser.test_reference_live import LINEUP
from tests.browser.test_report import Watched, image_report, walk

from groundling.boards.hexes import Board
from groundling.boards.letter_grid import Grid

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_two_people_play_the_reference_game_and_come_back_in_the_middle(
    server: LiveServer, people: People
) -> None:
    links = server.room("reference", "giver", "follower", instance=LINEUP.id)
    giver = people.sit(links["giver"])
    giver.wait_for_selector("text=Waiting for your partner")
    follower = people.sit(links["follower"])
    say(giver, "the one with <b>all</b> of its letters")
    turn(follower)
    assert said(follower) == ["the one with <b>all</b> of its letters"]
    grids = follower.locator("#panel-work svg").inner_html()
    come_back(follower)
    turn(follower)
    assert said(follower) == ["the one with <b>all</b> of its letters"]
    assert follower.locator("#panel-work svg").inner_html() == grids
    come_back(giver)
    assert said(giver) == ["the one with <b>all</b> of its letters"]
    pick(follower, f"#choice-{LINEUP.answer}")
    for page in (giver, follower):
        assert "Score 1 of 1" in outcome(page)
        assert "The right grid was picked." in outcome(page)
        assert page.locator("#outcome figcaption").all_inner_texts() == ["What was meant", "What was picked"]
        mine, theirs = ("Giver", "Follower") if page is giver else ("Follower", "Giver")
        assert f"{mine} (you)" in outcome(page)
        assert f"{theirs} (your partner)" in outcome(page)


def test_two_people_play_the_image_game_and_come_back_in_the_middle(
    server: LiveServer, people: People
) -> None:
    links = server.room("image", "giver", "follower", instance=PICTURE.id)
    giver, follower = people.sit(links["giver"]), people.sit(links["follower"])
    half = Grid.from_rows([*PICTURE.target.rows[:3], *Grid.empty(SIZE).rows[3:]])
    say(giver, "First the upper rows.")
    turn(follower)
    draw(follower, half)
    come_back(follower)
    turn(follower)
    assert drawn(follower) == half, "a draft outlives a reload"
    follower.click(DONE)
    turn(giver)
    come_back(giver)
    say(giver, "Then the rest.")
    assert said(turn(follower), 2) == ["First the upper rows.", "Then the rest."]
    assert drawn(follower) == half
    draw(follower, Grid.from_rows([*Grid.empty(SIZE).rows[:3], *PICTURE.target.rows[3:]]))
    follower.click(DONE)
    turn(giver)
    giver.click("#buttons >> text=Finish")
    giver.click("#confirm-yes")
    for page in (giver, follower):
        assert "Score 1 of 1" in outcome(page)


def test_two_people_play_hexagons_and_come_back_in_the_middle(server: LiveServer, people: People) -> None:
    links = server.room("hexagons", "instructor", "executor", instance=IMAGE.id)
    instructor, executor = people.sit(links["instructor"]), people.sit(links["executor"])
    half, whole = (board for _, board in told())
    turn(instructor).fill("#words", "A green flower\n\n  six yellow tiles   around it ")
    instructor.click("#say-button")
    assert said(turn(executor)) == ["A green flower"]
    instructor.wait_for_selector("#say", state="hidden")
    paint(executor, half)
    come_back(executor)
    turn(executor)
    executor.wait_for_selector(".drawing")
    assert shown(executor) == half
    executor.click(NEXT)
    assert said(executor, 2) == ["A green flower", "six yellow tiles around it"]
    assert executor.locator("#talk li.current").all_inner_texts() == ["six yellow tiles around it"]
    come_back(instructor)
    assert said(instructor, 2) == ["A green flower", "six yellow tiles around it"]
    paint(executor, whole)
    executor.click(NEXT)
    say(instructor, "Now all of it red!")
    paint(turn(executor), Board.from_tiles({(1, 1): "red"}))
    executor.click(NEXT)
    turn(instructor).click("#buttons >> text=Undo last step")
    instructor.click("#confirm-yes")
    kept(executor, whole)
    finish(instructor)
    for page in (instructor, executor):
        assert "Score 1 of 1" in outcome(page)
        assert page.locator("#outcome figure").count() == 2, "both sides beside each other"


def test_two_people_play_codraw_talk_draw_peek_come_back_and_agree(
    server: LiveServer, people: People
) -> None:
    links = server.room("codraw", "teller", "drawer", instance=PARK.id)
    teller, drawer = people.sit(links["teller"]), people.sit(links["drawer"])
    first, *rest = PARK.target.pieces
    teller.wait_for_selector("#scene [data-kind]")
    assert teller.locator("#scene [data-kind]").count() == len(PARK.target)
    assert drawer.locator(".scene-palette button:enabled").count() == 0, (
        "nobody draws before the other has spoken"
    )
    say(teller, "A plane is in the sky.")
    drawer.click("text=Got it")
    turn(drawer)
    draw_by_mouse(drawer, first)
    assert drawer.is_visible(f"{piece_button(first.kind)}.used"), "there is one of a kind"
    for number, piece in enumerate(rest):
        (draw_by_keyboard if number % 2 else draw_by_mouse)(drawer, piece)
    before = canvas(drawer)
    come_back(drawer)
    turn(drawer)
    drawer.wait_for_selector(piece_button(PARK.palette[-1]))
    assert canvas(drawer) == before
    assert drawer.locator("#piece [data-kind][tabindex='0']").count() == len(PARK.target)
    press(drawer, "OK")

    turn(teller)
    assert said(teller) == ["A plane is in the sky.", "ok"]
    press(teller, "Peek", sure=True)
    teller.wait_for_selector("#peek")
    come_back(teller)
    teller.wait_for_selector("#peek")
    assert teller.locator("#peek [data-kind]").count() == len(PARK.target)
    assert not teller.is_visible("#words")
    assert teller.is_visible("#scene"), "the target is beside it"
    press(teller, "Close")
    teller.wait_for_selector("#words", state="visible")
    assert not teller.is_visible("#peek")
    assert teller.get_by_role("button", name="Peek").count() == 0

    press(teller, "Finish", sure=True)
    turn(drawer)
    say(drawer, "Is that all?")
    say(teller, "Yes.")
    turn(drawer)
    press(drawer, "OK")
    turn(teller)
    press(teller, "Finish", sure=True)
    turn(drawer)
    press(drawer, "Agree", sure=True)
    for page in (teller, drawer):
        told_at_the_end = outcome(page)
        assert "Score 4.9" in told_at_the_end
        assert "Is that all?" in told_at_the_end
        assert page.locator("#outcome svg.scene").count() == 2


def test_two_people_play_the_director_task_and_come_back_in_the_middle(
    server: LiveServer, people: People
) -> None:
    links = server.room("director", "director", "participant", instance=SAMPLE.id)
    director, participant = people.sit(links["director"]), people.sit(links["participant"])
    say(director, "I want that one over there.")
    turn(participant)
    come_back(participant)
    turn(participant)
    say(participant, "Which one?")
    assert said(turn(director), 2) == ["I want that one over there.", "Which one?"]
    come_back(director)
    turn(director)
    say(director, f"Please pick {SAMPLE.words}.")
    assert len(said(participant, 3)) == 3
    turn(participant)
    assert participant.locator("#say").is_hidden(), "one question may be asked, and no more"
    pick(participant, f"#cell-{SAMPLE.target}")
    for page in (director, participant):
        assert "Score 1 of 1" in outcome(page)


def test_two_who_look_for_a_partner_find_each_other(server: LiveServer, people: People) -> None:
    first, second = people.person(), people.person()
    for page, seat in ((first, "Giver"), (second, "Follower")):
        open_game(page, "reference", server)
        page.click(f"#reference >> text={seat}")
        page.click("#reference >> text=Find me a partner")
        if page is first:
            page.wait_for_selector("text=Looking for somebody")
    say(at_seat(first), "hello")
    assert said(at_seat(second)) == ["hello"]


def test_a_room_is_made_watched_and_ended(server: LiveServer, people: People) -> None:
    page = sign_in(server, people)
    page.select_option("#new-game", "reference")
    page.fill("#new-instance", "edits-2-01")
    page.click("#new >> text=Create room")
    page.wait_for_selector("#links .link")
    links = [field.input_value() for field in page.locator("#links input").all()]
    giver, follower = (people.sit(link) for link in links)
    room = giver.url.split("/")[4]
    row = f'#open tr[data-room="{room}"]'
    page.wait_for_selector(f"{row} >> text=edits-2-01")
    page.wait_for_selector(f"{row} .there.here >> nth=1")

    looking = page.context.new_page()
    looking.goto(f"{server.url}/admin/watch/{room}")
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
    assert "the administrator of this server" in outcome(giver)
    page.wait_for_selector(f'#over tr[data-room="{room}"] >> text=ended early')
    looking.wait_for_selector("#state:has-text('the administrator of this server')")


def test_stepping_through_a_report_shows_the_pictures_that_were_drawn(
    browser: Browser, tmp_path: Path
) -> None:
    file, run = image_report(tmp_path, episodes=1)
    watched = Watched(browser)
    assert walk(watched.open(file), run) > 20
    watched.check_calm(file)
    watched.context.close()
