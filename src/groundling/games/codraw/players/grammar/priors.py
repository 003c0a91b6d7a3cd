"""Priors for what a message leaves open: where things stand, their size, and their direction.

The numbers are round and were set by hand from averages over the training scenes of the published data."""

from __future__ import annotations

from groundling.boards.clipart import clipart_piece_size
from groundling.boards.scene import CATEGORY, FRONTS, PEOPLE, SCALES, WIDTH, Piece

LARGE, MEDIUM, SMALL = range(3)
ON_STRINGS = ("balloons", "kite")
_FAR = ("airplane", "helicopter", "pine tree")
_CLOUDS = ("sun", "cloud")
_TREES = ("pine tree", "oak tree", "apple tree")
_FEET = {"tree": (310, 300, 284), "ground": (346, 318, 288)}
"""The y of the feet on the grass, by size."""
_HEIGHTS = {"owl": (150, 75), "balloons": (138, 50), "kite": (142, 40), "racket": (178, 56), "bat": (200, 65)}
_ON_GRASS = ("pail", "shovel", "campfire", "soccer ball")
_FRONTS = {
    **FRONTS,
    **dict.fromkeys(("lightning cloud", "swing", "picnic table", "sandbox", "football", "bat"), "right"),
    "kite": "left",
}
_PARTS = {
    **dict.fromkeys(("hole", "knot", "ladder"), "left"),
    **dict.fromkeys(
        ("dune", "mound", "mount", "sand pile", "bump", "pile", "opening", "door", "star"), "right"
    ),
}
"""The side of a part, unless the piece is mirrored."""
_UNMOVED = ("sandbox", "rocket", "oak tree", "kite", "football", "bat")
"""Kinds that face either way; the others face the middle."""
_LIKE_WEARER = ("star cap", "crown", "winter hat", "wizard hat", "viking helmet", "glasses", "sunglasses")


def prior_height(piece: Piece) -> tuple[float, float]:
    """Return the usual y of the middle, and its standard deviation."""
    kind, category = piece.kind, CATEGORY[piece.kind]
    if kind in _HEIGHTS:
        return _HEIGHTS[kind]
    if category == "sky":
        return (48, 22) if kind in _CLOUDS else (74, 32)
    if category == "clothing":
        return (160, 192, 204)[piece.size], 47
    if category in ("food", "toy") and kind not in _ON_GRASS:
        return 248, 68
    feet = _FEET["tree" if kind in _TREES else "ground"][piece.size]
    half = clipart_piece_size(kind, piece.pose or 0)[1] * SCALES[piece.size] / 2
    return feet - half, 28 if category == "large" else 42


def prior_across() -> tuple[float, float]:
    return WIDTH / 2, 130


def prior_size(kind: str, people: int) -> int:
    """Return the size of a piece if none was stated, next to people of this size. Small ones are told."""
    if kind in _FAR:
        return SMALL
    if kind in PEOPLE or CATEGORY[kind] in ("toy", "clothing"):
        return min(people, MEDIUM)
    return LARGE if people < SMALL or CATEGORY[kind] == "sky" else MEDIUM


def is_mirrored(kind: str, side: str, part: str = "") -> bool:
    """Tell whether a piece is mirrored whose front, or this part, is on this side."""
    return (_PARTS.get(part) or _FRONTS.get(kind, "right")) != side


def prior_flip(kind: str, x: float, wearer: bool | None) -> bool:
    """Return the flip if no direction was stated: most pieces face the middle, clothing as its wearer."""
    if wearer is not None and kind in _LIKE_WEARER:
        return wearer
    if kind in _LIKE_WEARER or (kind in _FRONTS and kind not in _UNMOVED):
        return x > WIDTH / 2
    return False
