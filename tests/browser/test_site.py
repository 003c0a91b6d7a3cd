"""The documentation site is built without warnings, leads nowhere that is not there, and works offline."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not importlib.util.find_spec("zensical"), reason="the site is NOT built: pip install --group dev"
    ),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("docs")
    command = [sys.executable, "-m", "docs.site", "-o", str(out)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    assert "No issues found" in built.stdout + built.stderr
    return out / "site"


class PageReader(HTMLParser):
    """Collects a page's links, loaded files and anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.ids |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag in {"script", "img", "iframe", "source"} and "src" in found:
            self.loaded.append(found["src"])
        if tag == "link" and found.get("rel") not in {"canonical", "prev", "next"}:
            self.loaded.append(found.get("href", ""))


def test_every_link_and_anchor_of_the_site_is_there(site: Path) -> None:
    pages = {path: PageReader(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    broken = []
    for path, page in pages.items():
        if path.name == "404.html" or path.name.endswith("-replay.html"):
            continue
        for link in [*page.links, *page.loaded]:
            if re.match(r"(https?|mailto|data|javascript):", link):
                continue
            file, anchor = urldefrag(unquote(link))
            target = (path.parent / file).resolve() if file else path
            target = target / "index.html" if target.is_dir() else target
            is_there = target in pages if target.suffix == ".html" else target.is_file()
            missed = anchor and target in pages and not target.name.endswith("-replay.html")
            if not is_there or (missed and anchor not in pages[target].ids):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert len(pages) > 45
    assert broken == []


def test_pages_load_nothing_from_the_network(site: Path) -> None:
    for path in site.rglob("*.html"):
        loaded = PageReader(path.read_text(encoding="utf-8")).loaded
        assert [one for one in loaded if one.startswith(("http:", "https:", "//"))] == [], path


def test_every_page_of_the_documents_is_in_the_site(site: Path) -> None:
    assert [
        page.stem for page in (ROOT / "docs").glob("*.md") if not (site / f"{page.stem}.html").exists()
    ] == []


def test_search_works_from_files_without_a_network(site: Path, browser: Browser) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "index.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type("sign flips")
    page.get_by_text("Reference / Statistics").or_(page.get_by_text("Statistics")).last.wait_for(
        timeout=20_000
    )
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    context.close()


def test_a_game_is_stepped_through_on_its_page(site: Path, browser: Browser) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((site / "games/reference.html").as_uri())
    page.locator("iframe.replay").scroll_into_view_if_needed()
    page.frame_locator("iframe.replay").get_by_text("8 of 8 episodes").wait_for(timeout=20_000)
    context.close()
