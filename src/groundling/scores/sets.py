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
    """Precision, recall and F1 of what was found. Two empty sets agree wholly; one empty set agrees with nothing."""
    if not wanted or not found:
        same = float(not wanted and not found)
        return Overlap(same, same, same)
    both = len(wanted & found)
    return Overlap(both / len(found), both / len(wanted), 2 * both / (len(found) + len(wanted)))
