"""The page of a seat: help beside the board, presence, sound, over-long texts, invitations, and rematches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.browser.live import LiveServer, People, come_back, instance_of, outcome, pick, say, turn
from tests.browser.test_codraw_live import at, told
from tests.browser.test_codraw_live import tile as piece_button
from tests.browser.test_hands_live import PHONE
from tests.web.room_helpers import GAMES

from groundling.core.pack import find

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
LINEUP = instance_of("reference")
NOTEBOOK = {"viewport": {"width": 1366, "height": 768}}


def two_people(server: LiveServer, people: People, game: str = "reference", **options: Any) -> list[Page]:
    links = server.room(game, *find(game).roles, instance=instance_of(game).id)
    return [people.sit(links[role], **options) for role in find(game).roles]


def boxes(page: Page, *selectors: str) -> list[Any]:
    return [page.locator(selector).first.bounding_box() for selector in selectors]


@pytest.mark.parametrize("game", GAMES)
def test_help_never_moves_or_hides_the_board(game: str, server: LiveServer, people: People) -> None:
    for page in two_people(server, people, game, **NOTEBOOK):
        page.wait_for_selector("#panels svg")
        page.wait_for_selector("#help:has-text('1 of 3')")
        with_walkthrough = boxes(page, "#panels")
        page.click("#help >> text=Got it")
        without = boxes(page, "#panels")
        page.click("#help-button")
        page.wait_for_selector("#help .seat-code")
        assert with_walkthrough == without == boxes(page, "#panels")
        (board,), (help_box,) = without, boxes(page, "#help")
        assert help_box["x"] >= board["x"] + board["width"]


def test_the_walkthrough_comes_once(server: LiveServer, people: People) -> None:
    giver, _ = two_people(server, people)
    for step in (1, 2):
        giver.wait_for_selector(f"#help:has-text('{step} of 3')")
        giver.click("#help >> text=Next")
    giver.click("#help >> text=Got it")
    turn(come_back(giver))
    assert not giver.is_visible("#help")


def test_a_text_that_is_too_long_is_counted_in_words_and_not_sent(server: LiveServer, people: People) -> None:
    teller, _ = two_people(server, people, "codraw")
    turn(teller).fill("#words", "x" * 440)
    assert teller.inner_text("#left") == "300 too many to send"
    assert teller.is_disabled("#say-button")
    teller.keyboard.press("Enter")
    assert teller.input_value("#words") == "x" * 440
    teller.fill("#words", "x" * 130)
    assert teller.inner_text("#left") == "10 left"
    assert teller.is_enabled("#say-button")


def test_one_button_is_primary(server: LiveServer, people: People) -> None:
    teller, drawer = two_people(server, people, "codraw")
    say(teller, "A plane")
    turn(drawer).wait_for_selector("#buttons .primary:has-text('OK')")
    drawer.wait_for_selector("#say-button.plain")
    drawer.fill("#words", "Which way does it fly?")
    drawer.wait_for_selector("#say-button:not(.plain)")
    assert drawer.locator("#buttons .primary").count() == 0


def test_the_partner_is_seen_to_write_and_to_go(server: LiveServer, people: People) -> None:
    giver, follower = two_people(server, people)
    turn(giver).wait_for_selector("#presence:has-text('Partner is here')")
    giver.locator("#words").press_sequentially("the")
    follower.wait_for_selector("#presence:has-text('Partner is writing')")
    giver.click("#say-button")
    turn(follower).wait_for_selector("#presence:has-text('Partner is here')")
    giver.close()
    follower.wait_for_selector("#presence:has-text('Partner is away')")


def test_the_choice_of_no_sound_is_remembered(server: LiveServer, people: People) -> None:
    giver, _ = two_people(server, people)
    assert giver.get_attribute("#sound", "aria-pressed") == "true"
    giver.click("#sound")
    come_back(giver)
    assert giver.get_attribute("#sound", "aria-pressed") == "false"


def test_an_inviter_sees_the_link_again_until_the_partner_comes(server: LiveServer, people: People) -> None:
    page = people.person()
    page.goto(server.url)
    page.click("#reference >> text=Invite somebody")
    link = page.input_value("#reference .link input")
    page.click("#reference >> text=Take your seat")
    page.wait_for_selector("#unbegun .link input")
    come_back(page)
    assert page.input_value("#unbegun .link input") == link
    people.sit(link)
    page.wait_for_selector("#table:not([hidden])")
    assert not page.is_visible("#unbegun")


def test_two_people_play_a_rematch_with_swapped_seats(server: LiveServer, people: People) -> None:
    giver, follower = two_people(server, people)
    say(giver, "the fullest one")
    pick(follower, f"#choice-{LINEUP.answer}")
    outcome(giver)
    outcome(follower)
    giver.click("#outcome >> text=Rematch")
    follower.wait_for_selector("#rematch-note:has-text('Your partner wants a rematch')")
    follower.click("#outcome >> text=Rematch")
    giver.wait_for_selector("#title:has-text('you are the follower')")
    turn(follower).wait_for_selector("#title:has-text('you are the giver')")
    say(follower, "another one")
    turn(giver)


def test_a_person_alone_gets_the_next_picture_at_once(server: LiveServer, people: People) -> None:
    page = people.sit(server.room("reference", "follower", instance=LINEUP.id)["follower"])
    pick(page, f"#choice-{LINEUP.answer}")
    outcome(page)
    before = page.url
    page.click("#outcome >> text=Next picture")
    turn(page).wait_for_selector("#title:has-text('you are the follower')")
    assert page.url != before


@pytest.mark.parametrize("options", [NOTEBOOK, PHONE], ids=["notebook", "phone"])
def test_nothing_moves_when_a_piece_is_placed(
    options: dict[str, Any], server: LiveServer, people: People
) -> None:
    teller, drawer = two_people(server, people, "codraw", **options)
    drawer.click("#help >> text=Got it")
    say(teller, "Jenny")
    kinds = [piece_button(kind) for kind in ("Mike", "Jenny", "dog")]
    turn(drawer).wait_for_selector("#piece.drawing")
    drawer.evaluate("scrollTo(0, 0)")
    before = boxes(drawer, "#piece", "#buttons", *kinds)
    drawer.evaluate(f"document.querySelector('{kinds[1]}').click()")
    told(drawer, "Jenny")
    assert boxes(drawer, "#piece", "#buttons", *kinds) == before
    assert drawer.locator(".tile.used").count() == 1


def test_a_swipe_scrolls_where_nothing_is_dragged(server: LiveServer, people: People) -> None:
    teller, drawer = two_people(
        server, people, "codraw", viewport={"width": 390, "height": 600}, has_touch=True
    )
    drawer.tap("#help >> text=Got it")
    say(teller, "Jenny")
    turn(drawer).tap(piece_button("Jenny"))
    told(drawer, "Jenny", x=250, y=200)
    drawer.evaluate("scrollTo(0, 150)")
    finger = drawer.context.new_cdp_session(drawer)

    def swipe_up_from(x: float, y: float) -> float:
        left, top = at(drawer, x, y)
        for step in range(8):
            points = [{"x": left, "y": top - 12 * step}]
            kind = "touchMove" if step else "touchStart"
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        drawer.wait_for_timeout(300)
        return float(drawer.evaluate("scrollY"))

    assert swipe_up_from(250, 200) == 150, "the piece is dragged"
    drawer.wait_for_function("() => document.querySelector('#piece-Jenny').dataset.y < 190")
    assert swipe_up_from(60, 350) > 150, "the page is scrolled"
