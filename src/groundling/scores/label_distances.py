"""Distances between labels, by which agreement statistics weigh a disagreement."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from numbers import Real
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from groundling.scores.intervals import Floats

Metric: TypeAlias = Literal["nominal", "ordinal", "gwet-ordinal", "interval", "ratio", "jaccard", "masi"]
METRICS: tuple[str, ...] = get_args(Metric)
SET_METRICS = frozenset({"jaccard", "masi"})
ORDERED_METRICS = frozenset({"ordinal", "gwet-ordinal"})


def list_categories(labels: Iterable[Any], metric: str, order: Sequence[Any] | None = None) -> list[Any]:
    """Return the different labels in order. `order` names all categories, used or not, from lowest to
    highest. Raises ValueError where the metric cannot be applied to the labels."""
    if metric not in METRICS:
        raise ValueError(f"there is no metric {metric!r}: choose from {', '.join(METRICS)}")
    used = set(labels)
    if order is not None:
        if left := used - set(order):
            raise ValueError(f"{min(left, key=str)!r} is not among the categories {_join_labels(order)}")
        found = list(dict.fromkeys(order))
    elif metric in SET_METRICS:
        return sorted(used, key=lambda one: (len(one), sorted(map(str, one))))
    else:
        numbers = all(isinstance(label, Real) for label in used)
        if metric in ORDERED_METRICS and not numbers:
            raise ValueError(f"the labels {_join_labels(used)} are not numbers: give their order")
        found = sorted(used) if numbers else sorted(used, key=str)
    if metric in ("interval", "ratio") and not all(isinstance(label, Real) for label in found):
        raise ValueError(f"the labels {_join_labels(found)} are not numbers: use another metric")
    if metric == "ratio" and any(label < 0 for label in found):
        raise ValueError("a ratio scale begins at 0, and there are labels below 0: use another metric")
    return found


def label_distances(categories: Sequence[Any], metric: str) -> Floats:
    """Return the matrix of distances, 0 on the diagonal. Krippendorff's ordinal metric is not among these: it
    depends on how often each category is used."""
    count = len(categories)
    if metric in SET_METRICS:
        return _fill_distances(categories, jaccard_distance if metric == "jaccard" else masi_distance)
    if metric == "nominal":
        return 1 - np.eye(count)
    if metric == "gwet-ordinal":
        steps = np.abs(np.subtract.outer(np.arange(count), np.arange(count))).astype(np.float64)
        return steps * (steps + 1) / 2
    values = np.array([float(label) for label in categories])
    squares: Floats = np.subtract.outer(values, values) ** 2
    if metric == "interval":
        return squares
    sums: Floats = np.add.outer(values, values) ** 2
    ratios: Floats = np.divide(squares, sums, out=np.zeros_like(squares), where=sums > 0)
    return ratios


def jaccard_distance(one: Collection[Any], other: Collection[Any]) -> float:
    """Return 1 minus the shared part of two sets; two empty sets are equal."""
    a, b = set(one), set(other)
    return 1 - len(a & b) / len(a | b) if a | b else 0.0


def masi_distance(one: Collection[Any], other: Collection[Any]) -> float:
    """Return Passonneau's (2006) distance of two sets: the shared part counts fully if the sets are equal,
    two thirds if one contains the other, one third if they overlap."""
    a, b = set(one), set(other)
    factor = 1.0 if a == b else 2 / 3 if a <= b or b <= a else 1 / 3
    return 1 - (1 - jaccard_distance(a, b)) * factor


def _fill_distances(
    categories: Sequence[Any], distance: Callable[[Collection[Any], Collection[Any]], float]
) -> Floats:
    return np.array([[distance(one, other) for other in categories] for one in categories], dtype=np.float64)


def _join_labels(labels: Iterable[Any]) -> str:
    known = [str(label) for label in labels]
    return ", ".join(sorted(known)[:5]) + (", …" if len(known) > 5 else "")
