"""How far two sets agree."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from msgspec import Struct


class Overlap(Struct, frozen=True, gc=False):
    precision: float
    recall: float
    f1: float


def overlap(wanted: Set[Any], found: Set[Any]) -> Overlap:
    """Precision, recall and F1 of what was found. Two empty sets agree wholly; one empty set agrees with
    nothing."""
    return overlap_of(len(wanted & found), len(wanted), len(found))


def overlap_of(both: int, wanted: int, found: int) -> Overlap:
    """The same from the sizes of two sets and of what they share."""
    if not wanted or not found:
        same = float(not wanted and not found)
        return Overlap(same, same, same)
    return Overlap(both / found, both / wanted, 2 * both / (found + wanted))
