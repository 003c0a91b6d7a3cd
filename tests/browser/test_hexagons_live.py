"""HEXAGONS in the browser: steps written on one side, a board painted by mouse, touch and keyboard on the
other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.browser.live import LiveServer, People, outcome, said, say, turn, write_steps

from groundling.boards.hexes import COLOURS, Board, Tile
from groundling.core.pack import Seat, find
from groundling.games.hexagons.make import builtin
from groundling.games.hexagons.players.narrator import Narrator, make_narrator

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
IMAGE = next(image for image in builtin() if image.id == "image-053")
PACK = find("hexagons")
NEXT = "#buttons >> text=Next step"
SPOIL = """
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    send.call(this, window.spoilt ? text.replaceAll('"row":', '"row":9') : text);
  };
"""
"""Once it is told to, the page sends rows that are off the board."""


def told() -> list[tuple[str, Board]]:
    """What the built-in instructor says, and the board after each step."""
    player = make_narrator(Seat(PACK, PACK.new(), "instructor", "narrator", instances=[IMAGE]))
    assert isinstance(player, Narrator)
    return [(step.text, step.board) for step in player.narrate_steps(IMAGE)]


def middle(page: Page, tile: Tile) -> tuple[float, float]:
    box = page.locator(f"#board-{tile[0]}-{tile[1]}").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def shown(page: Page) -> Board:
    """As somebody sees it, by the letters of the tiles, and as it is read to somebody who does not: both must
    agree."""
    tiles: list[list[str]] = page.locator("#panel-work [data-tile]").evaluate_all(
        "tiles => tiles.map((tile) => "
        "[tile.getAttribute('aria-label'), tile.querySelector('text').textContent])"
    )
    digits = ["\xa0KYGRBPO".index(letter) for _, letter in tiles]
    assert [label.split(", ")[2] for label, _ in tiles] == [COLOURS[digit] for digit in digits]
    return Board.from_digits(digits)


def kept(page: Page, board: Board) -> None:
    """Wait until the server has that board."""
    for (row, column), colour in Board.empty().changes_to(board).items():
        page.wait_for_selector(
            f'#board-{row}-{column}[data-colour="{COLOURS.index(colour)}"]', state="attached"
        )
    assert shown(page) == board


def paint(page: Page, board: Board) -> None:
    """Make it so, with the mouse, colour by colour, once the board can be painted."""
    page.wait_for_selector("#panel-work .drawing")
    changes = shown(page).changes_to(board)
    for colour in sorted(set(changes.values())):
        page.click(f".colours label:has(input[value={colour}])")
        for tile in (tile for tile, own in changes.items() if own == colour):
            page.mouse.click(*middle(page, tile))
    kept(page, board)


def drag(page: Page, *tiles: Tile) -> None:
    page.mouse.move(*middle(page, tiles[0]))
    page.mouse.down()
    for tile in tiles[1:]:
        page.mouse.move(*middle(page, tile), steps=2)
    page.mouse.up()


def finish(page: Page) -> None:
    turn(page).click("#buttons >> text=Finish")
    page.click("#confirm-yes")


@pytest.fixture
def executor(server: LiveServer, people: People) -> Page:
    """Somebody whom the built-in instructor has given a step, with the page spoilt on demand."""
    page = people.person()
    page.add_init_script(SPOIL)
    page.goto(server.room("hexagons", "executor", instance=IMAGE.id)["executor"])
    page.wait_for_selector(".drawing")
    return page


def test_one_person_instructs_the_built_in_executor(server: LiveServer, people: People) -> None:
    instructor = people.sit(server.room("hexagons", "instructor", instance=IMAGE.id)["instructor"])
    for number, (text, _) in enumerate(told(), 1):
        say(instructor, text)
        said(instructor, number)
    say(instructor, "Done")
    assert "neither DONE nor UNDO" in instructor.locator("#complaint:not(:empty)").inner_text()
    assert instructor.input_value("#words") == "Done", "words that were refused come back"
    finish(instructor)
    assert "Score 1 of 1" in outcome(instructor)
    assert instructor.locator("#outcome .turns tbody tr").count() == len(told())


def test_one_person_paints_for_the_built_in_instructor(executor: Page) -> None:
    for number, (text, board) in enumerate(told(), 1):
        assert said(turn(executor), number)[-1] == text
        paint(executor, board)
        executor.click(NEXT)
    assert "Score 1 of 1" in outcome(executor)


def test_a_drag_paints_all_it_passes_and_undo_takes_the_stroke_back(executor: Page) -> None:
    executor.click(".colours label:has(input[value=red])")
    drag(executor, (3, 3), (9, 3))
    line = Board.from_tiles({(row, 3): "red" for row in range(3, 10)})
    assert shown(executor) == line, "at once"
    executor.click(".colours label:has(input[value=white])")
    drag(executor, (5, 3), (6, 3))
    holed = line.with_tiles({(5, 3): "white", (6, 3): "white"})
    kept(executor, holed)
    executor.click("text=Undo stroke")
    kept(executor, line)
    executor.click("text=Undo stroke")
    kept(executor, Board.empty())
    assert executor.locator("text=Undo stroke").is_disabled()


def test_a_refused_stroke_is_taken_back(executor: Page) -> None:
    executor.click(".colours label:has(input[value=blue])")
    drag(executor, (2, 5), (4, 5))
    blue = Board.from_tiles({(row, 5): "blue" for row in (2, 3, 4)})
    kept(executor, blue)
    executor.evaluate("window.spoilt = true")
    executor.click(".colours label:has(input[value=orange])")
    drag(executor, (3, 5), (3, 9))
    executor.wait_for_selector("#complaint:not(:empty)")
    executor.wait_for_selector('#board-3-5[aria-label="row 3, column 5, blue"]', state="attached")
    assert shown(executor) == blue
    executor.evaluate("window.spoilt = false")
    executor.click("text=Undo stroke")
    kept(executor, Board.empty())


def test_what_is_painted_while_the_line_is_cut_is_taken_back(executor: Page, people: People) -> None:
    executor.mouse.click(*middle(executor, (7, 7)))
    kept(executor, Board.from_tiles({(7, 7): "black"}))
    executor.context.set_offline(True)
    executor.evaluate("void (WebSocket.prototype.send = function () { this.close(); })")
    executor.mouse.click(*middle(executor, (8, 8)))
    executor.wait_for_selector("#connection:not([hidden])")
    executor.mouse.click(*middle(executor, (9, 9)))
    executor.wait_for_selector('#board-9-9[aria-label="row 9, column 9, white"]', state="attached")
    executor.context.set_offline(False)
    executor.wait_for_selector("#connection", state="hidden")
    executor.wait_for_selector(".drawing")
    assert shown(executor) == Board.from_tiles({(7, 7): "black"})
    people.complaints[:] = [each for each in people.complaints if "ERR_INTERNET_DISCONNECTED" not in each]


def test_the_keyboard_chooses_moves_and_paints(executor: Page) -> None:
    press = executor.keyboard.press
    executor.focus("#board-5-10")
    for key in (
        "r",
        "ArrowDown",
        "ArrowRight",
        "Enter",
        "6",
        "ArrowLeft",
        "Space",
        "End",
        "PageDown",
        "k",
        "Space",
    ):
        press(key)
    board = Board.from_tiles({(6, 11): "red", (6, 10): "blue", (10, 18): "black"})
    kept(executor, board)
    focused: Any = executor.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused == "row 10, column 18, black"
    assert executor.locator("#panel-work [tabindex='0']").count() == 1, "one stop for the tabulator"
    press("w")
    press("Enter")
    press("Control+z")
    kept(executor, board)
    press("Tab")
    press("ArrowRight")  # from white in the palette
    assert executor.is_checked("input[value=black]")
    press("Shift+Tab")
    press("ArrowUp")
    press("Space")
    executor.focus(NEXT)
    press("Enter")
    assert len(said(executor, 2)) == 2
    kept(executor, board.paint_tile((9, 18), "black"))


def test_a_screen_reader_presses_tiles_without_a_pointer(executor: Page) -> None:
    executor.locator("#board-4-7 polygon").dispatch_event("click")
    kept(executor, Board.from_tiles({(4, 7): "black"}))


def test_a_finger_paints_on_a_tablet(server: LiveServer, people: People) -> None:
    link = server.room("hexagons", "executor", instance=IMAGE.id)["executor"]
    executor = people.sit(link, has_touch=True, viewport={"width": 820, "height": 1180})
    executor.wait_for_selector(".drawing")
    executor.tap(".colours label:has(input[value=purple])")
    executor.touchscreen.tap(*middle(executor, (4, 4)))
    kept(executor, Board.from_tiles({(4, 4): "purple"}))
    assert executor.evaluate("document.documentElement.scrollWidth") == 820


def test_an_instructor_alone_writes_and_then_paints_its_own_text(server: LiveServer, people: People) -> None:
    links = server.room("hexagons", "instructor", instance=IMAGE.id, settings={"mode": "align"})
    instructor = people.sit(links["instructor"])
    write_steps(instructor, *(text for text, _ in told()))
    for number, (_, board) in enumerate(told(), 1):
        instructor.wait_for_selector(f"#talk li:nth-child({number}).current")
        paint(instructor, board)
        instructor.click("#buttons button")
    assert "Score 1 of 1" in outcome(instructor)


def test_a_described_image_needs_nobody_else(server: LiveServer, people: People) -> None:
    links = server.room("hexagons", "instructor", instance=IMAGE.id, settings={"mode": "describe"})
    instructor = people.sit(links["instructor"])
    write_steps(instructor, "a flower")
    assert "Score 1 of 1" in outcome(instructor)
