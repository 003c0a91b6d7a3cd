"""A server of its own, rooms in it, and people who sit down in a real browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.request import Request, urlopen

from groundling.cli import main
from groundling.core.pack import find, load
from groundling.runs.run_folder import RunFolder
from groundling.web.login import TOKEN_VARIABLE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

T = TypeVar("T")
LAPTOP: ViewportSize = {"width": 1280, "height": 800}
TABLET: ViewportSize = {"width": 820, "height": 1180}
LEFT_OUT = (
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,"
    "PaintHolding,HttpsUpgrades,OptimizationHints,MediaRouter"
)
"""A popup of the address bar that would be made for every window, and what playwright leaves out as well."""
PATIENCE = 60_000
"""Milliseconds: a machine that others use too may stand still for a while."""


def instance_of(game: str, number: int = 0) -> Any:
    """One that is built in, so that a test knows what is right."""
    return load(find(game).builtin)()[number]


def which_chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A real one, without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        shown = driver.chromium.launch(
            executable_path=which_chromium(),
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                f"--disable-features={LEFT_OUT}",
            ],
        )
        yield shown
        shown.close()


class LiveServer:
    """A running server, and the file of its editor of items."""

    def __init__(self, url: str, items: Path) -> None:
        self.url, self.items = url, items
        _, self._cookie = self._post("/admin/login/trade", {"token": admin_token()})

    def _post(self, path: str, body: Any, cookie: str = "") -> tuple[Any, str]:
        headers = {"content-type": "application/json", "origin": self.url, "cookie": cookie}
        with urlopen(Request(self.url + path, json.dumps(body).encode(), headers)) as answer:
            return json.load(answer), answer.headers.get("set-cookie", "").partition(";")[0]

    def room(self, game: str, *people: str, **more: Any) -> dict[str, str]:
        """A new room with people in these seats; the links that lead there, by seat. It is made by whoever
        runs the server, who may make as many as they like."""
        order = {"game": game, "seats": dict.fromkeys(people, "person"), **more}
        links: Mapping[str, str] = self._post("/admin/api/rooms", order, self._cookie)[0]["links"]
        return {role: self.url + link for role, link in links.items()}


OpenServer = Callable[..., LiveServer]


def admin_token() -> str:
    return os.environ.get(TOKEN_VARIABLE, "a token that nobody guesses")


@contextmanager
def serving(db: Path, *options: str) -> Iterator[LiveServer]:
    """A server on a free port, in a process of its own, with admin pages."""
    items = db.with_name("items.json")
    command = [sys.executable, "-m", "groundling", "serve", "--db", str(db), "--port", "0", *options]
    command += ["--admin"] * ("--admin" not in options) + ["--items", str(items)] * ("--items" not in options)
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**usual, TOKEN_VARIABLE: admin_token()},
    )
    assert process.stdout is not None
    try:
        told = process.stdout.readline()
        assert "http://" in told, told + process.stdout.read()
        url = next(word for word in told.split() if word.startswith("http://"))
        yield LiveServer(url.rstrip("/"), items)
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


def apart(work: Callable[[], T]) -> T:
    """In a thread of its own: playwright keeps an event loop running in this one, and playing needs its
    own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


def play_run(path: Path, *options: str) -> RunFolder:
    assert apart(lambda: main(["play", *options, "-o", str(path)])) == 0
    return RunFolder(path)


class Library(LiveServer):
    """A server with two runs: images that were painted, and a scene about which much was said."""

    def __init__(self, server: LiveServer, boards: RunFolder, long: RunFolder) -> None:
        super().__init__(server.url, server.items)
        self.boards, self.long = boards, long


