"""The pages that are made from the code have all of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from docs.reference_pages import command_help, command_words, python_page, write_schemas

import groundling
from groundling.core.pack import find


def test_every_command_and_subcommand_has_its_help() -> None:
    words = [" ".join(words) for words in command_words()]
    for name in ("make reference", "play reference", "score", "tournament", "study check", "data export"):
        assert name in words
    assert "--max-cost" in command_help(["play", "reference"])


def test_every_name_of_the_api_is_documented_with_its_arguments() -> None:
    page = python_page()
    assert [name for name in groundling.__all__[1:] if f"## groundling.{name}\n" not in page] == []
    for argument in ("seat", "max_cost", "settings", "episodes"):
        assert f"| `{argument}` |" in page


def test_logs_and_instances_follow_their_schemas(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    files = dict(write_schemas([find("reference"), find("image")], tmp_path))
    assert "log-reference.schema.json" in files
    run = groundling.play(
        "reference", seat={"giver": "gold", "follower": "rule"}, limit=2, out=tmp_path / "run"
    )
    made = groundling.make("image", tmp_path / "set.jsonl", n=4)
    for name, lines in (("log-reference", run / "log.jsonl"), ("instances-image", made)):
        schema = json.loads((tmp_path / f"{name}.schema.json").read_text())
        for line in lines.read_text().splitlines():
            jsonschema.validate(json.loads(line), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"type": "replied", "episode": 7}, schema)
