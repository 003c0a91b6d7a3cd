"""The report in a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.browser.live import apart, misfits, play_run
from tests.helpers import Fails, Says, session

from groundling.core.events import Moved, Opened, Refused, Replied
from groundling.core.pack import load
from groundling.core.replay import replay_events
from groundling.report.html import render_html_report
from groundling.runs.blame_file import ClauseCredit, EpisodeBlame, RunBlame, write_blame
from groundling.runs.run_folder import RunFolder
from groundling.runs.step_notes import StepNote, add_note
from groundling.scores.blame import LossSplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow
HOSTILE = (
    "Expression: </script><script>window.hit=1</script><img src=x onerror='window.hit=2'>"
    "<svg onload=window.hit=3>&lt;b&gt;"
)


class Watched:
    """A page, what it asked for and what it complained of."""

    def __init__(self, browser: Browser) -> None:
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.page: Page = self.context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda trouble: self.complaints.append(str(trouble)))

    def open(self, file: Path, fragment: str = "") -> Page:
        self.page.goto(file.as_uri() + fragment)
        self.page.wait_for_selector("#viewer:not([hidden])")
        return self.page

    def check_calm(self, file: Path) -> None:
        assert [url for url in self.requests if not url.startswith((file.as_uri(), "data:"))] == []
        assert self.complaints == []


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    seen = Watched(browser)
    yield seen
    seen.context.close()


def image_report(folder: Path, episodes: int) -> tuple[Path, RunFolder]:
    seats = "--seat", "giver=gold", "--seat", "follower=gold"
    run = play_run(folder / "run", "image", *seats, "--limit", str(episodes))
    file = folder / "report.html"
    file.write_text(render_html_report([str(run.path)]), encoding="utf-8")
    return file, run


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, RunFolder]:
    return image_report(tmp_path_factory.mktemp("image"), episodes=3)


def reference(folder: Path, **players: Any) -> tuple[Path, RunFolder]:
    at_table = session(folder / "run", limit=4)
    apart(lambda: msgspec.structs.replace(at_table, players={**at_table.players, **players}).play_missing(1))
    file = folder / "report.html"
    file.write_text(render_html_report([str(folder / "run")]), encoding="utf-8")
    return file, RunFolder(folder / "run")


SAME = """([role, svg]) => {
  const there = document.getElementById(`board-${role}`).shadowRoot.querySelector("svg");
  return there.isEqualNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement);
}"""


def drawn(run: RunFolder) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """For every episode, what each seat sees after each step, drawn anew."""
    draw, game = load(run.find_pack().draw), run.make_game()
    for transcript in run.read_transcripts():
        steps: list[dict[str, str]] = []
        pending = False
        for event, replay in replay_events(game, transcript):
            pictures = {role: draw(replay.view(role)).svg for role in transcript.opened.seats}
            if pending and isinstance(event, Moved | Refused):
                steps[-1] = pictures
            else:
                steps.append(pictures)
            pending = isinstance(event, Replied)
        assert isinstance(transcript.events[0], Opened)
        yield transcript.episode, steps


def walk(page: Page, run: RunFolder) -> int:
    """Step through every episode, forth by key and back by button, and hold each picture against the one
    drawn here."""
    looked = 0
    for episode, steps in drawn(run):
        page.locator(f'#list button[data-key="0/{episode}"]').click()
        page.locator("#name").click()
        for way in (range(len(steps)), reversed(range(len(steps)))):
            for step in way:
                assert page.locator("#slider").input_value() == str(step)
                for role, svg in steps[step].items():
                    assert page.evaluate(SAME, [role, svg]), f"{episode}, step {step}, {role}"
                    looked += 1
                if way == range(len(steps)):
                    page.keyboard.press("ArrowRight")
                elif step:
                    page.locator("#back").click()
    return looked


def test_clauses_are_shaded_by_their_credit(watched: Watched, tmp_path: Path) -> None:
    _, run = reference(tmp_path)
    transcript = next(iter(run.read_transcripts()))
    said = next(number for number, event in enumerate(transcript.events) if isinstance(event, Moved))
    words = next(iter(transcript.reply_events())).text.removeprefix("Expression: ")
    clauses = [ClauseCredit(said, words[:5], 0.5), ClauseCredit(said, words[5:12].strip(), -0.25)]
    split = LossSplit(0.0, 1.0, 0.0, 0.0, "words")
    found = EpisodeBlame(transcript.episode, "", "", split, [0.0], [1.0], 1.0, clauses)
    write_blame(run, RunBlame("success", ["rule"], "gold", False, [found]))
    file = tmp_path / "report.html"
    file.write_text(render_html_report([str(run.path)]), encoding="utf-8")
    page = watched.open(file)
    page.locator(f'#list button[data-key="0/{transcript.episode}"]').click()
    shaded = page.locator("#said .clause")
    assert shaded.all_text_contents() == [clause.text for clause in clauses]
    assert [one.get_attribute("title") for one in shaded.all()] == [
        "lost without this: 0.5",
        "gained without this: 0.25",
    ]
    assert page.locator("#said .clause.against").count() == 1
    watched.check_calm(file)


def test_refusals_and_failures_are_reported(watched: Watched, tmp_path: Path) -> None:
    file, run = reference(
        tmp_path, follower=Says("hm", "it is the second"), giver=Fails(1, "Expression: the full one")
    )
    page = watched.open(file)
    assert walk(page, run) > 10
    page.select_option("#of-status", label="errored")
    assert page.locator("#list button").count() == 1
    page.locator("#list button").click()
    assert "failed (timeout)" in page.locator("#said").inner_text()
    page.select_option("#of-status", label="played")
    page.locator("#list button").first.click()
    assert "refused: name one grid" in page.locator("#said").inner_text()
    assert "taken, though strictly" in page.locator("#said").inner_text()
    watched.check_calm(file)


def test_steps_are_found_by_label_and_score(watched: Watched, tmp_path: Path) -> None:
    seats = "--seat", "instructor=gold", "--seat", "executor=random"
    run = play_run(tmp_path / "run", "hexagons", *seats, "--limit", "4")
    episode = next(iter(run.read_transcripts())).episode
    add_note(run, StepNote(episode, 2, "Look <b>here</b>"))
    file = tmp_path / "report.html"
    file.write_text(render_html_report([str(run.path)]), encoding="utf-8")
    page = watched.open(file)
    page.click("#by-label summary")
    choices = {
        name: page.locator("#labels label", has_text=name).locator("select") for name in ("step", "note")
    }
    choices["step"].select_option(label="2")
    assert "steps " in page.locator("#list button").first.inner_text()
    page.locator("#list button").first.click()
    assert "after turn 2: " in page.inner_text("#turn")
    assert "step: 2" in page.inner_text("#turn")
    page.fill("#least", "2")
    assert page.inner_text("#count") == "0 of 4 episodes"
    page.fill("#least", "")
    choices["step"].select_option(label="all")
    choices["note"].select_option(label="with a note")
    assert page.inner_text("#count") == "1 of 4 episodes"
    page.locator("#list button").click()
    assert "note: Look <b>here</b>" in page.locator("ol#said").inner_text()
    watched.check_calm(file)


def test_words_never_become_elements(watched: Watched, tmp_path: Path) -> None:
    file, run = reference(tmp_path, giver=Says(HOSTILE))
    page = watched.open(file)
    walk(page, run)
    assert "</script><script>window.hit=1</script><img" in page.locator("#said").inner_text()
    assert page.evaluate("window.hit") is None
    assert page.locator("img").count() == 0
    watched.check_calm(file)


def test_even_a_drawing_with_a_script_in_it_does_nothing(
    watched: Watched, image: tuple[Path, RunFolder], tmp_path: Path
) -> None:
    """A stranger's pack could draw anything; the policy of the page stands in its way."""
    bad = r"\u003cscript>window.hit=1\u003c/script>\u003crect onclick='window.hit=2' width='9' height='9'/>"
    bad += r"\u003cimage href='https://example.org/x.png'/>"
    page_text = (
        image[0].read_text(encoding="utf-8").replace(r"\u003c/svg>", bad.replace("'", r"\"") + r"\u003c/svg>")
    )
    file = tmp_path / "bad.html"
    file.write_text(page_text, encoding="utf-8")
    page = watched.open(file)
    board = "document.getElementById('board-giver').shadowRoot"
    page.evaluate(f"{board}.querySelector('[onclick]').dispatchEvent(new Event('click'))")
    page.wait_for_timeout(200)
    assert page.evaluate("window.hit") is None
    assert any("Content Security Policy" in complaint for complaint in watched.complaints)


