"""Settings from the home page, a link and the admin page; every mode of HEXAGONS played by people."""

from __future__ import annotations

import pytest
from tests.browser.live import LiveServer, People, at_seat, misfits, outcome, said, say, turn, write_steps
from tests.browser.test_admin_live import sign_in
from tests.browser.test_hexagons_live import IMAGE, NEXT, paint, told
from tests.browser.test_pages_live import open_game

pytestmark = pytest.mark.slow


def test_one_describes_a_picture_alone_after_choosing_so(server: LiveServer, people: People) -> None:
    page = people.person()
    open_game(page, "hexagons", server)
    page.click("#hexagons >> text=Describe a picture")
    assert page.locator("#hexagons button:visible").all_inner_texts() == ["Play now"], "nobody else is needed"
    page.click("#hexagons >> text=Play now")
    write_steps(at_seat(page), "a flower")
    assert "Score 1 of 1" in outcome(page)


def test_what_a_link_asks_for_is_aligned_by_one_and_executed_by_another(
    server: LiveServer, people: People
) -> None:
    author = people.person()
    author.goto(f"{server.url}/?game=hexagons&mode=align&instance={IMAGE.id}")
    author.wait_for_selector("text=Settings of your link: mode align.")
    assert author.locator("#games .game").count() == 1
    author.click("text=Play now")
    write_steps(at_seat(author), *(text for text, _ in told()))
    for number, (_, board) in enumerate(told(), 1):
        author.wait_for_selector(f"#talk li:nth-child({number}).current")
        paint(author, board)
        author.click("#buttons button")
    assert "Score 1 of 1" in outcome(author)

    page = sign_in(server, people)
    room = page.locator(f"#over tr[data-room='{author.url.split('/')[4]}']")
    assert '{"mode":"align"}' in room.inner_text()
    room.get_by_text("Have it carried out by others").click()
    link = page.locator("#links input").input_value()
    tab = author.context.new_page()
    tab.goto(link)
    tab.wait_for_selector("#page-state:has-text('somebody else has to play it')")
    assert "opens a seat once" not in tab.inner_text("#page-state"), "the link was not used"
    executor = people.sit(link)
    assert "You do not see the image" in executor.inner_text("#help")
    assert "partner" not in executor.inner_text("#help")
    for number, (text, board) in enumerate(told(), 1):
        assert said(turn(executor), number)[-1] == text
        paint(executor, board)
        executor.click(NEXT)
    assert "Score 1 of 1" in outcome(executor)


def test_two_play_with_settings_of_the_admin_page(server: LiveServer, people: People) -> None:
    page = sign_in(server, people)
    page.select_option("#new-game", "hexagons")
    page.fill("#new-instance", IMAGE.id)
    page.select_option("#new-preset", label="Describe and paint")
    page.wait_for_selector("#new-executor", state="detached")
    page.select_option("#new-preset", label="Play together")
    page.wait_for_selector("#new-executor")
    page.click("#new-settings summary")
    page.check("#setting-feedback")
    page.fill("#setting-steps", "200")
    page.click("#new >> text=Create room")
    page.wait_for_selector("#trouble:has-text('The setting steps of hexagons is')")
    page.fill("#setting-steps", "2")
    page.click("#new >> text=Create room")
    page.wait_for_selector("#links .link")
    people.complaints.clear()  # the browser's own, of the refusals
    instructor, executor = (people.sit(each.input_value()) for each in page.locator("#links input").all())
    instructor.wait_for_selector("text=Your partner's board")
    instructor.wait_for_selector("text=(2 left)")
    for text, board in told()[:2]:
        say(instructor, text)
        paint(turn(executor), board)
        executor.click(NEXT)
    assert "Score" in outcome(instructor)
    assert page.get_attribute("#new-address", "href") == (
        f"/?game=hexagons&feedback=true&steps=2&instance={IMAGE.id}"
    )
    assert misfits(page) == []


def test_a_wrong_link_is_refused_in_one_line(server: LiveServer, people: People) -> None:
    page = people.person()
    page.goto(f"{server.url}/?game=hexagons&mode=dance")
    page.wait_for_selector(".state.error:has-text('The setting mode of hexagons is')")
    assert page.locator("#games .game").count() == 0
    people.complaints.clear()  # the browser's own, of the refusal
    page.click("text=All games")
    page.wait_for_selector("#hexagons form")
    assert misfits(page) == []
