"""Small accessible plots as SVG, whose colours come from the style sheet of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from xml.sax.saxutils import escape

from msgspec import Struct

from groundling.boards.picture import replace_unprintable
from groundling.boards.plot import AxisScale
from groundling.report.score_table import format_interval, format_number
from groundling.scores.intervals import Estimate

WIDTH, LEFT, RIGHT, HEIGHT = 440, 46, 14, 210
MAX_LABEL = 64
"""The most characters of a label that fit."""
COLOURS = 6
DASHES = ("", "7 4", "2 3", "9 3 2 3")


class PlotPoint(Struct, frozen=True):
    x: float
    found: Estimate


class PlotSeries(Struct, frozen=True):
    """One line of a plot, or one dot with its interval."""

    label: str
    colour: int
    points: list[PlotPoint]
    control: bool = False
    dots: list[tuple[float, float]] = []
    """Single episodes, if they are few enough to be shown."""


class PlotGroup(Struct, frozen=True):
    """The series under one heading, and the expected score of guessing."""

    name: str
    rows: list[PlotSeries]
    chance: float | None


class Plot(Struct, frozen=True):
    title: str
    about: str
    svg: str
    head: tuple[str, ...]
    numbers: list[tuple[str, ...]]
    """The same as a table; its first column is the row header."""


def plot_by_set(
    groups: Sequence[PlotGroup], measure: str, bounds: tuple[float | None, float | None], by: str = "set"
) -> Plot:
    """Plot a dot and its interval for each series, grouped by set."""
    found = [row.points[0].found for group in groups for row in group.rows]
    scale = _make_scale(
        found,
        bounds,
        LEFT - 30,
        WIDTH - RIGHT,
        [group.chance for group in groups if group.chance is not None],
    )
    y, body = 8.0, []
    for group in groups:
        body.append(_text_svg(group.name, 0, y + 14, "head"))
        bottom = y + 22 + 32 * len(group.rows)
        span_y = f'y1="{y + 22:g}" y2="{bottom:g}"'
        body += [
            f'<line class="grid" x1="{scale(t):.1f}" x2="{scale(t):.1f}" {span_y}/>' for t in scale.ticks
        ]
        if group.chance is not None:
            x = scale(group.chance)
            body.append(f'<line class="chance" x1="{x:.1f}" x2="{x:.1f}" {span_y}/>')
        for number_, row in enumerate(group.rows):
            body += _whisker_svg(row, scale, y + 22 + 32 * number_)
        y = bottom + 10
    body += [_text_svg(f"{t:g}", scale(t), y + 6, "small", "middle") for t in scale.ticks]
    body.append(_text_svg(measure, WIDTH / 2, y + 26, "label", "middle"))
    rows = [(g.name, row.label, *_number_cells(row.points[0].found)) for g in groups for row in g.rows]
    rows += [(g.name, "chance", "", "", format_number(g.chance), "") for g in groups if g.chance is not None]
    about = (
        f"Mean {measure} by {by} with its 95 % interval; controls, and what simple players would get, are "
        "hollow, the dashed line is chance."
    )
    head = (by, "players", "n", "clusters", measure, "95 %")
    return _make_plot(
        f"by-{re.sub(r'[^a-z]+', '-', by)}", f"{measure} by {by}", about, body, y + 32, head, rows
    )


def plot_by_turn(
    series: Sequence[PlotSeries],
    measure: str,
    bounds: tuple[float | None, float | None],
    *,
    apart: bool = False,
) -> Plot:
    """Plot means by turn. With `apart`, the score of a turn does not include those before it."""
    about = (
        f"Mean {measure} of each turn, with its 95 % interval as a band, over the episodes that have so many "
        "turns."
        if apart
        else f"Mean {measure} after each turn, with its 95 % interval as a band. An episode that has ended "
        "counts on with its final score, so that the last point is the mean of the table."
    )
    head = ("players", "turn", "episodes", "clusters", measure, "95 %")
    return _plot_curves(
        "by-turn", f"{measure} by turn", about, "turn", head, series, measure, bounds, band=True
    )


def plot_by_length(
    series: Sequence[PlotSeries], measure: str, bounds: tuple[float | None, float | None]
) -> Plot:
    about = (
        f"Mean {measure}, with its 95 % interval, of episodes in which about as much was said: each dot "
        "stands for an equal share of the episodes, at their mean length. All words that were said count, "
        "whoever said them."
    )
    head = ("players", "words, on average", "n", "clusters", measure, "95 %")
    return _plot_curves(
        "by-length",
        f"length against {measure}",
        about,
        "words said in an episode",
        head,
        series,
        measure,
        bounds,
    )


def plot_by_value(
    series: Sequence[PlotSeries], along: str, measure: str, bounds: tuple[float | None, float | None]
) -> Plot:
    about = f"Mean {measure}, with its 95 % interval, of the sets that were made with each value of {along}."
    head = ("set", along, "n", "clusters", measure, "95 %")
    return _plot_curves(
        f"over-{along}", f"{measure} over {along}", about, along, head, series, measure, bounds, whole=False
    )


def plot_offsets(name: str, title: str, counts: Mapping[tuple[int, int], int], colour: int) -> Plot:
    """Plot a map around the correct cell: the darker a cell, the more often it was chosen instead."""
    reach = max(max(abs(across), abs(down)) for across, down in counts)
    side = min(36.0, (WIDTH - LEFT - RIGHT) / (2 * reach + 1))
    most, body = max(counts.values()), []
    for down in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            x, y = LEFT + (across + reach) * side, 6 + (down + reach) * side
            share = counts.get((across, down), 0) / most
            place = f'x="{x:.1f}" y="{y:.1f}" width="{side - 2:.1f}" height="{side - 2:.1f}"'
            if (across, down) == (0, 0):
                body.append(f'<rect class="hollow" {place}/>')
            else:
                body.append(f'<rect class="mark" fill-opacity="{0.05 + 0.75 * share:.2f}" {place}/>')
            if count := counts.get((across, down)):
                body.append(_text_svg(str(count), x + side / 2 - 1, y + side / 2 + 3, "small", "middle"))
    height = 6 + (2 * reach + 1) * side
    about = (
        "How often another cell was picked than the right one, which is in the middle: by columns to the "
        "right and rows down from it, as seen by whoever picked."
    )
    rows: list[tuple[str, ...]] = [
        (f"{across:+d}, {down:+d}", str(count)) for (across, down), count in sorted(counts.items())
    ]
    return _make_plot(
        name, title, about, [f'<g class="c{colour}">', *body, "</g>"], height + 6, ("right, down", "n"), rows
    )


def _plot_curves(
    name: str,
    title: str,
    about: str,
    along: str,
    head: tuple[str, ...],
    series: Sequence[PlotSeries],
    measure: str,
    bounds: tuple[float | None, float | None],
    *,
    band: bool = False,
    whole: bool = True,
) -> Plot:
    xs = [point.x for one in series for point in one.points] + [x for one in series for x, _ in one.dots]
    up = _make_scale(
        [p.found for one in series for p in one.points],
        bounds,
        HEIGHT,
        14,
        [y for one in series for _, y in one.dots],
    )
    across = AxisScale(min(xs), max(xs), LEFT, WIDTH - RIGHT, whole=whole)
    body = []
    for t in up.ticks:
        body.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up(t):.1f}" y2="{up(t):.1f}"/>'
        )
        body.append(_text_svg(f"{t:g}", LEFT - 6, up(t) + 4, "small", "end"))
    body += [_text_svg(f"{t:g}", across(t), HEIGHT + 17, "small", "middle") for t in across.ticks]
    body.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{HEIGHT}" y2="{HEIGHT}"/>')
    body.append(_text_svg(along, (LEFT + WIDTH - RIGHT) / 2, HEIGHT + 36, "label", "middle"))
    body.append(
        f'<g transform="translate(11 {(HEIGHT + 14) / 2:g}) rotate(-90)">'
        f"{_text_svg(measure, 0, 0, 'label', 'middle')}</g>"
    )
    for rank, one in enumerate(series):
        body.append(
            f'<g class="c{one.colour % COLOURS}">{"".join(_curve_svg(one, rank, across, up, band))}</g>'
        )
    y = HEIGHT + 60.0
    for rank, one in enumerate(series):
        line = f'<line class="line" x1="0" x2="26" y1="{y - 4:g}" y2="{y - 4:g}"{_dash_attribute(rank)}/>'
        key = f'<g class="c{one.colour % COLOURS}">{line}{_mark_svg(13, y - 4, one.control)}</g>'
        body.append(key + _text_svg(one.label, 34, y, "label"))
        y += 19
    rows = [
        (one.label, format_number(p.x, ".4g"), *_number_cells(p.found)) for one in series for p in one.points
    ]
    return _make_plot(name, title, about, body, y - 8, head, rows)


def _curve_svg(one: PlotSeries, rank: int, across: AxisScale, up: AxisScale, band: bool) -> Iterator[str]:
    for x, y in one.dots:
        yield f'<circle class="dot" cx="{across(x):.1f}" cy="{up(y):.1f}" r="2"/>'
    known = [p for p in one.points if not isnan(p.found.low)]
    if band and not one.control and len(known) > 1:
        edge = [(p.x, p.found.high) for p in known] + [(p.x, p.found.low) for p in reversed(known)]
        yield f'<path class="band" d="M{" ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in edge)}Z"/>'
    elif not band:
        for p in known:
            x, low, high = across(p.x), up(p.found.low), up(p.found.high)
            yield f'<line class="whisker" x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}"/>'
    places = " ".join(f"{across(p.x):.1f},{up(p.found.mean):.1f}" for p in one.points)
    yield f'<polyline class="line" points="{places}"{_dash_attribute(rank)}/>'
    for p in one.points:
        yield _mark_svg(across(p.x), up(p.found.mean), one.control)


def _whisker_svg(row: PlotSeries, scale: AxisScale, top: float) -> Iterator[str]:
    found, y = row.points[0].found, top + 24
    yield _text_svg(row.label, LEFT - 24, top + 14, "small")
    yield f'<g class="c{row.colour % COLOURS}">'
    if not isnan(found.low):
        low, high = scale(found.low), scale(found.high)
        yield f'<line class="whisker" x1="{low:.1f}" x2="{high:.1f}" y1="{y:g}" y2="{y:g}"/>'
    if not isnan(found.mean):
        yield _mark_svg(scale(found.mean), y, row.control, 4.5)
    yield "</g>"


def _mark_svg(x: float, y: float, control: bool, size: float = 3) -> str:
    if control:
        side = f"{2 * size:g}"
        return f'<rect class="hollow" x="{x - size:.1f}" y="{y - size:.1f}" width="{side}" height="{side}"/>'
    return f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="{size:g}"/>'


def _dash_attribute(rank: int) -> str:
    dash = DASHES[rank % len(DASHES)]
    return f' stroke-dasharray="{dash}"' if dash else ""


def _make_scale(
    found: Sequence[Estimate],
    bounds: tuple[float | None, float | None],
    start: float,
    end: float,
    more: Sequence[float] = (),
) -> AxisScale:
    """Return a scale over the range of the measure if it has one, else over the values."""
    values = [v for one in found for v in (one.mean, one.low, one.high) if not isnan(v)] + list(more)
    low, high = bounds
    return AxisScale(
        min(values, default=0) if low is None else low,
        max(values, default=1) if high is None else high,
        start,
        end,
    )


def _number_cells(found: Estimate) -> tuple[str, ...]:
    return (
        str(found.n),
        str(found.clusters),
        format_number(found.mean),
        format_interval(found.low, found.high),
    )


def _text_svg(words: str, x: float, y: float, kind: str, anchor: str = "") -> str:
    shown = words if len(words) <= MAX_LABEL else words[: MAX_LABEL - 1] + "…"
    side = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind}" x="{x:.4g}" y="{y:.4g}"{side}>{escape(replace_unprintable(shown))}</text>'


def _make_plot(
    name: str,
    title: str,
    about: str,
    body: list[str],
    height: float,
    head: tuple[str, ...],
    rows: list[tuple[str, ...]],
) -> Plot:
    svg = (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {height:g}" role="img" '
        f'aria-labelledby="{name}-title {name}-about"><title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-about">{escape(about)}</desc>{"".join(body)}</svg>'
    )
    return Plot(title, about, svg, head, rows)
