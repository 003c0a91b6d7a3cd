"""Instances in clembench's form, written for these tests, and where its own files lie if they are here."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
PUBLISHED = Path(os.environ.get("GROUNDLING_DATA", ROOT.parent / "shared" / "data")) / "clembench"
published = pytest.mark.skipif(
    not PUBLISHED.is_dir(), reason="clembench's files are not here: GROUNDLING_DATA names their folder"
)

EMPTY = "\n".join(["▢ ▢ ▢ ▢ ▢"] * 5)


def grid(*rows: str) -> str:
    """A grid of 5 by 5 from its first rows, written as X.X; the rest is empty."""
    full = [row.ljust(5, ".") for row in rows] + ["....."] * (5 - len(rows))
    return "\n".join(" ".join(row) for row in full).replace(".", "▢")


def reference(
    tags: tuple[str, str] = ("expression:", "answer:"), labels: str = "first|second|third", **fields: Any
) -> dict[str, Any]:
    """A reference game instance of v1.6 whose target is the second grid."""
    target, second, third = grid("XXXXX"), grid("XXX"), grid("X.X.X")
    anything = r"\n*(?P<remainder>(.|\n)*))"
    return {
        "game_id": 0,
        "player_1_target_grid": target,
        "player_1_second_grid": second,
        "player_1_third_grid": third,
        "player_2_first_grid": third,
        "player_2_second_grid": target,
        "player_2_third_grid": second,
        "target_grid_name": [labels.split("|")[1], "2"],
        "player_1_response_pattern": rf"^(?P<tag>{tags[0]}\s*)(?P<content>(?P<response>.+){anything}",
        "player_2_response_pattern": rf"^(?P<tag>{tags[1]}\s*)"
        rf"(?P<content>(?P<response>{labels}|1|2|3).*{anything}",
        "p1_mode": "strict",
        "p2_mode": "strict",
        "lang": "en",
    } | fields


def old_reference(**fields: Any) -> dict[str, Any]:
    """The same as v0.9 and v1.0 have it."""
    new = reference()
    grids = {name: value for name, value in new.items() if name.endswith("_grid")}
    return {"game_id": 0, **grids, "target_grid_name": "second", "edit_distance_interval": [2, 2]} | fields


def image(target: str = grid("XX", "X"), **fields: Any) -> dict[str, Any]:
    """An image game instance of v1.6."""
    row = r"([A-Z▢]\s){4}[A-Z▢]"
    return (
        old_image(target)
        | {
            "player_1_response_pattern": "^command: [^\n]+$",
            "player_1_terminate_pattern": r"^\s*command\s*:\s*done\s*$",
            "player_2_response_pattern": "^\n*" + "\n".join([row] * 5) + "\n*$",
        }
        | fields
    )


def old_image(target: str = grid("XX", "X"), **fields: Any) -> dict[str, Any]:
    return {"game_id": 0, "target_grid": target, "grid_dimension": 5, "number_of_letters": 0} | fields


def write(path: Path, *experiments: tuple[str, list[dict[str, Any]]]) -> Path:
    """An instance file, packed where its name says so."""
    text = json.dumps(
        {"experiments": [{"name": name, "game_instances": found} for name, found in experiments]}
    ).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def published_files() -> dict[str, list[dict[str, Any]]]:
    """All of its instances by file."""
    files = sorted(PUBLISHED.glob("*game/instances*.json.gz"))
    return {
        f"{file.parent.name}/{file.name.removesuffix('.json.gz')}": [
            instance
            for experiment in json.loads(gzip.decompress(file.read_bytes()))["experiments"]
            for instance in experiment["game_instances"]
        ]
        for file in files
    }
