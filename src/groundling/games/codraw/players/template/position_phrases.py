"""Phrases for positions on the canvas, relative to the edges, the horizon and the middle.

The pixels of "half an inch", of "the left side" and of people whose eyes are on the horizon were measured
in the training part of the published dialogs."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from groundling.boards.clipart.poses import PERSON_POSES
from groundling.boards.scene import HEIGHT, HORIZON, PEOPLE, SCALES, WIDTH, Piece
from groundling.games.codraw.scene_generation.scene_builder import built_bounding_box

TOUCHES = 8
"""The distance to an edge within which a piece seems to touch it."""
MIDDLE = 228
"""The x at which the middle begins."""
_SIDES = ((72, "far left"), (150, "left side"), (MIDDLE, "left of center"))
_GAPS = ((16, "almost touching"), (44, "half an inch from"), (66, "an inch from"), (95, "2 inches from"))
_LANDMARKS = (
    (-16, "{his} hair"),
    (12, "{his} eyes"),
    (36, "{his} chin"),
    (60, "{his} chest"),
    (100, "{his} waist"),
)
"""Landmarks of a person in pixels below the middle of the head; the first one below the horizon counts."""


class EdgeGaps(Struct, frozen=True):
    """The gaps between a piece and the edges; negative where it is cut off."""

    left: float
    top: float
    right: float
    bottom: float
    width: float
    height: float


def position_edge_gaps(piece: Piece) -> EdgeGaps:
    left, top, right, bottom = built_bounding_box(piece)
    return EdgeGaps(left, top, WIDTH - right, HEIGHT - bottom, right - left, bottom - top)


def position_side_phrase(x: float) -> str:
    """Return the part of the width."""
    for limit, words in _SIDES:
        if x < limit:
            return words
        if WIDTH - x < limit:
            return words.replace("left", "right")
    return "middle"


def position_across_phrase(piece: Piece) -> str:
    words = position_side_phrase(piece.x)
    if words == "middle":
        return "in the middle"
    return words if words.endswith("center") else f"on the {words}"


def position_corner_phrase(piece: Piece) -> str:
    """Return the top or bottom corner in which a piece is, or "" if it is in none of them."""
    free = position_edge_gaps(piece)
    if piece.y < 75 and not 95 < piece.x < WIDTH - 95:
        return f"in the top {'left' if piece.x < WIDTH / 2 else 'right'} corner"
    if free.bottom < 30 and min(free.left, free.right) < 30 and free.top > HORIZON:
        return f"in the bottom {'left' if free.left < free.right else 'right'} corner"
    return ""


def position_cut_phrases(piece: Piece) -> list[str]:
    """Describe what is cut off at each edge."""
    free = position_edge_gaps(piece)
    found = []
    for name, gap, length in (
        ("left", free.left, free.width),
        ("right", free.right, free.width),
        ("top", free.top, free.height),
        ("bottom", free.bottom, free.height),
    ):
        if gap < -TOUCHES:
            share = -gap / length
            found.append(
                f"{name} {'side' if name in ('left', 'right') else 'part'} cut off a little"
                if share < 0.2
                else f"{name} third cut off"
                if share < 0.41
                else f"{name} half cut off"
                if share < 0.62
                else f"mostly cut off by the {name} edge"
            )
    return found


def position_side_gap_phrase(piece: Piece) -> str:
    """Describe the gap to the nearer edge on the left or right, unless it is cut off or far away."""
    free = position_edge_gaps(piece)
    name, gap = min(("left", free.left), ("right", free.right), key=lambda pair: pair[1])
    if min(free.left, free.right) < -TOUCHES or not gap < 95 or position_side_phrase(piece.x) == "middle":
        return ""
    return _gap_phrase(gap, f"{name} edge")


def _gap_phrase(gap: float, edge: str) -> str:
    if gap <= TOUCHES:
        return f"touching the {edge}"
    return next((f"{words} the {edge}" for limit, words in _GAPS if gap < limit), "")


def edge_distance_phrase(gap: float, side: str) -> str:
    """Describe the distance to one edge."""
    if gap < -TOUCHES:
        return f"cut off at the {side}"
    return _gap_phrase(gap, f"{side} edge") or f"far from the {side} edge"


def position_height_phrase(piece: Piece, rng: Random) -> str:
    """Describe the vertical position."""
    if piece.kind in PEOPLE and piece.pose is not None:
        return _person_phrase(piece)
    free = position_edge_gaps(piece)
    bottom = HEIGHT - free.bottom
    if piece.category == "sky" or bottom < HORIZON + TOUCHES:
        return _sky_phrase(free, bottom)
    if free.top >= HORIZON - TOUCHES:
        return _grass_phrase(free)
    share = (HORIZON - free.top) / free.height
    if share < 0.22:
        return "its top is just above the horizon"
    if share < 0.42:
        return "its top third is above the horizon"
    if share < 0.6:
        return rng.choice(("half of it is above the horizon", "the horizon goes through its middle"))
    return rng.choice(("most of it is above the horizon", "its bottom is just below the horizon"))


def _sky_phrase(free: EdgeGaps, bottom: float) -> str:
    if free.top < -TOUCHES:
        return ""
    if free.top <= 40:
        if free.top <= TOUCHES:
            return "touching the top"
        return f"{'half an inch' if free.top < 30 else 'an inch'} from the top"
    if abs(bottom - HORIZON) <= TOUCHES:
        return "its bottom is touching the horizon"
    return "just above the horizon" if HORIZON - bottom < 30 else "in the sky, 2 inches from the top"


def _grass_phrase(free: EdgeGaps) -> str:
    if free.bottom < -TOUCHES:
        return ""
    if free.top - HORIZON <= 2 * TOUCHES:
        return "its top is touching the horizon"
    if free.bottom <= 66:
        return _gap_phrase(free.bottom, "bottom edge")
    return (
        "just below the horizon" if free.top - HORIZON < 35 else "on the grass, 2 inches from the bottom edge"
    )


def _person_phrase(piece: Piece) -> str:
    """Describe the height of a person most precisely: by the part of the body on the horizon."""
    his = "his" if piece.kind == "Mike" else "her"
    free = position_edge_gaps(piece)
    head = PERSON_POSES[piece.kind][piece.pose or 0].head[1]
    below = (HORIZON - free.top) / SCALES[piece.size] - head
    if below < -31:
        under = (-31 - below) * SCALES[piece.size]
        if under <= 25 or free.bottom > 40:
            return f"{his} head just below the horizon"
        return "" if free.bottom < -TOUCHES else f"{his} feet {_gap_phrase(free.bottom, 'bottom edge')}"
    part = next((words for limit, words in _LANDMARKS if below < limit), "{his} knees")
    return f"{part.format(his=his)} on the horizon"
