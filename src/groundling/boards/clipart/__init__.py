"""Clip art: 58 drawings and a park background, as SVG fragments around their centres.

Each has about the size and the anchor point of the published picture of its kind, so that a position means
the same with either. The published pictures can be used instead: `published_piece`."""

from __future__ import annotations

from functools import lru_cache

from groundling.boards.clipart import animals, clothing, faces, food, people, playground, sky, toys
from groundling.boards.clipart.background import draw_background
from groundling.boards.clipart.drawing_keys import check_drawing_key
from groundling.boards.clipart.parts import centre_clipart_drawing
from groundling.boards.clipart.published import published_background, published_piece
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

_DRAWINGS = (
    sky.DRAWINGS | playground.DRAWINGS | animals.DRAWINGS | clothing.DRAWINGS | food.DRAWINGS | toys.DRAWINGS
)


@lru_cache(256)
def draw_clipart_piece(kind: int | str, *, pose: int = 0, expression: int = 0) -> str:
    """Draw a piece at full size around (0, 0)."""
    name = check_drawing_key(kind, pose, expression).kind
    if name in PEOPLE:
        return people.draw_person(name, pose, expression)
    drawing = _DRAWINGS[name]
    return centre_clipart_drawing(drawing.width, drawing.height, drawing.body(), drawing.outline, drawing.ink)


def clipart_piece_size(kind: int | str, pose: int = 0) -> tuple[int, int]:
    """Width and height at full size; those of people depend on the pose."""
    name = check_drawing_key(kind, pose).kind
    if name in PEOPLE:
        return people.FIGURES[name].poses[pose].size
    drawing = _DRAWINGS[name]
    return drawing.width, drawing.height


def draw_clipart_expression(expression: int) -> str:
    """Draw the part of a person that shows the expression, so that a page can exchange it."""
    return faces.EXPRESSIONS[expression]()


def clipart_head_centre(kind: int | str, pose: int = 0) -> tuple[float, float]:
    """The centre of a person's head in their drawing."""
    stance = people.FIGURES[check_drawing_key(kind, pose).kind].poses[pose]
    (x, y), (width, height) = stance.head, stance.size
    return x - width / 2, y - height / 2
