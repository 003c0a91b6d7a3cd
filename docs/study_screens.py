"""Scenes of `docs.screens` in studies: every page that participants meet, and the pages of researchers."""

import json
from pathlib import Path
from random import choice, sample
from typing import TYPE_CHECKING, Any

from tests.browser.live import LiveServer, admin_token, apart
from tests.browser.test_hexagons_study_live import TEMPLATE as TEMPLATE_FOLDER
from tests.browser.test_study_drawing_live import paint, write_second_round
from tests.browser.test_study_live import agree, pass_quiz, play_with_program, press, write_whole_study

from groundling.boards.hexes import COLOURS, Board
from groundling.cli import main as groundling
from groundling.studies.pilot import BotHabits
from groundling.studies.study_events import OUTCOMES
from groundling.studies.study_file import read_study

if TYPE_CHECKING:
    from docs.screens import Camera

TEMPLATE = read_study(TEMPLATE_FOLDER)
BOTS = 12
HABITS = BotHabits(leave=0, fall_silent=0, decline=0.1, visits=3)
TOLD = (*OUTCOMES, "asked to return", "erased")


def write_studies(folder: Path) -> list[Path]:
    """A study in which each person goes through all pages alone, round II of HEXAGONS, and the template."""
    hexagons, drawing = folder / "hexagons", folder / "drawing"
    apart(lambda: groundling(["study", "new", "hexagons", str(hexagons), "--scale", "0.01"]))
    apart(lambda: write_second_round(drawing))
    text = (drawing / "study.toml").read_text()
    (drawing / "study.toml").write_text(text.replace("blank_items = 3\n", "blank_items = 20\n"))
    return [apart(lambda: write_whole_study(folder / "pairs")), drawing, hexagons]


def let_bots_come(server: LiveServer, folder: Path) -> None:
    from tests.browser.test_researcher_live import run_bots

    apart(lambda: run_bots(server, folder, BOTS, HABITS))


def participants(camera: "Camera") -> None:
    """From consent to the end, alone."""
    page = camera.people.person()
    address = f"{camera.server.url}/study/pairs"
    page.goto(address)
    page.get_by_role("heading", name="Before you take part").wait_for()
    camera.shoot(page, "study-consent", whole=True)
    agree(page, address)
    page.get_by_role("heading", name="Next: Quiz").wait_for()
    camera.shoot(page, "study-instructions", whole=True, opened=True)
    press(page, "Leave the study")
    camera.shoot(page, "study-leave")
    press(page, "Stay")
    press(page, "Start")
    page.get_by_role("radio", name="no").check()
    page.get_by_role("radio", name="the giver").check()
    camera.shoot(page, "study-quiz", whole=True)
    press(page, "Send")
    page.get_by_text("This answer was wrong.").wait_for()
    camera.shoot(page, "study-quiz-wrong", whole=True)
    pass_quiz(page)
    page.get_by_role("heading", name="Next: Practice").wait_for()
    camera.shoot(page, "study-practice", whole=True, opened=True)
    press(page, "Start")
    play_with_program(page)
    page.get_by_text("That was practice.").wait_for()
    camera.shoot(page, "study-next", whole=True, opened=True)
    press(page, "Instructions")
    camera.shoot(page, "study-guide")
    press(page, "Close")
    for _ in range(2):
        press(page, "Start")
        page.get_by_text("Waited so far").wait_for()
        camera.shoot(page, "study-wait", whole=True)
        press(page, "Play with a program instead")
        play_with_program(page)
    page.get_by_role("heading", name="Some questions").wait_for()
    press(page, "Send")
    camera.shoot(page, "study-questions", whole=True)
    page.get_by_role("radio", name="7 (completely)").check()
    page.get_by_role("checkbox", name="a phone").check()
    page.get_by_role("radio", name="no", exact=True).check()
    press(page, "Send")
    page.get_by_role("heading", name="Thank you!").wait_for()
    camera.shoot(page, "study-end", whole=True)
    press(page, "Delete my data")
    camera.shoot(page, "study-delete")
    page.keyboard.press("Escape")
    ends(camera, page)


def ends(camera: "Camera", page: Any) -> None:
    """The end of each outcome, and what is shown without a connection."""

    def change(told: str) -> Any:
        def answer(route: Any) -> None:
            found = route.fetch()
            outcome = told if told in OUTCOMES else "screened out" if told == "asked to return" else "left"
            fields = {"outcome": outcome, "told": told, "erased": told == "erased", "completion": "C5D6E7F8"}
            body = {**found.json(), **fields, "again": told in ("left", "timed out"), "redirect": ""}
            route.fulfill(response=found, body=json.dumps(body))

        return answer

    for told in TOLD:
        page.unroute("**/act*")
        page.route("**/act*", change(told))
        page.reload()
        page.locator("#heading").wait_for()
        camera.shoot(page, f"study-end-{told.replace(' ', '-')}", whole=True)
    page.unroute("**/act*")
    page.route("**/act*", lambda route: route.abort())
    page.reload()
    page.wait_for_selector(".state.offline")
    camera.shoot(page, "study-offline")
    page.goto(f"{camera.server.url}/study/nothing")
    camera.shoot(page, "study-nothing")


