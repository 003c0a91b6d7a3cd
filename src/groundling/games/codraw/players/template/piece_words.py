"""The vocabulary for pieces, sizes, poses and expressions. Colours are left out: other drawings of the same
pieces have other colours.

The alternatives are wordings that people understood: how often which words go with which pose and
expression was counted in the training part of the published dialogs."""

from __future__ import annotations

from random import Random

from groundling.boards.scene import FRONTS, PEOPLE, Piece

_NAMES = {
    "hot air balloon": ("hot air balloon",),
    "cloud": ("plain cloud", "regular cloud"),
    "lightning cloud": ("lightning cloud", "thunder cloud"),
    "rocket": ("rocket", "rocket ship"),
    "airplane": ("airplane", "plane"),
    "spring bee": ("spring bee", "bee ride"),
    "swing": ("swing set",),
    "grill": ("grill", "bbq grill"),
    "picnic table": ("picnic table", "table"),
    "Mike": ("boy", "boy", "Mike"),
    "Jenny": ("girl", "girl", "Jenny"),
    "star cap": ("baseball cap", "cap with a star"),
    "winter hat": ("winter hat", "knit hat"),
    "propeller cap": ("propeller hat", "propeller beanie"),
    "wizard hat": ("wizard hat",),
    "viking helmet": ("viking helmet", "viking hat"),
    "glasses": ("round glasses",),
    "drink": ("drink", "soda"),
    "burger": ("burger", "hamburger"),
    "pail": ("pail", "bucket"),
    "bat": ("baseball bat",),
    "glove": ("baseball glove", "mitt"),
    "racket": ("tennis racket",),
    "campfire": ("campfire", "fire"),
    "ketchup": ("ketchup bottle",),
    "mustard": ("mustard bottle",),
}
PLURAL = ("glasses", "sunglasses", "balloons")
SIZES = (("large", "big"), ("medium", "medium"), ("small", "small"))
POSES = (
    ("standing with arms out in front", "standing, arms out in front"),
    ("with both arms up", "both hands up in the air"),
    ("kicking", "kicking with one leg out"),
    ("running", "running"),
    ("sitting cross legged", "sitting with legs crossed"),
    ("sitting with legs out", "sitting, legs straight out"),
    ("standing with one arm up", "one hand up, waving"),
)
EXPRESSIONS = (
    ("angry", "mad"),
    ("smiling with teeth", "big smile, teeth showing"),
    ("smiling without teeth", "small smile, no teeth"),
    ("sad", "looks sad"),
    ("surprised", "shocked"),
)
_MARKS = {"oak tree": "hole facing", "lightning cloud": "bolt pointing", "sandbox": "mound on the"}
"""Kinds for which people mention a part instead of the front."""
_FRONTS = {**FRONTS, "swing": "right", "kite": "left", "lightning cloud": "right", "sandbox": "right"}
WITH_FRONT = frozenset(_FRONTS)
_OTHER = {"left": "right", "right": "left"}


def choose_piece_name(kind: str, rng: Random) -> str:
    """Choose one of the names of a kind."""
    return rng.choice(_NAMES.get(kind, (kind,)))


def usual_piece_name(kind: str) -> str:
    """Return the unambiguous name of a kind."""
    return _NAMES.get(kind, (kind,))[0]


def piece_with_article(noun: str, kind: str) -> str:
    """Prefix the indefinite article, if the noun takes one."""
    if kind in PLURAL or noun in ("Mike", "Jenny"):
        return noun
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def piece_with_the(noun: str) -> str:
    return noun if noun in ("Mike", "Jenny") else f"the {noun}"


def choose_piece_size_word(piece: Piece, rng: Random) -> str:
    return rng.choice(SIZES[piece.size])


def piece_direction_words(piece: Piece) -> str:
    """Describe the direction of a piece; empty if nobody could see it."""
    return f"{_MARKS.get(piece.kind, 'facing')} {piece_facing_words(piece)}" if piece.kind in _FRONTS else ""


def piece_facing_words(piece: Piece) -> str:
    front = _FRONTS[piece.kind]
    return _OTHER[front] if piece.flip else front


def is_piece_flipped(kind: str, side: str) -> bool:
    """Tell whether a piece that faces this side is mirrored."""
    return _FRONTS[kind] != side


def piece_figure_words(piece: Piece, rng: Random) -> list[str]:
    """Describe the pose and the expression of a person."""
    if piece.kind not in PEOPLE or piece.pose is None or piece.expression is None:
        return []
    return [rng.choice(POSES[piece.pose]), rng.choice(EXPRESSIONS[piece.expression])]
