"""The leaderboard in a real Chromium: sorted tables, episodes of a pair, narrow and dark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.browser.live import apart

from groundling.cli.main import main

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow


def test_tables_are_sorted_and_a_cell_leads_to_its_episodes(browser: Browser, tmp_path: Path) -> None:
    players = "".join(f'[[players]]\nplayer = "{name}"\n' for name in ("gold", "rule", "random"))
    (tmp_path / "players.toml").write_text(players)
    command = ["tournament", "reference", "--players", str(tmp_path / "players.toml"), "-n", "3"]
    folder, page_file = str(tmp_path / "t"), tmp_path / "board.html"
    assert apart(lambda: main([*command, "-o", folder])) == 0
    assert apart(lambda: main(["leaderboard", folder, "-o", str(page_file)])) == 0
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme="dark")
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda trouble: complaints.append(str(trouble)))
    page.goto(page_file.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
        "nothing sticks out of a phone"
    )
    table = page.locator("#players table").nth(1)
    names = table.locator("tbody th")
    before = names.all_text_contents()
    table.get_by_role("button", name="player").click()
    assert names.all_text_contents() == sorted(before)
    table.get_by_role("button", name="player").click()
    assert names.all_text_contents() == sorted(before, reverse=True)
    page.locator(".matrix a").nth(1).click()
    assert page.locator("#summary").text_content() == "reference, gold → random: 3 episodes"
    assert page.locator("#rows tr").count() == 3
    assert complaints == []
    context.close()
