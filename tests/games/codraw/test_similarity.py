from __future__ import annotations

import gzip
import json
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.boards.scenes import PARK, released, scenes

from groundling.boards.scene import KINDS, Piece, Scene
from groundling.boards.scene.batches import pack_scene_batch
from groundling.games.codraw.batch_similarity import batch_components
from groundling.games.codraw.score import (
    Ties,
    similarities,
    similarity,
    similarity_components,
    similarity_to_each,
    top,
)

TIES: tuple[Ties, Ties] = ("release", "paper")
few = KINDS[16:22]


def with_piece(kind: str, **fields: object) -> Scene:
    return PARK.put(replace(PARK.by_kind[kind], **fields))


def test_an_empty_canvas_scores_nothing_and_two_empty_scenes_are_alike() -> None:
    assert similarity(PARK, Scene()) == 0
    assert similarity(Scene(), Scene()) == 5
    assert similarity("", "0,") == 5


def test_only_what_is_in_common_counts() -> None:
    assert similarity(Scene((Piece("sun", 1, 1, 0),)), Scene((Piece("cloud", 1, 1, 0),))) == 0
    assert similarity(PARK, PARK.without("crown")) == pytest.approx(5 * 5 / 6)
    assert similarity(PARK, PARK.put(Piece("dog", 1, 1, 0))) == pytest.approx(5 * 6 / 7)


@pytest.mark.parametrize(
    ("kind", "fields", "part", "lost"),
    [
        ("Mike", {"flip": False}, "flip", 1),
        ("Mike", {"size": 2}, "size", 1),
        ("Mike", {"pose": 1}, "pose", 0.5),
        ("Mike", {"expression": 0}, "expression", 0.5),
        ("sun", {"flip": True}, "flip", 1),
        ("beach ball", {"x": 290}, "distance", 0.1),
        ("beach ball", {"y": 370}, "distance", 0.1),
        ("beach ball", {"x": 270, "y": 362}, "distance", 0.1),
    ],
)
def test_each_mistake_costs_its_price_shared_by_all_pieces(
    kind: str, fields: dict[str, object], part: str, lost: float
) -> None:
    found = similarity_components(PARK, with_piece(kind, **fields))
    assert getattr(found, part) == pytest.approx(lost / 6)
    assert found.similarity == pytest.approx(5 - lost / 6)
    assert similarity(PARK, with_piece(kind, **fields)) == found.similarity


def test_a_distance_costs_one_at_most() -> None:
    one, other = Scene((Piece("sun", 0, 0, 0),)), Scene((Piece("sun", 499, 399, 0),))
    assert similarity(one, other) == 4


def test_two_pieces_that_change_sides_cost_one_for_each_axis() -> None:
    one = Scene.of([Piece("sun", 100, 100, 0), Piece("cloud", 110, 110, 0)])
    across = Scene.of([Piece("sun", 110, 100, 0), Piece("cloud", 100, 110, 0)])
    both = Scene.of([Piece("sun", 110, 110, 0), Piece("cloud", 100, 100, 0)])
    assert similarity_components(one, across).order == pytest.approx(1 / 2)
    assert similarity_components(one, both).order == pytest.approx(2 / 2)


def test_equal_coordinates_are_out_of_order_in_the_release_and_in_order_on_paper() -> None:
    level = Scene.of([Piece("sun", 100, 50, 0), Piece("cloud", 200, 50, 0)])
    assert similarity(level, level) == top(level) == pytest.approx(5 - 1 / 2)
    assert similarity(level, level, ties="paper") == top(level, ties="paper") == 5


def test_other_ties_are_refused() -> None:
    ties: Any = "none"
    for call in (
        lambda: similarity(PARK, PARK, ties),
        lambda: similarities([PARK], [PARK], ties),
        lambda: similarity_to_each(PARK, [], ties),
    ):
        with pytest.raises(ValueError, match="no ties 'none'"):
            call()


@given(scenes(), scenes(), st.sampled_from(TIES))
def test_it_is_between_nothing_and_top_and_the_same_both_ways(one: Scene, other: Scene, ties: Ties) -> None:
    found = similarity(one, other, ties)
    assert -1e-9 <= found <= 5
    assert found == pytest.approx(similarity(other, one, ties), abs=1e-12)
    assert found == similarity(one.text(), other.text(), ties)
    assert similarity(one, one, "paper") == 5
    assert top(one) <= 5


@pytest.mark.no_cover
@given(st.lists(st.tuples(scenes(12, few), scenes(12, few)), max_size=6), st.sampled_from(TIES))
def test_many_at_once_are_as_one_by_one(pairs: list[tuple[Scene, Scene]], ties: Ties) -> None:
    targets, drawn = [one for one, _ in pairs], [other for _, other in pairs]
    single = np.array([similarity(one, other, ties) for one, other in pairs])
    for found in (
        similarities(targets, drawn, ties),
        similarities(pack_scene_batch(targets), pack_scene_batch(drawn), ties),
    ):
        assert found.dtype == np.float64
        assert found == pytest.approx(single, abs=1e-9)
    arrays = batch_components(targets, drawn, ties)
    for number, (one, other) in enumerate(pairs):
        parts = similarity_components(one, other, ties)
        assert {name: values[number] for name, values in arrays.items()} == pytest.approx(
            {name: getattr(parts, name) for name in parts.__struct_fields__}, abs=1e-9
        )


@given(scenes(12, few), st.lists(scenes(12, few), max_size=6), st.sampled_from(TIES))
def test_one_against_many_is_as_one_by_one(one: Scene, many: list[Scene], ties: Ties) -> None:
    single = np.array([similarity(one, other, ties) for other in many])
    assert similarity_to_each(one, many, ties) == pytest.approx(single, abs=1e-9)
    assert similarity_to_each(one.text(), pack_scene_batch(many), ties) == pytest.approx(single, abs=1e-9)


def test_strings_and_scenes_may_be_mixed() -> None:
    assert similarities([PARK, PARK.text()], [PARK.text(), PARK]).tolist() == [5, 5]


def test_more_than_one_chunk_is_put_together_in_order() -> None:
    other = with_piece("Mike", flip=False)
    many = pack_scene_batch([PARK, other] * 3000)
    assert similarities(many, pack_scene_batch([PARK]).repeat(6000, 0)) == pytest.approx(
        [5, 5 - 1 / 6] * 3000
    )
    assert similarity_to_each(PARK, many) == pytest.approx([5, 5 - 1 / 6] * 3000)


def test_unequal_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="1 targets and 2 drawn"):
        similarities([PARK], [PARK, PARK])


def test_on_the_released_data_many_at_once_are_as_one_by_one() -> None:
    with gzip.open(released() / "codraw.jsonl.gz", "rt") as file:
        dialogs = [json.loads(line) for line in islice(file, 60)]
    targets, drawn = [d["abs_t"] for d in dialogs], [d["dialog"][-1]["abs_d"] for d in dialogs]
    assert similarities(targets, drawn) == pytest.approx([*map(similarity, targets, drawn)], abs=1e-9)
    assert similarity_to_each(targets[7], targets) == pytest.approx(
        [similarity(targets[7], text) for text in targets], abs=1e-9
    )
