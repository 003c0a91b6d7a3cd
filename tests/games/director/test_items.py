from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from groundling.boards.shelf import Item
from groundling.boards.things import DRAWINGS, Look, draw_thing
from groundling.core.values import Problem
from groundling.games.director import items, sheet_edits
from groundling.games.director.item_checks import check_item_sheet
from groundling.games.director.item_sheet import items_schema, our_item_sheet
from groundling.games.director.items import load_items

OURS = load_items()
CATEGORIES = [found for found in OURS.properties.values() if found.role == "category"]
PHYSICS = {"stackable", "sharp", "hot", "cold", "holds water", "breakable", "rolls"}
FOLDER = Path(items.__file__).parent


def nouns() -> set[str]:
    return {found.name for found in CATEGORIES if not found.generic}


def test_nothing_is_wrong_with_our_file() -> None:
    assert check_item_sheet(our_item_sheet()) == []
    assert len(OURS.shelf_items) >= 80


def test_our_file_is_written_as_the_editor_writes_it() -> None:
    assert sheet_edits.encode_edited_sheet(our_item_sheet()) == (FOLDER / "items.json").read_bytes()


def test_the_schema_is_the_one_that_files_are_read_by() -> None:
    told = msgspec.json.format(msgspec.json.encode(items_schema()), indent=2) + b"\n"
    assert (FOLDER / "items.schema.json").read_bytes() == told


def test_every_physics_property_is_on_many_items_of_several_kinds() -> None:
    assert {found.name for found in OURS.properties.values() if found.physics} == PHYSICS
    for name in PHYSICS:
        fitting = OURS.items_with_tags({name})
        assert len(fitting) >= 6, name
        assert len({min(item.tags & nouns()) for item in fitting}) >= 2, name


def test_there_are_enough_requests_with_enough_items() -> None:
    asked = {found.name for found in OURS.properties.values() if found.asked}
    count: dict[tuple[str, ...], int] = {}
    for item in OURS.shelf_items.values():
        marks = sorted((item.tags & asked) - nouns())
        for noun in ("", *(item.tags & nouns())):
            for chosen in (chosen for n in range(3) for chosen in combinations(marks, n)):
                count[(noun, *chosen)] = count.get((noun, *chosen), 0) + 1
    enough = [request for request, fitting in count.items() if fitting >= 3]
    assert len(enough) >= 200
    assert sum(bool(PHYSICS.intersection(request)) for request in enough) >= 40


def test_several_things_come_in_three_sizes_of_one_drawing() -> None:
    sizes: dict[tuple[str, ...], set[int]] = {}
    for name, item in OURS.shelf_items.items():
        look = OURS.item_looks[name]
        sizes.setdefault((look.drawing, look.colour, look.pattern), set()).add(item.size)
    assert sum(len(found) == 3 for found in sizes.values()) >= 10


def test_the_words_for_sizes_follow_from_the_size() -> None:
    words = {
        size: {name for name in ("small", "large") if name in item.tags}
        for item in OURS.shelf_items.values()
        for size in [item.size]
    }
    assert words == {1: {"small"}, 2: {"small"}, 3: set(), 4: {"large"}, 5: {"large"}}


def test_every_drawing_is_of_some_item_and_every_pattern_can_be_seen() -> None:
    assert {look.drawing for look in OURS.item_looks.values()} == set(DRAWINGS)
    for item in OURS.shelf_items.values():
        look = OURS.item_looks[item.name]
        assert look.pattern == next(iter(item.tags & {"striped", "spotted"}), "")
        if look.pattern and look.drawing != "watermelon":  # which has its stripes by nature
            assert draw_thing(look) != draw_thing(msgspec.structs.replace(look, pattern=""))


def test_the_generic_noun_is_among_the_nouns_and_fits_everything() -> None:
    assert OURS.generic_noun.name == "item"
    assert len(OURS.items_with_tags(())) == len(OURS.shelf_items)


def test_there_are_nouns_of_every_number() -> None:
    assert {found.number for found in CATEGORIES} == {"singular", "plural", "mass", "pair"}


# What may be wrong with a file

TINY: dict[str, Any] = {
    "defaults": {"size": 3, "colour": [], "material": [], "quality": []},
    "properties": [
        {"name": "item", "role": "category", "one": "item", "many": "items", "generic": True},
        {"name": "cup", "role": "category", "one": "cup", "many": "cups"},
        {"name": "red", "role": "colour", "adjective": "red", "rank": 4},
        {"name": "small", "role": "size", "adjective": "small", "rank": 1, "sizes": [1, 2]},
        {
            "name": "floats",
            "role": "quality",
            "clause": "that floats",
            "clauses": "that float",
            "physics": True,
        },
    ],
    "items": [
        {"name": "red cup", "drawing": "mug", "category": ["cup"], "colour": ["red"], "quality": ["floats"]}
    ],
}


