"""Apportionment of whole numbers by shares, with largest remainders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import floor
from typing import Any, TypeVar

K = TypeVar("K")
Cells = list[tuple[tuple[Any, ...], int]]
"""Keys and their counts."""


def apportioned_share(share: float | Fraction) -> Fraction:
    """Convert a share to the fraction that was written: 0.1 is a tenth."""
    return share if isinstance(share, Fraction) else Fraction(repr(share))


def round_half_up(number: Fraction) -> int:
    return floor(number + Fraction(1, 2))


def apportion_total(total: int, shares: Mapping[K, float | Fraction]) -> dict[K, int]:
    """Divide a total by shares, rounded down; the rest goes to the largest, first remainders."""
    whole = sum(map(apportioned_share, shares.values()))
    quotas = {key: total * apportioned_share(share) / whole for key, share in shares.items()}
    counts = {key: floor(quota) for key, quota in quotas.items()}
    left = sorted(quotas, key=lambda key: counts[key] - quotas[key])[: total - sum(counts.values())]
    return {key: count + (key in left) for key, count in counts.items()}


def apportion_cells(cells: Cells, shares: Mapping[Any, Any]) -> Cells:
    """Divide each cell by the shares: exact in total, and as near as whole numbers allow in each."""
    left = [count for _, count in cells]
    found: Cells = []
    for value, wanted in apportion_total(sum(left), shares).items():
        dealt = _deal_evenly(wanted, left)
        found += [((*key, value), count) for (key, _), count in zip(cells, dealt, strict=True)]
        left = [before - count for before, count in zip(left, dealt, strict=True)]
    return [(key, count) for key, count in found if count]


def _deal_evenly(total: int, sizes: Sequence[int]) -> list[int]:
    """Divide a total over cells in proportion to their sizes."""
    everything = sum(sizes) or 1
    marks = [total * upto // everything for upto in accumulate(sizes, initial=0)]
    return [after - before for before, after in pairwise(marks)]
