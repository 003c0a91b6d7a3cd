"""Variance components of a score: the instance, the wording of the prompt, and repeats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct


class VarianceShares(Struct, frozen=True):
    """Shares of the variance of a score. They add up to 1, or are all 0 if nothing varies."""

    instance: float
    wording: float
    both: float
    """The interaction of instance and wording; without repeats it includes their share."""
    repeat: float
    instances: int
    """The number of complete instances that were used."""


def variance_shares(
    values: Sequence[float], instances: Sequence[str], wordings: Sequence[str]
) -> VarianceShares | None:
    """Estimate the variance components of a balanced design from mean squares; negative estimates become 0.
    Instances that were not played equally often with every wording are left out. None without enough data."""
    cells: dict[str, dict[str, list[float]]] = {}
    for value, instance, wording in zip(values, instances, wordings, strict=True):
        cells.setdefault(instance, {}).setdefault(wording, []).append(value)
    names = sorted({wording for played in cells.values() for wording in played})
    counts = [len(played.get(name, ())) for played in cells.values() for name in names]
    most = max(counts, default=0)
    whole = [
        [played[name] for name in names]
        for played in cells.values()
        if all(len(played.get(n, ())) == most for n in names)
    ]
    if len(whole) < 2 or len(names) * most < 2:
        return None
    scores = np.array(whole, dtype=np.float64)
    i, w, r = scores.shape
    grand = scores.mean()
    by_instance = scores.mean((1, 2))
    by_wording = scores.mean((0, 2))
    by_cell = scores.mean(2)
    error = _mean_square(scores - by_cell[:, :, None], i * w * (r - 1))
    crossed = r * _mean_square(by_cell - by_instance[:, None] - by_wording[None] + grand, (i - 1) * (w - 1))
    left = crossed if w > 1 else error
    found = {
        "instance": (w * r * _mean_square(by_instance - grand, i - 1) - left) / (w * r),
        "wording": (i * r * _mean_square(by_wording - grand, w - 1) - left) / (i * r) if w > 1 else 0.0,
        "both": (crossed - error) / r if w > 1 else 0.0,
        "repeat": error,
    }
    kept = {name: max(value, 0.0) for name, value in found.items()}
    total = sum(kept.values())
    return VarianceShares(
        **{name: value / total if total else 0.0 for name, value in kept.items()}, instances=i
    )


def _mean_square(residuals: np.ndarray, freedom: int) -> float:
    return float((residuals**2).sum() / freedom) if freedom else 0.0
