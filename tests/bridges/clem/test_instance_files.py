"""`groundling data import clembench`: its files as our instances."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.bridges.clem.examples import (
    PUBLISHED,
    grid,
    image,
    old_reference,
    published,
    published_files,
    reference,
    write,
)

from groundling.bridges.clem import source, to_clembench
from groundling.cli.main import main
from groundling.core.pack import find, load
from groundling.core.source import Collection
from groundling.core.values import Problem
from groundling.games.image.rules import Picture
from groundling.games.reference.rules import Lineup

GOLD_AND_RULE = ["--seat", "giver=gold", "--seat", "follower=rule"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A few files of several versions, as they are published; it is also where commands write."""
    monkeypatch.chdir(tmp_path)
    data = tmp_path / "clembench"
    write(
        data / "referencegame" / "instances_v0.9.json.gz",
        ("edits_2", [old_reference()] * 1),
        ("edits_4", [old_reference()]),
    )
    new = [reference(), _moved(reference()), _squares(reference())]
    write(data / "referencegame" / "instances_v1.6_en.json.gz", ("lines", new))
    write(data / "referencegame" / "instances_v1.6_de.json.gz", ("lines", new))
    write(data / "referencegame" / "instances.json", ("lines", new))
    write(data / "imagegame" / "instances_v0.9.json.gz", ("compact", [image(), image(grid("Q") + "\n")]))
    return data


def _moved(instance: dict[str, object]) -> dict[str, object]:
    """The target in another place."""
    names = "player_2_first_grid", "player_2_second_grid"
    swapped = dict(zip(names, [instance[name] for name in reversed(names)], strict=True))
    return instance | swapped | {"target_grid_name": ["first", "1"]}


def _squares(instance: dict[str, object]) -> dict[str, object]:
    """With the other sign for an empty cell."""
    return {
        key: value.replace("▢", "□") if isinstance(value, str) and key.endswith("_grid") else value
        for key, value in instance.items()
    }


def collections(path: Path, part: str = "") -> dict[str, Collection]:
    return {found.name: found for found in source.read_collections(path, part)}


def test_parts_are_versions_and_languages(folder: Path) -> None:
    assert load(source.parts)(folder) == ["default", "v0.9", "v1.6-de", "v1.6-en"]
    assert {name: found.game for name, found in collections(folder, "v0.9").items()} == {
        "v0.9-referencegame": "reference",
        "v0.9-imagegame": "image",
    }


def test_a_lineup_keeps_its_grids_and_their_order(folder: Path) -> None:
    found = collections(folder, "v1.6-en")["v1.6-en-referencegame"].instances
    assert all(isinstance(lineup, Lineup) for lineup in found)
    lineups = [lineup for lineup in found if isinstance(lineup, Lineup)]
    assert [lineup.answer for lineup in lineups] == [2, 1, 2]
    assert [grid.cells[:5] for grid in lineups[0].grids] == ["XXXXX", "XXX..", "X.X.X"]
    assert lineups[0].follower == (2, 0, 1)
    assert {lineup.giver for lineup in lineups} == {(0, 1, 2)}
    assert {lineup.set for lineup in lineups} == {"lines"}
    assert lineups[0].grids == lineups[2].grids


def test_a_picture_keeps_its_target(folder: Path) -> None:
    found = collections(folder, "v0.9")["v0.9-imagegame"].instances
    assert [picture.target.rows[0] for picture in found if isinstance(picture, Picture)] == ["XX...", "Q...."]
    assert all(isinstance(picture, Picture) and picture.par for picture in found)


def test_instances_with_one_target_are_of_one_group_in_every_set(folder: Path) -> None:
    two, four = collections(folder, "v0.9")["v0.9-referencegame"].instances
    assert (two.set, four.set) == ("edits_2", "edits_4")
    assert two.group == four.group


def test_an_instance_has_the_same_id_in_every_language(folder: Path) -> None:
    english, german = (
        collections(folder, f"v1.6-{language}")[f"v1.6-{language}-referencegame"] for language in ("en", "de")
    )
    assert english.instances == german.instances


def test_what_was_read_can_be_written_again(folder: Path) -> None:
    for part in collections(folder).values():
        for instance in part.instances:
            again = to_clembench(instance)
            file = write(folder / "again" / "instances_v1.6.json", (instance.set, [again]))
            (found,) = collections(file).values()
            assert [getattr(one, "grids", None) or one.target for one in found.instances] == [  # type: ignore[attr-defined]
                getattr(instance, "grids", None) or instance.target  # type: ignore[attr-defined]
            ]


def test_files_are_found_in_a_game_folder_in_the_repository_and_alone(folder: Path) -> None:
    assert set(collections(folder / "imagegame")) == {"v0.9-imagegame"}
    assert set(collections(folder / "referencegame" / "instances_v1.6_en.json.gz")) == {
        "v1.6-en-referencegame"
    }
    inner = folder.parent / "clone"
    write(inner / "imagegame" / "in" / "instances_v1.6.json", ("compact", [image()]))
    write(inner / "taboo" / "in" / "instances.json", ("words", [{"target_word": "x"}]))
    assert set(collections(inner)) == {"v1.6-imagegame"}


