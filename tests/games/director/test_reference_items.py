"""The reference's own file of items."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from groundling.cli.main import main
from groundling.games.director.data import ItemRecord
from groundling.games.director.items import load_items
from groundling.games.director.reference_items import NO_CATEGORY, guess_property, read_reference_items

REAL = Path(os.environ.get("GROUNDLING_DATA", Path(__file__).parents[4] / "shared" / "data")) / "director"
PNG = b"\x89PNG\r\n\x1a\n"


def record(name: str, *tags: str, size: int | None = None) -> dict[str, Any]:
    return {
        "name": name,
        "image_path": f"images/{name}.png",
        "boolean_properties": {"red": False, **dict.fromkeys(tags, True)},
        "scalar_properties": {} if size is None else {"size": size},
    }


@pytest.fixture
def theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "theirs"
    (folder / "images").mkdir(parents=True)
    (folder / "images" / "red_car.png").write_bytes(PNG)
    items = [
        record("red_car", "red", "car", size=4),
        record("Banana ", "fruit", "yellow", "is_food"),
        record("safe", "holds_money"),
        record("marble", "is_round", "toy"),
    ]
    (folder / "items.json").write_text(json.dumps(items))
    default = {"name": "[DEFAULT VALUES]", "image_path": "", "boolean_properties": {"blue": False}}
    (folder / "defaults.json").write_text(json.dumps({**default, "scalar_properties": {"size": 2}}))
    return folder / "items.json"


def test_it_becomes_a_file_of_items(theirs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["director", "items", "import", str(theirs), "-o", "mine.json", "--category", "toy"]) == 0
    assert "1 items with their images, 3 with name cards; 4 items" in capsys.readouterr().out
    assert main(["director", "items", "validate", "mine.json"]) == 0
    found = load_items("mine.json")
    assert {name: (set(item.tags), item.size) for name, item in found.shelf_items.items()} == {
        "red car": ({"red", "car"}, 4),
        "Banana": ({"fruit", "yellow", "is_food"}, 2),
        "safe": ({NO_CATEGORY.name, "holds_money"}, 2),
        "marble": ({"toy", "is_round"}, 2),
    }
    assert found.entries["red car"].picture == "pictures/red-car.png"
    assert Path("pictures/red-car.png").read_bytes() == PNG
    card = Path("pictures/Banana.svg").read_text()
    assert card.startswith("<svg")
    assert ">Banana<" in card


@pytest.mark.parametrize(
    ("name", "categories", "role", "word"),
    [
        ("Music_instument", (), "category", "musical instrument"),
        ("toy", ("toy",), "category", "toy"),
        ("toy", (), "quality", "toy"),
        ("is_round", (), "quality", "round"),
        ("holds_sand", (), "quality", "that holds sand"),
        ("used_for_sewing", (), "quality", "that is used for sewing"),
        ("purple", (), "colour", "purple"),
    ],
)
def test_properties_get_roles_and_words(name: str, categories: tuple[str, ...], role: str, word: str) -> None:
    found = guess_property(name, categories)
    assert (found.name, found.role) == (name, role)
    assert next(found.all_words) == word


@pytest.mark.parametrize(
    ("text", "told"),
    [("{}", "not the reference's file of items"), ("[", "not the reference's file of items")],
)
def test_another_file_is_refused_in_one_line(
    text: str, told: str, theirs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs.write_text(text)
    assert main(["director", "items", "import", str(theirs), "-o", "mine.json"]) == 2
    shown = capsys.readouterr().err
    assert told in shown
    assert shown.count("\n") == 1
    assert not Path("mine.json").exists()


def test_nothing_is_overwritten_and_categories_must_exist(
    theirs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["director", "items", "import", str(theirs), "-o", "mine.json", "--category", "hat"]) == 2
    assert "no item has the property 'hat'" in capsys.readouterr().err
    Path("mine.json").write_text("mine")
    assert main(["director", "items", "import", str(theirs), "-o", "mine.json"]) == 2
    assert Path("mine.json").read_text() == "mine"


@pytest.mark.skipif(not REAL.is_dir(), reason="the reference's files are not here: set GROUNDLING_DATA")
def test_the_published_file_makes_samples_like_the_references(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["director", "items", "import", str(REAL / "items.json"), "-o", "mine.json"]) == 0
    theirs = {one.name: one for one in read_reference_items(REAL / "items.json")}
    found = load_items("mine.json")
    assert len(found.entries) == len(theirs) == 113
    for record in theirs.values():
        item = found.shelf_items[" ".join(record.name.replace("_", " ").split())]
        assert item.tags - {NO_CATEGORY.name} == _true_properties(record)
        assert item.size == record.scalar_properties["size"]
    make = ["make", "director", "-n", "60", "--items", "mine.json"]
    assert main([*make, "--like-reference", "-o", "set.jsonl"]) == 0
    samples = [json.loads(line) for line in Path("set.jsonl").read_text().splitlines()]
    rules = {sample["rule"] for sample in samples if sample.get("kind") == "test"}
    assert rules >= {"none", "size_related", "spatial_same_perspective", "spatial_different_perspective"}
    assert not any("largest large" in sample.get("words", "") for sample in samples)
    seats = ["--seat", "participant=perfect", "-o", "run"]
    assert main(["play", "director", "set.jsonl", *seats]) == 0


def _true_properties(record: ItemRecord) -> set[str]:
    return {name for name, has in record.boolean_properties.items() if has}
