"""Agreement statistics as sums over units, so that a resample costs one product of matrices."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct

from groundling.scores.intervals import ROUNDING, Floats, Indices
from groundling.scores.label_distances import SET_METRICS, label_distances, list_categories

Ratings: TypeAlias = Sequence[Sequence[Any]]


class LabelTable(Struct, frozen=True):
    """The labels as flat arrays: row, annotator and category of each."""

    units: int
    annotators: int
    categories: list[Any]
    unit: Indices
    annotator: Indices
    code: Indices

    def count_labels(self, times: Floats | None = None) -> tuple[Floats, Floats]:
        """Count the labels of each unit by category; annotators count as often as `times` says. Return also,
        for each unit, the pairs of a label with itself."""
        width = len(self.categories)
        heavy = np.ones(len(self.unit)) if times is None else times[self.annotator]
        counts = np.bincount(self.unit * width + self.code, heavy, self.units * width)
        own = np.bincount(self.unit, heavy**2, self.units)
        return counts.reshape(self.units, width).astype(np.float64), own.astype(np.float64)


def read_label_table(
    ratings: Ratings, metric: str = "nominal", categories: Sequence[Any] | None = None
) -> LabelTable:
    widths = {len(row) for row in ratings}
    if len(widths) > 1:
        raise ValueError(f"every unit needs one label or None for each annotator, not {sorted(widths)}")
    hold = frozenset if metric in SET_METRICS else _same_label
    cells = [
        (unit, annotator, hold(label))
        for unit, row in enumerate(ratings)
        for annotator, label in enumerate(row)
        if label is not None
    ]
    known = list_categories((label for _, _, label in cells), metric, categories)
    place = {label: at for at, label in enumerate(known)}
    unit, annotator, code = (
        np.array([(unit, annotator, place[label]) for unit, annotator, label in cells], dtype=np.int64)
        .reshape(-1, 3)
        .T
    )
    return LabelTable(len(ratings), max(widths, default=0), known, unit, annotator, code)


def _same_label(label: Any) -> Any:
    return label


class AgreementStatistic(ABC):
    """A statistic that is 1 minus observed over expected disagreement, both from sums over units."""

    def __init__(self, table: LabelTable, distances: Floats | None = None) -> None:
        self.table = table
        self.distances = label_distances(table.categories, "nominal") if distances is None else distances
        self.most = float(self.distances.max(initial=0)) or 1.0

    @abstractmethod
    def unit_columns(self, times: Floats | None = None) -> Floats:
        """Return a row for each unit; annotators count as often as `times` says."""

    @abstractmethod
    def split_sums(self, sums: Floats) -> tuple[Floats, Floats]:
        """Return observed and expected disagreement from sums of these rows, a resample in each row."""

    def from_sums(self, sums: Floats) -> Floats:
        observed, expected = self.split_sums(sums)
        return 1 - _divide(observed, np.where(np.abs(expected) <= ROUNDING * self.most, 0, expected))

    def lowest_value(self, sums: Floats, trials: int) -> float:
        """Return the value if as many trials as no disagreement can hide at 95 % disagreed fully."""
        _, expected = self.split_sums(sums)
        hidden = 1 - float(0.025 ** (1 / trials))
        return 1 - hidden * self.most / float(expected[0])

    def sum_distances(self, one: Floats, other: Floats) -> Floats:
        """Return the sum of distances over all pairs of labels, which are counted by category."""
        sums: Floats = ((one @ self.distances) * other).sum(axis=1)
        return sums

    def confusion(self) -> dict[Any, dict[Any, float]]:
        counts, _ = self.table.count_labels()
        paired = counts[counts.sum(axis=1) > 1]
        scaled = paired / (paired.sum(axis=1) - 1)[:, None]
        return _name_cells(self.table.categories, scaled.T @ paired - np.diag(scaled.sum(axis=0)))


class PercentAgreement(AgreementStatistic):
    """The columns are: the share of unequal pairs, 1 if there are pairs, the shares of categories."""

    def unit_columns(self, times: Floats | None = None) -> Floats:
        counts, own = self.table.count_labels(times)
        many = counts.sum(axis=1)
        pairs = many**2 - own
        unequal = np.nan_to_num(_divide(self.sum_distances(counts, counts), pairs))
        return np.column_stack([unequal, pairs > 0, np.nan_to_num(_divide(counts, many[:, None]))])

    def split_sums(self, sums: Floats) -> tuple[Floats, Floats]:
        shares = _divide(sums[:, 2:], sums[:, 2:].sum(axis=1, keepdims=True))
        return _divide(sums[:, 0], sums[:, 1]), self.expect(shares)

    def expect(self, shares: Floats) -> Floats:
        return np.ones(len(shares))


class FleissKappa(PercentAgreement):
    def expect(self, shares: Floats) -> Floats:
        expected: Floats = 1 - (shares**2).sum(axis=1)
        return expected


class GwetAc1(PercentAgreement):
    def expect(self, shares: Floats) -> Floats:
        others = len(self.table.categories) - 1
        return 1 - (shares * (1 - shares)).sum(axis=1) / others if others else np.zeros(len(shares))


class KrippendorffAlpha(AgreementStatistic):
    """The columns are: unequal pairs for each label, labels, pairs of a label with itself, labels by
    category. Only units with at least two labels count."""

    def unit_columns(self, times: Floats | None = None) -> Floats:
        counts, own = self.table.count_labels(times)
        many = counts.sum(axis=1)
        pairs = many**2 - own
        unequal = np.nan_to_num(_divide(self.meetings(counts) * many[:, None], pairs[:, None]))
        columns: Floats = np.column_stack([many, own, counts, unequal]) * (pairs > 0)[:, None]
        return columns

    def split_sums(self, sums: Floats) -> tuple[Floats, Floats]:
        width = self.distances.shape[0]
        labels, own, used, unequal = sums[:, 0], sums[:, 1], sums[:, 2 : 2 + width], sums[:, 2 + width :]
        observed, expected = self.disagreements(used, unequal)
        return _divide(observed, labels), _divide(expected, labels**2 - own)

    def meetings(self, counts: Floats) -> Floats:
        return self.sum_distances(counts, counts)[:, None]

    def disagreements(self, used: Floats, unequal: Floats) -> tuple[Floats, Floats]:
        return unequal[:, 0], self.sum_distances(used, used)


class OrdinalAlpha(KrippendorffAlpha):
    """The distance of two categories is the squared difference of their mean ranks among all labels. It
    changes with each resample, so that the last columns count the pairs of categories that met."""

    def __init__(self, table: LabelTable) -> None:
        super().__init__(table)
        counts, _ = table.count_labels()
        self.lower, self.higher = np.nonzero(np.triu(counts.T @ counts, k=1))
        ranks = self.mean_ranks(counts[counts.sum(axis=1) > 1].sum(axis=0, keepdims=True))
        self.most = float(np.ptp(ranks) ** 2) if ranks.size else 1.0

    def mean_ranks(self, used: Floats) -> Floats:
        ranks: Floats = np.cumsum(used, axis=1) - used / 2
        return ranks

    def meetings(self, counts: Floats) -> Floats:
        return 2 * counts[:, self.lower] * counts[:, self.higher]

    def disagreements(self, used: Floats, unequal: Floats) -> tuple[Floats, Floats]:
        ranks, labels = self.mean_ranks(used), used.sum(axis=1)
        observed = (unequal * (ranks[:, self.lower] - ranks[:, self.higher]) ** 2).sum(axis=1)
        # the mean rank of all labels is half their number
        return observed, 2 * labels * (used * (ranks - labels[:, None] / 2) ** 2).sum(axis=1)


class CohenKappa(AgreementStatistic):
    """The columns are: the distance of the two labels, 1 if there are two, the labels of each annotator."""

    def unit_columns(self, times: Floats | None = None) -> Floats:
        first, second = self.count_sides()
        return np.column_stack([self.sum_distances(first, second), first.sum(axis=1), first, second])

    def count_sides(self) -> list[Floats]:
        table = self.table
        sides = []
        for number in range(2):
            own = table.annotator == number
            sides.append(np.zeros((table.units, len(table.categories))))
            sides[-1][table.unit[own], table.code[own]] = 1
        return sides

    def split_sums(self, sums: Floats) -> tuple[Floats, Floats]:
        first, second = np.split(sums[:, 2:], 2, axis=1)
        return _divide(sums[:, 0], sums[:, 1]), _divide(self.sum_distances(first, second), sums[:, 1] ** 2)

    def confusion(self) -> dict[Any, dict[Any, float]]:
        first, second = self.count_sides()
        return _name_cells(self.table.categories, first.T @ second)


def _divide(above: Floats, below: Floats) -> Floats:
    """Divide; nan where the divisor is 0."""
    empty = np.full(np.broadcast(above, below).shape, np.nan)
    found: Floats = np.divide(above, below, out=empty, where=below != 0)
    return found


def _name_cells(categories: Sequence[Any], met: Floats) -> dict[Any, dict[Any, float]]:
    """Return the cells that are not 0 by their labels."""
    found: dict[Any, dict[Any, float]] = {}
    for row, column in np.argwhere(np.abs(met) > ROUNDING):
        found.setdefault(categories[row], {})[categories[column]] = float(met[row, column])
    return found
