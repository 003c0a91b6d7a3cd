"""Whether what a question supposes about a piece is true; None where the scene leaves it open."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from groundling.boards.scene import HORIZON, SIZES, WIDTH, Piece
from groundling.boards.scene.draw import scene_drawing_depth
from groundling.games.codraw.players.template import piece_words, position_phrases
from groundling.games.codraw.scene_generation.scene_builder import box_area, built_bounding_box, overlap_area

_FACES = {"angry": (0,), "smiling": (1, 2), "sad": (3,), "surprised": (4,)}
_POSES = {"standing": (0, 1, 6), "sitting": (4, 5), "running": (3,), "kicking": (2,), "crossed": (4,)}
_MARGIN = 15
"""Pixels by which two pieces must differ to be left of or above each other."""
NEAR, FAR = 40, 120
"""Gaps in pixels up to which pieces are next to each other, and from which they are not."""


def check_values(topic: str, piece: Piece, values: Iterable[str]) -> bool | None:
    """Check that all values hold, or with "not" that they do not."""
    wanted = [value for value in values if value != "not"]
    found = [_check_value(topic, piece, value) for value in wanted]
    if not found or (None in found and False not in found):
        return None
    return all(found) != ("not" in values)


def _check_value(topic: str, piece: Piece, value: str) -> bool | None:
    match topic:
        case "size":
            return SIZES[piece.size] == value
        case "way" if piece.kind in piece_words.WITH_FRONT:
            return piece_words.piece_facing_words(piece) == value
        case "face" if value == "teeth":
            return piece.expression == 1 if piece.expression in (1, 2) else None
        case "face":
            return piece.expression in _FACES[value]
        case "pose" if value == "standing" and piece.pose in (2, 3):
            return None
        case "pose":
            return piece.pose in _POSES[value]
        case "where":
            return _check_place(piece, value)
    return None


def _check_place(piece: Piece, value: str) -> bool | None:
    _, top, _, bottom = built_bounding_box(piece)
    middle = WIDTH / 2
    match value:
        case "left" | "right":
            off = (middle - piece.x) if value == "left" else (piece.x - middle)
            return True if off > 50 else False if off < 0 else None
        case "middle":
            off = abs(piece.x - middle)
            return True if off < 40 else False if off > 100 else None
        case "top":
            return True if top < 40 else False if top > HORIZON - 40 else None
        case "bottom":
            free = position_phrases.position_edge_gaps(piece).bottom
            return True if free < 50 else False if bottom < HORIZON else None
        case "sky" | "above":
            return True if bottom < HORIZON + 4 else False if top > HORIZON - 4 else None
        case "grass" | "below":
            return True if top > HORIZON - 4 else False if bottom < HORIZON + 4 else None
        case "corner":
            return bool(position_phrases.position_corner_phrase(piece)) or None
    return None


def check_cut(piece: Piece, sides: Iterable[str]) -> bool | None:
    """Check whether a piece is cut off, at these sides if any are named."""
    free = position_phrases.position_edge_gaps(piece)
    named = [getattr(free, side) for side in sides if side in ("left", "right", "top", "bottom")]
    gap = min(named or (free.left, free.right, free.top, free.bottom))
    slack = position_phrases.TOUCHES
    return True if gap < -slack else False if gap > slack / 2 else None


def check_edges(piece: Piece, words: Collection[str]) -> bool | None:
    """Check whether a piece touches the horizon or the edge that the words name."""
    _, top, _, bottom = built_bounding_box(piece)
    free, slack = position_phrases.position_edge_gaps(piece), position_phrases.TOUCHES
    if {"horizon", "skyline", "blue", "sky", "green", "grass"} & set(words):
        return True if top < HORIZON - slack and bottom > HORIZON + slack else None
    sides = [side for side in ("left", "right", "top", "bottom") if side in words]
    if len(sides) != 1 or not {"edge", "side", "border", "top", "bottom"} & set(words):
        return None
    gap = getattr(free, sides[0])
    return True if gap <= slack / 2 else False if gap > 2 * slack else None


def piece_gap(one: Piece, other: Piece) -> float:
    """Return the pixels between two pieces along the axis on which they are farther apart."""
    mine, theirs = built_bounding_box(one), built_bounding_box(other)
    across = max(theirs[0] - mine[2], mine[0] - theirs[2])
    return max(across, theirs[1] - mine[3], mine[1] - theirs[3])


def overlap_share(one: Piece, other: Piece) -> float:
    """Return the part of the smaller piece's box that the other's box overlaps."""
    mine, theirs = built_bounding_box(one), built_bounding_box(other)
    return overlap_area(mine, theirs) / min(box_area(mine), box_area(theirs))


def is_in_front(one: Piece, other: Piece) -> bool:
    return scene_drawing_depth(one) > scene_drawing_depth(other)


def check_orders(one: Piece, other: Piece, orders: Iterable[str]) -> bool | None:
    found = [_check_order(one, other, order) for order in orders]
    return None if not found or None in found else all(found)


def _check_order(one: Piece, other: Piece, order: str) -> bool | None:
    if order == "near":
        gap = piece_gap(one, other)
        return True if gap < NEAR else False if gap > FAR else None
    ahead = {
        "left": other.x - one.x,
        "right": one.x - other.x,
        "above": other.y - one.y,
        "below": one.y - other.y,
    }[order]
    beside = abs(one.x - other.x) > FAR / 2 and order in ("above", "below")
    return (None if beside else True) if ahead > _MARGIN else False if ahead < -_MARGIN else None


def order_words(one: Piece, other: Piece) -> str:
    """Say on which side of another piece one is; empty if they share a place."""
    right, down = one.x - other.x, one.y - other.y
    across = "left of" if right < -_MARGIN else "right of" if right > _MARGIN else ""
    down_words = "above" if down < -_MARGIN else "below" if down > _MARGIN else ""
    return " and ".join(part for part in (across, down_words) if part)


def check_toward(one: Piece, other: Piece) -> bool | None:
    """Check whether one piece faces the side on which the other is."""
    side = (
        "left" if _check_order(one, other, "right") else "right" if _check_order(one, other, "left") else ""
    )
    if one.kind not in piece_words.WITH_FRONT or not side:
        return None
    return piece_words.piece_facing_words(one) == side
