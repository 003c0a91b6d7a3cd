"""A server of its own, rooms in it, and people who sit down in a real browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

from groundling.core.pack import find, load

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

LAPTOP = {"width": 1280, "height": 800}
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
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        )
        yield shown
        shown.close()


class House:
    """A running server."""

    def __init__(self, url: str) -> None:
        self.url = url

    def room(self, game: str, *people: str, **more: Any) -> dict[str, str]:
        """A new room with people in these seats; the links that lead there, by seat."""
        order = {"game": game, "seats": dict.fromkeys(people, "person"), **more}
        headers = {"content-type": "application/json", "origin": self.url}
        with urlopen(Request(f"{self.url}/api/rooms", json.dumps(order).encode(), headers)) as answer:
            links: Mapping[str, str] = json.load(answer)["links"]
        return {role: self.url + link for role, link in links.items()}


Opened = Callable[..., House]


@contextmanager
def serving(db: Path, *options: str) -> Iterator[House]:
    """A server on a free port, in a process of its own."""
    command = [sys.executable, "-m", "groundling", "serve", "--db", str(db), "--port", "0", *options]
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=usual
    )
    assert process.stdout is not None
    try:
        told = process.stdout.readline()
        assert "http://" in told, told + process.stdout.read()
        yield House(next(word for word in told.split() if word.startswith("http://")).rstrip("/"))
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


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


def said(page: Page, lines: int = 1) -> list[str]:
    """What was said, once it has so many lines."""
    page.locator("#talk .words").nth(lines - 1).wait_for()
    return page.locator("#talk .words").all_inner_texts()


def outcome(page: Page) -> str:
    """Wait for the end; what stands there."""
    page.wait_for_selector("#outcome:not([hidden])")
    return page.locator("#outcome").inner_text()
