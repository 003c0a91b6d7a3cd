"""The pages of the documentation that are made from the code: commands, Python API, JSON Schemas."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import typer

import groundling
from groundling.cli.main import app, main
from groundling.core.events import SCHEMA, event_type_of
from groundling.core.pack import Pack, load
from groundling.core.source import installed_sources
from groundling.core.trainer import installed_trainers
from groundling.report.leaderboard import leaderboard_schema
from groundling.studies.study_file import study_schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"
CHOOSERS = {"make", "play", "cross", "fresh", "train"}
"""Commands whose options depend on a game or trainer."""


def command_words() -> Iterator[list[str]]:
    """Yield every command with its subcommands; those that depend on a game once, for `reference`."""
    command = typer.main.get_command(app)
    for verb in command.list_commands(typer.Context(command)):  # type: ignore[attr-defined]
        if verb in CHOOSERS:
            yield [verb, next(iter(installed_trainers())) if verb == "train" else "reference"]
            continue
        group = command.get_command(typer.Context(command), verb)  # type: ignore[attr-defined]
        below = list(group.list_commands(typer.Context(group))) if hasattr(group, "list_commands") else []
        yield [verb]
        for name in below:
            needs_source = verb == "data" and name in {
                "import",
                "stats",
                "split",
                "sample",
                "labels",
                "items",
            }
            yield [verb, name, *([next(iter(installed_sources()))] if needs_source else [])]


def command_help(words: list[str]) -> str:
    found, before = io.StringIO(), os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "100"
    try:
        with contextlib.redirect_stdout(found):
            main([*words, "--help"])
    finally:
        os.environ.pop("COLUMNS") if before is None else os.environ.update(COLUMNS=before)
    return found.getvalue().strip()


def commands_page() -> str:
    parts = [
        "# All options",
        "What `--help` prints, command by command. [Commands](../commands.md) explains them with examples. "
        "`make`, `play`, `cross` and `fresh` also have the options of the game: this page shows `reference`; "
        "`groundling play GAME --help` prints those of another.",
    ]
    for words in command_words():
        parts += [f"## groundling {' '.join(words)}", f"```text\n{command_help(words)}\n```"]
    return "\n\n".join(parts) + "\n"


def python_page() -> str:
    parts = [
        "# Python API",
        "`import groundling` offers these names, and imports more when one is used. The functions need "
        "the extra `score`. They can be called in a notebook, whose event loop is running. "
        "[Notebooks](../notebooks.md) has examples.",
    ]
    for name in groundling.__all__:
        found = getattr(groundling, name)
        if inspect.isfunction(found):
            parts += [
                f"## groundling.{name}",
                f"```python\n{_signature(name, found)}\n```",
                _docstring(found),
            ]
    parts += ["## groundling.Problem", inspect.getdoc(groundling.Problem) or ""]
    return "\n\n".join(parts) + "\n"


def _signature(name: str, function: Any) -> str:
    signature = str(inspect.signature(function)).replace("'", "").replace("pathlib.", "")
    line = f"{name}{signature}"
    if len(line) <= 90:
        return line
    inner, _, returns = signature.removeprefix("(").rpartition(") -> ")
    arguments = "".join(f"    {one},\n" for one in re.split(r", (?![^\[]*\])", inner))
    return f"{name}(\n{arguments}) -> {returns}"


def _docstring(function: Any) -> str:
    """Turn the sections Args and Returns of a docstring into a table and a paragraph."""
    text = inspect.getdoc(function) or ""
    text, _, returns = text.partition("\nReturns:\n")
    text, _, arguments = text.partition("\nArgs:\n")
    rows = re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", arguments, re.MULTILINE)
    table = "".join(f"| `{name}` | {' '.join(about.split())} |\n" for name, about in rows)
    return "\n\n".join(
        part
        for part in (
            text.strip(),
            f"| argument | what |\n|---|---|\n{table}".strip() if rows else "",
            f"**Returns** {' '.join(returns.split())}" if returns else "",
        )
        if part
    )


def write_schemas(packs: list[Pack], folder: Path) -> list[tuple[str, str]]:
    """Write the JSON Schemas of the file formats; return each file's name with what it describes."""
    about: dict[str, tuple[str, Any]] = {}
    for pack in packs:
        game = load(pack.game)
        title = f"A line of log.jsonl, {pack.name} (schema {SCHEMA})"
        about[f"log-{pack.name}"] = title, msgspec.json.schema(event_type_of(game))
        title = f"A line of a file of instances, {pack.name}"
        about[f"instances-{pack.name}"] = title, msgspec.json.schema(game.Instance)
    about["study"] = "study.toml", study_schema()
    about["leaderboard"] = "The JSON of a leaderboard", leaderboard_schema()
    folder.mkdir(parents=True, exist_ok=True)
    for name, (title, schema) in about.items():
        whole = {"$schema": DIALECT, "title": title, **schema}
        (folder / f"{name}.schema.json").write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
    return [(f"{name}.schema.json", title) for name, (title, _) in about.items()]


def schemas_page(schemas: list[tuple[str, str]]) -> str:
    rows = "".join(f"| [{name}](../schemas/{name}) | {title} |\n" for name, title in schemas)
    return (
        "# JSON Schemas\n\nMade from the types that read and write these files. "
        "[Formats](../formats.md) says what each file is, and which of them are stable.\n\n"
        f"| schema | describes |\n|---|---|\n{rows}"
    )
