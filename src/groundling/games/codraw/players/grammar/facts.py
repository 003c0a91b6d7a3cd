"""The result of reading a message: facts about kinds, the distances they state, and the discourse."""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

_UNITS = {"inch": 1.0, "cm": 0.4, "finger": 0.6}
_WAYS = {
    "left": (-1, 0),
    "right": (1, 0),
    **dict.fromkeys(("up", "higher", "raise", "back"), (0, -1)),
    **dict.fromkeys(("down", "lower", "drop", "forward"), (0, 1)),
}
_BIT, _STEP = (42.0, 28.0), (55.0, 43.0)
"""Pixels across and down that "a bit" means, and that a bare "left" means."""
_NEAR, _INCH = 15.0, 43.0
"""Pixels of a shift stated in inches: a constant, and pixels for each inch."""
_LITTLE = re.compile(r"\b(?:bit|little|slightly|tiny|tad|smidge|hair)\b")


class Fact(Struct, frozen=True, gc=False):
    """A statement about a kind, with anchors if it relates to other kinds."""

    kind: str
    rule: str
    said: dict[str, Any] = {}
    anchors: tuple[str, ...] = ()


class DiscourseState(Struct):
    """The kinds mentioned so far, the latest last."""

    known: list[str] = []
    focus: list[str] = []
    """The kinds that the last statement was about."""
    guesses: dict[str, tuple[str, ...]] = {}
    """Kinds guessed from a general word such as "tree", and all kinds that the word may mean."""
    asked: str = ""
    """The guess that the Drawer has just asked about."""

    def note_kind(self, kind: str) -> None:
        if kind in self.known:
            self.known.remove(kind)
        self.known.append(kind)

    def rename_kind(self, old: str, new: str) -> None:
        for names in (self.known, self.focus):
            names[:] = [new if name == old else name for name in names]


def stated_distance_inches(fact: Fact) -> float:
    """Return the stated inches; 0 if there is no length."""
    for amount, unit in (("amount", "unit"), ("amount2", "unit2")):
        if amount in fact.said:
            return float(fact.said[amount]) * _UNITS[fact.said[unit]]
    return 0.0


def shift_distance_pixels(fact: Fact) -> tuple[float, float]:
    """Return the shift in pixels to the right and down."""
    far = stated_distance_inches(fact)
    length = (_NEAR + far * _INCH,) * 2 if far else _BIT if _LITTLE.search(fact.said["text"]) else _STEP
    ways = [_WAYS[fact.said[name]] for name in ("way", "way2") if name in fact.said]
    return sum(way[0] for way in ways) * length[0], sum(way[1] for way in ways) * length[1]
