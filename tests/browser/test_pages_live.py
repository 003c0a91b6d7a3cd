"""The ways in: home, invitations, the waiting room, consent, a second window, and words that would like to be
HTML."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.browser.live import LiveServer, OpenServer, People, at_seat, instance_of, outcome, said, say, turn

from groundling.core.pack import find, installed_packs

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request, WebSocketRoute

pytestmark = pytest.mark.slow
LIVE = [name for name in installed_packs() if find(name).live]
HOSTILE = (
    "<script>window.hit=1</script>",
    "<img src=x onerror=window.hit=2>",
    "<svg onload=window.hit=3>",
    "</textarea></p><b onmouseover=window.hit=4>x</b>",
    "javascript:window.hit=5",
    "&lt;i&gt; &amp;lt; \"'><a href=javascript:window.hit=6>x</a>",
    "{{constructor.constructor('window.hit=7')()}} ${window.hit=8}",
    "]]><foreignObject><body onload=window.hit=9>",
    "<iframe srcdoc='<script>parent.hit=10</script>'></iframe>",
    "<style>body { display: none }</style></ol></section><h1>gone</h1>",
    "&lt;script&gt; &amp; ]]> --> \u202eright to left\u202c",
)


def open_game(page: Page, name: str, server: LiveServer) -> None:
    page.goto(f"{server.url}/#{name}")
    page.wait_for_selector(f"#{name} form")


def test_the_first_page_shows_every_game_and_is_small(server: LiveServer, people: People) -> None:
    page = people.person()
    asked: list[Request] = []
    page.on("requestfinished", lambda request: asked.append(request))
    page.goto(server.url)
    page.wait_for_selector("#games .game")
    page.mouse.wheel(0, 5000)  # pictures come when they are seen
    page.wait_for_load_state("networkidle")
    assert page.locator("#games .game").count() == len(LIVE)
    for picture in page.locator("#games img").all():
        assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
    sizes = [request.sizes() for request in asked]
    assert len(sizes) > len(LIVE)
    assert sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes) <= 60_000


def test_a_game_has_one_primary_button_and_its_choices_are_behind_a_disclosure(
    server: LiveServer, people: People
) -> None:
    page = people.person()
    page.goto(server.url)
    game = page.locator("#reference")
    assert game.locator("button:visible").all_inner_texts() == ["Play now", "Invite somebody"]
    assert game.locator("button.primary").count() == 1
    assert not game.get_by_text("Find me a partner").is_visible()
    game.get_by_text("More ways to play").click()
    assert game.get_by_text("Find me a partner").is_visible()


def test_play_now_leads_to_the_chosen_seat(server: LiveServer, people: People) -> None:
    page = people.person()
    open_game(page, "reference", server)
    page.click("#reference >> text=Follower")
    page.click("#reference >> text=Play now")
    turn(at_seat(page))
    assert page.locator("#title").inner_text() == "Reference game: you are the follower"
    assert "#" not in page.url


def test_another_partner_can_be_chosen_where_there_is_one(open_server: OpenServer, people: People) -> None:
    server = open_server("--partner", "random")
    page = people.person()
    open_game(page, "reference", server)
    page.select_option("#reference select", "random")
    page.click("#reference >> text=Play now")
    say(at_seat(page), "any of them")
    assert "Follower (random)" in outcome(page)


def test_a_fragment_leads_to_the_game(server: LiveServer, people: People) -> None:
    page = people.person(viewport={"width": 700, "height": 500})
    open_game(page, "reference", server)
    assert page.evaluate("document.querySelector(':target').id") == "reference"
    page.wait_for_function(  # the page scrolls smoothly
        "() => { const top = document.getElementById('reference').getBoundingClientRect().top;"
        " return 0 <= top && top < 40 }"
    )


def test_somebody_is_invited_and_comes(server: LiveServer, people: People) -> None:
    host = people.person()
    open_game(host, "reference", server)
    host.click("#reference >> text=Invite somebody")
    link = host.locator("#reference .link input").input_value()
    assert link.startswith(f"{server.url}/join#")
    guest = people.sit(link)
    assert guest.locator("#title").inner_text() == "Reference game: you are the follower"
    host.click("#reference >> text=Take your seat as giver")
    say(at_seat(host), "the last one")
    assert said(guest) == ["the last one"]


def test_who_waits_is_shown_and_can_play_alone_instead(server: LiveServer, people: People) -> None:
    waiting, other = people.person(), people.person()
    waiting.goto(f"{server.url}/wait#reference/giver")
    waiting.wait_for_selector("text=Looking for somebody")
    open_game(other, "reference", server)
    other.click("#reference >> text=Follower")
    other.wait_for_selector("#reference >> text=Somebody is waiting for a follower right now.")
    waiting.click("text=Play with a built-in partner instead")
    turn(at_seat(waiting))


def test_who_waits_keeps_waiting_when_the_connection_breaks(server: LiveServer, people: People) -> None:
    waiting = people.person()
    broken: list[WebSocketRoute] = []

    def break_once(route: WebSocketRoute) -> None:
        broken.append(route)
        if len(broken) == 1:
            route.close()
        else:
            route.connect_to_server()

    waiting.route_web_socket("**/api/wait/**", break_once)
    waiting.goto(f"{server.url}/wait#image/giver")
    waiting.wait_for_selector("text=Reconnecting")
    waiting.wait_for_selector("text=Looking for somebody")
    other = people.person()
    other.goto(f"{server.url}/wait#image/follower")
    turn(at_seat(waiting))
    assert at_seat(other).locator("#title").inner_text() == "Image game: you are the follower"


def test_what_is_said_as_the_connection_breaks_is_taken_or_given_back(
    server: LiveServer, people: People
) -> None:
    """The first time it does not arrive; the second time it does, and the page is not told."""
    page, broken = people.person(), list[str]()

    def break_when_said(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def hear(message: str | bytes) -> None:
            if '"do":"move"' not in str(message) or len(broken) == 2:
                return server.send(message)
            broken.append(str(message))
            if len(broken) == 2:
                server.on_message(lambda answer: route.close())
                return server.send(message)
            return route.close()

        route.on_message(hear)

    page.route_web_socket("**/socket", break_when_said)
    page.goto(server.room("codraw", "teller")["teller"])
    say(at_seat(page), "a large tree on the left")
    page.wait_for_selector("#complaint:has-text('lost before this was taken')")
    assert page.input_value("#words") == "a large tree on the left"
    assert page.locator("#talk .words").count() == 0
    page.click("#say-button")
    assert said(page)[0] == "a large tree on the left"
    page.wait_for_selector("#connection", state="hidden")
    turn(page)
    assert (len(broken), page.input_value("#words"), page.inner_text("#complaint")) == (2, "", "")


def test_nobody_waits_for_a_game_that_is_not_there(server: LiveServer, people: People) -> None:
    page = people.person()
    page.goto(f"{server.url}/wait#chess/white")
    page.wait_for_selector("text=There is no game 'chess'")


def test_a_used_link_is_told_as_such(server: LiveServer, people: People) -> None:
    link = server.room("reference", "giver")["giver"]
    people.sit(link)
    late = people.person()
    late.goto(link)
    late.wait_for_selector("text=This seat is not free")
    assert "#" not in late.url
    # the browser notes that it was refused
    people.complaints = [told for told in people.complaints if "403" not in told]


def test_a_second_window_takes_over_and_the_first_says_so(server: LiveServer, people: People) -> None:
    first = turn(people.sit(server.room("reference", "giver")["giver"]))
    second = first.context.new_page()
    second.goto(first.url)
    turn(at_seat(second))
    first.wait_for_selector("text=This seat was opened in another window")
    first.click("text=Play in this window")
    turn(at_seat(first))
    second.wait_for_selector("text=This seat was opened in another window")


def test_a_partner_who_goes_is_shown_as_away_and_the_game_can_be_ended(
    server: LiveServer, people: People
) -> None:
    links = server.room("reference", "giver", "follower")
    giver, follower = people.sit(links["giver"]), people.sit(links["follower"])
    turn(giver)
    follower.close()
    giver.locator("#partner >> text=Your partner is away").wait_for()
    giver.click("#end")
    giver.click("#confirm-yes")
    assert "has no score" in outcome(giver)


def test_nothing_is_shown_before_consent(tmp_path: Path, open_server: OpenServer, people: People) -> None:
    text = tmp_path / "consent.txt"
    text.write_text("\n".join(("We keep what you <b>say</b>.", "", *HOSTILE)))
    server = open_server("--consent", str(text))
    page = people.sit(server.room("reference", "giver")["giver"])
    page.wait_for_selector("#consent >> text=We keep what you <b>say</b>.")
    assert HOSTILE[0] in page.inner_text("#consent")
    assert page.locator("#panels svg").count() == 0
    page.click("text=I agree")
    turn(page)
    assert page.locator("#panels svg").count() == 1
    assert page.evaluate("window.hit") is None


@pytest.mark.parametrize("name", ["image", "director", "codraw"])
def test_words_never_become_elements(name: str, server: LiveServer, people: People) -> None:
    speaker, hearer = find(name).roles
    links = server.room(
        name,
        speaker,
        hearer,
        instance=instance_of(name).id,
        settings={"turns": 99} if name == "image" else {},
    )
    one, other = people.sit(links[speaker]), people.sit(links[hearer])
    text = " ".join(HOSTILE[-4:] if name == "codraw" else HOSTILE)[: 140 if name == "codraw" else None]
    say(one, text)
    for page in (one, other):
        assert said(page) == [text]
    if name != "image":
        say(other, text)
        assert said(one, 2) == [text, text]
    one.click("#end")
    one.click("#confirm-yes")
    for page in (one, other):
        assert text in outcome(page)
        assert page.evaluate("window.hit") is None
        assert page.locator("img, iframe, h1:has-text('gone'), a[href^=javascript]").count() == 0


def test_a_page_fits_at_twice_the_size_and_on_a_tablet(server: LiveServer, people: People) -> None:
    """At 200 % a laptop has 640 by 400 points."""
    for width, height in ((640, 400), (820, 1180), (1180, 820)):
        page = people.sit(
            server.room("director", "participant")["participant"], viewport={"width": width, "height": height}
        )
        turn(page)
        for _ in range(2):
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            page.goto(server.url)
            page.wait_for_selector("#games .game")


PHONE = {"width": 390, "height": 844}
LONG = (
    "Paint the third column from the left all red, from the top to the bottom, and leave the rest as it is. "
    * 8
)


@pytest.mark.parametrize(
    ("game", "first", "second"), [("codraw", "teller", "drawer"), ("hexagons", "instructor", "executor")]
)
def test_on_a_phone_what_is_to_be_done_stays_above_the_board(
    game: str, first: str, second: str, server: LiveServer, people: People
) -> None:
    links = server.room(game, first, second, instance=instance_of(game).id)
    speaker, doer = people.sit(links[first]), people.sit(links[second], viewport=PHONE)
    doer.click("text=Got it")
    told = doer.locator("#instruction")
    assert told.inner_text() == "What your partner says appears here."
    say(speaker, "A line on the left")
    turn(doer)
    assert told.inner_text() == "A line on the left"
    doer.evaluate("document.querySelector('#side').scrollIntoView()")
    assert (told.bounding_box() or {"y": -1})["y"] >= 0, "it stays in sight when the page is scrolled"
    assert doer.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    doer.set_viewport_size({"width": 1280, "height": 800})
    assert not told.is_visible(), "beside a board what was said can be read as it is"


def test_a_long_instruction_leaves_the_phone_its_board(server: LiveServer, people: People) -> None:
    image = instance_of("hexagons")
    links = server.room("hexagons", "instructor", "executor", instance=image.id)
    speaker, doer = people.sit(links["instructor"]), people.sit(links["executor"], viewport=PHONE)
    say(speaker, LONG)
    told = turn(doer).locator("#instruction")
    assert (told.bounding_box() or {"height": 999})["height"] < PHONE["height"] / 4
    assert doer.locator("#talk .words").inner_text() == LONG.strip()
