"""Variance components of a score: the instance, the wording of the prompt, and repeats."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from groundling.scores.intervals import Labels, Values


class VarianceShares(Struct, frozen=True):
    """Shares of the variance of a score. They add up to 1, or are all 0 if nothing varies."""

    instance: float
    wording: float
    both: float
    """The interaction of instance and wording; without repeats it includes their share."""
    repeat: float
    instances: int
    """The number of complete instances that were used."""


def variance_shares(values: Values, instances: Labels, wordings: Labels) -> VarianceShares | None:
    """Estimate the variance components of a balanced design from mean squares; negative estimates become 0.
    Instances that were not played equally often with every wording are left out. None without enough data."""
    instance, wording = (
        np.unique(np.asarray(labels), return_inverse=True)[1] for labels in (instances, wordings)
    )
    w = int(wording.max(initial=-1)) + 1
    counts = (
        np.bincount(instance * w + wording, minlength=w * (instance.max(initial=-1) + 1)).reshape(-1, w)
        if w
        else np.zeros((0, 1), np.int64)
    )
    r = int(counts.max(initial=0))
    complete = (counts == r).all(1)
    i = int(complete.sum())
    if i < 2 or w * r < 2:
        return None
    order = np.lexsort((wording, instance))
    order = order[complete[instance[order]]]
    scores = np.asarray(values, dtype=np.float64)[order].reshape(i, w, r)
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