def test_a_link_leads_to_the_step(watched: Watched, image: tuple[Path, RunFolder]) -> None:
    page = watched.open(image[0], "#episode=compact-02&step=3")
    assert page.locator("#name").inner_text() == "compact-02"
    assert page.locator("#where").inner_text().startswith("step 3 of")
    page.locator("#on").click()
    assert page.evaluate("location.hash") == "#episode=compact-02&step=4"
    page.evaluate("location.hash = '#episode=compact-01&step=999'")
    page.wait_for_function("document.getElementById('name').textContent === 'compact-01'")
    assert page.locator("#on").is_disabled()


def test_episodes_can_be_found(watched: Watched, image: tuple[Path, RunFolder]) -> None:
    page = watched.open(image[0])
    page.fill("#find", "02 compact")
    assert page.locator("#list button .id").all_inner_texts() == ["compact-02"]
    page.fill("#find", "nothing like it")
    assert page.locator("#count").inner_text() == "0 of 3 episodes"
    page.fill("#find", "")
    page.fill("#most", "0.5")
    assert page.locator("#list button").count() == 0
    page.fill("#most", "1")
    assert page.locator("#list button").count() == 3


def test_the_keyboard_is_enough(watched: Watched, image: tuple[Path, RunFolder]) -> None:
    page = watched.open(image[0])
    page.locator("#list button").nth(1).focus()
    page.keyboard.press("Enter")
    assert page.locator("#name").inner_text() == "random-01"
    page.keyboard.press("ArrowRight")
    assert page.locator("#where").inner_text().startswith("step 1 of")
    page.locator("#find").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#where").inner_text().startswith("step 1 of"), "keys in a field stay in the field"


def test_it_fits_and_can_be_read(watched: Watched, image: tuple[Path, RunFolder]) -> None:
    page = watched.open(image[0], "#episode=compact-01&step=4")
    page.emulate_media(reduced_motion="reduce")
    assert misfits(page) == []
    watched.check_calm(image[0])


def test_on_paper_replays_are_left_out_and_tables_whole(
    watched: Watched, image: tuple[Path, RunFolder]
) -> None:
    page = watched.open(image[0])
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680, "height": 960})
    assert not page.locator("#episodes").is_visible()
    assert page.locator(".plot").first.is_visible()
    assert (
        page.evaluate(
            "Math.max(...[...document.querySelectorAll('table')].map((t) => t.getBoundingClientRect().right))"
        )
        <= 680
    )
    assert page.pdf(format="A4").startswith(b"%PDF")
