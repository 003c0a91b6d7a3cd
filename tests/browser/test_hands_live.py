"""Every game by the keyboard alone, and by fingers alone on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest
from tests.browser.live import LiveServer, People, instance_of, outcome, said, turn
from tests.browser.test_codraw_live import PARK, told
from tests.browser.test_codraw_live import tile as piece_button
from tests.browser.test_reference_live import tab_to

from groundling.core.pack import find

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


class Hands(Protocol):
    def press(self, page: Page, selector: str) -> None: ...

    def write(self, page: Page, text: str) -> None: ...

    def select(self, page: Page, choice: str) -> None:
        """Select a part of a picture."""


class Keyboard:
    def press(self, page: Page, selector: str) -> None:
        page.wait_for_selector(selector)
        tab_to(page, selector)
        page.keyboard.press("Enter")

    def write(self, page: Page, text: str) -> None:
        tab_to(turn(page), "#words")
        page.keyboard.type(text)
        page.keyboard.press("Enter")

    def select(self, page: Page, choice: str) -> None:
        tab_to(page, ".choice[tabindex='0']")
        page.keyboard.press("Space")
        for _ in range(page.locator(".choice").count()):
            if page.locator(f"{choice}[aria-checked=true]:focus").count():
                return
            page.keyboard.press("ArrowRight")
        raise AssertionError(f"{choice} cannot be reached")


class Fingers:
    def press(self, page: Page, selector: str) -> None:
        page.tap(selector)

    def write(self, page: Page, text: str) -> None:
        turn(page).tap("#words")
        page.keyboard.type(text)
        page.tap("#say-button")

    def select(self, page: Page, choice: str) -> None:
        page.tap(choice)


def play_reference(hands: Hands, giver: Page, follower: Page) -> str:
    hands.write(giver, "the fullest one")
    hands.select(turn(follower), f"#choice-{instance_of('reference').answer}")
    hands.press(follower, "#pick-button")
    return "The right grid was picked."


def play_director(hands: Hands, director: Page, participant: Page) -> str:
    hands.write(director, "that one")
    hands.select(turn(participant), f"#cell-{instance_of('director').target}")
    hands.press(participant, "#pick-button")
    return "The right item was picked."


def play_image(hands: Hands, giver: Page, follower: Page) -> str:
    hands.write(giver, "an X somewhere")
    hands.press(turn(follower), ".tile[tabindex='0']")
    follower.wait_for_selector(".tile.filled")
    hands.press(follower, "#tool button.primary")
    hands.press(turn(giver), "#buttons button")
    hands.press(giver, "#confirm-yes")
    return "letters are right"


def play_hexagons(hands: Hands, instructor: Page, executor: Page) -> str:
    hands.write(instructor, "one tile")
    hands.press(turn(executor), "#panel-work [data-tile][tabindex='0']")
    executor.wait_for_selector("#panel-work [data-tile][data-colour='1']")
    hands.press(executor, "#buttons button.primary")
    hands.press(turn(instructor), "#buttons button:last-child")
    hands.press(instructor, "#confirm-yes")
    return "tiles are right"


def play_codraw(hands: Hands, teller: Page, drawer: Page) -> str:
    kind = PARK.target.pieces[0].kind
    hands.write(teller, f"the {kind}")
    hands.press(turn(drawer), piece_button(kind))
    told(drawer, kind)
    hands.press(drawer, "#buttons button.primary")
    said(teller, 2)
    hands.press(turn(teller), "#buttons button:last-child")
    hands.press(teller, "#confirm-yes")
    hands.press(turn(drawer), "#buttons button.primary")
    hands.press(drawer, "#confirm-yes")
    return f"1 of {len(PARK.target)} pieces are drawn"


WALKS = {
    "reference": play_reference,
    "director": play_director,
    "image": play_image,
    "hexagons": play_hexagons,
    "codraw": play_codraw,
}


def play_through(hands: Hands, game: str, server: LiveServer, people: People) -> None:
    links = server.room(game, *find(game).roles, instance=instance_of(game).id)
    options = PHONE if isinstance(hands, Fingers) else {}
    first, second = [people.sit(links[role], **options) for role in find(game).roles]
    for page in (first, second):
        hands.press(page, "#help button.primary")  # next
        page.wait_for_selector("#help:has-text('2 of 3')")
        hands.press(page, "#help .row button:last-child")  # got it
        page.wait_for_selector("#help", state="hidden")
    sentence = WALKS[game](hands, first, second)
    for page in (first, second):
        assert sentence in outcome(page)


@pytest.mark.parametrize("game", WALKS)
@pytest.mark.parametrize("hands", [Keyboard(), Fingers()], ids=["keyboard", "touch"])
def test_a_game_is_played_to_its_end(hands: Hands, game: str, server: LiveServer, people: People) -> None:
    play_through(hands, game, server, people)
