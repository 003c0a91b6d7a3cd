"""Made scenes are plausible, all different, and like those that people made."""

from __future__ import annotations

from random import Random

import pytest
from tests.boards.scenes import PARK

from groundling.boards.scene import CATEGORIES, HEIGHT, HORIZON, KINDS, PEOPLE, WIDTH, Piece, Scene
from groundling.games.codraw.scene_generation.generator import generate_scene, generate_scene_kinds
from groundling.games.codraw.scene_generation.priors import (
    CATEGORY_LIMITS,
    COMPANIONS,
    KIND_PRIORS,
    PIECE_COUNTS,
    SEATS,
)
from groundling.games.codraw.scene_generation.scene_builder import (
    built_bounding_box,
    built_piece_extent,
    hidden_shares_in_scene,
)
from groundling.games.codraw.scene_generation.scene_statistics import (
    compare_scene_statistics,
    cut_off_statistic,
    hidden_share_statistic,
    make_statistics_scenes,
    overlap_statistic,
    tie_statistic,
)
from groundling.games.codraw.score import top


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    return make_statistics_scenes(600, seed=5)


def test_the_same_seed_makes_the_same_scenes() -> None:
    assert make_statistics_scenes(20, seed=3) == make_statistics_scenes(20, seed=3)
    assert make_statistics_scenes(20, seed=3) != make_statistics_scenes(20, seed=4)


@pytest.mark.no_cover
def test_no_scene_comes_twice(scenes: list[Scene]) -> None:
    assert len({scene.text() for scene in scenes}) == len(scenes)


@pytest.mark.parametrize("count", [6, 7, 11, 17])
def test_a_scene_has_as_many_pieces_as_asked_for(count: int) -> None:
    rng = Random(count)
    assert {len(generate_scene(rng, pieces=count)) for _ in range(15)} == {count}


@pytest.mark.parametrize("count", [0, 5, 18])
def test_other_numbers_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match="6 to 17"):
        generate_scene(Random(0), pieces=count)


def test_no_two_coordinates_are_equal_so_that_a_scene_is_wholly_like_itself(scenes: list[Scene]) -> None:
    assert not any(map(tie_statistic, scenes))
    assert all(top(scene) == 5 for scene in scenes)


def test_every_piece_can_be_seen(scenes: list[Scene]) -> None:
    for piece in (piece for scene in scenes for piece in scene.pieces):
        left, up, right, down = built_bounding_box(piece)
        width, height = built_piece_extent(piece)
        assert min(right, WIDTH) - max(left, 0) > width / 4
        assert min(down, HEIGHT) - max(up, 0) > height / 4
    vanished = [scene for scene in scenes if max(hidden_shares_in_scene(scene)) >= 0.8]
    assert not vanished


def test_no_category_has_more_than_a_palette_holds(scenes: list[Scene]) -> None:
    for scene in scenes:
        for category, most in CATEGORY_LIMITS.items():
            assert sum(piece.category == category for piece in scene.pieces) <= most


def test_things_of_the_sky_are_in_the_sky_and_people_have_their_feet_on_the_grass_or_a_seat(
    scenes: list[Scene],
) -> None:
    for scene in scenes:
        seats = any(kind in scene.by_kind for kind in SEATS)
        for piece in scene.pieces:
            if piece.category == "sky":
                assert piece.y < HORIZON
            elif piece.kind in PEOPLE and not seats:
                assert built_bounding_box(piece)[3] > HORIZON


def test_hats_are_worn_and_the_wearer_is_as_large(scenes: list[Scene]) -> None:
    caps = [(scene, cap) for scene in scenes if (cap := scene.get("star cap"))]
    worn = [
        person
        for scene, cap in caps
        for name in PEOPLE
        if (person := scene.get(name))
        and person.size == cap.size
        and abs(cap.x - person.x) < 40
        and 20 < person.y - cap.y < 110
    ]
    assert len(worn) > 0.7 * len(caps)


def test_what_goes_together_comes_together() -> None:
    rng = Random(8)
    chosen = [generate_scene_kinds(rng, 8) for _ in range(1500)]

    def often(kind: str, beside: str) -> float:
        with_it = [kinds for kinds in chosen if beside in kinds]
        return sum(kind in kinds for kinds in with_it) / len(with_it)

    assert often("shovel", "sandbox") > 2 * often("shovel", "tent")
    assert often("campfire", "tent") > 2 * often("campfire", "slide")


def test_all_that_is_usual_is_about_kinds_that_exist() -> None:
    assert set(KIND_PRIORS) == set(KINDS) - set(PEOPLE)
    assert set(COMPANIONS) | {kind for friends in COMPANIONS.values() for kind in friends} <= set(KINDS)
    assert set(PIECE_COUNTS) == set(range(6, 18))
    assert all(kind in CATEGORIES["large"] for kind in SEATS)


def test_traits_are_counted_right() -> None:
    scene = Scene.of([Piece("sun", 10, 40, 0), Piece("cloud", 30, 40, 0), Piece("tennis ball", 250, 300, 0)])
    assert tie_statistic(scene)
    assert not tie_statistic(PARK)
    assert overlap_statistic(scene) == 1
    assert hidden_share_statistic(scene) == pytest.approx(1 / 3), "the cloud covers half of the sun"
    assert [cut_off_statistic(piece) for piece in scene.pieces] == [True, True, False]


def test_made_scenes_stand_beside_peoples(scenes: list[Scene]) -> None:
    text = "\n".join(compare_scene_statistics(scenes[:50], scenes[50:100]))
    assert "pieces a scene" in text
    assert all(kind in text for kind in KINDS)
    assert "-" in "\n".join(compare_scene_statistics([PARK], [PARK.without("crown")])), (
        "no hats, no share of hats"
    )
