from pathlib import Path

import pytest

from groundling.cli import main
from groundling.games.director.items import load_items


class Console:
    """Runs `groundling director items …` and gives what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str], file: Path) -> None:
        self.capsys, self.file = capsys, str(file)

    def __call__(self, verb: str, *words: str, file: str | None = None) -> str:
        assert main(["director", "items", verb, file or self.file, *words]) == 0
        return self.capsys.readouterr().out

    def refuses(self, verb: str, *words: str) -> str:
        before = Path(self.file).read_bytes() if Path(self.file).exists() else None
        assert main(["director", "items", verb, self.file, *words]) == 2
        err = self.capsys.readouterr().err
        assert err.count("\n") == 1
        assert (Path(self.file).read_bytes() if Path(self.file).exists() else None) == before
        return err


@pytest.fixture
def console(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Console:
    return Console(capsys, tmp_path / "mine.json")


def test_our_own_items_are_listed_and_valid(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["director", "items", "validate"]) == 0
    assert "no problems" in capsys.readouterr().out
    assert main(["director", "items", "list", "--with", "sharp, pink"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    kinds = "category ice skate, shoe, sports equipment"
    assert line == f"pink ice skate: size 2; {kinds}; colour pink; material leather; quality sharp; ice skate"
    assert main(["director", "items", "list", "--property"]) == 0
    assert "holds water: quality, physics" in capsys.readouterr().out.splitlines()
    assert main(["director", "items", "list", "--drawings"]) == 0
    assert "teapot" in capsys.readouterr().out.splitlines()
    assert main(["director", "items", "list", "--with", "magic"]) == 2
    assert "no property 'magic'" in capsys.readouterr().err


def test_a_new_file_begins_as_a_copy_of_ours(console: Console) -> None:
    console("add", "teal mug", "category=mug,crockery", "drawing=mug")
    mine = load_items(console.file)
    assert set(mine.shelf_items) == {*load_items().shelf_items, "teal mug"}
    assert mine.shelf_items["teal mug"].size == 3


def test_a_new_file_can_begin_without_our_items(console: Console) -> None:
    console("add", "teal mug", "category=mug", "drawing=mug", "size=5", "--empty")
    (mug,) = load_items(console.file).shelf_items.values()
    assert mug.tags == frozenset({"mug", "large"})


def test_items_are_set_and_removed(console: Console) -> None:
    console("add", "mug", "category=mug", "drawing=mug", "--empty")
    console("add", "cup", "category=mug", "drawing=mug", "colour=red", "size=1")
    console("set", "cup", "colour=blue", "quality=breakable, holds water", "size=default")
    cup = load_items(console.file).shelf_items["cup"]
    assert cup.tags == frozenset({"mug", "blue", "breakable", "holds water"})
    assert cup.size == 3
    console("set", "defaults", "size=4")
    assert load_items(console.file).shelf_items["cup"].size == 4
    console("remove", "mug")
    assert set(load_items(console.file).shelf_items) == {"cup"}
    assert "1 items" in console("validate")


def test_properties_are_added_set_and_removed(console: Console) -> None:
    console("add", "mug", "category=mug", "drawing=mug", "--empty")
    console("add", "tin", "--property", "role=material", "adjective=tin", "rank=6")
    console("set", "mug", "material=tin")
    console("set", "tin", "--property", "also=made of tin")
    assert load_items(console.file).properties["tin"].also == ("made of tin",)
    assert "the material 'tin', which is not among the properties" in console.refuses(
        "remove", "tin", "--property"
    )
    console("set", "mug", "material=default")
    console("remove", "tin", "--property")
    assert "tin" not in load_items(console.file).properties


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("add", "mug", "category=mug", "drawing=mug"),
            "there already is an item 'mug': names must be unique",
        ),
        (("add", "defaults", "category=mug", "drawing=mug"), "cannot be called defaults"),
        (
            ("add", "cup", "category=mgu", "drawing=mug"),
            "the category 'mgu', which is not among the properties: is it mug",
        ),
        (("add", "cup", "drawing=mug"), "has no category"),
        (("add", "cup", "category=mug", "drawing=mug", "size=big"), "size: expected int"),
        (
            ("add", "cup", "category=mug", "drawing=mug", "color=red"),
            "'color=red' is not FIELD=VALUE with one of its fields",
        ),
        (("set", "mug"), "nothing to set"),
        (("set", "mgu", "size=3"), "there is no item 'mgu': choose from mug"),
        (("set", "mug", "name="), "expected str of length >= 1"),
        (("remove", "cup"), "there is no item 'cup'"),
        (("remove", "mug"), "there are no items"),
        (("remove", "red", "--property", "--no-such"), "No such option"),
    ],
)
def test_what_would_spoil_the_file_is_refused_and_nothing_written(
    words: tuple[str, ...], told: str, console: Console
) -> None:
    console("add", "mug", "category=mug", "drawing=mug", "--empty")
    assert told in console.refuses(*words)


def test_every_fault_is_listed(console: Console, capsys: pytest.CaptureFixture[str]) -> None:
    Path(console.file).write_text('{"properties": [], "items": [{"name": "a", "category": ["x"]}]}')
    assert main(["director", "items", "validate", console.file]) == 2
    out, err = capsys.readouterr()
    assert "item 'a' has no size" in out
    assert f"has {len(out.splitlines())} faults" in err


def test_a_file_that_is_not_there_is_reported(console: Console) -> None:
    for words in (("set", "mug", "size=3"), ("remove", "mug"), ("validate",), ("list",)):
        assert "check the path" in console.refuses(*words)
