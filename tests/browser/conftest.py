"""A real Chromium and a server, shared by the tests of this folder. Without Chromium or playwright these
tests are left out, and say so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pytest
from tests.browser.live import (
    Library,
    LiveServer,
    OpenServer,
    People,
    chromium,
    serving,
    serving_runs,
    which_chromium,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

T = TypeVar("T")
HERE = Path(__file__).parent
HOW = "pages are NOT tested in a browser: apt-get install chromium && pip install playwright"
_shared: dict[str, Any] = {}
_open = ExitStack()


def share(name: str, opening: Callable[[], AbstractContextManager[T]]) -> T:
    """Open it for the first test that needs it; it is closed after the last test of this folder."""
    if name not in _shared:
        _shared[name] = _open.enter_context(opening())
    return cast("T", _shared[name])


def close_shared() -> None:
    _shared.clear()
    _open.close()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Playwright keeps an event loop running in this thread, so that tests of other folders could not."""
    if nextitem is None or not nextitem.path.is_relative_to(HERE):
        close_shared()


def pytest_sessionfinish() -> None:
    close_shared()


@pytest.fixture
def browser() -> Browser:
    pytest.importorskip("playwright.sync_api", reason=HOW)
    if which_chromium() is None:
        pytest.skip(HOW)
    return share("browser", chromium)


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> LiveServer:
    """With admin pages, galleries and the editor of items."""
    return share("server", lambda: serving(tmp_path_factory.mktemp("server") / "games.db", "--gallery"))


@pytest.fixture
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A server that shows recorded games as well."""
    return share("library", lambda: serving_runs(tmp_path_factory.mktemp("library")))


@pytest.fixture
def open_server(tmp_path: Path) -> Iterator[OpenServer]:
    """Opens a server with options of its own, for one test."""
    with ExitStack() as open_now:
        yield lambda *options: open_now.enter_context(serving(tmp_path / "games.db", *options))


@pytest.fixture
def people(browser: Browser, open_server: OpenServer) -> Iterator[People]:
    """Those who come to play. Afterwards no page of theirs may have complained; they leave before a server
    closes."""
    found = People(browser)
    yield found
    found.leave()
    assert found.complaints == []
