"""Studies in a real browser: every page that participants meet, with the keyboard, on a phone, without a
connection, with a partner who leaves or is reported."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.browser.live import OpenServer, People
from tests.browser.test_accessibility import faults
from tests.browser.test_page_states import FRAMES, WATCH, shifted
from tests.web.study_helpers import write_study

from groundling.cli import main
from groundling.studies.study_file import read_study

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

pytestmark = pytest.mark.slow
PHONE: ViewportSize = {"width": 390, "height": 844}
WHOLE = """
title = "Describing in pairs"
contact = "lab@example.org"
consent = "consent.md"
instructions = "instructions.md"
debriefing = "debriefing.md"
minimum_age = 18
expected_minutes = 15
languages = ["en", "de"]
[privacy]
programs = true
[pay]
floor = 0
base = 0.5
waiting_minute = 0.15
[recruiting.codes]
finished = "C1A2B3C4"
[recruiting.redirects]
finished = "https://example.org/complete?cc={code}"
[stimuli.refs]
game = "reference"
file = "refs.jsonl"
[[stages]]
name = "quiz"
pass_mark = 1.0
[stages.task]
kind = "quiz"
attempts = 2
questions = [
  { text = "May you stop at any time?", choices = ["yes", "no"], answer = "yes" },
  { text = "Who sees the target?", choices = ["both", "the giver", "the follower"], answer = "the giver" },
]
[[stages]]
name = "try"
title = "First game"
practice = true
items = "refs"
answers = 0
pay = 0.3
task = { kind = "game", game = "reference", seats = { giver = "gold", follower = "person" } }
[[stages]]
name = "games"
items = "refs"
answers = 2
most = 2
never = ["author"]
wait_minutes = 5
pay = 1.0
[stages.task]
kind = "game"
game = "reference"
seats = { giver = "person", follower = "person" }
machine_partner = "gold"
[[stages]]
name = "end"
[stages.task]
kind = "questionnaire"
questions = [
  { text = "How well did it work?", kind = "scale", ends = ["not at all", "completely"] },
  { text = "Which of these did you use?", kind = "several", choices = ["a phone", "a tablet", "a computer"] },
  { text = "Have you done this before?", choices = ["yes", "no"] },
  { text = "How old are you?", kind = "number", least = 18, most = 120, optional = true },
  { text = "Anything else?", optional = true },
]
"""
UNSAFE = """## Taking part

You describe pictures to **another person**.
It is *easy*.

