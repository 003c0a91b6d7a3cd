from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given

from groundling.boards.scene import (
    CATEGORY,
    KINDS,
    Change,
    Flip,
    Palette,
    Piece,
    Put,
    Remove,
    Scene,
    apply_change,
    apply_changes,
    find_scene_changes,
)
from groundling.boards.scene.batches import (
    check_batch,
    pack_scene_batch,
    pack_scene_text_batch,
    unpack_scene_batch,
)
from groundling.boards.scene.descriptions import describe_pieces, describe_place
from groundling.boards.scene.scene_strings import LIBRARY

from .scenes import PARK, scenes

SUN = "s_3s.png,0,3,0,60,40,0,0"
MIKE = "hb0_31s.png,1,31,2,150,250,0,1"
CANVAS = (
    "3,s_3s.png,0,3,0,60.5,41.5,0,0,hb0_31s.png,1,31,2,-10000,-10000,0,1,hb0_7s.png,2,7,2,149.51,250.49,2,1,"
)


def test_there_are_58_kinds_in_the_order_of_the_data() -> None:
    assert len(set(KINDS)) == 58
    assert [
        KINDS.index(kind)
        for kind in ("helicopter", "spring bee", "Mike", "Jenny", "bear", "star cap", "pie", "baseball")
    ] == [*(0, 8, 18, 19, 20, 26, 36, 43)]
    assert KINDS[57] == "campfire"
    assert CATEGORY["hot dog"] == "food"
    assert len(LIBRARY) == 126


@given(scenes())
def test_a_scene_is_read_back_from_its_string_from_json_and_from_an_array(scene: Scene) -> None:
    assert Scene.parse(scene.text()) == scene
    assert msgspec.json.decode(msgspec.json.encode(scene), type=Scene) == scene
    assert unpack_scene_batch(pack_scene_batch([scene, scene])) == [scene, scene]
    assert np.array_equal(pack_scene_text_batch([scene.text()]), pack_scene_batch([scene]))


def test_a_target_string_is_read() -> None:
    scene = Scene.parse(f"2,{SUN},{MIKE}")
    assert scene.pieces == (
        Piece("sun", 60, 40, 0),
        Piece("Mike", 150, 250, 0, flip=True, pose=6, expression=1),
    )
    assert scene.text() == f"2,{SUN},{MIKE}"


def test_coordinates_are_rounded_half_to_even() -> None:
    sun, mike = Scene.parse(CANVAS).pieces
    assert (sun.x, sun.y) == (60, 42)
    assert (mike.x, mike.y) == (150, 250)


@pytest.mark.parametrize("away", ["-10000,40", "60,-10000", "-10000.0,40", "-10000,-10000"])
def test_a_piece_with_either_coordinate_away_is_not_on_the_canvas(away: str) -> None:
    assert Scene.parse(f"2,s_3s.png,0,3,0,{away},0,0,{MIKE}").kinds == ("Mike",)


def test_the_order_of_the_pieces_does_not_matter() -> None:
    assert Scene.parse(f"2,{MIKE},{SUN}") == Scene.parse(f"2,{SUN},{MIKE}")


