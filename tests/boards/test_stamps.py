import re
from base64 import b64encode

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.pixels import pixels

from groundling.boards.picture import render_png, svg_document, text_at
from groundling.boards.stamps import BOX, LARGEST, LONGEST, rasterize_stamps, stamp_drawing
from groundling.boards.things import DRAWINGS, Look, draw_thing

CARD = text_at("harp", 50, 60, 30, anchor="middle")


def picture(body: str) -> str:
    return svg_document(80, 80, body, "a thing")


def seen(svg: str, zoom: float = 1) -> NDArray[np.int_]:
    return pixels(render_png(svg, zoom)).astype(int)


def drawn(svg: str) -> str:
    """The same without stamps."""
    return svg.replace('class="stamp" ', "")


def test_a_stamped_drawing_looks_as_if_it_were_drawn() -> None:
    """All of them, side by side in one picture."""
    stamped = (
        stamp_drawing(draw_thing(Look(name, "red")), 40 + 80 * number, 70, 60)
        for number, name in enumerate(DRAWINGS)
    )
    svg = svg_document(80 * len(DRAWINGS), 80, "".join(stamped), "things")
    assert np.abs(seen(svg) - seen(drawn(svg))).max() <= 32


def test_letters_are_stamped_in_our_own_font() -> None:
    svg = picture(stamp_drawing(CARD, 40, 70, 60))
    assert (seen(svg) != seen(picture(""))).any()
    assert np.abs(seen(svg) - seen(drawn(svg))).max() <= 16


@pytest.mark.parametrize("zoom", [0.8, 0.85, 0.95, 1.7])
def test_a_stamp_is_off_by_at_most_half_a_pixel(zoom: float) -> None:
    block = '<rect width="100" height="100" fill="#000"/>'
    for at in (40, 40.3, 40.55, 41.2):
        svg = picture(stamp_drawing(block, at, at + 20, 30))
        (left, right), (top, bottom) = [
            (place.min(), place.max() + 1) for place in np.nonzero(seen(svg, zoom)[..., 0] < 128)[::-1]
        ]
        for found, there in ((left, at - 15), (right, at + 15), (top, at - 10), (bottom, at + 20)):
            assert abs(found - there * zoom) <= 1
        assert bottom == round((at + 20) * zoom)


def test_the_same_drawing_has_the_same_pixels_wherever_it_stands() -> None:
    body = "".join(
        stamp_drawing(draw_thing(Look("drum", "red")), x, y, 17.3)
        for x in (13.3, 40.71)
        for y in (31.9, 70.2)
    )
    where = seen(picture(body))[..., :3]
    parts = [where[10:34, 1:26], where[48:72, 1:26], where[10:34, 28:53], where[48:72, 28:53]]
    inked = [part[(part != (0xFB, 0xFA, 0xF7)).any(axis=2)] for part in parts]
    assert all(len(ink) > 100 and np.array_equal(ink, inked[0]) for ink in inked)


def test_a_drawing_is_painted_once_in_each_size() -> None:
    painted = []

    def paint(body: str, side: int) -> bytes:
        painted.append((body, side))
        return b"an image"

    svg = picture(
        stamp_drawing(CARD, 20, 70, 30) + stamp_drawing(CARD, 60, 70, 30) + stamp_drawing(CARD, 60, 30, 20)
    )
    assert rasterize_stamps(svg, 1, paint) == rasterize_stamps(svg, 1, paint)
    assert len(painted) == 2
    assert rasterize_stamps(svg, 1, paint).count(b64encode(b"an image").decode()) == 3


def test_what_is_large_or_long_is_drawn_as_it_is() -> None:
    large = picture(stamp_drawing(CARD, 40, 70, LARGEST + 1))
    long = picture(stamp_drawing(CARD * (LONGEST // len(CARD) + 1), 40, 70, 60))
    for svg in (large, long):
        assert rasterize_stamps(svg, 1, lambda *_: b"an image") == svg
    assert rasterize_stamps(large, 0.5, lambda *_: b"an image") != large


def test_a_stamp_stands_on_its_floor() -> None:
    [(x, y, scale)] = re.findall(r"translate\((\S+) (\S+)\) scale\((\S+)\)", stamp_drawing(CARD, 40, 70, 60))
    assert (float(x), float(y), float(scale)) == (10, 10, 60 / BOX)
