"""CoDraw in the browser: clip art by mouse, by touch and by keyboard, talk, one peek, and an end that both
agree to."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from tests.browser.live import TABLET, LiveServer, People, instance_of, outcome, said, say, turn

from groundling.boards.scene import EXPRESSIONS, HEIGHT, POSES, WIDTH, Piece

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocketRoute

pytestmark = pytest.mark.slow
PARK = instance_of("codraw")


def name(kind: str) -> str:
    return f"#piece-{kind.replace(' ', '-')}"


def tile(kind: str) -> str:
    return f'.scene-palette [data-kind="{kind}"]'


def at(page: Page, x: float, y: float) -> tuple[float, float]:
    """A place on the canvas, on the screen."""
    box = page.locator("#piece").bounding_box()
    assert box is not None
    return box["x"] + x * box["width"] / WIDTH, box["y"] + y * box["height"] / HEIGHT


def middle(page: Page, selector: str) -> tuple[float, float]:
    page.locator(selector).scroll_into_view_if_needed()
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 10, start[1] + 10)
    page.mouse.move(*end, steps=3)
    page.mouse.up()


def told(page: Page, kind: str, **want: Any) -> None:
    """Wait until the server has drawn a piece so."""
    page.wait_for_function(
        "([name, want]) => Object.entries(want).every("
        "([key, value]) => document.querySelector(name)?.dataset[key] === value)",
        arg=[name(kind), {key: str(int(value)) for key, value in want.items() if value is not None}],
    )


def numbers(page: Page, kind: str) -> dict[str, str]:
    found: dict[str, str] = page.locator(name(kind)).evaluate("piece => ({...piece.dataset})")
    return found


def canvas(page: Page) -> dict[str, dict[str, str]]:
    kinds = page.locator("#piece [data-kind]").evaluate_all(
        "pieces => pieces.map((piece) => piece.dataset.kind)"
    )
    return {kind: numbers(page, kind) for kind in kinds}


def draw_by_mouse(page: Page, piece: Piece) -> None:
    drag(page, middle(page, tile(piece.kind)), at(page, piece.x, piece.y))
    told(page, piece.kind)
    for _ in range(piece.size):
        page.click(".scene-controls >> text=Smaller")
    if piece.flip:
        page.click(".scene-controls >> text=Flip")
    if piece.pose is not None and piece.expression is not None:
        page.click(f'.scene-choices [aria-label="{POSES[piece.pose]}"]')
        page.click(f'.scene-choices [aria-label="{EXPRESSIONS[piece.expression]}"]')
    told(page, piece.kind, size=piece.size, flip=piece.flip, pose=piece.pose, expression=piece.expression)


def draw_by_keyboard(page: Page, piece: Piece) -> None:
    page.focus(tile(piece.kind))
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{name(piece.kind)}:focus")
    here = numbers(page, piece.kind)
    for axis, want, keys in (
        ("x", piece.x, ("ArrowLeft", "ArrowRight")),
        ("y", piece.y, ("ArrowUp", "ArrowDown")),
    ):
        away = want - int(here[axis])
        leaps, steps = divmod(abs(away), 20)
        for key in ["Shift+" + keys[away > 0]] * leaps + [keys[away > 0]] * (steps // 2):
            page.keyboard.press(key)
    for key in ["-"] * piece.size + ["f"] * piece.flip:
        page.keyboard.press(key)
    if piece.pose is not None and piece.expression is not None:
        for key in ["p"] * piece.pose + ["Shift+e"] * (
            (EXPRESSIONS.index("smile") - piece.expression) % len(EXPRESSIONS)
        ):
            page.keyboard.press(key)
    told(page, piece.kind, size=piece.size, flip=piece.flip, pose=piece.pose, expression=piece.expression)
    assert page.evaluate("document.activeElement.dataset.kind") == piece.kind, (
        "the keyboard stays on the piece"
    )


def press(page: Page, label: str, sure: bool = False) -> None:
    page.get_by_role("button", name=label, exact=True).click()
    if sure:
        page.click("#confirm-yes")


def test_a_drawer_agrees_that_the_scene_is_there(server: LiveServer, people: People) -> None:
    links = server.room("codraw", "teller", "drawer", instance=PARK.id)
    teller, drawer = people.sit(links["teller"]), people.sit(links["drawer"])
    turn(teller)
    press(teller, "Finish", sure=True)
    turn(drawer)
    assert drawer.get_by_role("button", name="OK", exact=True).count() == 0
    press(drawer, "Agree", sure=True)
    for page in (teller, drawer):
        assert "The game is finished." in outcome(page)


def test_the_drawer_writes_first_and_finishes_first(server: LiveServer, people: People) -> None:
    links = server.room("codraw", "teller", "drawer", instance=PARK.id)
    teller, drawer = people.sit(links["teller"]), people.sit(links["drawer"])
    turn(teller).fill("#words", "A boy")
    drawer.fill("#words", "Hello, I am ready.")
    drawer.click("#say-button")
    assert said(teller) == ["Hello, I am ready."]
    turn(teller)
    assert teller.input_value("#words") == "A boy", "what the Teller was typing is kept"
    teller.click("#say-button")
    turn(drawer)
    press(drawer, "Finish", sure=True)
    teller.wait_for_selector("#now:has-text('Your partner has finished')")
    press(turn(teller), "Finish", sure=True)
    for page in (teller, drawer):
        assert "The game is finished." in outcome(page)


def test_a_teller_plays_with_the_built_in_drawer(server: LiveServer, people: People) -> None:
    teller = people.sit(server.room("codraw", "teller", instance=PARK.id)["teller"])
    answers = "document.querySelectorAll('#talk li.partner').length"
    for count, text in enumerate(("a small airplane in the sky in the middle", "a boy on the left"), 1):
        say(teller, text)
        teller.wait_for_function(f"count => {answers} >= count", arg=count)
    turn(teller)
    press(teller, "Peek", sure=True)
    teller.wait_for_selector("#peek")
    press(teller, "Close")
    turn(teller)
    while not teller.is_visible("#outcome"):
        count = teller.evaluate(answers)
        press(teller, "Finish", sure=True)
        teller.wait_for_function(
            f"count => {answers} > count || !document.querySelector('#outcome').hidden", arg=count
        )
    assert "Score" in outcome(teller)


def test_a_drawer_plays_with_the_built_in_teller(server: LiveServer, people: People) -> None:
    drawer = people.sit(server.room("codraw", "drawer", instance=PARK.id)["drawer"])
    turn(drawer)
    assert len(said(drawer)) == 1
    drawer.click("text=Got it")
    draw_by_mouse(drawer, PARK.target.pieces[0])
    for _ in range(60):
        if drawer.get_by_role("button", name="Agree", exact=True).count():
            break
        count = len(said(drawer))
        press(drawer, "OK")
        told_more = "document.querySelectorAll('#talk li').length > count + 1"
        asked = "document.querySelector('#now').textContent.includes('agree')"
        drawer.wait_for_function(f"count => {told_more} || {asked}", arg=count)
    press(drawer, "Agree", sure=True)
    assert "Score" in outcome(drawer)


def test_pieces_are_moved_changed_and_taken_away(server: LiveServer, people: People) -> None:
    links = server.room("codraw", "teller", "drawer", instance=PARK.id)
    teller, drawer = people.sit(links["teller"]), people.sit(links["drawer"])
    say(teller, "Something.")
    turn(drawer)
    drawer.click("text=Got it")
    drawer.click(tile("Mike"))
    told(drawer, "Mike", x=250, y=200)
    drag(drawer, at(drawer, 240, 190), at(drawer, 100, 290))
    told(drawer, "Mike")
    drawer.wait_for_function("() => Math.abs(document.querySelector('#piece-Mike').dataset.x - 110) < 3")
    drag(drawer, at(drawer, 110, 300), at(drawer, -400, 300))
    told(drawer, "Mike", x=0)
    drawer.keyboard.press("ArrowRight")
    press(drawer, "Smaller")
    told(drawer, "Mike", x=2, size=1)
    drawer.click("button:text-is('Send')")  # the selection goes on whatever is pressed
    press(drawer, "Delete")
    drawer.wait_for_selector("#piece-Mike", state="detached")
    assert drawer.evaluate("document.activeElement.dataset.kind") == "Mike", (
        "the keyboard goes to where the piece is now"
    )
    drag(drawer, middle(drawer, tile("Mike")), middle(drawer, "h1"))
    drawer.wait_for_timeout(200)
    assert canvas(drawer) == {}, "what is dropped beside the canvas is not put on it"
    for kind in ("Jenny", "Mike"):
        drawer.click(tile(kind))
    told(drawer, "Mike", x=274, y=212)
    drawer.keyboard.press("Tab")
    assert drawer.evaluate("document.activeElement.dataset.kind") == "Jenny"
    drawer.keyboard.press("ArrowUp")
    press(drawer, "OK")
    turn(teller)
    assert numbers(drawer, "Jenny")["y"] == "198", "a nudge is told before the turn ends"


def test_a_change_shows_at_once_and_is_taken_back_where_it_is_refused(
    server: LiveServer, people: People
) -> None:
    links = server.room("codraw", "teller", "drawer", instance=PARK.id)
    teller, drawer = people.sit(links["teller"]), people.person()
    held: list[Callable[[], None]] = []
    """Refusals that are on their way."""

    def listen(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def hear(text: str | bytes) -> None:
            message = json.loads(text)
            move: Any = message["moves"][0] if message["do"] == "move" else {"move": ""}
            if move["move"] in ("pose", "move") or (
                move["move"] == "put" and move["piece"]["kind"] == "Mike"
            ):
                refusal = json.dumps({"type": "refused", "id": message["id"], "why": "not this one"})
                held.append(lambda: line.send(refusal))
            else:
                server.send(text)

        line.on_message(hear)

    def refuse() -> None:
        drawer.wait_for_timeout(50)
        held.pop()()
        drawer.wait_for_selector("#complaint:has-text('Not this one')")

    drawer.route_web_socket("**/socket", listen)
    drawer.goto(links["drawer"])
    say(teller, "A boy.")
    turn(drawer)
    drawer.click(tile("Mike"))
    assert drawer.locator(".scene-sheet > g").count() == 2, "the piece and the frame around it"
    assert drawer.is_visible(f"{tile('Mike')}.used")
    refuse()
    assert drawer.locator(".scene-sheet > g").count() == 0
    assert drawer.is_visible(f"{tile('Mike')}:not(.used)")

    drawer.click(tile("Jenny"))
    told(drawer, "Jenny", pose=0)
    drawer.click(f'.scene-choices [aria-label="{POSES[3]}"]')
    assert drawer.get_attribute("#piece-Jenny", "opacity") == "0"
    assert drawer.get_attribute(f'.scene-choices [aria-label="{POSES[3]}"]', "aria-pressed") == "true"
    refuse()
    assert drawer.get_attribute("#piece-Jenny", "opacity") is None
    assert drawer.get_attribute(f'.scene-choices [aria-label="{POSES[0]}"]', "aria-pressed") == "true"

    placed = drawer.get_attribute("#piece-Jenny", "transform")
    drag(drawer, at(drawer, 250, 200), at(drawer, 100, 300))
    assert drawer.get_attribute("#piece-Jenny", "transform") != placed
    refuse()
    assert drawer.get_attribute("#piece-Jenny", "transform") == placed


def test_fingers_drag_too(server: LiveServer, people: People) -> None:
    links = server.room("codraw", "teller", "drawer", instance=PARK.id)
    teller, drawer = people.sit(links["teller"]), people.sit(links["drawer"], viewport=TABLET, has_touch=True)
    say(teller, "A girl.")
    turn(drawer)
    drawer.tap("text=Got it")
    finger = drawer.context.new_cdp_session(drawer)

    def swipe(start: tuple[float, float], end: tuple[float, float]) -> None:
        for number in range(6):
            x, y = (a + (b - a) * number / 5 for a, b in zip(start, end, strict=True))
            kind = "touchMove" if number else "touchStart"
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe(middle(drawer, tile("Jenny")), at(drawer, 200, 260))
    told(drawer, "Jenny")
    swipe(at(drawer, 200, 260), at(drawer, 320, 120))
    drawer.wait_for_function("() => document.querySelector('#piece-Jenny').dataset.x > 310")
    found = numbers(drawer, "Jenny")
    assert (abs(int(found["x"]) - 320) < 4, abs(int(found["y"]) - 120) < 4) == (True, True)
