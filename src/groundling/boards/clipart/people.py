"""Drawings of Mike and Jenny, made from the joints of a pose and a head."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import NamedTuple

from groundling.boards.clipart import faces
from groundling.boards.clipart.paint import CREAM, NAVY, PLUM, RED, VIOLET, WHITE, YELLOW
from groundling.boards.clipart.parts import (
    centre_clipart_drawing,
    clipart_line,
    clipart_tube,
    svg_disc,
    svg_shape,
)
from groundling.boards.clipart.poses import JENNY, MIKE, Arm, BodyPose, Leg, Point

_MIKE_SKIN, _JENNY_SKIN = "#c98d65", "#f9d2b2"


def draw_person(kind: str, pose: int, expression: int) -> str:
    """Draw a person around the centre of the pose's box."""
    figure = FIGURES[kind]
    stance = figure.poses[pose]
    return centre_clipart_drawing(*stance.size, figure.draw(stance, expression))


def _draw_mike(pose: BodyPose, expression: int) -> str:
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
        + "".join(_draw_leg(leg, _MIKE_SKIN, WHITE) for leg in pose.legs)
        + clipart_tube(shorts, 16, NAVY)
        + svg_shape(
            f"M{left - 6:g} {top + 7:g}Q{left - 4:g} {top - 10:g} {x - 9:g} {top - 11:g}H{x + 8:g}"
            f"Q{right + 4:g} {top - 10:g} "
            f"{right + 6:g} {top + 7:g}L{waist + 18:g} {low:g}Q{waist:g} {low + 5:g} {waist - 18:g} {low:g}Z",
            RED,
        )
        + clipart_line(
            f"M{(left + waist) / 2 - 8:g} {(top + low) / 2:g}H{(right + waist) / 2 + 8:g}", 6, CREAM
        )
        + clipart_tube(_path_through((x - 1, y + 31), (x - 1, y + 24)), 10, _MIKE_SKIN)
        + f'<g transform="translate({x:g} {y:g})">{faces.draw_mike_head(_MIKE_SKIN, expression)}</g>'
        + _draw_arm(front, _MIKE_SKIN)
        + _draw_sleeve(front)
    )


def _draw_jenny(pose: BodyPose, expression: int) -> str:
    back, front = pose.arms
    (right, top), (left, _) = back[0], front[0]
    x, y = pose.head
    waist, low = pose.waist
    hem = "L".join(f"{across:g} {down:g}" for across, down in pose.hem)
    return (
        _draw_arm(back, _JENNY_SKIN)
        + "".join(_draw_leg(leg, _JENNY_SKIN, PLUM) for leg in pose.legs)
        + clipart_tube(_path_through((x, y + 34), (x, y + 24)), 8, _JENNY_SKIN)
        + svg_shape(
            f"M{left - 4:g} {top - 6:g}H{x - 7:g}Q{x:g} {top + 8:g} {x + 7:g} {top - 6:g}H{right + 4:g}"
            f"L{waist + 14:g} {low:g}L{hem}L{waist - 14:g} {low:g}Z",
            VIOLET,
        )
        + clipart_line(f"M{waist - 13:g} {low:g}H{waist + 13:g}", 5, YELLOW)
        + _draw_arm(front, _JENNY_SKIN)
        + f'<g transform="translate({x:g} {y:g})">{faces.draw_jenny_head(_JENNY_SKIN, expression)}</g>'
    )


def _draw_arm(arm: Arm, skin: str) -> str:
    shoulder, elbow, (x, y) = arm
    along, down = x - elbow[0], y - elbow[1]
    length = hypot(along, down)
    side = 1 if along > 0 else -1  # the thumb is on the upper side of the hand
    thumb = (round(x + 8 * side * down / length, 1), round(y - 8 * side * along / length, 1))
    pointing = _path_through((x, y), thumb)
    return (
        clipart_tube(_path_through(shoulder, elbow, (x, y)), 8, skin)
        + clipart_line(pointing, 7)
        + svg_disc(x, y, 6.5, skin)
        + clipart_line(pointing, 4, skin)
    )


def _draw_sleeve(arm: Arm) -> str:
    shoulder, elbow, _ = arm
    return clipart_tube(_path_through(shoulder, _point_towards(shoulder, elbow, 0.55)), 12, RED)


def _draw_leg(leg: Leg, skin: str, shoe: str) -> str:
    *bones, ankle, toe = leg
    return clipart_tube(_path_through(*bones, ankle), 10, skin) + clipart_tube(
        _path_through(ankle, toe), 9, shoe
    )


def _path_through(*points: Point) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)


def _point_towards(start: Point, end: Point, part: float) -> Point:
    return round(start[0] + (end[0] - start[0]) * part, 1), round(start[1] + (end[1] - start[1]) * part, 1)


class PersonDrawing(NamedTuple):
    poses: tuple[BodyPose, ...]
    draw: Callable[[BodyPose, int], str]


FIGURES = {"Mike": PersonDrawing(MIKE, _draw_mike), "Jenny": PersonDrawing(JENNY, _draw_jenny)}
