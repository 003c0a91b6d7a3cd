"""Precision, recall and F1 of two sets."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from msgspec import Struct


class Overlap(Struct, frozen=True, gc=False):
    precision: float
    recall: float
    f1: float


def set_overlap(wanted: Set[Any], found: Set[Any]) -> Overlap:
    """Compare two sets. Two empty sets score 1; an empty and a non-empty set score 0."""
    return overlap_from_sizes(len(wanted & found), len(wanted), len(found))


def overlap_from_sizes(both: int, wanted: int, found: int) -> Overlap:
    """Compute the same from the sizes of two sets and of their intersection."""
    if not wanted or not found:
        same = float(not wanted and not found)
        return Overlap(same, same, same)
    return Overlap(both / found, both / wanted, 2 * both / (found + wanted))
