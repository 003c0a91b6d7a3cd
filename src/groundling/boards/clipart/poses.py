"""The poses of Mike and Jenny: the positions of their joints in each pose's own box.

The order is that of the published data: arms to the side, arms up, kicking, running, sitting cross-legged,
sitting with legs out, waving. Heads, hands and feet are about where the published pictures have them, so that
a hat or a ball fits both."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple, TypeAlias

import msgspec

Point: TypeAlias = tuple[int, int]
Arm: TypeAlias = tuple[Point, Point, Point]
"""Shoulder, elbow and hand."""
Leg: TypeAlias = tuple[Point, Point, Point, Point]
"""Hip, knee, ankle and toe."""


class BodyPose(NamedTuple):
    size: tuple[int, int]
    head: Point
    """The centre of the head."""
    waist: Point
    arms: tuple[Arm, Arm]
    """The arm behind the body, then the one in front of it; likewise the legs."""
    legs: tuple[Leg, Leg]
    hem: tuple[Point, ...] = ()
    """Where a dress ends, from right to left."""


PERSON_POSES: dict[str, tuple[BodyPose, ...]] = msgspec.json.decode(
    files(__package__).joinpath("poses.json").read_bytes(), type=dict[str, tuple[BodyPose, ...]]
)
