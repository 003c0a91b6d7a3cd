"""The image game in the browser: a grid drawn by mouse and by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.browser.live import LiveServer, People, at_seat, instance_of, outcome, said, say, turn

from groundling.boards.letter_grid import Cell, Grid

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
PICTURE = instance_of("image")
SIZE = PICTURE.target.size
SPOIL = """
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    send.call(this, window.spoilt ? text.replace('"cells":"', '"cells":"?') : text);
  };
"""
"""Once it is told to, the page sends grids that are none."""
DONE = "text=Done with this instruction"


def tile(page: Page, cell: Cell) -> tuple[float, float]:
    """The middle of a cell, on the screen."""
    box = page.locator(".tile").nth((cell[0] - 1) * SIZE + cell[1] - 1).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drawn(page: Page) -> Grid:
    page.locator(".tile").first.wait_for()
    letters = [text or "." for text in page.locator(".tile text").all_text_contents()]
    return Grid.from_rows("".join(letters[row * SIZE : (row + 1) * SIZE]) for row in range(SIZE))


def draw(page: Page, target: Grid) -> None:
    """With the mouse."""
    for cell, letter in target.letters_by_cell.items():
        page.click(f".palette.letters >> text='{letter}'")
        page.mouse.click(*tile(page, cell))


def test_one_person_instructs_the_built_in_follower(server: LiveServer, people: People) -> None:
    giver = people.sit(server.room("image", "giver", instance=PICTURE.id)["giver"])
    for number, ((row, column), letter) in enumerate([*PICTURE.target.letters_by_cell.items()][:2], 1):
        say(giver, f"Put {letter} in row {row}, column {column}.")
        said(giver, number)
    turn(giver).click("#buttons >> text=Finish")
    giver.click("#confirm-yes")
    assert "of 1" in outcome(giver)
    assert giver.locator("#outcome .turns tbody tr").count() == 2


def test_one_person_draws_for_the_built_in_giver(server: LiveServer, people: People) -> None:
    follower = people.sit(server.room("image", "follower", instance=PICTURE.id)["follower"])
    draw(turn(follower), PICTURE.target)
    for number in range(1, SIZE * SIZE):
        follower.locator(f"#talk li:nth-child({number}), #outcome:not([hidden])").first.wait_for()
        if follower.locator("#outcome").is_visible():
            break
        turn(follower).click(DONE)
    assert "Score 1 of 1" in outcome(follower)


def test_a_drag_fills_a_click_empties_and_undo_takes_a_stroke_back(
    server: LiveServer, people: People
) -> None:
    follower = turn(people.sit(server.room("image", "follower", instance=PICTURE.id)["follower"]))
    follower.click(".palette.letters >> text='Q'")
    follower.mouse.move(*tile(follower, (2, 1)))
    follower.mouse.down()
    follower.mouse.move(*tile(follower, (2, 4)), steps=12)
    follower.mouse.up()
    four = Grid.from_cells(SIZE, [(2, column) for column in range(1, 5)], "Q")
    assert drawn(follower) == four
    follower.mouse.click(*tile(follower, (2, 2)))
    assert drawn(follower) == four.with_cell((2, 2), ".")
    follower.click("text=Undo")
    assert drawn(follower) == four
    follower.click("text=Undo")
    assert drawn(follower) == Grid.empty(SIZE)


def test_the_keyboard_moves_fills_and_empties(server: LiveServer, people: People) -> None:
    follower = turn(people.sit(server.room("image", "follower", instance=PICTURE.id)["follower"]))
    follower.locator(".tile").first.focus()
    for key in (
        "ArrowRight",
        "ArrowDown",
        "a",
        "ArrowRight",
        "Space",
        "ArrowDown",
        "b",
        "ArrowUp",
        "Backspace",
    ):
        follower.keyboard.press(key)
    assert drawn(follower) == Grid.empty(SIZE).with_cell((2, 2), "A").with_cell((3, 3), "B")
    assert follower.evaluate("document.activeElement.getAttribute('aria-label')") == "Row 2, column 3: empty"
    follower.keyboard.press("Control+z")
    assert drawn(follower).letters_by_cell[2, 3] == "A"


def test_a_touch_draws(server: LiveServer, people: People) -> None:
    link = server.room("image", "follower", instance=PICTURE.id)["follower"]
    follower = turn(people.sit(link, has_touch=True, viewport={"width": 820, "height": 1180}))
    follower.click(".palette.letters >> text='T'")
    follower.touchscreen.tap(*tile(follower, (1, 5)))
    assert drawn(follower) == Grid.empty(SIZE).with_cell((1, 5), "T")


def test_a_hidden_canvas_starts_empty_every_time(server: LiveServer, people: People) -> None:
    links = server.room("image", "giver", "follower", instance=PICTURE.id, settings={"hide_canvas": True})
    giver, follower = people.sit(links["giver"]), people.sit(links["follower"])
    say(giver, "something")
    turn(follower).mouse.click(*tile(follower, (1, 1)))
    follower.click(DONE)
    say(giver, "and more")
    assert said(follower, 2) == ["something", "and more"]
    assert drawn(turn(follower)) == Grid.empty(SIZE)


def test_a_refused_drawing_is_kept_and_can_be_handed_in_again(server: LiveServer, people: People) -> None:
    follower = people.person()
    follower.add_init_script(SPOIL)
    follower.goto(server.room("image", "follower", instance=PICTURE.id)["follower"])
    turn(at_seat(follower)).mouse.click(*tile(follower, (1, 1)))
    here = drawn(follower)
    follower.evaluate("window.spoilt = true")
    follower.click(DONE)
    follower.wait_for_selector("#complaint:not(:empty)")
    assert drawn(follower) == here != Grid.empty(SIZE)
    follower.evaluate("window.spoilt = false")
    follower.click(DONE)
    follower.locator("#talk li:nth-child(2), #outcome:not([hidden])").first.wait_for()
    assert follower.locator("#complaint").inner_text() == ""
