from base64 import b64encode

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.pixels import pixels

from groundling.boards.picture import render_png, svg_document
from groundling.boards.things import BOX, DRAWINGS, PAINTS, Look, draw_thing
from groundling.boards.things.paint import PATTERNS

COLOURLESS = {"pizza", "wine glass", "tennis ball"}
"""What has one colour of its own, or none."""
MARGIN = 20


def contact_sheet(looks: list[Look]) -> list[NDArray[np.uint8]]:
    """Draws things side by side in one picture; returns the pixels of each, with a margin around its box."""
    wide = BOX + 2 * MARGIN
    body = "".join(
        f'<g transform="translate({number * wide + MARGIN} {MARGIN})">{draw_thing(look)}</g>'
        for number, look in enumerate(looks)
    )
    size = f'width="{wide * len(looks)}" height="{wide}"'
    sheet = pixels(render_png(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{body}</svg>', 1))
    return np.split(sheet, len(looks), axis=1)


def test_every_drawing_fills_its_box_and_stands_on_its_floor() -> None:
    for name, seen in zip(DRAWINGS, contact_sheet([Look(name, "red") for name in DRAWINGS]), strict=True):
        solid = seen[..., 3] > 100
        rows, columns = (np.nonzero(solid.any(axis=axis))[0] - MARGIN for axis in (1, 0))
        left, right, top, bottom = columns.min(), columns.max() + 1, rows.min(), rows.max() + 1
        assert -2 <= left < right <= BOX + 2, name
        assert -2 <= top < bottom <= BOX + 2, name
        assert bottom >= BOX - 3, name
        assert max(right - left, bottom - top) >= 0.9 * BOX, name


def test_a_drawing_takes_on_any_colour_unless_it_has_one_of_its_own() -> None:
    for name in DRAWINGS:
        painted = {draw_thing(Look(name, colour)) for colour in PAINTS}
        assert len(painted) == (1 if name in COLOURLESS else len(PAINTS)), name


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
        (seen,) = contact_sheet([look])
        middle, outside = seen[MARGIN + BOX // 2, MARGIN + BOX // 2], seen[MARGIN // 2, MARGIN // 2]
        assert tuple(middle) == (255, 0, 0, 255)
        assert outside[3] == 0
