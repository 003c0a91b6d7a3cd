"""Scores over a label of turns or episodes, with tests that fit units in clusters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import nan

import numpy as np
from msgspec import Struct

from groundling.core.pack import Pack, choices_hint
from groundling.core.result_tables import natural_sort_key
from groundling.core.values import Problem
from groundling.report.breakdown import Breakdown, ScoredUnit, facet_value
from groundling.report.score_table import (
    format_count_cells,
    format_p,
    format_score_interval,
    format_score_number,
)
from groundling.report.text_table import Column, TableRow, TextTable, count_noun
from groundling.scores.comparison import adjust_holm
from groundling.scores.intervals import Floats
from groundling.scores.label_tests import (
    RESAMPLES,
    KruskalWallis,
    LabelSlope,
    estimate_few_clusters,
    kruskal_wallis,
    label_slope,
    label_slopes_without,
)


class LabelComparison(Struct, frozen=True):
    run: str
    measure: str
    n: int
    clusters: int
    test: KruskalWallis
    slope: LabelSlope | None
    adjusted: LabelSlope | None
    without: dict[str, float]
    """The adjusted slope without each author."""


class LabelledScores(Struct, frozen=True):
    """The units of one run with a score and a label."""

    units: list[ScoredUnit]
    values: Floats
    labels: list[str]
    clusters: list[str]


def label_comparison_tables(
    parts: Breakdown, pack: Pack, name: str, adjust: Sequence[str] = ()
) -> Iterator[TextTable]:
    """Yield the means by label, the tests of each run and measure, and the slopes over an ordered label."""
    parts.check_facet(name)
    units = [unit for unit in parts.units_with(name) if facet_value(unit, name)]
    known = sorted({facet for unit in units for facet in unit.facets})
    for facet in adjust:
        if facet not in known:
            raise Problem(f"{parts.game} has no facet {facet!r} to adjust for: {choices_hint(known)}")
    used = list(adjust) or [facet for facet in pack.report.covariates if facet in known and facet != name]
    scored = {
        (run, measure.name): _collect_scores(units, name, run, measure.name)
        for run in dict.fromkeys(unit.run for unit in units)
        for measure in parts.measures
    }
    yield _means_table(parts.game, name, scored)
    positions = _label_positions({label for found in scored.values() for label in found.labels})
    found = [
        _compare_labels(run, measure, scores, positions, used, pack.report.author)
        for (run, measure), scores in scored.items()
    ]
    yield _tests_table(name, found)
    if positions:
        yield _slopes_table(name, found, used, pack.report.author)


def _collect_scores(units: Sequence[ScoredUnit], name: str, run: str, measure: str) -> LabelledScores:
    some = [unit for unit in units if unit.run == run and unit.values.get(measure) is not None]
    return LabelledScores(
        some,
        np.array([unit.values[measure] for unit in some], dtype=np.float64),
        [facet_value(unit, name) for unit in some],
        [unit.cluster for unit in some],
    )


def _label_positions(labels: set[str]) -> dict[str, float]:
    """Return places on an ordered scale: numbers as they are, texts that begin with a number in order."""
    if all(re.fullmatch(r"-?\d+(\.\d+)?", label) for label in labels):
        return {label: float(label) for label in labels}
    if all(re.match(r"\d", label) for label in labels):
        return {label: float(at) for at, label in enumerate(sorted(labels, key=natural_sort_key))}
    return {}


def _compare_labels(
    run: str,
    measure: str,
    scores: LabelledScores,
    positions: dict[str, float],
    adjust: Sequence[str],
    author: str,
) -> LabelComparison:
    data = scores.values, scores.labels, scores.clusters
    slope = adjusted = None
    without: dict[str, float] = {}
    if positions:
        places = np.array([positions[label] for label in scores.labels])
        covariates = [_covariate(scores.units, facet) for facet in adjust]
        slope = label_slope(scores.values, places, scores.clusters)
        if covariates:
            adjusted = label_slope(scores.values, places, scores.clusters, covariates)
        if author and all(author in unit.facets for unit in scores.units):
            people = [unit.facets[author] for unit in scores.units]
            without = label_slopes_without(scores.values, places, scores.clusters, covariates, people)
    test = kruskal_wallis(*data)
    return LabelComparison(
        run, measure, len(scores.values), len(set(scores.clusters)), test, slope, adjusted, without
    )


def _covariate(units: Sequence[ScoredUnit], facet: str) -> Floats:
    """Return a facet's numbers, as logarithms of 1 + x: scores fall with ratios of sizes."""
    try:
        numbers = [float(unit.facets[facet]) for unit in units]
    except (KeyError, ValueError):
        raise Problem(f"{facet} is not a number for every unit: adjust for another facet") from None
    logarithms: Floats = np.log1p(np.array(numbers))
    return logarithms


