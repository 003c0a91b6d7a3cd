"""Corrections as steps on the canvas: so far to the left, one size up, the other way round."""

from __future__ import annotations

import re

from .reader import Fact

_WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "higher": (0, -1), "raise": (0, -1), "back": (0, -1)}
_WAYS |= {"down": (0, 1), "lower": (0, 1), "drop": (0, 1), "forward": (0, 1)}
_UNITS = {"inch": 1.0, "cm": 0.4, "finger": 0.6}
_BIT, _STEP = (42.0, 28.0), (55.0, 43.0)
"""Across and down: what was really missing where people asked for "a bit", or just for "left"."""
_NEAR, _INCH = 15.0, 43.0
_LITTLE = re.compile(r"\b(?:bit|little|slightly|tiny|tad|smidge|hair)\b")


def shift(fact: Fact) -> tuple[float, float]:
    """How far to move, in pixels."""
    said = fact.said
    amount, unit = said.get("amount") or said.get("amount2"), said.get("unit") or said.get("unit2")
    if amount and unit:
        length = (_NEAR + float(amount) * _UNITS[unit] * _INCH,) * 2
    else:
        length = _BIT if _LITTLE.search(said["text"]) else _STEP
    across, down = _WAYS[said["way"]]
    if "way2" in said:
        more = _WAYS[said["way2"]]
        across, down = across + more[0], down + more[1]
    return across * length[0], down * length[1]
