"""Nobody is trapped: before a game begins, when the connection is lost, and when somebody ends the game."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from tests.browser.live import (
    PATIENCE,
    LiveServer,
    People,
    at_seat,
    instance_of,
    misfits,
    outcome,
    say,
    serving,
    turn,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocketRoute


def free_port() -> str:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return str(found.getsockname()[1])


def consent_room(server: LiveServer, people: People) -> tuple[Page, Page]:
    """A giver who has agreed, and a follower who reads what they are asked to agree to."""
    links = server.room("reference", "giver", "follower", consent="We keep what you write.")
    giver, follower = people.sit(links["giver"]), people.sit(links["follower"])
    giver.click("#consent >> text=I agree")
    giver.wait_for_selector("#now:has-text('reads what they are asked to agree to')")
    return giver, follower


def test_who_waits_is_told_of_a_refusal_and_plays_with_the_built_in_partner(
    server: LiveServer, people: People
) -> None:
    giver, follower = consent_room(server, people)
    follower.click("text=No, thank you")
    follower.wait_for_selector("text=You do not take part")
    giver.wait_for_selector("#now:has-text('Your partner decided not to take part')")
    assert misfits(giver) == []
    giver.click("text=Play with the built-in partner")
    say(giver, "the second")
    assert "Score" in outcome(giver)
    follower.wait_for_selector("#now:has-text('plays with the built-in partner now')")
    assert misfits(follower) == []
    follower.click("text=Find another partner")
    follower.wait_for_selector("text=Looking for somebody")


def test_who_has_declined_may_still_agree(server: LiveServer, people: People) -> None:
    giver, follower = consent_room(server, people)
    follower.click("text=No, thank you")
    giver.wait_for_selector("#unbegun >> text=Keep waiting")
    follower.click("text=Read it again")
    follower.click("text=I agree")
    turn(giver)


def test_who_goes_back_to_the_queue_meets_somebody_with_the_same_settings(
    server: LiveServer, people: People
) -> None:
    settings = {"peeks": 0}
    links = server.room("codraw", "teller", "drawer", settings=settings, consent="We keep what you write.")
    teller, drawer = people.sit(links["teller"]), people.sit(links["drawer"])
    teller.click("text=I agree")
    drawer.click("text=No, thank you")
    teller.click("text=Find another partner")
    teller.wait_for_selector("text=Looking for somebody")
    other = people.person()
    other.goto(f"{server.url}/wait#codraw/drawer/{quote(json.dumps(settings))}")
    turn(at_seat(teller))
    assert teller.locator("text=Peek").count() == 0
    at_seat(other)


def test_each_is_told_who_ended_the_game(server: LiveServer, people: People) -> None:
    links = server.room("reference", "giver", "follower")
    giver, follower = people.sit(links["giver"]), people.sit(links["follower"])
    turn(giver).click("#end")
    giver.click("#confirm-yes")
    assert "You ended the game early" in outcome(giver)
    assert "Your partner ended the game early" in outcome(follower)


def test_a_person_has_one_place_in_the_queue(server: LiveServer, people: People) -> None:
    first = people.person()
    first.goto(f"{server.url}/wait#reference/giver")
    first.wait_for_selector("text=Looking for somebody")
    tab = first.context.new_page()
    tab.set_default_timeout(PATIENCE)
    tab.goto(f"{server.url}/wait#reference/follower")
    first.wait_for_selector("text=You are waiting in another window now")
    first.click("text=Wait here instead")
    tab.wait_for_selector("text=You are waiting in another window now")
    other = people.person()
    other.goto(f"{server.url}/wait#reference/follower")
    turn(at_seat(first))
    at_seat(other)


def test_a_lost_connection_is_shown_where_the_person_looks_and_the_text_is_kept(
    people: People, tmp_path: Path
) -> None:
    db, port = tmp_path / "games.db", free_port()
    target = instance_of("reference")
    with serving(db, "--port", port) as server:
        giver = people.sit(server.room("reference", "giver", instance=target.id)["giver"])
        turn(giver).fill("#words", "the second")
        giver.reload()
        assert turn(at_seat(giver)).input_value("#words") == "the second"
    giver.wait_for_selector("#connection:has-text('Reconnecting… Your text is kept.')")
    giver.wait_for_selector("#say .connection-note:has-text('Reconnecting… Your text is kept.')")
    giver.press("#words", "Enter")
    assert giver.input_value("#words") == "the second"
    assert giver.is_disabled("#say-button")
    assert [each for each in misfits(giver) if "<text" not in each] == []  # letters on boards are not prose
    giver.set_viewport_size({"width": 390, "height": 500})
    giver.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert giver.evaluate("scrollY") > 0
    place = giver.locator("#connection").bounding_box()
    assert place is not None
    assert place["y"] == 0
    with serving(db, "--port", port):
        giver.wait_for_selector("#connection", state="hidden")
        assert giver.is_hidden("#say .connection-note")
        giver.click("#say-button")
        assert "Score" in outcome(giver)
        giver.close()  # before the server stops: the page would try to connect again
        people.complaints.clear()  # a browser logs every attempt to connect


def test_a_connection_that_is_silently_dead_is_noticed_and_the_message_is_given_back(
    server: LiveServer, people: People
) -> None:
    page, swallowed = people.person(), list[str]()

    def swallow_first_move(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def hear(message: str | bytes) -> None:
            if '"do":"move"' in str(message) and not swallowed:
                swallowed.append(str(message))
            else:
                server.send(message)

        route.on_message(hear)

    page.route_web_socket("**/socket", swallow_first_move)
    page.clock.install()
    page.goto(server.room("reference", "giver")["giver"])
    say(at_seat(page), "the second")
    page.clock.run_for(11_000)
    page.wait_for_selector("#complaint:has-text('lost before this was taken')")
    assert page.input_value("#words") == "the second"
    page.click("#say-button")
    assert "Score" in outcome(page)


def test_what_was_sent_and_not_taken_is_there_after_a_reload(server: LiveServer, people: People) -> None:
    page = people.person()
    page.route_web_socket("**/socket", swallow_moves)
    page.goto(server.room("reference", "giver")["giver"])
    say(at_seat(page), "the second")
    page.reload()
    page.wait_for_selector("#complaint:has-text('reloaded before this was taken')")
    assert page.input_value("#words") == "the second"


def swallow_moves(route: WebSocketRoute) -> None:
    server = route.connect_to_server()
    route.on_message(lambda message: None if '"do":"move"' in str(message) else server.send(message))


def test_a_browser_that_is_offline_says_so_and_reconnects(server: LiveServer, people: People) -> None:
    page = people.sit(server.room("reference", "giver")["giver"])
    turn(page).context.set_offline(True)
    page.wait_for_selector("#connection:has-text('You are offline. Reconnecting…')")
    page.context.set_offline(False)
    page.wait_for_selector("#connection", state="hidden")
    people.complaints.clear()  # a browser logs every attempt to connect


def test_a_page_reconnects_however_long_the_connection_was_lost(server: LiveServer, people: People) -> None:
    page, attempts = people.person(), 20
    sockets: list[WebSocketRoute] = []

    def refuse_for_long(route: WebSocketRoute) -> None:
        sockets.append(route)
        if len(sockets) in (1, attempts):
            route.connect_to_server()
        else:
            route.close(code=1013)

    page.route_web_socket("**/socket", refuse_for_long)
    page.clock.install()
    page.goto(server.room("reference", "giver")["giver"])
    turn(at_seat(page)).fill("#words", "the second")
    sockets[0].close(code=1013)
    page.wait_for_selector("#connection:not([hidden])")
    for _ in range(3 * attempts):
        if len(sockets) < attempts:
            page.clock.run_for(5_000)
    page.wait_for_selector("#connection", state="hidden")
    page.click("#say-button")
    assert "Score" in outcome(page)


def test_a_browser_that_has_lost_its_cookie_is_told_what_can_work(server: LiveServer, people: People) -> None:
    page = people.sit(server.room("reference", "giver")["giver"])
    turn(page).context.clear_cookies()
    page.reload()
    page.wait_for_selector("#page-state:has-text('A link works once')")
    assert page.locator("#page-state a").get_attribute("href") == "/"


def test_a_page_whose_room_is_gone_says_so_and_stops(server: LiveServer, people: People) -> None:
    page, attempts = people.person(), list[str]()

    def refuse(route: WebSocketRoute) -> None:
        attempts.append(route.url)
        route.close(code=4404)

    link = server.room("reference", "giver")["giver"]
    page.route_web_socket("**/socket", refuse)
    page.clock.install()
    page.goto(link)
    page.wait_for_selector("#page-state:has-text('This room does not exist any more')")
    page.clock.run_for(60_000)
    assert len(attempts) == 1