def _means_table(game: str, name: str, scored: dict[tuple[str, str], LabelledScores]) -> TextTable:
    rows = []
    for (run, measure), found in scored.items():
        for label in sorted(set(found.labels), key=natural_sort_key):
            at = [number for number, own in enumerate(found.labels) if own == label]
            mean = estimate_few_clusters(found.values[at], [found.clusters[number] for number in at])
            rows.append(TableRow((run, measure, label), tuple(format_count_cells(mean))))
    columns = (Column("n"), Column("clusters", joined=True), Column("mean", joined=True))
    return TextTable(
        f"{game} by {name}", ("run", "measure", name), (*columns, Column("95 %", joined=True)), tuple(rows)
    )


def _tests_table(name: str, comparisons: Sequence[LabelComparison]) -> TextTable:
    plain = adjust_holm([found.test.p for found in comparisons])
    within = adjust_holm([found.test.within for found in comparisons])
    rows = [
        TableRow(
            (found.run, found.measure),
            (
                str(found.n),
                str(found.clusters),
                format_score_number(found.test.h, ".2f"),
                str(found.test.freedom),
                *map(format_p, (found.test.p, one, found.test.within, other)),
            ),
        )
        for found, one, other in zip(comparisons, plain, within, strict=True)
    ]
    names = ("n", "clusters", "H", "df", "p", "p (Holm)", "p within clusters", "within, Holm")
    return TextTable(
        f"Kruskal–Wallis over {name}, {count_noun(len(rows), 'test')}",
        ("run", "measure"),
        tuple(Column(column, joined=bool(at)) for at, column in enumerate(names)),
        tuple(rows),
        (
            "p takes units as independent; p within clusters permutes labels within clusters, and fits "
            f"units in clusters. It is at least {1 / (RESAMPLES + 1):g}, with {RESAMPLES:,} permutations.",
        ),
    )


def _slopes_table(
    name: str, comparisons: Sequence[LabelComparison], adjust: Sequence[str], author: str
) -> TextTable:
    sides = [[found.slope for found in comparisons], [found.adjusted for found in comparisons]]
    holm = [adjust_holm([nan if one is None else one.p for one in side]) for side in sides]
    rows = []
    for at, found in enumerate(comparisons):
        cells = [
            cell for number, side in enumerate(sides) for cell in _slope_cells(side[at], holm[number][at])
        ]
        rows.append(TableRow((found.run, found.measure), (*cells, *_without_cells(found.without))))
    names = ("slope", "95 %", "p", "p (Holm)")
    told = f"Adjusted for {' and '.join(adjust)} (logarithms)" if adjust else "Not adjusted"
    return TextTable(
        f"Slope over {name} within clusters: score for each step of {name}",
        ("run", "measure"),
        (
            *(Column(one, joined=bool(at)) for at, one in enumerate(names)),
            *(Column(f"adjusted {one}", joined=bool(at)) for at, one in enumerate(names)),
            *([Column(f"without one {author}")] if author else []),
        ),
        tuple(rows),
        (f"{told}; intervals resample clusters (BCa, widened for few clusters).",),
    )


def _slope_cells(slope: LabelSlope | None, holm: float) -> list[str]:
    if slope is None:
        return ["—", "", "", ""]
    interval = format_score_interval(slope.low, slope.high, "+.3f")
    return [format_score_number(slope.value, "+.3f"), interval, format_p(slope.p), format_p(holm)]


def _without_cells(without: dict[str, float]) -> list[str]:
    """The range of slopes, each end with the author whose absence gives it."""
    if not without:
        return []
    low, high = min(without, key=without.__getitem__), max(without, key=without.__getitem__)
    return [f"{without[low]:+.3f} ({low}) to {without[high]:+.3f} ({high})"]