- We record what you write.
- See [our lab](https://example.org/lab).

<img src="/none.png" onerror="document.title = 'broken'"> [no](javascript:alert(1))
"""


def write_whole_study(folder: Path) -> Path:
    write_study(folder, WHOLE, items=8)
    for name, text in {
        "consent.md": UNSAFE,
        "consent.de.md": "# Teilnahme\n\nSie beschreiben Bilder.\n",
        "instructions.md": "# What you do\n\n1. Read.\n2. Answer.\n",
        "debriefing.md": "This was about references.\n",
    }.items():
        (folder / name).write_text(text)
    return folder


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def heading(page: Page, name: str) -> None:
    """Wait for a page, to whose heading the focus has moved, and which holds against axe and a reload."""
    page.get_by_role("heading", level=2, name=name).wait_for()
    assert page.evaluate("document.activeElement.id") == "heading"
    assert faults(page) == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.reload()
    page.get_by_role("heading", level=2, name=name).wait_for()


def agree(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("I am at least 18 years old.").check()
    press(page, "I agree")


def pass_quiz(page: Page) -> None:
    page.get_by_role("radio", name="yes").check()
    page.get_by_role("radio", name="the giver").check()
    press(page, "Send")


def play_with_program(page: Page) -> None:
    """Whatever the seat is, until the game is over."""
    page.wait_for_url("**/r/**")
    back = page.get_by_role("link", name="Continue with the study")
    page.locator("#words:visible, .choice, #rematch a").first.wait_for()
    if page.locator("#words").is_visible():
        page.locator("#words").fill("the first one")
        page.locator("#say-button").click()
    elif not back.is_visible():
        page.locator(".choice").first.click()
        page.locator("#pick-button").click()
    back.click()


def test_every_page_of_a_study_can_be_used_and_reloaded(
    people: People, open_server: OpenServer, tmp_path: Path
) -> None:
    server = open_server("--study", str(write_whole_study(tmp_path / "pairs")))
    ann = people.person()
    address = f"{server.url}/study/pairs"
    ann.goto(f"{address}?person=ann")
    heading(ann, "Before you take part")
    press(ann, "I agree")
    ann.get_by_text("Tick the box").wait_for()
    agree(ann, address)
    heading(ann, "Next: Quiz")
    press(ann, "Start")
    heading(ann, "A few questions first")
    ann.get_by_role("radio", name="no").check()
    ann.get_by_role("radio", name="the giver").check()
    ann.reload()
    assert ann.get_by_role("radio", name="the giver").is_checked(), "answers are kept"
    press(ann, "Send")
    ann.get_by_text("This answer was wrong.").wait_for()
    assert ann.get_by_text("This answer was wrong.").count() == 1
    assert faults(ann) == []
    pass_quiz(ann)
    heading(ann, "Next: Practice: First game")
    press(ann, "Start")
    play_with_program(ann)
    ann.get_by_text("That was practice.").wait_for()
    heading(ann, "Next: Reference game")
    for _ in range(2):
        press(ann, "Start")
        ann.get_by_text("Waited so far").wait_for()
        press(ann, "Play with a program instead")
        play_with_program(ann)
    heading(ann, "Some questions")
    ann.get_by_label("How old are you?").fill("7")
    press(ann, "Send")
    assert ann.get_by_text("Please answer this question.").count() == 3
    assert ann.get_by_text("Please write a number in this range.").count() == 1
    assert faults(ann) == []
    ann.get_by_role("radio", name="7 (completely)").check()
    ann.get_by_role("checkbox", name="a phone").check()
    ann.get_by_role("checkbox", name="a tablet").check()
    ann.get_by_role("radio", name="no", exact=True).check()
    ann.get_by_label("How old are you?").fill("37")
    press(ann, "Send")
    heading(ann, "Thank you!")
    assert ann.locator("output").inner_text() == "C1A2B3C4"
    back = ann.get_by_role("link", name="Return to the website that sent you")
    assert back.get_attribute("href") == "https://example.org/complete?cc=C1A2B3C4"
    assert ann.get_by_text("a program").count() == 3, "in each of the games"
    press(ann, "Delete my data")
    assert faults(ann) == []
    ann.get_by_role("dialog").get_by_role("button", name="Delete my data").click()
    ann.get_by_text("your data was deleted").wait_for()
    ann.reload()
    ann.get_by_role("heading", name="Before you take part").wait_for()


def write_instructions(study: Path, text: str) -> None:
    (study / "instructions.md").write_text(text)
    file = study / "study.toml"
    file.write_text(file.read_text().replace("consent =", 'instructions = "instructions.md"\nconsent =', 1))


def test_pairs_of_the_template_wait_report_and_leave_on_phones(
    people: People, open_server: OpenServer, tmp_path: Path
) -> None:
    assert main(["study", "new", "live", str(tmp_path / "live")]) == 0
    quiz = read_study(tmp_path / "live").stages[0]
    write_instructions(tmp_path / "live", f"https://example.org/{'long-' * 20}")
    server = open_server("--study", str(tmp_path / "live"))
    address = f"{server.url}/study/live"
    pair = [people.person(viewport=PHONE), people.person(viewport=PHONE)]
    for page in pair:
        page.goto(address)
        press(page, "I agree")
        press(page, "Start")
        for question in quiz.questions:
            asked = page.get_by_role("group", name=question.text)
            asked.get_by_role("radio", name=question.answer, exact=True).check()
        press(page, "Send")
        press(page, "Start")
        if page is pair[0]:
            heading(page, "Waiting for a partner")
    for page in pair:
        page.wait_for_url("**/r/**")
        page.locator("#table").wait_for()
    ann, bob = pair
    ann.goto(address)
    heading(ann, "Your task: ")
    ann.get_by_text("Your partner is waiting").wait_for()
    ann.get_by_role("link", name="Go to the game").click()
    assert ann.locator("body > header").evaluate("each => each.offsetHeight") < 160, "it leaves room to play"
    ann.locator("#study").click()
    assert faults(ann) == []
    wraps = "each => each.scrollWidth === each.clientWidth"
    assert ann.get_by_role("dialog").evaluate(wraps), "also a long link"
    press(ann, "Report my partner")
    press(ann, "Report and end the game")
    assert ann.evaluate("document.activeElement.id") == "reason", "a reason is needed"
    assert faults(ann) == []
    ann.locator("#reason").fill("They were rude.")
    press(ann, "Report and end the game")
    ann.get_by_text("Thank you for your report").wait_for()
    bob.get_by_role("link", name="Continue with the study").click()
    bob.get_by_text("This was not your fault").wait_for()
    heading(bob, "Next: ")
    press(bob, "Start")
    bob.get_by_role("heading", name="Waiting for a partner").wait_for()
    press(bob, "Leave the study")
    assert faults(bob) == []
    press(bob, "Stay")
    press(bob, "Leave the study")
    press(bob, "Leave")
    bob.get_by_text("You have left the study").wait_for()
    heading(bob, "The end")
    press(ann, "Leave the study")
    press(ann, "Leave and delete my data")
    ann.get_by_text("your data was deleted").wait_for()


def test_the_frame_of_mechanical_turk_can_be_used_on_a_phone(
    people: People, open_server: OpenServer, tmp_path: Path
) -> None:
    assert main(["study", "new", "live", str(tmp_path / "live")]) == 0
    server, page = open_server("--study", str(tmp_path / "live")), people.person(viewport=PHONE)
    given = "hitId=H&workerId=W&turkSubmitTo=https://workersandbox.mturk.com"
    for assignment, shown in (("ASSIGNMENT_ID_NOT_AVAILABLE", "Accept the task"), ("A", "enter the code")):
        page.goto(f"{server.url}/study/live/mturk?assignmentId={assignment}&{given}")
        page.get_by_text(shown).first.wait_for()
        assert faults(page) == []
        page.set_viewport_size(PHONE)
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    with page.expect_popup() as opened:
        page.get_by_role("link").click()
    opened.value.get_by_role("heading", name="Before you take part").wait_for()


def test_a_person_in_a_game_leaves_and_the_partner_continues(
    people: People, open_server: OpenServer, tmp_path: Path
) -> None:
    server = open_server("--study", str(write_study(tmp_path / "pairs")))
    pair = {name: people.person() for name in ("ann", "bob")}
    for name, page in pair.items():
        page.goto(f"{server.url}/study/pairs?person={name}")
        press(page, "I agree")
        page.get_by_role("radio", name="yes").check()
        press(page, "Send")
        press(page, "Start")
    for page in pair.values():
        page.wait_for_url("**/r/**")
        page.locator("#table").wait_for()
    assert not pair["bob"].get_by_role("link", name="groundling").is_visible(), "it leads out of the study"
    pair["bob"].locator("#study").click()
    press(pair["bob"], "Leave the study")
    press(pair["bob"], "Leave")
    pair["bob"].get_by_text("You have left the study").wait_for()
    pair["ann"].get_by_role("link", name="Continue with the study").click()
    pair["ann"].get_by_text("This was not your fault").wait_for()
    pair["ann"].get_by_text("USD 1.00").first.wait_for()


def test_texts_are_markdown_and_never_html_in_the_language_of_the_person(
    people: People, open_server: OpenServer, tmp_path: Path
) -> None:
    server = open_server("--study", str(write_whole_study(tmp_path / "pairs")))
    page = people.person()
    page.goto(f"{server.url}/study/pairs")
    text = page.locator("#task .prose").first
    assert text.locator("h3").inner_text() == "Taking part"
    assert text.locator("strong").inner_text() == "another person"
    assert text.locator("p").first.inner_text() == "You describe pictures to another person. It is easy."
    assert text.locator("li").count() == 2
    assert text.locator("a").get_attribute("href") == "https://example.org/lab"
    assert text.locator("a").get_attribute("rel") == "noopener noreferrer"
    assert text.locator("a").count() == 1, "no other addresses"
    assert text.locator("img").count() == 0
    assert "<img src=" in text.inner_text()
    assert page.title() == "Describing in pairs"
    page.get_by_label("Language").select_option("de")
    page.get_by_role("heading", name="Bevor Sie teilnehmen").wait_for()
    assert page.evaluate("document.documentElement.lang") == "de"
    page.get_by_text("Sie beschreiben Bilder.").wait_for()
    assert faults(page) == []
    page.get_by_label("Ich bin mindestens 18 Jahre alt.").check()
    press(page, "Ich stimme zu")
    page.get_by_role("heading", name="Als Nächstes: Quiz").wait_for()
    page.reload()
    page.get_by_role("button", name="Studie verlassen").wait_for()
    assert page.locator("#task [lang=en]").first.inner_text().startswith("What you do"), (
        "it has no German version"
    )


def test_a_study_needs_only_the_keyboard(people: People, open_server: OpenServer, tmp_path: Path) -> None:
    server = open_server("--study", str(write_whole_study(tmp_path / "pairs")))
    page = people.person()
    page.goto(f"{server.url}/study/pairs")
    page.get_by_role("heading", name="Before you take part").wait_for()

    def tab_to(name: str) -> None:
        for _ in range(20):
            page.keyboard.press("Tab")
            focused = page.evaluate(
                "(document.activeElement.labels?.[0] ?? document.activeElement).innerText"
            )
            if re.fullmatch(name, focused.strip()):
                return
        raise AssertionError(f"{name} cannot be reached")

    tab_to("I am at least 18 years old.")
    page.keyboard.press("Space")
    tab_to("I agree")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Next: Quiz").wait_for()
    tab_to("Start")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="A few questions first").wait_for()
    tab_to("yes")
    page.keyboard.press("Space")
    tab_to("both")
    page.keyboard.press("ArrowDown")
    tab_to("Send")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Next: Practice: First game").wait_for()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    assert not page.get_by_role("dialog").is_visible()


@pytest.mark.parametrize("held", ["**/act*", "**/texts/*"])
def test_a_study_that_loads_or_has_no_connection_says_so_and_nothing_moves(
    held: str, people: People, open_server: OpenServer, tmp_path: Path
) -> None:
    server = open_server("--study", str(write_whole_study(tmp_path / "pairs")))
    page = people.person(viewport=PHONE)
    page.add_init_script(WATCH)
    page.route(held, lambda route: None)
    page.goto(f"{server.url}/study/pairs", wait_until="commit")
    page.wait_for_selector(".state.loading")
    page.evaluate(FRAMES)
    page.unroute(held)
    page.route(held, lambda route: route.abort())
    page.reload()
    page.wait_for_selector(".state.offline >> text=The server cannot be reached.")
    page.unroute(held)
    press(page, "Try again")
    page.get_by_role("heading", name="Before you take part").wait_for()
    page.wait_for_load_state("networkidle")
    assert shifted(page) < 0.01
    page.get_by_label("I am at least 18 years old.").check()
    page.route("**/act*", lambda route: route.abort())
    press(page, "I agree")
    page.wait_for_selector(".state.offline >> text=The server cannot be reached.")
    page.unroute("**/act*")
    press(page, "Try again")
    page.get_by_role("heading", name="Next: Quiz").wait_for()
    assert not page.locator(".state").is_visible()
    people.complaints.clear()  # the browser's own, of the lost connection
