from base64 import b64encode

import numpy as np
import pytest
from tests.pixels import pixels

from groundling.boards.picture import render_png, svg_document, text_at
from groundling.boards.things import BOX, DRAWINGS, PAINTS, Look, draw_thing
from groundling.boards.things.paint import PATTERNS

COLOURLESS = {"pizza", "wine glass", "tennis ball"}
"""What has one colour of its own, or none."""
MARGIN = 20


def drawn(look: Look) -> str:
    wide = BOX + 2 * MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {wide} {wide}" width="{wide}" height="{wide}">'
        f"{draw_thing(look)}</svg>"
    )


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_fills_its_box_and_stands_on_its_floor(name: str) -> None:
    solid = pixels(render_png(drawn(Look(name, "red")), 1))[..., 3] > 100
    rows, columns = (np.nonzero(solid.any(axis=axis))[0] - MARGIN for axis in (1, 0))
    left, right, top, bottom = columns.min(), columns.max() + 1, rows.min(), rows.max() + 1
    assert -2 <= left < right <= BOX + 2
    assert -2 <= top < bottom <= BOX + 2
    assert bottom >= BOX - 3
    assert max(right - left, bottom - top) >= 0.9 * BOX


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_takes_on_any_colour(name: str) -> None:
    painted = {draw_thing(Look(name, colour)) for colour in PAINTS}
    assert len(painted) == (1 if name in COLOURLESS else len(PAINTS))


def test_drawings_have_no_ids_so_that_many_can_stand_in_one_picture() -> None:
    for name in DRAWINGS:
        for pattern in ("", *PATTERNS):
            assert " id=" not in draw_thing(Look(name, "blue", pattern))


def test_what_has_no_colour_of_its_own_is_grey() -> None:
    assert (
        draw_thing(Look("fork"))
        == draw_thing(Look("fork", "grey"))
        == draw_thing(Look("fork", "see-through"))
    )


def test_what_nobody_has_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="no drawing of 'unicorn'"):
        draw_thing(Look("unicorn"))


def test_a_picture_of_ones_own_is_drawn_in_the_same_box() -> None:
    red = svg_document(40, 40, '<rect width="40" height="40" fill="#ff0000"/>', "red")
    for kind, data in (("svg+xml", red.encode()), ("png", render_png(red))):
        look = Look(picture=f"data:image/{kind};base64,{b64encode(data).decode()}")
        seen = pixels(render_png(drawn(look), 1))
        middle, outside = seen[MARGIN + BOX // 2, MARGIN + BOX // 2], seen[MARGIN // 2, MARGIN // 2]
        assert tuple(middle) == (255, 0, 0, 255)
        assert outside[3] == 0


def test_the_reader_of_pixels_reads_every_filter() -> None:
    """The other tests trust it: a picture with letters and slopes uses them all."""
    body = (
        '<circle cx="30" cy="30" r="25" fill="#3366cc"/><path d="M0 60L60 0" stroke="#222" stroke-width="7"/>'
    )
    seen = pixels(render_png(svg_document(60, 60, body + text_at("ag", 5, 40, 30), "all"), 1))
    assert tuple(seen[1, 1, :3]) == (0xFB, 0xFA, 0xF7)
    assert tuple(seen[30, 8, :3]) == (0x33, 0x66, 0xCC)
    assert tuple(seen[30, 30, :3]) == (0x22, 0x22, 0x22)