@contextmanager
def serving_runs(folder: Path) -> Iterator[Library]:
    seats = "--seat", "instructor=narrator", "--seat", "executor=parser"
    boards = play_run(folder / "boards", "hexagons", "--mode", "live", *seats, "--limit", "3")
    said = [f"Say: This is message {number}, and it goes on for a line or two." for number in range(40)]
    script = folder / "teller.jsonl"
    script.write_text(json.dumps({"episode": instance_of("codraw").id, "replies": said}) + "\n")
    seats = "--seat", f"teller=script:{script}", "--seat", "drawer=grammar"
    long = play_run(folder / "long", "codraw", *seats, "--rounds", "40", "--limit", "1")
    runs = "--run", str(boards.path), "--run", str(long.path)
    with serving(folder / "games.db", "--gallery", *runs) as server:
        yield Library(server, boards, long)


class People:
    """Each has a browser of their own, with their own cookies. What their pages complain of is remembered."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        self._browser, self._options = browser, {"viewport": LAPTOP, **options}
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def person(self, **options: Any) -> Page:
        """Somebody with an empty window."""
        self._contexts.append(self._browser.new_context(**{**self._options, **options}))
        page = self._contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self._hear(message.type, message.text))
        page.on("pageerror", lambda trouble: self.complaints.append(str(trouble)))
        return page

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)

    def sit(self, link: str, **options: Any) -> Page:
        """Somebody who opens a link, and whose seat is shown."""
        page = self.person(**options)
        page.goto(link)
        return at_seat(page)

    def leave(self) -> None:
        for context in self._contexts:
            context.close()


def at_seat(page: Page) -> Page:
    page.wait_for_url("**/r/**")
    page.wait_for_selector("#title:not(:empty)")  # wait_for_function needs eval, which these pages forbid
    return page


def come_back(page: Page) -> Page:
    """Reload the page, as somebody does whose connection was lost."""
    page.reload()
    return at_seat(page)


def turn(page: Page) -> Page:
    """Wait until it is this person's turn."""
    page.wait_for_selector("body.turn")
    return page


def say(page: Page, text: str) -> None:
    turn(page).fill("#words", text)
    page.click("#say-button")


def write_steps(page: Page, *texts: str) -> None:
    """Write all steps, each on a line of its own, and finish."""
    field = turn(page).locator("#words")
    for number, text in enumerate(texts):
        if number:
            field.press("Enter")
        field.press_sequentially(text)
    page.click("#say-button")
    page.click("#confirm-yes")


def said(page: Page, lines: int = 1) -> list[str]:
    """What was said, once it has so many lines."""
    page.locator("#talk .words").nth(lines - 1).wait_for()
    return page.locator("#talk .words").all_inner_texts()


def pick(page: Page, choice: str) -> None:
    """Select a part of a picture, and confirm it."""
    turn(page).click(choice)
    page.click("#pick-button")


def outcome(page: Page) -> str:
    """Wait for the end; what stands there, with the details."""
    page.wait_for_selector("#outcome:not([hidden])")
    page.locator("#outcome details").evaluate("details => { details.open = true; }")
    return page.locator("#outcome").inner_text()


CONTRAST = """() => {
  const channel = (v) => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const bright = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
  const parts = (c) => c.match(/[\\d.]+/g).map(Number);
  const bad = [];
  for (const e of document.querySelectorAll("body *")) {
    if (!e.checkVisibility() || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    let under = e, back = [0, 0, 0, 0];
    for (; under && (back[3] ?? 1) === 0; under = under.parentElement)
      back = parts(getComputedStyle(under).backgroundColor);
    const style = getComputedStyle(e);
    const ink = bright(parts(e.closest("svg") ? style.fill : style.color));
    const [a, b] = [ink, bright(back)].sort((x, y) => y - x);
    if (!e.disabled && (a + .05) / (b + .05) < 4.5) bad.push(e.outerHTML.slice(0, 90));
  }
  return bad;
}"""


def misfits(page: Page) -> list[str]:
    """What is wider than the window, at three widths, and what is hard to read, in both schemes."""
    found: list[str] = []
    for width in (390, 820, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        if (needed := page.evaluate("document.documentElement.scrollWidth")) != width:
            found.append(f"{needed} points in a window of {width}")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found += page.evaluate(CONTRAST)
    return found