def written(folder: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    sheet = msgspec.json.decode(msgspec.json.encode(TINY))
    change(sheet)
    path = folder / "mine.json"
    path.write_bytes(msgspec.json.encode(sheet))
    return path


def test_a_file_of_ones_own_is_read(tmp_path: Path) -> None:
    mine = load_items(written(tmp_path, lambda sheet: None))
    (cup,) = mine.shelf_items.values()
    assert cup == Item("red cup", frozenset({"cup", "red", "floats"}), 3)
    assert mine.item_looks == {"red cup": Look("mug", "red")}
    assert mine.looks_unlike_ours(["red cup"]) == mine.item_looks
    assert OURS.looks_unlike_ours(OURS.shelf_items) == {}


def test_a_picture_of_ones_own_becomes_part_of_the_item(tmp_path: Path) -> None:
    (tmp_path / "cup.svg").write_text("<svg/>")
    path = written(tmp_path, lambda sheet: sheet["items"][0].update(picture="cup.svg", drawing=""))
    assert load_items(path).item_looks["red cup"].picture == "data:image/svg+xml;base64,PHN2Zy8+"


@pytest.mark.parametrize("name", ["cup.svg", "cup.png"])
def test_a_picture_is_what_its_name_says(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("a cup")
    with pytest.raises(Problem, match=f"the picture {name}, which is no (SVG|PNG) inside"):
        load_items(written(tmp_path, put("items", 0, drawing="", picture=name)))


def put(where: str, row: int, **fields: Any) -> Callable[[dict[str, Any]], object]:
    return lambda sheet: sheet[where][row].update(fields)


def more(where: str, **fields: Any) -> Callable[[dict[str, Any]], object]:
    return lambda sheet: sheet[where].append(fields)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (put("items", 0, colour=["rde"]), "the colour 'rde', which is not among the properties: choose"),
        (put("items", 0, material=["tin"]), "which is not among the properties: there is no material yet"),
        (put("items", 0, colour=["floats"]), "item 'red cup' has 'floats' as colour, but it is a quality"),
        (put("items", 0, category=["item"]), "has 'item' as category, but it is what everything is"),
        (put("items", 0, category=[]), "item 'red cup' has no category: name at least one"),
        (put("items", 0, colour=["red", "red"]), "has the colour 'red' more than once"),
        (lambda sheet: sheet["items"][0].pop("category"), "has no category, and there is no default"),
        (lambda sheet: sheet["defaults"].pop("size"), "item 'red cup' has no size, and there is no default"),
        (lambda sheet: sheet["defaults"].update(quality=["hot"]), "the default has the quality 'hot'"),
        (lambda sheet: sheet["items"].append(sheet["items"][0]), "2 items called 'red cup': names must"),
        (lambda sheet: sheet["items"].clear(), "there are no items"),
        (put("items", 0, size=-1), "is not a file of items .*>= 0"),
        (put("items", 0, size="big"), "is not a file of items .*got `str`"),
        (put("items", 0, weight=1), "is not a file of items .*weight"),
        (put("items", 0, drawing="mugg"), "has the drawing 'mugg', which does not exist: is it mug"),
        (put("items", 0, drawing=""), "item 'red cup' has neither a drawing nor a picture"),
        (put("items", 0, picture="cup.png"), "has both a drawing and a picture"),
        (put("items", 0, drawing="", picture="cup.png"), "has the picture cup.png, which is not in"),
        (put("items", 0, drawing="", picture="cup.gif"), "cup.gif: it must be one of .svg, .png"),
        (more("properties", name="red", role="colour", adjective="red", rank=4), "2 properties called 'red'"),
        (put("properties", 0, generic=False), "category must be the generic noun, such as item, and none is"),
        (put("properties", 1, generic=True), "the generic noun, such as item, and item, cup are"),
        (put("properties", 1, many=""), "property 'cup' is singular and needs 'many'"),
        (put("properties", 1, number="mass", one=""), "property 'cup' is mass and needs 'one'"),
        (put("properties", 2, adjective=""), "property 'red' needs either an adjective or a clause"),
        (put("properties", 2, rank=0), "property 'red' has an adjective but no rank"),
        (put("properties", 2, one="red"), "'red' is a colour, which has no 'one': that is for category"),
        (put("properties", 2, physics=True), "a colour, which has no 'physics': that is for quality"),
        (put("properties", 3, sizes=[]), "property 'small' is a size and must say of which sizes"),
        (put("properties", 4, clauses=""), "property 'floats' needs both clause and clauses"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_reported_in_one_line(
    change: Callable[[dict[str, Any]], object], told: str, tmp_path: Path
) -> None:
    path = written(tmp_path, change)
    with pytest.raises(Problem, match=told) as problem:
        load_items(path)
    assert "\n" not in str(problem.value)
    assert str(path) in str(problem.value)


def test_what_is_no_json_is_told_too(tmp_path: Path) -> None:
    for data in (b"{", b"\xff\xfe"):
        (tmp_path / "mine.json").write_bytes(data)
        with pytest.raises(Problem, match="is not JSON"):
            load_items(tmp_path / "mine.json")


def test_the_first_of_several_faults_says_how_many_there_are(tmp_path: Path) -> None:
    path = written(tmp_path, put("items", 0, colour=["rde"], category=[]))
    with pytest.raises(Problem, match="and 1 more: groundling director items validate"):
        load_items(path)
