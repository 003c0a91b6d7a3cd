"""New scenes to play, and the built-in ones."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest
from msgspec import json
from tests.boards.scenes import PARK

from groundling.core.pack import find
from groundling.core.values import CANARY, Problem
from groundling.games.codraw.make import SceneRecipe, builtin, make, make_codraw_builtin
from groundling.games.codraw.score import top
from groundling.runs.instances import encode_instances, read_instances


def test_the_built_in_file_is_what_the_generator_makes() -> None:
    data = files("groundling.games.codraw").joinpath("builtin.jsonl").read_bytes()
    assert data == encode_instances(make_codraw_builtin())


def test_the_built_in_set_has_100_scenes_that_can_be_drawn_to_the_full_score() -> None:
    parks = builtin()
    assert len({park.target.text() for park in parks}) == 100
    for park in parks:
        assert 6 <= len(park.target) <= 17
        assert top(park) == 5, "no two pieces have an equal coordinate"
        assert park.canary == CANARY


def test_whatever_is_asked_for_is_what_is_made() -> None:
    made = make(SceneRecipe(seed=3, n=12, pieces=9))
    assert made == make(SceneRecipe(seed=3, n=12, pieces=9)) != make(SceneRecipe(seed=4, n=12, pieces=9))
    assert [park.id for park in made] == [f"made-{number:02d}" for number in range(1, 13)]
    assert {len(park.target) for park in made} == {9}
    assert len({park.target.text() for park in made}) == 12


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda pieces: [*pieces, pieces[0]], "sun"),
        (lambda pieces: [pieces[0], *pieces], "twice"),
        (lambda pieces: [{**pieces[0], "kind": "unicorn"}], "no clip art"),
        (lambda pieces: [{**pieces[0], "size": 7}], "size"),
    ],
)
def test_a_scene_that_cannot_be_is_refused_with_its_line(tmp_path: Path, change: object, why: str) -> None:
    row = json.decode(encode_instances(builtin()[:1]))
    row["target"]["pieces"] = json.decode(json.encode(PARK))["pieces"]
    row["target"]["pieces"] = change(row["target"]["pieces"])  # type: ignore[operator]
    (tmp_path / "bad.jsonl").write_bytes(json.encode(row))
    with pytest.raises(Problem, match=rf"bad.jsonl:1 is not an instance of codraw \(.*{why}"):
        read_instances(find("codraw"), tmp_path / "bad.jsonl")
