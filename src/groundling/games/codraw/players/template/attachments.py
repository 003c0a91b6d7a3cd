"""Attachments: pieces that are worn, held or supported by another piece, and are placed by it."""

from __future__ import annotations

from math import dist

from msgspec import Struct

from groundling.boards.clipart.poses import PERSON_POSES
from groundling.boards.scene import PEOPLE, SCALES, Piece, Scene
from groundling.games.codraw.scene_generation.priors import HEADS, KIND_PRIORS, SEATS
from groundling.games.codraw.scene_generation.scene_builder import (
    CanvasPoint,
    box_area,
    built_bounding_box,
    offset_point,
    overlap_area,
)

_REACH = 30
"""The distance in pixels at full size within which a piece counts as worn or held."""


class Attachment(Struct, frozen=True):
    """The piece by which another one is placed."""

    how: str
    """One of worn, held, on, in."""
    kind: str


def find_attachment(piece: Piece, scene: Scene) -> Attachment | None:
    """Find the piece to which this one is attached."""
    if piece.category in ("clothing", "food", "toy"):
        found = _find_wearer(piece, scene) if piece.category == "clothing" else _find_holder(piece, scene)
        if found:
            return found
    return None if piece.category in ("sky", "large") else _find_support(piece, scene)


def _find_wearer(piece: Piece, scene: Scene) -> Attachment | None:
    offset = KIND_PRIORS[piece.kind].offset
    heads = [
        (other, attachment_head_offset(other))
        for other in scene.pieces
        if attachment_head_offset(other) is not None
    ]
    near = [
        (dist(offset_point(other, (spot[0] + offset[0], spot[1] + offset[1])), (piece.x, piece.y)), other)
        for other, spot in heads
        if spot
    ]
    best = min(near, key=lambda pair: pair[0], default=None)
    return Attachment("worn", best[1].kind) if best and best[0] < _REACH * SCALES[best[1].size] else None


def attachment_head_offset(piece: Piece) -> CanvasPoint | None:
    """Return the head relative to the middle of the piece, or None if it has none."""
    if piece.kind in PEOPLE:
        pose = PERSON_POSES[piece.kind][piece.pose or 0]
        return pose.head[0] - pose.size[0] / 2, pose.head[1] - pose.size[1] / 2
    return HEADS.get(piece.kind)


def _find_holder(piece: Piece, scene: Scene) -> Attachment | None:
    grip = offset_point(piece, (-KIND_PRIORS[piece.kind].offset[0], -KIND_PRIORS[piece.kind].offset[1]))
    near = [
        (dist(grip, hand), person)
        for person in scene.pieces
        if person.kind in PEOPLE
        for hand in attachment_hand_points(person)
    ]
    best = min(near, key=lambda pair: pair[0], default=None)
    return Attachment("held", best[1].kind) if best and best[0] < _REACH * SCALES[best[1].size] else None


def attachment_hand_points(person: Piece) -> list[CanvasPoint]:
    """Return the hands of a person on the canvas."""
    pose = PERSON_POSES[person.kind][person.pose or 0]
    return [
        offset_point(person, (arm[-1][0] - pose.size[0] / 2, arm[-1][1] - pose.size[1] / 2))
        for arm in pose.arms
    ]


def _find_support(piece: Piece, scene: Scene) -> Attachment | None:
    """Find a larger piece behind this one, such as a table, a tree or a slide."""
    mine = built_bounding_box(piece)
    for other in scene.pieces:
        theirs = built_bounding_box(other)
        if other.kind == piece.kind or box_area(theirs) < 2 * box_area(mine):
            continue
        if overlap_area(mine, theirs) < 0.5 * box_area(mine):
            continue
        if other.kind.endswith("tree"):
            if piece.kind == "owl" or mine[3] < theirs[1] + 0.6 * (theirs[3] - theirs[1]):
                return Attachment("in", other.kind)
            return None
        if other.kind in SEATS or other.kind == "grill":
            return Attachment("in" if other.kind == "sandbox" else "on", other.kind)
    return None
