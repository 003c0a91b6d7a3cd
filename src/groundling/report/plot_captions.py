"""The plots of a report with their titles, descriptions and numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from groundling.boards.plot import (
    Bounds,
    PlotBody,
    PlotGroup,
    PlotPoint,
    PlotSeries,
    draw_curves,
    draw_intervals,
    draw_offsets,
    plot_page,
)
from groundling.report.score_table import format_score_interval, format_score_number
from groundling.scores.intervals import Estimate


class Plot(Struct, frozen=True):
    title: str
    about: str
    svg: str
    head: tuple[str, ...]
    numbers: list[tuple[str, ...]]
    """The same as a table; its first column is the row header."""


def estimate_point(x: float, found: Estimate) -> PlotPoint:
    numbers = format_score_number(found.mean), format_score_interval(found.low, found.high)
    return PlotPoint(x, found.mean, found.low, found.high, (str(found.n), str(found.clusters), *numbers))


def plot_by_set(groups: Sequence[PlotGroup], measure: str, bounds: Bounds, by: str = "set") -> Plot:
    """Plot a dot and its interval for each series, grouped by set."""
    rows = [(group.name, row.label, *row.points[0].cells) for group in groups for row in group.rows]
    rows += [
        (g.name, "chance", "", "", format_score_number(g.chance), "") for g in groups if g.chance is not None
    ]
    about = (
        f"Mean {measure} by {by} with its 95 % interval; controls and expected scores of simple players are "
        "hollow, the dashed line is chance."
    )
    head = (by, "players", "n", "clusters", measure, "95 %")
    name = f"by-{re.sub(r'[^a-z]+', '-', by)}"
    return _make_plot(name, f"{measure} by {by}", about, draw_intervals(groups, measure, bounds), head, rows)


def plot_players(name: str, groups: Sequence[PlotGroup], measure: str, *, ranked: bool) -> Plot:
    """Plot a dot and its interval for each player of a tournament, by seat."""
    rows = [(group.name, row.label, *row.points[0].cells) for group in groups for row in group.rows]
    what = "Expected score with the average partner" if ranked else "Mean score with all partners"
    about = (
        f"{what}, with its 95 % interval. Hollow marks are scores without words, the dashed line is chance."
    )
    head = ("seat", "players", "n", "clusters", measure, "95 %")
    body = draw_intervals(groups, measure, (None, None))
    return _make_plot(name, "abilities" if ranked else "mean scores", about, body, head, rows)


def plot_by_turn(series: Sequence[PlotSeries], measure: str, bounds: Bounds, *, apart: bool = False) -> Plot:
    """Plot means by turn. With `apart`, the score of a turn does not include those before it."""
    about = (
        f"Mean {measure} of each turn, with its 95 % interval as a band, over episodes that reach that turn."
        if apart
        else f"Mean {measure} after each turn, with its 95 % interval as a band. An episode that has ended "
        "keeps its final score, so that the last point is the mean of the table."
    )
    head = ("players", "turn", "episodes", "clusters", measure, "95 %")
    body = draw_curves(series, "turn", measure, bounds, band=True)
    return _make_plot("by-turn", f"{measure} by turn", about, body, head, _series_rows(series))


def plot_by_length(series: Sequence[PlotSeries], measure: str, bounds: Bounds) -> Plot:
    about = (
        f"Mean {measure}, with its 95 % interval, of episodes of similar length: each dot is an equal "
        "share of the episodes, at their mean length. The words of all players count."
    )
    head = ("players", "words, on average", "n", "clusters", measure, "95 %")
    body = draw_curves(series, "words said in an episode", measure, bounds)
    return _make_plot("by-length", f"length against {measure}", about, body, head, _series_rows(series))


def plot_by_value(series: Sequence[PlotSeries], along: str, measure: str, bounds: Bounds) -> Plot:
    about = f"Mean {measure}, with its 95 % interval, of the sets that were made with each value of {along}."
    head = ("set", along, "n", "clusters", measure, "95 %")
    body = draw_curves(series, along, measure, bounds, whole=False)
    return _make_plot(f"over-{along}", f"{measure} over {along}", about, body, head, _series_rows(series))


def plot_offsets(name: str, title: str, counts: Mapping[tuple[int, int], int], colour: int) -> Plot:
    """Plot a map around the correct cell: the darker a cell, the more often it was chosen instead."""
    about = (
        "How often a wrong cell was picked, by its offset from the right one in the middle: columns to the "
        "right and rows down, as seen by the player who picked."
    )
    rows: list[tuple[str, ...]] = [
        (f"{across:+d}, {down:+d}", str(count)) for (across, down), count in sorted(counts.items())
    ]
    return _make_plot(name, title, about, draw_offsets(counts, colour), ("right, down", "n"), rows)


def _series_rows(series: Sequence[PlotSeries]) -> list[tuple[str, ...]]:
    return [
        (one.label, format_score_number(point.x, ".4g"), *point.cells)
        for one in series
        for point in one.points
    ]


def _make_plot(
    name: str, title: str, about: str, body: PlotBody, head: tuple[str, ...], rows: list[tuple[str, ...]]
) -> Plot:
    return Plot(title, about, plot_page(name, title, about, body), head, rows)