def test_imported_instances_are_played(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "import", "clembench", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "data/clembench/v1.6-en-referencegame.jsonl: 3 instances of reference" in out
    assert main(["play", "reference", "data/clembench/v1.6-en-referencegame.jsonl", *GOLD_AND_RULE]) == 0
    assert "success 1.000" in capsys.readouterr().out
    assert main(["play", "image", "data/clembench/v0.9-imagegame.jsonl", *GOLD_AND_RULE]) == 0
    assert "f1 1.000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        (
            "instances_v9.9.json",
            {"experiments": []},
            "instances_v9.9.json was made by clembench v9.9, which this reader does not know",
        ),
        ("instances_v3.0_hu.json", {"experiments": []}, "it reads v0.9, v1.0, v1.6, v2.0"),
        ("grids_v1.0.json", {"hard_grids": []}, "holds no data that the clembench reader knows"),
        ("instances.json", {"experiments": []}, "holds no instances"),
        ("instances.json", [], "is not an instance file of clembench"),
        ("instances.json", {"games": []}, "missing required field `experiments`"),
        (
            "instances.json",
            {"experiments": [{"name": "e", "game_instances": [{"word": "x"}]}]},
            "instance 1 of e",
        ),
    ],
)
def test_a_file_that_is_none_is_reported_in_one_line(
    name: str, content: object, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / name
    file.write_text(json.dumps(content))
    assert main(["data", "import", "clembench", str(file), "-o", str(tmp_path / "out")]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("instance", "told"),
    [
        (reference(player_1_third_grid="X X\nX X"), "the two players see different grids"),
        (reference(player_2_third_grid=grid("Y")), "the two players see different grids"),
        (reference(target_grid_name=["third", "3"]), "the target is grid 2, and is called third or 3"),
        (reference(player_1_target_grid="? ?"), "row 1 is not a row"),
        (_moved(reference()) | {"player_1_second_grid": 3}, "Expected `str`, got `int`"),
        (image(grid_dimension=4), "the grid has 5 rows, not 4"),
        (image("X ▢\nX"), "as many rows as columns"),
    ],
)
def test_an_instance_that_is_none_is_named(instance: dict[str, object], told: str, tmp_path: Path) -> None:
    file = write(
        tmp_path / "instances_v1.6.json",
        ("good", [image() if "target_grid" in instance else reference(), instance]),
    )
    with pytest.raises(Problem, match=r"instance 2 of good is not as clembench v1\.6 writes them") as refused:
        source.read_collections(file)
    assert told in str(refused.value)


def test_a_torn_file_and_two_games_in_one_are_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "instances_v1.6.json.gz", ("lines", [image()]))
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(Problem, match="is not an instance file of clembench"):
        source.read_collections(file)
    with pytest.raises(Problem, match="mixes two games"):
        source.read_collections(write(tmp_path / "instances.json", ("lines", [image(), reference()])))


def test_a_part_that_is_there_twice_is_refused(folder: Path) -> None:
    write(folder / "imagegame" / "in" / "instances_v0.9.json", ("compact", [image()]))
    with pytest.raises(Problem, match=r"v0\.9-imagegame twice"):
        source.read_collections(folder, "v0.9")
    assert collections(folder, "default")


@published
@pytest.mark.slow
def test_every_published_file_is_read_whole() -> None:
    read = collections(PUBLISHED)
    files = published_files()
    assert len(read) == len(files) == 29
    assert sum(len(found.instances) for found in read.values()) == sum(map(len, files.values()))
    for found in read.values():
        assert len({instance.id for instance in found.instances}) == len(found.instances)
    assert Counter(instance.set for instance in read["v1.6-en-referencegame"].instances) == dict.fromkeys(
        [
            "line_grids_rows",
            "line_grids_columns",
            "diagonal_grids",
            "letter_grids",
            "shape_grids",
            "random_grids",
        ],
        30,
    )
    assert (
        len({load(find("reference").cluster)(one) for one in read["v1.6-en-referencegame"].instances}) == 60
    )
    languages = [
        str([replace(one, prompts={}, tags={}, labels=()) for one in found.instances])
        for name, found in read.items()
        if name.startswith("v2.0-")
    ]
    assert (len(languages), len(set(languages))) == (11, 1)


@published
def test_published_ids_do_not_tell_the_place() -> None:
    """Its own numbers do: in v1.6 and v2.0 the rest of a division by three is the place."""
    lineups = [
        one
        for one in collections(PUBLISHED, "v1.6-en")["v1.6-en-referencegame"].instances
        if isinstance(one, Lineup)
    ]
    rests = Counter((int(lineup.id[-2:]) % 3, lineup.answer) for lineup in lineups)
    assert len(rests) == 9
    assert max(rests.values()) < 40


@published
@pytest.mark.slow
@pytest.mark.parametrize("part", ["default", "v0.9", "v1.0", "v1.6", "v1.6-te", "v2.0-zh"])
def test_gold_and_rule_play_the_published_instances(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["data", "import", "clembench", str(PUBLISHED), "--split", part, "-o", "in"]) == 0
    for file in sorted(Path("in").glob("*.jsonl")):
        game = "image" if "image" in file.name else "reference"
        assert main(["play", game, str(file), *GOLD_AND_RULE, "-o", f"out/{file.stem}"]) == 0
        assert "aborted 0 + errored 0 + missing 0" in capsys.readouterr().out
        assert main(["score", f"out/{file.stem}", "--as", "clembench"]) == 0
        assert len(re.findall(r" 100\.00 +100\.00 +100\.00 ", capsys.readouterr().out)) == 3