@pytest.mark.parametrize("text", ["", "0,", "0"])
def test_there_is_an_empty_scene(text: str) -> None:
    assert Scene.parse(text) == Scene()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"2,{SUN},{MIKE}"[:-1], "cut short"),
        (f"2,{SUN},{MIKE}"[:-7], "cut short"),
        (f"2,{SUN},", "cut short"),
        (f"1,{SUN},{MIKE}", "too much"),
        (SUN, "starts with the number"),
        (f"2,{SUN},{SUN}", "sun is in the scene twice"),
        ("2,hb0_1s.png,0,1,2,5,5,0,0,hb0_2s.png,1,2,2,6,6,0,0", "Mike is in the scene twice"),
        ("1,s_8s.png,0,8,0,60,40,0,0", "no picture 's_8s.png'"),
        ("1,s_3s.png,0,3,1,60,40,0,0", "number 3 of type 0, not number 3 of type 1"),
        ("1,s_3s.png,0,3,0,60,forty,0,0", "no number: 'forty'"),
        ("1,s_3s.png,0,3,0,60,nan,0,0", "out of reach"),
        ("1,s_3s.png,0,3,0,60,-1e9,0,0", "out of reach"),
        ("1,s_3s.png,0,3,0,60,40,3,0", "size '3'"),
        ("1,s_3s.png,0,3,0,60,40,0,2", "flip '2'"),
    ],
)
def test_a_bad_string_is_told_from_a_good_one(text: str, told: str) -> None:
    for read in (Scene.parse, lambda text: pack_scene_text_batch([text])):
        with pytest.raises(ValueError, match=told):
            read(text)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"kind": "moon"}, "no clip art called 'moon'"),
        ({"size": 3}, "cannot have size 3"),
        ({"x": -10000}, "out of reach"),
        ({"pose": 1}, "only Mike and Jenny"),
        ({"kind": "Jenny", "pose": 7, "expression": 0}, "needs a pose"),
        ({"kind": "Jenny", "pose": 0}, "needs an expression"),
    ],
)
def test_a_piece_is_what_can_be_drawn(fields: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Piece(**{"kind": "sun", "x": 1, "y": 1, "size": 0, **fields})  # type: ignore[arg-type]


def test_pieces_out_of_order_are_refused() -> None:
    with pytest.raises(ValueError, match=r"Scene\.of"):
        Scene(tuple(reversed(PARK.pieces)))


def test_a_palette_is_all_that_a_canvas_string_names() -> None:
    palette = Palette.parse(CANVAS)
    assert palette.kinds == ("sun", "Mike")
    assert [(figure.pose, figure.expression) for figure in palette.figures] == [(6, 1), (1, 2)]
    assert Palette.parse(palette.text()) == palette
    scene = Scene.parse(CANVAS)
    assert Scene.parse(palette.text(scene)) == scene
    assert set(Palette.parse(palette.text(scene)).figures) == set(palette.figures)
    assert all(map(palette.can_take, scene.pieces))
    assert not palette.can_take(Piece("crown", 1, 1, 0))
    assert not palette.can_take(Piece("Mike", 1, 1, 0, pose=0, expression=0))
    assert Palette(("Mike",)).can_take(Piece("Mike", 1, 1, 0, pose=0, expression=0))


@given(scenes(), scenes())
def test_what_changed_between_two_scenes_makes_one_of_the_other(before: Scene, after: Scene) -> None:
    changes = find_scene_changes(before, after)
    assert apply_changes(before, changes) == after
    assert bool(changes) == (before != after)
    data = msgspec.json.encode(changes)
    assert msgspec.json.decode(data, type=tuple[Change, ...]) == changes


@given(scenes(6, KINDS[16:20]), scenes(6, KINDS[16:20]))
def test_no_change_is_without_effect(before: Scene, after: Scene) -> None:
    for change in find_scene_changes(before, after):
        now = apply_change(before, change)
        assert now != before
        before = now


def test_a_change_names_what_it_does() -> None:
    after = (
        PARK.without("crown")
        .put(Piece("Jenny", 331, 260, 2, flip=True, pose=5, expression=2))
        .put(Piece("dog", 9, 9, 1))
    )
    assert [msgspec.to_builtins(change)["move"] for change in find_scene_changes(PARK, after)] == [
        *("remove", "move", "flip", "resize", "pose", "expression", "put")
    ]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (Put(Piece("sun", 1, 1, 1)), "already"),
        (Remove("dog"), "not on the canvas"),
        (Flip("dog", True), "not on the canvas"),
    ],
)
def test_what_cannot_be_changed_is_reported(change: Change, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        apply_change(PARK, change)


@pytest.mark.parametrize("shape", [(3, 58), (2, 3, 57), (2, 58, 3)])
def test_other_arrays_are_not_taken_for_scenes(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="shape"):
        check_batch(np.zeros(shape, np.int16))
    with pytest.raises(ValueError, match="float64"):
        check_batch(np.zeros((2, 3, 58)))  # type: ignore[arg-type]


def test_a_scene_is_told_in_words() -> None:
    assert describe_pieces(PARK)[:2] == [
        "large sun at (60, 40)",
        "medium oak tree at (430, 150), hole on the left",
    ]
    assert "large Mike at (150, 250), facing left, waving, wide smile" in describe_pieces(PARK)
    assert describe_pieces(PARK, "words")[0] == "large sun far left, at the top of the sky"


@pytest.mark.parametrize(
    ("x", "y", "told"),
    [
        (-20, -80, "far left, at the top of the sky"),
        (250, 189, "middle, just above the horizon"),
        (250, 190, "middle, just below the horizon"),
        (560, 900, "far right, at the bottom"),
    ],
)
def test_every_place_has_words(x: int, y: int, told: str) -> None:
    assert describe_place(x, y) == told
