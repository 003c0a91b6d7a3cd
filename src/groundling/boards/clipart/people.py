"""Drawings of Mike and Jenny, made from the joints of a pose and a head."""

from __future__ import annotations

from math import hypot

from groundling.boards.clipart.poses import PERSON_POSES, Arm, BodyPose, Leg, Point
from groundling.boards.drawing_sheets import read_drawing_sheets
from groundling.boards.scene.kinds import EXPRESSIONS
from groundling.boards.svg_shapes import svg_disc, svg_line, svg_shape

INK = "#4a3a4c"
_WHITE, _CREAM, _RED, _YELLOW = "#fffdf8", "#fff1d0", "#e8574a", "#fbcb43"
_VIOLET, _PLUM, _NAVY = "#8d67b8", "#5d4389", "#35518f"
_FACES = read_drawing_sheets(__package__, "faces")
"""The two heads and the expressions on them, drawn around (0, 0) and looking to the right."""
_MIKE_SKIN, _JENNY_SKIN = "#c98d65", "#f9d2b2"


def draw_person(kind: str, pose: int, expression: int) -> str:
    """Draw a person around the centre of the pose's box."""
    stance = PERSON_POSES[kind][pose]
    (x, y), face = stance.head, _FACES[kind].body + draw_clipart_expression(expression)
    head = f'<g transform="translate({x:g} {y:g})">{face}</g>'
    draw = _draw_mike if kind == "Mike" else _draw_jenny
    return centre_clipart_drawing(*stance.size, draw(stance, head))


def draw_clipart_expression(expression: int) -> str:
    """Draw the part of a person that shows the expression, so that a page can exchange it."""
    return _FACES[EXPRESSIONS[expression]].body


def centre_clipart_drawing(width: float, height: float, body: str, outline: str = "2", ink: str = INK) -> str:
    """Move the content of a box so that (0, 0) is the centre of the box."""
    return (
        f'<g transform="translate({-width / 2:g} {-height / 2:g})" stroke="{ink}" stroke-width="{outline}" '
        f'stroke-linejoin="round" stroke-linecap="round">{body}</g>'
    )


def _draw_mike(pose: BodyPose, head: str) -> str:
    back, front = pose.arms
    (right, top), (left, _) = back[0], front[0]
    x, y = pose.head
    waist, low = pose.waist
    shorts = "".join(
        _path_through(hip, _point_towards(hip, knee, 0.6)) for hip, knee, *_ in pose.legs
    ) + _path_through(*(leg[0] for leg in pose.legs))
    return (
        _draw_arm(back, _MIKE_SKIN)
        + _draw_sleeve(back)
        + "".join(_draw_leg(leg, _MIKE_SKIN, _WHITE) for leg in pose.legs)
        + _draw_tube(shorts, 16, _NAVY)
        + svg_shape(
            f"M{left - 6:g} {top + 7:g}Q{left - 4:g} {top - 10:g} {x - 9:g} {top - 11:g}H{x + 8:g}"
            f"Q{right + 4:g} {top - 10:g} "
            f"{right + 6:g} {top + 7:g}L{waist + 18:g} {low:g}Q{waist:g} {low + 5:g} {waist - 18:g} {low:g}Z",
            _RED,
        )
        + svg_line(f"M{(left + waist) / 2 - 8:g} {(top + low) / 2:g}H{(right + waist) / 2 + 8:g}", 6, _CREAM)
        + _draw_tube(_path_through((x - 1, y + 31), (x - 1, y + 24)), 10, _MIKE_SKIN)
        + head
        + _draw_arm(front, _MIKE_SKIN)
        + _draw_sleeve(front)
    )


def _draw_jenny(pose: BodyPose, head: str) -> str:
    back, front = pose.arms
    (right, top), (left, _) = back[0], front[0]
    x, y = pose.head
    waist, low = pose.waist
    hem = "L".join(f"{across:g} {down:g}" for across, down in pose.hem)
    return (
        _draw_arm(back, _JENNY_SKIN)
        + "".join(_draw_leg(leg, _JENNY_SKIN, _PLUM) for leg in pose.legs)
        + _draw_tube(_path_through((x, y + 34), (x, y + 24)), 8, _JENNY_SKIN)
        + svg_shape(
            f"M{left - 4:g} {top - 6:g}H{x - 7:g}Q{x:g} {top + 8:g} {x + 7:g} {top - 6:g}H{right + 4:g}"
            f"L{waist + 14:g} {low:g}L{hem}L{waist - 14:g} {low:g}Z",
            _VIOLET,
        )
        + svg_line(f"M{waist - 13:g} {low:g}H{waist + 13:g}", 5, _YELLOW)
        + _draw_arm(front, _JENNY_SKIN)
        + head
    )


def _draw_arm(arm: Arm, skin: str) -> str:
    shoulder, elbow, (x, y) = arm
    along, down = x - elbow[0], y - elbow[1]
    length = hypot(along, down)
    side = 1 if along > 0 else -1  # the thumb is on the upper side of the hand
    thumb = (round(x + 8 * side * down / length, 1), round(y - 8 * side * along / length, 1))
    pointing = _path_through((x, y), thumb)
    return (
        _draw_tube(_path_through(shoulder, elbow, (x, y)), 8, skin)
        + svg_line(pointing, 7, INK)
        + svg_disc(x, y, 6.5, skin)
        + svg_line(pointing, 4, skin)
    )


def _draw_sleeve(arm: Arm) -> str:
    shoulder, elbow, _ = arm
    return _draw_tube(_path_through(shoulder, _point_towards(shoulder, elbow, 0.55)), 12, _RED)


def _draw_leg(leg: Leg, skin: str, shoe: str) -> str:
    *bones, ankle, toe = leg
    return _draw_tube(_path_through(*bones, ankle), 10, skin) + _draw_tube(_path_through(ankle, toe), 9, shoe)


def _draw_tube(d: str, width: float, colour: str) -> str:
    """Draw a thick line with an outline."""
    return svg_line(d, width + 3, INK) + svg_line(d, width, colour)


def _path_through(*points: tuple[float, float]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)


def _point_towards(start: Point, end: Point, part: float) -> tuple[float, float]:
    return round(start[0] + (end[0] - start[0]) * part, 1), round(start[1] + (end[1] - start[1]) * part, 1)
