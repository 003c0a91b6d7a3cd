"""Every drawing is there, is itself, and keeps to its place."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from struct import unpack
from xml.etree import ElementTree

import pytest
from tests.boards.scenes import released

from groundling.boards.clipart import (
    clipart_piece_size,
    draw_background,
    draw_clipart_piece,
    published_background,
    published_piece,
)
from groundling.boards.picture import render_png, svg_document
from groundling.boards.scene.draw import draw_scene_document
from groundling.boards.scene.kinds import EXPRESSIONS, HEIGHT, KINDS, PEOPLE, POSES, SCALES, WIDTH
from groundling.boards.scene.pieces import Piece, Scene
from groundling.boards.scene.scene_strings import LIBRARY
from groundling.core.values import Problem

FIGURES = [
    (kind, pose, expression)
    for kind in PEOPLE
    for pose in range(len(POSES))
    for expression in range(len(EXPRESSIONS))
]
ALL = [(kind, 0, 0) for kind in KINDS if kind not in PEOPLE] + FIGURES
MARGIN = 3
FRAMED = ("baseball", "soccer ball", "racket", "pizza")
"""The published pictures of these have empty borders, so ours have them too."""


def around(body: str, width: float, height: float) -> bytes:
    """What is seen of a fragment in a window around its middle."""
    moved = f'<g transform="translate({width / 2:g} {height / 2:g})">{body}</g>'
    return render_png(svg_document(width, height, moved, "t"), zoom=1)


def hidden(left: float, top: float, right: float, bottom: float) -> str:
    """A cover in the colour of the page."""
    return (
        f'<rect x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}" fill="#fbfaf7"/>'
    )


def test_every_piece_in_every_size_and_flip_is_seen_and_looks_different() -> None:
    for kind in KINDS:
        width, height = clipart_piece_size(kind)
        seen = set()
        for scale, flip in product(SCALES, (1, -1)):
            fragment = f'<g transform="scale({scale * flip:g} {scale:g})">{draw_clipart_piece(kind)}</g>'
            seen.add(around(fragment, width + 20, height + 20))
        assert around("", width + 20, height + 20) not in seen, kind
        assert len(seen) == len(SCALES) * 2, kind


def test_a_drawing_keeps_to_its_footprint_and_fills_it() -> None:
    for kind, pose, expression in ALL:
        width, height = clipart_piece_size(kind, pose)
        x, y = width / 2 + MARGIN, height / 2 + MARGIN
        window = (width + 60, height + 60)
        drawing, empty = draw_clipart_piece(kind, pose=pose, expression=expression), around("", *window)
        assert around(drawing + hidden(-x, -y, x, y), *window) == empty, kind
        if kind in FRAMED:
            continue
        in_x, in_y = width / 2 - max(6, width * 0.08), height / 2 - max(6, height * 0.08)
        for covered in ((-x, -y, in_x, y), (-in_x, -y, x, y), (-x, -y, x, in_y), (-x, -in_y, x, y)):
            assert around(drawing + hidden(*covered), *window) != empty, kind


def test_all_drawings_are_different() -> None:
    fragments = [draw_clipart_piece(kind, pose=pose, expression=expression) for kind, pose, expression in ALL]
    assert len(fragments) == 56 + 2 * 35
    assert len({around(fragment, 440, 780) for fragment in fragments}) == len(fragments)


def test_a_drawing_is_plain_svg_without_names_that_could_clash() -> None:
    for kind, pose, expression in ALL:
        root = ElementTree.fromstring(draw_clipart_piece(kind, pose=pose, expression=expression))
        assert {element.tag for element in root.iter()} <= {"g", "path", "circle", "ellipse", "rect"}
        assert not any("id" in element.attrib or "href" in element.attrib for element in root.iter())


def test_kinds_have_names_and_the_numbers_of_the_data() -> None:
    assert [draw_clipart_piece(number) for number in range(len(KINDS))] == [
        draw_clipart_piece(kind) for kind in KINDS
    ]
    assert clipart_piece_size(18, 4) == clipart_piece_size("Mike", 4) != clipart_piece_size("Mike", 0)


@pytest.mark.parametrize(
    ("kind", "pose", "expression"),
    [("elephant", 0, 0), (58, 0, 0), (-1, 0, 0), ("Mike", 7, 0), ("Jenny", 0, 5), ("Mike", -1, 0)],
)
def test_what_does_not_exist_is_not_drawn(kind: int | str, pose: int, expression: int) -> None:
    with pytest.raises(ValueError, match=r"there is no clip art|has poses"):
        draw_clipart_piece(kind, pose=pose, expression=expression)


def test_the_park_covers_the_canvas() -> None:
    red, white = (
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{colour}"/>{draw_background()}'
        for colour in ("red", "white")
    )
    assert render_png(svg_document(WIDTH, HEIGHT, red, "t")) == render_png(
        svg_document(WIDTH, HEIGHT, white, "t")
    )


def test_a_scene_of_ten_people_and_trees_stays_small() -> None:
    kinds = sorted(KINDS, key=lambda kind: -len(draw_clipart_piece(kind)))[:10]
    pieces = [
        Piece(kind, 250, 200, 0, False, *((1, 1) if kind in PEOPLE else (None, None))) for kind in kinds
    ]
    assert len(draw_scene_document(Scene.of(pieces))) < 60_000


def _folder(path: Path, name: str, width: int = 30, height: int = 20) -> Path:
    drawing = svg_document(width, height, '<rect width="9" height="9"/>', "t")
    (path / name).write_bytes(render_png(drawing, zoom=1))
    return path


@pytest.mark.parametrize(
    ("kind", "pose", "expression", "name"),
    [
        ("sun", 0, 0, "s_3s.png"),
        (57, 0, 0, "t_14s.png"),
        ("Mike", 6, 4, "hb0_34s.png"),
        ("Jenny", 0, 2, "hb1_2s.png"),
    ],
)
def test_a_published_picture_is_held_at_its_middle(
    tmp_path: Path, kind: int | str, pose: int, expression: int, name: str
) -> None:
    found = published_piece(_folder(tmp_path, name), kind, pose, expression)
    image = ElementTree.fromstring(found)
    assert [image.attrib[key] for key in ("x", "y", "width", "height")] == ["-15", "-10", "30", "20"]
    assert around(found, 60, 60) != around("", 60, 60)


def test_a_missing_picture_is_named(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"p_7s\.png is not there: art names the folder Pngs"):
        published_piece(tmp_path, "pine tree")
    with pytest.raises(Problem, match=r"background\.png is not there, nor is the folder .*nowhere"):
        published_background(tmp_path / "nowhere")


def test_a_file_that_is_no_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "s_3s.png").write_text("GIF89a")
    with pytest.raises(Problem, match=r"s_3s\.png is not a PNG picture"):
        published_piece(tmp_path, "sun")


def test_our_drawings_are_as_large_as_the_published_ones() -> None:
    folder = released() / "Pngs"
    for art in LIBRARY:
        width, height = unpack(">II", (folder / art.png).read_bytes()[16:24])
        ours = clipart_piece_size(art.kind, art.figure // len(EXPRESSIONS))
        assert abs(ours[0] - width) <= 2, art.png
        assert abs(ours[1] - height) <= 2, art.png
        assert published_piece(folder, art.kind, *divmod(art.figure, len(EXPRESSIONS)))
    assert published_background(folder)
