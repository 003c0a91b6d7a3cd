"""Clip art: 58 drawings and a park background, as SVG fragments around their centres.

Each has about the size and the anchor point of the published picture of its kind, so that a position means
the same with either. The published pictures can be used instead: `published_piece`."""

from __future__ import annotations

from functools import lru_cache

from groundling.boards.clipart.drawing_keys import check_drawing_key
from groundling.boards.clipart.people import INK, centre_clipart_drawing, draw_clipart_expression, draw_person
from groundling.boards.clipart.poses import PERSON_POSES
from groundling.boards.clipart.published import published_background, published_piece
from groundling.boards.drawing_sheets import read_drawing_sheets
from groundling.boards.scene.kinds import PEOPLE

__all__ = [
    "clipart_head_centre",
    "clipart_piece_size",
    "draw_background",
    "draw_clipart_expression",
    "draw_clipart_piece",
    "published_background",
    "published_piece",
]

_DRAWINGS = read_drawing_sheets(
    __name__, "background", "sky", "playground", "animals", "clothing", "food", "toys"
)


@lru_cache(256)
def draw_clipart_piece(kind: int | str, *, pose: int = 0, expression: int = 0) -> str:
    """Draw a piece at full size around (0, 0)."""
    name = check_drawing_key(kind, pose, expression).kind
    if name in PEOPLE:
        return draw_person(name, pose, expression)
    drawing = _DRAWINGS[name]
    style = drawing.attributes
    return centre_clipart_drawing(
        *clipart_piece_size(name), drawing.body, style["stroke-width"], style.get("stroke", INK)
    )


def clipart_piece_size(kind: int | str, pose: int = 0) -> tuple[int, int]:
    """Width and height at full size; those of people depend on the pose."""
    name = check_drawing_key(kind, pose).kind
    if name in PEOPLE:
        return PERSON_POSES[name][pose].size
    size = _DRAWINGS[name].attributes
    return int(size["width"]), int(size["height"])


def draw_background() -> str:
    """Draw the whole canvas. It is plain on purpose: everything that can be named in a scene is a piece."""
    return _DRAWINGS["park"].body


def clipart_head_centre(kind: int | str, pose: int = 0) -> tuple[float, float]:
    """The centre of a person's head in their drawing."""
    stance = PERSON_POSES[check_drawing_key(kind, pose).kind][pose]
    (x, y), (width, height) = stance.head, stance.size
    return x - width / 2, y - height / 2
