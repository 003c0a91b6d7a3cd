"""The documents say what is there."""

import contextlib
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from groundling.cli.main import app, main
from groundling.core.pack import installed_packs
from groundling.core.source import installed_sources
from groundling.core.trainer import installed_trainers

ROOT = Path(__file__).parent.parent
OURS = [name for name, point in installed_packs().items() if point.value.startswith("groundling.")]
COMMANDS = (ROOT / "docs" / "commands.md").read_text()
README = (ROOT / "README.md").read_text()


def options(*words: str) -> set[str]:
    """The options that a command's own help names."""
    help_text = io.StringIO()
    with contextlib.redirect_stdout(help_text):
        assert main([*words, "--help"]) == 0
    return set(re.findall(r"^ +(?:-\w, )?(--?[\w-]+)", help_text.getvalue(), re.MULTILINE)) - {"--help"}


def verbs() -> list[str]:
    context = typer.Context(typer.main.get_command(app))
    return typer.main.get_command(app).list_commands(context)  # type: ignore[attr-defined, no-any-return]


def test_every_command_is_documented() -> None:
    assert [verb for verb in verbs() if f"## groundling {verb}" not in COMMANDS] == []


@pytest.mark.parametrize("verb", verbs())
def test_every_option_is_documented(verb: str) -> None:
    names = {"make": OURS, "play": OURS, "cross": OURS, "train": list(installed_trainers())}
    words = [[verb, name] for name in names[verb]] if verb in names else [[verb]]
    words += (
        [[verb, what, source] for what in ("import", "stats", "split") for source in installed_sources()]
        if verb == "data"
        else []
    )
    words += (
        [[verb, "items", what] for what in ("validate", "list", "add", "set", "remove")]
        if verb == "director"
        else []
    )
    words += (
        [[verb, what] for what in ("table", "language", "curve", "asking", "games")]
        if verb == "codraw"
        else []
    )
    for command in words:
        assert [option for option in options(*command) if f"`{option}" not in COMMANDS] == []


def makes() -> list[str]:
    """What the documents tell to be made."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("src/groundling/games/*/README.md")]
    return sorted(
        {
            line
            for page in pages
            for line in page.read_text().splitlines()
            if line.startswith("groundling make ")
        }
    )


@pytest.mark.parametrize("line", makes())
def test_what_documents_tell_to_make_can_be_made(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, *words = shlex.split(line, comments=True)
    if "-n" in words:
        words[words.index("-n") + 1] = "12"
    assert main(words) == 0
    assert (tmp_path / words[words.index("-o") + 1]).exists()


def test_games_of_all_kinds_are_told_to_be_made() -> None:
    assert {line.split()[2] for line in makes()} == set(OURS)


def test_every_game_is_in_the_readme() -> None:
    assert [name for name in OURS if f"[`{name}`]" not in README] == []


def test_every_file_that_a_document_links_to_is_there() -> None:
    for page in [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("src/groundling/games/*/README.md")]:
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_the_python_of_the_readme_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Closed(" in out.stdout


def test_the_rooms_are_the_ones_on_the_map() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    for room in (
        path
        for path in (ROOT / "src" / "groundling").iterdir()
        if path.is_dir() and path.name != "__pycache__"
    ):
        assert re.search(rf"^  {room.name}/", text, re.MULTILINE), room.name


def test_the_functions_that_architecture_names_are_where_it_says() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    pairs = re.findall(r"`([\w/]+\.py)`\s+`(\w+)`", text)
    assert len(pairs) > 20
    for file, name in pairs:
        source = (ROOT / "src" / "groundling" / file).read_text()
        assert re.search(rf"^\s*(async def|def|class) {name}\b", source, re.MULTILINE), (
            f"{file} has no {name}"
        )
