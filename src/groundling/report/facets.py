"""Plots of the main measure by facet and by swept parameter, and maps of the offsets of wrong choices."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import nan

import polars as pl

from groundling.boards.plot import COLOURS, PlotGroup, PlotPoint, PlotSeries
from groundling.core.pack import Measure, Pack, load
from groundling.core.result_tables import natural_sort_key
from groundling.report.plot_captions import Plot, estimate_point, plot_by_set, plot_by_value, plot_offsets
from groundling.report.report_data import ReportRun, distinct_values
from groundling.report.score_table import label_code, score_interval, weighted_mean
from groundling.runs.scoring_table import BASELINE_PREFIX, FACET
from groundling.scores.intervals import Estimate

_SWEPT = re.compile(r"(\w+)=([0-9.]+)")


def facet_plots(pack: Pack, runs: Sequence[ReportRun]) -> Iterator[Plot]:
    """Yield the plots for which there is enough data."""
    main = load(pack.measures)[0]
    bounds = main.low, main.high
    for name in pack.report.shown:
        groups = _facet_groups(name, main, runs)
        if len(groups) > 1:
            yield plot_by_set(groups, main.name, bounds, name.replace("+", " and "))
    swept = dict.fromkeys(
        key
        for run in runs
        for name in distinct_values(run.episodes, "set")
        for key, _ in _SWEPT.findall(name)
    )
    for key in swept:
        series = [
            one
            for number, run in enumerate(runs)
            for one in _swept_series(key, main, run, number, len(runs) > 1)
        ]
        if any(len(one.points) > 1 for one in series):
            yield plot_by_value(series, key, main.name, bounds)
    for number, run in enumerate(runs):
        if pack.report.offsets and (counts := _offset_counts(pack.report.offsets, run)):
            yield plot_offsets(f"off-{number}", f"where {run.name} was off", counts, number)


def _scored_episodes(run: ReportRun, main: Measure, columns: Sequence[str]) -> pl.DataFrame:
    """Return the episodes with a main score and these values, and of their columns what plots need."""
    known = run.without_controls().drop_nulls([*columns, main.name])
    needed = main.name, "weight", "sampling_weight", "chance", pl.col(f"^{BASELINE_PREFIX}.*$")
    names = pl.col("players", *columns).cast(pl.Categorical)
    return known.select(names, *needed, label_code(known, "cluster")).collect()


def _facet_groups(name: str, main: Measure, runs: Sequence[ReportRun]) -> list[PlotGroup]:
    """Return a group for each value, or combination of values, in natural order."""
    columns = [f"{FACET}{part}" for part in name.split("+")]
    parts: dict[str, dict[int, pl.DataFrame]] = {}
    for number, run in enumerate(runs):
        if set(columns) <= set(run.episodes.collect_schema()):
            for values, rows in _scored_episodes(run, main, columns).group_by(columns):
                parts.setdefault(" ".join(map(str, values)), {})[number] = rows
    simple = _informative_baselines([rows for some in parts.values() for rows in some.values()], main)
    return [
        _facet_group(value, parts[value], main, runs, simple) for value in sorted(parts, key=natural_sort_key)
    ]


def _informative_baselines(parts: Sequence[pl.DataFrame], main: Measure) -> list[str]:
    """Return the baseline columns that are worth showing: those not always at the maximum or at chance."""
    known = dict.fromkeys(
        column for rows in parts for column in rows.columns if column.startswith(BASELINE_PREFIX)
    )
    return [
        column
        for column in known
        if not all((rows[column] == main.high).all() for rows in parts)
        and not all((rows[column] == rows["chance"]).all() for rows in parts)
    ]


def _facet_group(
    name: str, parts: dict[int, pl.DataFrame], main: Measure, runs: Sequence[ReportRun], simple: Sequence[str]
) -> PlotGroup:
    rows = [
        PlotSeries(
            _part_label(runs[number], part, len(runs) > 1),
            number,
            [estimate_point(0, score_interval(part, main))],
        )
        for number, part in parts.items()
    ]
    first = next(iter(parts.values()))
    expected = {
        f"{column.removeprefix(BASELINE_PREFIX)}, expected": _mean_estimate(first, column)
        for column in simple
    }
    rows += [
        PlotSeries(label, COLOURS - 1, [estimate_point(0, mean)], True) for label, mean in expected.items()
    ]
    return PlotGroup(name, rows, _mean_estimate(first, "chance").mean)


def _mean_estimate(rows: pl.DataFrame, column: str) -> Estimate:
    mean = weighted_mean(rows, column)
    return Estimate(nan if mean is None else mean, nan, nan, rows.height, 0)


def _part_label(run: ReportRun, part: pl.DataFrame, several: bool) -> str:
    players = " / ".join(part["players"].unique(maintain_order=True).to_list())
    return f"{players} ({run.name})" if several else players


def _swept_series(
    key: str, main: Measure, run: ReportRun, colour: int, several: bool
) -> Iterator[PlotSeries]:
    """Yield a line for each group of sets that differ only in this parameter. In a report on one run, colours
    stand for the first word of the set names."""
    lines: dict[str, list[PlotPoint]] = {}
    known = _scored_episodes(run, main, ["set"])
    for (name,), rows in known.group_by("set", maintain_order=True):
        values = dict(_SWEPT.findall(str(name)))
        if key in values:
            rest = re.sub(rf"\s*\b{key}={re.escape(values[key])}", "", str(name))
            lines.setdefault(rest, []).append(estimate_point(float(values[key]), score_interval(rows, main)))
    kinds = sorted({rest.partition(" ")[0] for rest in lines})
    for rest in sorted(lines, key=natural_sort_key):
        label = f"{rest} ({run.name})" if several else rest
        own = colour if several else kinds.index(rest.partition(" ")[0])
        yield PlotSeries(label, own, sorted(lines[rest], key=lambda point: point.x))


def _offset_counts(names: tuple[str, str], run: ReportRun) -> Counter[tuple[int, int]]:
    """Count the offsets of wrong choices."""
    columns = [f"{FACET}{name}" for name in names]
    if not set(columns) <= set(run.episodes.collect_schema()):
        return Counter()
    counts = run.without_controls().drop_nulls(columns).group_by(columns).len().collect()
    found = Counter({(int(across), int(down)): count for across, down, count in counts.rows()})
    del found[0, 0]
    return found