def pairs(camera: "Camera") -> None:
    """Two people in a game, one of whom reports the other."""
    both = [camera.people.person() for _ in range(2)]
    for page in both:
        agree(page, f"{camera.server.url}/study/pairs")
        press(page, "Start")
        pass_quiz(page)
        page.get_by_role("heading", name="Next: Practice").wait_for()
        press(page, "Start")
        play_with_program(page)
        page.get_by_role("heading", name="Next: Reference game").wait_for()
        press(page, "Start")
    for page in both:
        page.wait_for_url("**/r/**")
        page.locator("#table").wait_for()
    page = both[0]
    camera.shoot(page, "study-game")
    page.locator("#study").click()
    camera.shoot(page, "study-game-menu")
    press(page, "Report my partner")
    camera.shoot(page, "study-report")
    page.locator("#reason").fill("They were rude.")
    press(page, "Report and end the game")
    page.get_by_text("Thank you for your report").wait_for()
    camera.shoot(page, "study-reported", whole=True)
    both[1].get_by_role("link", name="Continue with the study").wait_for()
    camera.shoot(both[1], "study-partner-left", whole=True)


def hexagons_study(camera: "Camera") -> None:
    """The first pages of the template, and practice."""
    page = camera.people.person()
    page.goto(f"{camera.server.url}/study/hexagons")
    page.get_by_role("heading", name="Before you take part").wait_for()
    camera.shoot(page, "hexagons-study-consent", whole=True)
    agree(page, page.url)
    page.get_by_role("heading", name="Next: Questions").wait_for()
    camera.shoot(page, "hexagons-study-next", whole=True, opened=True)
    press(page, "Start")
    page.get_by_role("button", name="Send", exact=True).wait_for()
    for question in (question for stage in TEMPLATE.stages for question in stage.questions):
        if (right := page.get_by_label(question.answer, exact=True)).is_visible():
            right.check()
    camera.shoot(page, "hexagons-study-questions", whole=True)
    press(page, "Send")
    page.get_by_role("heading", name="Next: Practice").wait_for()
    press(page, "Start")
    page.wait_for_url("**/r/**")
    page.click("text=Got it")
    camera.shoot(page, "hexagons-study-practice", whole=True)


def mturk_frame(camera: "Camera") -> None:
    """What Mechanical Turk shows in its frame, before and after a worker accepts the task."""
    page = camera.people.person()
    given = "hitId=H&workerId=W&turkSubmitTo=https://workersandbox.mturk.com"
    for name, assignment in (("mturk-preview", "ASSIGNMENT_ID_NOT_AVAILABLE"), ("mturk-task", "A")):
        page.goto(f"{camera.server.url}/study/pairs/mturk?assignmentId={assignment}&{given}")
        camera.shoot(page, name)


def second_round(camera: "Camera") -> None:
    """Two people draw; one of them then describes what the other has drawn, and paints it."""
    for person in range(2):
        page = camera.people.person()
        agree(page, f"{camera.server.url}/study/drawing")
        page.get_by_role("heading", name="Next: Draw an image").wait_for()
        press(page, "Start")
        page.wait_for_selector(".drawing [data-tile]")
        press(page, "Send the drawing")
        page.get_by_text("paint at least 3 tiles first").wait_for()
        tiles = [(row, column) for row in range(1, 11) for column in range(1, 19)]
        board = Board.empty()
        for tile in sample(tiles, 30):
            board = board.paint_tile(tile, choice(COLOURS[1:]))
        paint(page, board)
        camera.shoot(page, "study-drawing", whole=True)
        press(page, "Send the drawing")
        if person:
            page.get_by_role("heading", name="Next: Write and paint").wait_for()
    press(page, "Start")
    page.wait_for_url("**/r/**")
    page.click("text=Got it")
    field = page.locator("#words")
    field.press_sequentially("Paint the first tile of the first row red.")
    field.press("Enter")
    field.press_sequentially("Paint the tile below it blue.")
    camera.shoot(page, "study-writing", whole=True)
    page.locator("#say-button").click()
    page.locator("#confirm-yes").click()
    page.locator("#talk li:nth-child(2)").wait_for()
    page.wait_for_selector(".drawing [data-tile]")
    camera.shoot(page, "study-carrying-out", whole=True)


def researchers(camera: "Camera") -> None:
    page = camera.people.person()
    page.goto(f"{camera.server.url}/admin/login#{admin_token()}")
    page.wait_for_url("**/admin")
    page.goto(f"{camera.server.url}/admin/studies")
    page.get_by_role("link", name="Painting by instructions").first.wait_for()
    camera.shoot(page, "studies", whole=True)
    page.goto(f"{camera.server.url}/admin/studies/hexagons")
    page.locator("#plot-answers svg").wait_for()
    page.locator("#agreement td").first.wait_for()
    camera.shoot(page, "researcher", whole=True)
    press(page, "Message to all")
    camera.shoot(page, "researcher-message")
    page.click("#input-no")
    page.get_by_role("button", name="Sort by Tasks").click()
    page.locator("th[aria-sort=descending]", has_text="Tasks").wait_for()
    page.locator("#people .code").first.click()
    page.locator("#person h2").wait_for()
    camera.shoot(page, "researcher-person")
    page.locator("#person").get_by_role("button", name="Exclude").click()
    camera.shoot(page, "researcher-exclude")
    page.click("#input-no")


STUDY_SCENES = (participants, pairs, mturk_frame, second_round, hexagons_study, researchers)
