"""Attachments: pieces that are worn, held or supported by another piece, and are placed by it."""

from __future__ import annotations

from math import dist

from msgspec import Struct

from groundling.boards.scene import PEOPLE, SCALES, Piece, Scene
from groundling.games.codraw.scenery.lore import HEADS, SEATS, USUAL
from groundling.games.codraw.scenery.stage import FIGURES, Point, area, at, box, shared

_REACH = 30
"""The distance in pixels at full size within which a piece counts as worn or held."""


class Host(Struct, frozen=True):
    """The piece by which another one is placed."""

    how: str
    """One of worn, held, on, in."""
    kind: str


def host(piece: Piece, scene: Scene) -> Host | None:
    """Find the piece to which this one is attached."""
    if piece.category in ("clothing", "food", "toy"):
        found = _worn(piece, scene) if piece.category == "clothing" else _held(piece, scene)
        if found:
            return found
    return None if piece.category in ("sky", "large") else _upon(piece, scene)


def _worn(piece: Piece, scene: Scene) -> Host | None:
    offset = USUAL[piece.kind].offset
    heads = [(other, head(other)) for other in scene.pieces if head(other) is not None]
    near = [
        (dist(at(other, (spot[0] + offset[0], spot[1] + offset[1])), (piece.x, piece.y)), other)
        for other, spot in heads
        if spot
    ]
    best = min(near, key=lambda pair: pair[0], default=None)
    return Host("worn", best[1].kind) if best and best[0] < _REACH * SCALES[best[1].size] else None


def head(piece: Piece) -> Point | None:
    """Return the head relative to the middle of the piece, or None if it has none."""
    if piece.kind in PEOPLE:
        pose = FIGURES[piece.kind][piece.pose or 0]
        return pose.head[0] - pose.size[0] / 2, pose.head[1] - pose.size[1] / 2
    return HEADS.get(piece.kind)


def _held(piece: Piece, scene: Scene) -> Host | None:
    grip = at(piece, (-USUAL[piece.kind].offset[0], -USUAL[piece.kind].offset[1]))
    near = [
        (dist(grip, hand), person)
        for person in scene.pieces
        if person.kind in PEOPLE
        for hand in hands(person)
    ]
    best = min(near, key=lambda pair: pair[0], default=None)
    return Host("held", best[1].kind) if best and best[0] < _REACH * SCALES[best[1].size] else None


def hands(person: Piece) -> list[Point]:
    """Return the hands of a person on the canvas."""
    pose = FIGURES[person.kind][person.pose or 0]
    return [at(person, (arm[-1][0] - pose.size[0] / 2, arm[-1][1] - pose.size[1] / 2)) for arm in pose.arms]


def _upon(piece: Piece, scene: Scene) -> Host | None:
    """Find a larger piece behind this one, such as a table, a tree or a slide."""
    mine = box(piece)
    for other in scene.pieces:
        theirs = box(other)
        if other.kind == piece.kind or area(theirs) < 2 * area(mine):
            continue
        if shared(mine, theirs) < 0.5 * area(mine):
            continue
        if other.kind.endswith("tree"):
            return (
                Host("in", other.kind)
                if piece.kind == "owl" or mine[3] < theirs[1] + 0.6 * (theirs[3] - theirs[1])
                else None
            )
        if other.kind in SEATS or other.kind == "grill":
            return Host("in" if other.kind == "sandbox" else "on", other.kind)
    return None
