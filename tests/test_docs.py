"""The documents say what is there."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest
import typer
from tests.docs.doc_pages import BLOCKS

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
        [
            [verb, what]
            for what in ("new", "check", "schema", "simulate", "status", "export", "recruit", "pay")
        ]
        if verb == "study"
        else []
    )
    for command in words:
        assert [option for option in options(*command) if f"`{option}" not in COMMANDS] == []


def shown_commands() -> list[tuple[str, str]]:
    """Every `groundling` command in a code block of a document, with the document's path."""
    return [
        (page, command)
        for page, blocks in BLOCKS.items()
        for block in blocks
        if block.is_shell
        for line in block.commands
        for command in line.split(" && ")
        if command.startswith("groundling ")
    ]


def parse_command(words: list[str]) -> None:
    """Parse a command line as the command would, without running it."""
    command, name, context = typer.main.get_command(app), "groundling", None
    while hasattr(command, "resolve_command"):
        context = command.make_context(name, words, parent=context)
        found, command, words = command.resolve_command(context, [*context._protected_args, *context.args])
        name = str(found)
    command.make_context(name, words, parent=context)


@pytest.mark.parametrize("line", sorted({line for _, line in shown_commands()}))
def test_every_command_that_a_document_shows_is_one(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("weights", "examples"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for placeholder in ("DIR", "DIR...", "PATH"):
        (tmp_path / placeholder).mkdir()
    parse_command(shlex.split(line, comments=True)[1:])


def test_a_command_with_an_option_that_is_not_there_is_noticed() -> None:
    with pytest.raises(Exception, match="No such option"):
        parse_command(["play", "reference", "--seats", "giver=gold"])


def makes() -> list[str]:
    return sorted({line for _, line in shown_commands() if line.startswith("groundling make ")})


def test_games_of_all_kinds_are_told_to_be_made() -> None:
    assert {line.split()[2] for line in makes()} == set(OURS)


def test_every_game_is_in_the_readme() -> None:
    assert [name for name in OURS if f"[`{name}`]" not in README] == []


def test_every_file_that_a_document_links_to_is_there() -> None:
    for page in [
        ROOT / "README.md",
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("examples/*.md"),
        *ROOT.glob("src/groundling/games/*/README.md"),
    ]:
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


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
