"""Plots of the main measure by facet and by swept parameter, and maps of the offsets of wrong choices."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import nan
from typing import TYPE_CHECKING

from groundling.core.pack import Measure, Pack, load
from groundling.report.breakdown import natural
from groundling.report.gather import FACET, Run
from groundling.report.plots import COLOURS, Group, Plot, Point, Series, by_set, by_value, chart
from groundling.report.tables import interval
from groundling.runs.scoring import BASELINE
from groundling.scores.intervals import Estimate

if TYPE_CHECKING:
    import polars as pl

_SWEPT = re.compile(r"(\w+)=([0-9.]+)")


def facet_plots(pack: Pack, runs: Sequence[Run]) -> Iterator[Plot]:
    """Yield the plots for which there is enough data."""
    main = load(pack.measures)[0]
    bounds = main.low, main.high
    for name in pack.shown:
        groups = _groups(name, main, runs)
        if len(groups) > 1:
            yield by_set(groups, main.name, bounds, name.replace("+", " and "))
    swept = dict.fromkeys(
        key for run in runs for name in run.episodes["set"].unique() for key, _ in _SWEPT.findall(name)
    )
    for key in swept:
        series = [
            one for number, run in enumerate(runs) for one in _swept(key, main, run, number, len(runs) > 1)
        ]
        if any(len(one.points) > 1 for one in series):
            yield by_value(series, key, main.name, bounds)
    for number, run in enumerate(runs):
        if pack.offsets and (counts := _offsets(pack.offsets, run)):
            yield chart(f"off-{number}", f"where {run.name} was off", counts, number % COLOURS)


def _own(run: Run) -> pl.DataFrame:
    return run.episodes.filter(run.episodes["control"] == "")


def _groups(name: str, main: Measure, runs: Sequence[Run]) -> list[Group]:
    """Return a group for each value, or combination of values, in natural order."""
    columns = [f"{FACET}{part}" for part in name.split("+")]
    parts: dict[str, dict[int, pl.DataFrame]] = {}
    for number, run in enumerate(runs):
        if set(columns) <= set(run.episodes.columns):
            for values, rows in _own(run).drop_nulls([*columns, main.name]).group_by(columns):
                parts.setdefault(" ".join(map(str, values)), {})[number] = rows
    simple = _telling([rows for some in parts.values() for rows in some.values()], main)
    return [_group(value, parts[value], main, runs, simple) for value in sorted(parts, key=natural)]


def _telling(parts: Sequence[pl.DataFrame], main: Measure) -> list[str]:
    """Return the baseline columns that are worth showing: those not always at the maximum or at chance."""
    known = dict.fromkeys(column for rows in parts for column in rows.columns if column.startswith(BASELINE))
    return [
        column
        for column in known
        if not all((rows[column] == main.high).all() for rows in parts)
        and not all((rows[column] == rows["chance"]).all() for rows in parts)
    ]


def _group(
    name: str, parts: dict[int, pl.DataFrame], main: Measure, runs: Sequence[Run], simple: Sequence[str]
) -> Group:
    rows = [
        Series(_label(runs[number], part, len(runs) > 1), number, [Point(0, interval(part, main))])
        for number, part in parts.items()
    ]
    first = next(iter(parts.values()))
    expected = {f"{column.removeprefix(BASELINE)}, expected": _mean(first, column) for column in simple}
    rows += [Series(label, COLOURS - 1, [Point(0, mean)], True) for label, mean in expected.items()]
    return Group(name, rows, _mean(first, "chance").mean)


def _mean(rows: pl.DataFrame, column: str) -> Estimate:
    mean = rows[column].mean()
    return Estimate(float(mean) if isinstance(mean, int | float) else nan, nan, nan, rows.height, 0)


def _label(run: Run, part: pl.DataFrame, several: bool) -> str:
    players = " / ".join(part["players"].unique(maintain_order=True).to_list())
    return f"{players} ({run.name})" if several else players


def _swept(key: str, main: Measure, run: Run, colour: int, several: bool) -> Iterator[Series]:
    """Yield a line for each group of sets that differ only in this parameter. In a report on one run, colours
    stand for the first word of the set names."""
    lines: dict[str, list[Point]] = {}
    known = _own(run).drop_nulls(main.name)
    for (name,), rows in known.group_by("set", maintain_order=True):
        values = dict(_SWEPT.findall(str(name)))
        if key in values:
            rest = re.sub(rf"\s*\b{key}={re.escape(values[key])}", "", str(name))
            lines.setdefault(rest, []).append(Point(float(values[key]), interval(rows, main)))
    kinds = sorted({rest.partition(" ")[0] for rest in lines})
    for rest in sorted(lines, key=natural):
        label = f"{rest} ({run.name})" if several else rest
        own = colour if several else kinds.index(rest.partition(" ")[0])
        yield Series(label, own, sorted(lines[rest], key=lambda point: point.x))


def _offsets(names: tuple[str, str], run: Run) -> Counter[tuple[int, int]]:
    """Count the offsets of wrong choices."""
    columns = [f"{FACET}{name}" for name in names]
    if not set(columns) <= set(run.episodes.columns):
        return Counter()
    found = Counter(
        (int(across), int(down)) for across, down in _own(run).select(columns).drop_nulls().iter_rows()
    )
    del found[0, 0]
    return found
