"""The code blocks of the documents run, or can at least be read. tests/test_docs.py parses every command."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from groundling.cli.main import main

ROOT = Path(__file__).parent.parent
PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/*.md"),
    *ROOT.glob("examples/*.md"),
    *ROOT.glob("papers/*/README.md"),
    *ROOT.glob("src/groundling/games/*/README.md"),
    ROOT / "weights/README.md",
]
READERS: dict[str, Callable[[str], object]] = {
    "py": lambda code: compile(code, "block", "exec"),
    "python": lambda code: compile(code, "block", "exec"),
    "toml": tomllib.loads,
    "json": json.loads,
}
PLAIN = {"", "text", "sh", "bash"}
"""Commands of groundling, their output, and lines for a shell that install or submit."""
RUN = ["docs/tutorial.md", "docs/compare.md", "docs/players.md", "docs/notebooks.md"]
"""Pages of which every block runs. On the others it takes a model, data, people or long."""


def code_blocks(page: Path) -> list[tuple[str, str]]:
    return re.findall(r"^```(\w*)\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_can_be_read(page: Path) -> None:
    for language, code in code_blocks(page):
        assert language in READERS or language in PLAIN, f"how is a block of {language} checked?"
        if language in READERS:
            READERS[language](code)


@pytest.mark.parametrize("name", RUN)
def test_every_block_of_a_page_runs_in_order(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for language, code in code_blocks(ROOT / name):
        if found := re.match(r"# (\w+\.py)\n", code):
            (tmp_path / found[1]).write_text(code)
        elif language in READERS:
            exec(code, names)
        elif not language:
            for line in code.splitlines():
                assert main(shlex.split(line, comments=True)[1:]) == 0, line


def test_the_tutorial_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    blocks = code_blocks(ROOT / "docs/tutorial.md")
    for language, code in blocks:
        if not language and "fullest" not in code:
            for line in code.splitlines():
                main(shlex.split(line)[1:])
    printed = capsys.readouterr().out
    shown = [line for language, code in blocks if language == "text" for line in code.splitlines()]
    assert len(shown) > 8
    assert [line for line in shown if line != "…" and line not in printed] == []


def test_the_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    (code,) = [code for language, code in code_blocks(ROOT / "README.md") if language == "python"]
    exec(code, names)
    assert Path(str(names["run"])).is_dir()
