"""The reference's samples, and ours in its form."""

import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.games.director.verdict import verdict

from groundling.core.source import find_source
from groundling.core.values import Problem
from groundling.games.director.data import (
    SampleRecord,
    director_data_stats,
    list_director_data_parts,
    read_director_data,
    sample_from_data_record,
    sample_to_data_record,
)
from groundling.games.director.make import make
from groundling.games.director.recipe import SampleRecipe
from groundling.games.director.request import answers

DATA = (
    Path(os.environ.get("GROUNDLING_DATA", Path(__file__).parents[3] / ".." / "shared" / "data")) / "director"
)
real = pytest.mark.skipif(
    not DATA.exists(), reason="the reference's samples are not here: set GROUNDLING_DATA"
)


def thing(name: str, size: int = 1, **properties: bool) -> dict[str, Any]:
    return {
        "name": name,
        "image_path": "x.png",
        "boolean_properties": properties,
        "scalar_properties": {"size": size},
    }


def written(**changes: Any) -> dict[str, Any]:
    """A sample as the reference writes it: the leftmost lamp from the director's side, which is the
    participant's right."""
    things = {
        (0, 0): thing("red_lamp", lamp=True, hot=True),
        (1, 0): thing("blue_lamp", lamp=True, hot=False),
    }
    things |= {(2, 0): thing("old_lamp", lamp=True), (0, 1): thing("cup", holds_tea=True)}
    cells = [
        {"position": {"x": x, "y": y}, "is_blocked": (x, y) == (2, 0), "item": things.get((x, y))}
        for y in (0, 1)
        for x in range(3)
    ]
    sample = {
        "sample_id": 7,
        "sample_type": "test",
        "question": {
            "question_type": "standard",
            "target_type": "lamp",
            "filter_criteria": {"lamp": True},
            "selection_rule": "rightmost",
            "selection_property": None,
            "selection_rule_type": "spatial_different_perspective",
            "is_reversed": True,
            "natural_language": "the leftmost lamp from my point of view",
            "full_question": "Please select the leftmost lamp from my point of view",
        },
        "grid": {"width": 3, "height": 2, "items": cells},
        "answers": {
            "participant_coordinates": [[2, 0]],
            "director_coordinates": [[1, 0]],
            "is_ambiguous": True,
        },
        "selection_rule_type": "spatial_different_perspective",
        "is_physics": False,
        "is_reversed": True,
        "image_path": None,
    }
    return {**sample, **changes}


def test_a_sample_of_the_reference_becomes_one_of_ours(tmp_path: Path) -> None:
    file = tmp_path / "samples.jsonl"
    file.write_bytes(msgspec.json.encode(written()) + b"\n")
    (part,) = find_source("director").read_collections(tmp_path)
    (sample,) = part.instances
    assert (sample.id, sample.set, sample.target, sample.rivals) == ("sample-0007", "test", "B1", ("C1",))  # type: ignore[attr-defined]
    assert sample.request.select == "leftmost"  # type: ignore[attr-defined]
    assert sample.request.frame == "director"  # type: ignore[attr-defined]
    assert sample.plain == "the rightmost lamp"  # type: ignore[attr-defined]
    assert sample.shelf.items["A1"].tags == {"lamp", "hot"}  # type: ignore[attr-defined]
    assert verdict(sample) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        (
            {
                "answers": {
                    "participant_coordinates": [[2, 0]],
                    "director_coordinates": [[0, 0]],
                    "is_ambiguous": True,
                }
            },
            "is A1 there",
        ),
        (
            {
                "answers": {
                    "participant_coordinates": [[1, 0]],
                    "director_coordinates": [[1, 0]],
                    "is_ambiguous": False,
                }
            },
            "is B1 there",
        ),
        ({"sample_type": "trial"}, "not a file of samples"),
        ({"grid": {"width": 1, "height": 1, "items": written()["grid"]["items"]}}, "is not a cell"),
    ],
)
def test_what_does_not_add_up_is_reported(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    file = tmp_path / "samples.json"
    file.write_bytes(msgspec.json.encode([written(**changes)]))
    with pytest.raises(Problem, match=why):
        read_director_data(tmp_path, "samples")


def test_a_question_for_what_something_is_not_is_refused(tmp_path: Path) -> None:
    sample = written()
    sample["question"]["filter_criteria"]["hot"] = False
    with pytest.raises(ValueError, match="not hot"):
        sample_from_data_record(msgspec.convert(sample, SampleRecord))


def test_a_broken_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "samples.jsonl").write_text("{}\n")
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(Problem, match="not a file of samples"):
        read_director_data(tmp_path, "samples")
    with pytest.raises(Problem, match="holds no data"):
        find_source("director").read_collections(empty)


def test_our_samples_come_back_from_the_references_form(tmp_path: Path) -> None:
    made = make(SampleRecipe(n=120, like_reference=True, seed=12))
    told = [sample_to_data_record(sample, number) for number, sample in enumerate(made)]
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "samples.json").write_bytes(msgspec.json.encode(told))
    assert list_director_data_parts(tmp_path) == ["one"]
    (part,) = read_director_data(tmp_path, "one")
    kept = ("shelf", "request", "words", "plain", "target", "kind", "rule", "physics")
    for sample, back in zip(made, part.instances, strict=True):
        assert [getattr(sample, name) for name in kept] == [getattr(back, name) for name in kept]
    lines = list(director_data_stats(tmp_path))
    assert lines[0] == "one: 120 samples"
    assert any("an egocentric player gets 1.00" in line for line in lines)


@real
def test_all_answers_of_the_reference_come_out_the_same() -> None:
    (part,) = read_director_data(DATA, "samples")
    found = msgspec.json.Decoder(SampleRecord).decode_lines((DATA / "samples.jsonl").read_bytes())
    assert len(part.instances) == len(found) == 50
    for sample, theirs in zip(part.instances, found, strict=True):
        cells = [{f"{'ABCD'[x]}{y + 1}" for x, y in side} for side in _sides(theirs)]
        assert answers(sample.shelf, sample.request, "director") == cells[0]  # type: ignore[attr-defined]
        assert answers(sample.shelf, sample.request, "participant") == cells[1]  # type: ignore[attr-defined]
        assert verdict(sample, "any") is None, "and by reading its English"  # type: ignore[arg-type]


def _sides(found: SampleRecord) -> tuple[Any, Any]:
    return found.answers.director_coordinates, found.answers.participant_coordinates


@real
def test_a_single_sample_in_full_can_be_read_as_well() -> None:
    (part,) = read_director_data(DATA / "sample_full_example.json", "sample_full_example")
    assert len(part.instances) == 1
