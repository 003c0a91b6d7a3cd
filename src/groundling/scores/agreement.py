"""Agreement of annotators: Krippendorff's alpha, Fleiss' and Cohen's kappa, Gwet's AC1, percent agreement.

`ratings` is a sequence of units, each with one label or None for each annotator. A statistic is 1 minus
observed over expected disagreement; it is None, with a note, where the expected disagreement is 0 or nothing
can be paired.

Intervals are bootstrap intervals over units, or over clusters of units that are not independent
(`bca_interval`). They hold for these annotators. With `over_annotators` annotators are resampled too, from
five on: fewer say too little about others."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct

from groundling.scores.agreement_statistics import (
    AgreementStatistic,
    CohenKappa,
    FleissKappa,
    GwetAc1,
    KrippendorffAlpha,
    OrdinalAlpha,
    PercentAgreement,
    Ratings,
    read_label_table,
)
from groundling.scores.intervals import (
    MAX_BLOCKS,
    Floats,
    Indices,
    Labels,
    bca_interval,
    group_clusters,
    resample_statistic,
)
from groundling.scores.label_distances import label_distances

Span: TypeAlias = tuple[int, int, str]
RESAMPLES = 1_000
MIN_ANNOTATORS = 5
"""Annotators are resampled only from this number on."""
MIN_DEFINED = 0.95
"""The share of resamples in which the statistic must be defined."""
NO_PAIRS = "no unit was labelled by two annotators"
ONE_CATEGORY = "only one category was used, so agreement by chance cannot be told apart"
NO_DISAGREEMENT = "no disagreement was seen: the lower end assumes the most that so few units can hide"


class Agreement(Struct, frozen=True):
    value: float | None
    low: float | None
    high: float | None
    n: int
    """Units with at least two labels."""
    confusion: Mapping[Any, Mapping[Any, float]]
    """How often two labels met on one unit; a unit counts as often as it has labels."""
    note: str = ""
    """Why a number is missing, or how to read it."""

    @property
    def cells(self) -> tuple[str, str]:
        """The value and its interval, as tables print them."""
        interval = "" if self.low is None or self.high is None else f"[{self.low:.3f}, {self.high:.3f}]"
        return "—" if self.value is None else f"{self.value:.3f}", interval


def alpha(
    ratings: Ratings,
    metric: str = "nominal",
    *,
    categories: Sequence[Any] | None = None,
    clusters: Labels | None = None,
    over_annotators: bool = False,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Agreement:
    """Krippendorff's alpha. The metric is nominal, ordinal, interval or ratio (Krippendorff), gwet-ordinal
    (Gwet's ordinal weights), or jaccard or masi for labels that are sets. `categories` lists the labels of
    an ordered scale from lowest to highest; numbers need no list."""
    table = read_label_table(ratings, metric, categories)
    statistic = (
        OrdinalAlpha(table)
        if metric == "ordinal"
        else KrippendorffAlpha(table, label_distances(table.categories, metric))
    )
    return _estimate_agreement(statistic, clusters, over_annotators, resamples, seed)


def fleiss(
    ratings: Ratings,
    *,
    clusters: Labels | None = None,
    over_annotators: bool = False,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Agreement:
    """Fleiss' kappa. Units may have different numbers of labels: those with one label count for the expected
    agreement only, as in Gwet's (2014) generalisation."""
    return _estimate_agreement(
        FleissKappa(read_label_table(ratings)), clusters, over_annotators, resamples, seed
    )


def ac1(
    ratings: Ratings,
    *,
    categories: Sequence[Any] | None = None,
    clusters: Labels | None = None,
    over_annotators: bool = False,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Agreement:
    """Gwet's AC1. Categories that nobody used count if `categories` lists them."""
    table = read_label_table(ratings, categories=categories)
    return _estimate_agreement(GwetAc1(table), clusters, over_annotators, resamples, seed)


def percent(
    ratings: Ratings,
    *,
    clusters: Labels | None = None,
    over_annotators: bool = False,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Agreement:
    """The share of pairs of labels of one unit that are equal, mean over units; between 0 and 1."""
    return _estimate_agreement(
        PercentAgreement(read_label_table(ratings)), clusters, over_annotators, resamples, seed
    )


def cohen(
    a: Sequence[Any],
    b: Sequence[Any],
    weights: str | None = None,
    *,
    categories: Sequence[Any] | None = None,
    clusters: Labels | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Agreement:
    """Cohen's kappa of two annotators; weighted by the distance of categories if `weights` is "linear" or
    "quadratic". Units that one of them left out do not count. The confusion has the labels of `a` first."""
    if weights not in (None, "linear", "quadratic"):
        raise ValueError(f'there are no weights {weights!r}: choose from "linear" and "quadratic", or None')
    if len(a) != len(b):
        raise ValueError(f"{len(a)} labels need as many of the other annotator, not {len(b)}")
    pairs = [(x, y) if x is not None and y is not None else (None, None) for x, y in zip(a, b, strict=True)]
    table = read_label_table(pairs, "gwet-ordinal" if weights else "nominal", categories)
    ranks = np.arange(len(table.categories), dtype=np.float64)
    steps = np.abs(np.subtract.outer(ranks, ranks))
    distances = (steps > 0).astype(np.float64) if weights is None else steps
    statistic = CohenKappa(table, distances**2 if weights == "quadratic" else distances)
    return _estimate_agreement(statistic, clusters, False, resamples, seed)


def alpha_spans(
    spans: Sequence[Sequence[Collection[Span] | None]],
    lengths: Sequence[int],
    kind: str | None = None,
    *,
    clusters: Labels | None = None,
    over_annotators: bool = False,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Agreement:
    """Alpha over the positions of texts, characters or words, for marked spans (start, end, kind).

    Of Krippendorff's alphas for unitizing this is the binary one, which asks at each position whether it lies
    in a span; it is defined for many texts, any number of annotators and overlapping spans. Without a kind,
    the label of a position is the set of kinds that cover it, and sets are compared by Jaccard distance. For
    each text there are the spans of each annotator, or None, and a length. Positions of one text are not
    independent: texts, or `clusters` of texts, are resampled."""
    if len(spans) != len(lengths):
        raise ValueError(f"{len(spans)} texts need as many lengths, not {len(lengths)}")
    rows: list[list[Any]] = []
    owners: list[str] = []
    for text, (marked, length) in enumerate(zip(spans, lengths, strict=True)):
        columns = [None if some is None else _cover_positions(some, length, kind, text) for some in marked]
        rows += [[None if one is None else one[at] for one in columns] for at in range(length)]
        owners += [str(text if clusters is None else clusters[text])] * length
    return alpha(
        rows, "jaccard", clusters=owners, over_annotators=over_annotators, resamples=resamples, seed=seed
    )


def _cover_positions(
    spans: Collection[Span], length: int, kind: str | None, text: int
) -> list[frozenset[str]]:
    """Return the kinds of the spans at each position of a text."""
    covered: list[set[str]] = [set() for _ in range(length)]
    for start, end, own in spans:
        if not 0 <= start < end <= length:
            raise ValueError(f"the span {start} to {end} is not inside text {text}, which is {length} long")
        if kind in (None, own):
            for at in range(start, end):
                covered[at].add(own)
    return [frozenset(kinds) for kinds in covered]


def _estimate_agreement(
    statistic: AgreementStatistic, clusters: Labels | None, over_annotators: bool, resamples: int, seed: int
) -> Agreement:
    table = statistic.table
    if clusters is not None and len(clusters) != table.units:
        raise ValueError(f"{table.units} units need as many cluster labels, not {len(clusters)}")
    columns, confusion = statistic.unit_columns(), statistic.confusion()
    n = int((np.bincount(table.unit, minlength=table.units) > 1).sum())
    if not n:
        return Agreement(None, None, None, 0, confusion, NO_PAIRS)
    sums = columns.sum(axis=0, keepdims=True)
    value = float(statistic.from_sums(sums)[0])
    if np.isnan(value):
        return Agreement(None, None, None, n, confusion, ONE_CATEGORY)
    labelled = np.unique(table.unit)
    names = labelled if clusters is None else np.asarray(clusters)[labelled]
    low, high, note = _resample_units(statistic, labelled, names, over_annotators, resamples, seed)
    if value >= 1 and low is not None:
        low, high, note = statistic.lowest_value(sums, len(np.unique(names))), 1.0, NO_DISAGREEMENT
    return Agreement(min(value, 1.0), low, high, n, confusion, note)


def _resample_units(
    statistic: AgreementStatistic,
    rows: Indices,
    names: Labels,
    over_annotators: bool,
    resamples: int,
    seed: int,
) -> tuple[float | None, float | None, str]:
    """Return the ends of the interval and a note. More than `MAX_BLOCKS` clusters are merged at random."""
    rng, annotators = np.random.default_rng(seed), statistic.table.annotators
    index, sizes = group_clusters(names)
    count = len(sizes)
    if count < 2:
        return None, None, "no interval: it needs two units or clusters"
    if over_annotators and annotators < MIN_ANNOTATORS:
        return None, None, f"no interval over annotators: it needs {MIN_ANNOTATORS}, not {annotators}"
    if count > MAX_BLOCKS:
        index, count = (rng.permutation(count) % MAX_BLOCKS)[index], MAX_BLOCKS
    order = np.argsort(index, kind="stable")
    starts = np.searchsorted(index[order], np.arange(count))

    def sum_blocks(times: Floats | None = None) -> Floats:
        blocks: Floats = np.add.reduceat(statistic.unit_columns(times)[rows][order], starts, axis=0)
        return blocks

    whole = sum_blocks()

    def resample_blocks(chosen: Indices, who: Indices | None = None) -> Floats:
        times = _count_choices(chosen, count)
        if who is None:
            return statistic.from_sums(times @ whole)
        each = zip(times, _count_choices(who, annotators), strict=True)
        return statistic.from_sums(np.array([row @ sum_blocks(people) for row, people in each]))

    counts = (count, annotators) if over_annotators else (count,)
    found = resample_statistic(resample_blocks, counts, rng, resamples)
    defined = found[~np.isnan(found)]
    if len(defined) < MIN_DEFINED * resamples:
        return None, None, "no interval: in many resamples only one category is left"
    sums = whole.sum(axis=0, keepdims=True)
    without = statistic.from_sums(sums - whole)
    value = float(statistic.from_sums(sums)[0])
    return *bca_interval(defined, value, without[~np.isnan(without)], min(counts)), ""


def _count_choices(chosen: Indices, count: int) -> Floats:
    """Return how often each of `count` is chosen in each row."""
    flat = chosen + count * np.arange(len(chosen))[:, None]
    times = np.bincount(flat.ravel(), minlength=len(chosen) * count)
    return times.reshape(len(chosen), count).astype(np.float64)
