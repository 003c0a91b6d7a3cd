"""Descriptions of scenes: one line per piece, with positions as numbers or in words."""

from __future__ import annotations

from typing import Literal, TypeAlias

from groundling.boards.scene.kinds import EXPRESSIONS, FRONTS, HEIGHT, HORIZON, POSES, SIZES, WIDTH
from groundling.boards.scene.pieces import Piece, Scene

Places: TypeAlias = Literal["numbers", "words"]

_ACROSS = ("far left", "left", "middle", "right", "far right")
_SKY = ("at the top of the sky", "in the sky", "just above the horizon")
_GRASS = ("just below the horizon", "on the grass", "at the bottom")
HEIGHT_WORDS = _SKY + _GRASS
"""The heights in `describe_place`, from the top."""
_OTHER = {"left": "right", "right": "left"}


def describe_pieces(scene: Scene, places: Places = "numbers") -> list[str]:
    """Describe every piece on a line of its own, in the order of KINDS."""
    return [describe_piece(piece, places) for piece in scene.pieces]


def describe_piece(piece: Piece, places: Places = "numbers") -> str:
    """Describe a piece as in `large Mike at (120, 290), facing left, waving, smile`."""
    where = f"at ({piece.x}, {piece.y})" if places == "numbers" else describe_place(piece.x, piece.y)
    parts = [f"{SIZES[piece.size]} {piece.kind} {where}"]
    if turned := describe_direction(piece):
        parts.append(turned)
    if piece.pose is not None:
        parts.append(POSES[piece.pose])
    if piece.expression is not None:
        parts.append(EXPRESSIONS[piece.expression])
    return ", ".join(parts)


def describe_direction(piece: Piece) -> str:
    """Say where the front of a piece is. Without a front it is only said to be mirrored."""
    front = FRONTS.get(piece.kind)
    if front is None:
        return "mirrored" if piece.flip else ""
    side = _OTHER[front] if piece.flip else front
    return f"hole on the {side}" if piece.kind == "oak tree" else f"facing {side}"


def describe_place(x: int, y: int) -> str:
    """Say where a point is: by fifths of the width and thirds of the sky or the grass."""
    across = _ACROSS[min(max(x * len(_ACROSS) // WIDTH, 0), len(_ACROSS) - 1)]
    if y < HORIZON:
        return f"{across}, {_SKY[max(y * len(_SKY) // HORIZON, 0)]}"
    below = (y - HORIZON) * len(_GRASS) // (HEIGHT - HORIZON)
    return f"{across}, {_GRASS[min(below, len(_GRASS) - 1)]}"
