"""A real Chromium. Without one, or without playwright, these tests are left out, and say so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.browser.live import House, Opened, People, chromium, serving, which_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOW = "pages are NOT tested in a browser: apt-get install chromium && pip install playwright"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    pytest.importorskip("playwright.sync_api", reason=HOW)
    if which_chromium() is None:
        pytest.skip(HOW)
    with chromium() as shown:
        yield shown


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server for the tests of a file."""
    with serving(tmp_path_factory.mktemp("house") / "games.db") as found:
        yield found


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """Opens a server with options of its own, for one test."""
    with ExitStack() as open_now:
        yield lambda *options: open_now.enter_context(serving(tmp_path / "games.db", *options))


@pytest.fixture
def people(browser: Browser, opened: Opened) -> Iterator[People]:
    """Who comes to play. Afterwards no page of theirs may have complained; they leave before a server
    closes."""
    found = People(browser)
    yield found
    found.leave()
    assert found.complaints == []
