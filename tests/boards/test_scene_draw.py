from __future__ import annotations

from xml.etree import ElementTree

import pytest
from tests.boards.svg_patches import apply_svg_patch, make_svg_patch

from groundling.boards.picture import render_png
from groundling.boards.scene import Piece, Scene
from groundling.boards.scene.draw import draw_scene_document, scene_drawing_order

from .scenes import PARK, released

SVG = "{http://www.w3.org/2000/svg}"


def test_the_sun_lies_behind_the_sky_and_the_small_behind_the_large() -> None:
    scene = Scene.of(
        [
            *(
                Piece("helicopter", 1, 1, 2),
                Piece("cloud", 2, 2, 1),
                Piece("sun", 3, 3, 0),
                Piece("airplane", 4, 4, 2),
            ),
            *(
                Piece("dog", 5, 5, 2),
                Piece("oak tree", 6, 6, 0),
                Piece("crown", 7, 7, 0),
                Piece("tent", 8, 8, 1),
            ),
        ]
    )
    assert [piece.kind for piece in scene_drawing_order(scene)] == [
        *("sun", "helicopter", "airplane", "cloud", "dog", "tent", "oak tree", "crown")
    ]


def test_every_piece_is_a_group_that_says_what_it_is() -> None:
    root = ElementTree.fromstring(draw_scene_document(PARK))
    groups = {
        group.get("data-kind"): group.attrib for group in root.iter(f"{SVG}g") if group.get("data-kind")
    }
    assert set(groups) == set(PARK.kinds)
    ball = groups["beach ball"]
    assert ball["id"] == "scene-beach-ball"
    assert ball["transform"] == "translate(240 330) scale(0.49 0.49)"
    assert groups["Mike"]["transform"] == "translate(150 250) scale(-1 1)"
    assert (ball["data-x"], ball["data-y"], ball["data-size"], ball["data-flip"]) == ("240", "330", "2", "0")


def test_a_moved_piece_is_a_small_patch() -> None:
    before, after = draw_scene_document(PARK), draw_scene_document(PARK.put(Piece("beach ball", 300, 330, 2)))
    patch = make_svg_patch(before, after)
    assert [change[0] for change in patch] == ["set"]
    assert apply_svg_patch(before, patch) == after


def test_a_scene_becomes_pixels_in_our_art_and_in_the_published_one() -> None:
    ours = render_png(draw_scene_document(PARK), 1)
    assert ours.startswith(b"\x89PNG")
    assert ours != render_png(draw_scene_document(Scene()), 1)
    theirs = render_png(draw_scene_document(PARK, art=released() / "Pngs"), 1)
    assert theirs != ours


@pytest.mark.parametrize("width", [250, 500])
def test_a_picture_is_as_wide_as_asked(width: int) -> None:
    root = ElementTree.fromstring(draw_scene_document(PARK, width=width))
    assert (root.get("width"), root.get("height")) == (str(width), str(width * 4 // 5))
