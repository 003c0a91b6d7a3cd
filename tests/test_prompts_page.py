"""docs/prompts.md shows the prompts as they are sent."""

import sys

import pytest
from docs.prompts import PAGE, main, render_page

from groundling.core.pack import find, installed_packs


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == render_page(), "run make prompts"


def test_the_page_has_every_seat_and_every_wording() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, point in installed_packs().items():
        if point.value.startswith("groundling."):
            pack = find(name)
            assert [role for role in pack.roles if f"### {name}: {role}" not in page] == []
            assert [word for word in pack.wordings.about if f"| `{word}`" not in page] == []


def test_one_prompt_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["prompts.py", "image", "giver", "--turn", "2", "--setting", "turns=7"])
    main()
    assert "You can still send 6, including this one." in capsys.readouterr().out
