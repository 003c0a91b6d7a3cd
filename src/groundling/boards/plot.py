"""Small plots as SVG: curves, bars, means with intervals, maps of offsets; and bars of characters.

A drawing names colours by class: a page brings its own style sheet, and `plot_document` adds one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor, isnan, log10, nan
from typing import TypeAlias
from xml.sax.saxutils import escape

from msgspec import Struct

from groundling.boards.picture import replace_unprintable, svg_document, text_at

WIDTH, LEFT, RIGHT = 440, 46, 14
TOP, HEIGHT = 14, 210
DIGIT = 7
"""Width of a character beside an axis."""
"""Where the vertical axis ends and begins."""
MARGIN, TITLE = 18, 34
"""The space around a drawing in a document of its own, and above it for the title."""
MAX_LABEL = 64
"""The most characters of a label that fit."""
PALETTE = ("#2f6db5", "#4c9a5b", "#b5532f", "#7d4fa8", "#a8842c", "#3a8f95")
COLOURS = len(PALETTE)
DASHES = ("", "7 4", "2 3", "9 3 2 3")
STYLE = (
    "g text{font-size:12px;paint-order:stroke;stroke:#fbfaf7;stroke-width:3px} g .small{font-size:11px} "
    ".grid{stroke:#d9dde2} "
    ".axis{stroke:#1c2430} .line{fill:none;stroke:currentColor;stroke-width:2} .mark{fill:currentColor} "
    ".limit{stroke:currentColor;stroke-dasharray:4 3} "
    + " ".join(f".c{number}{{color:{colour}}}" for number, colour in enumerate(PALETTE))
)
_BLOCKS = " ▏▎▍▌▋▊▉█"

Bounds: TypeAlias = tuple[float | None, float | None]


class PlotPoint(Struct, frozen=True):
    x: float
    y: float
    low: float = nan
    high: float = nan
    cells: tuple[str, ...] = ()
    """Its further columns in a table of the plot's numbers."""


class PlotSeries(Struct, frozen=True):
    """One line of a plot, or one dot with its interval."""

    label: str
    colour: int
    points: Sequence[PlotPoint]
    control: bool = False
    dots: Sequence[tuple[float, float]] = ()
    """Single episodes, if they are few enough to be shown."""


class PlotGroup(Struct, frozen=True):
    """The series under one heading, and the expected score of guessing."""

    name: str
    rows: list[PlotSeries]
    chance: float | None


class PlotTrack(Struct, frozen=True):
    """A line through points in their given order."""

    label: str
    points: Sequence[tuple[float, float]]


class AxisMark(Struct, frozen=True):
    """A labelled value on the horizontal axis, such as a median."""

    at: float
    label: str
    series: int = 0


class PlotBody(Struct, frozen=True):
    """The inside of an SVG, `WIDTH` wide."""

    svg: str
    height: float


class AxisScale:
    """Maps values to positions along an axis."""

    def __init__(self, low: float, high: float, start: float, end: float, whole: bool = False) -> None:
        self.ticks = round_plot_ticks(low, high, whole=whole)
        self.low, self.high = self.ticks[0], self.ticks[-1]
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def round_plot_ticks(low: float, high: float, most: int = 6, *, whole: bool = False) -> list[float]:
    """List round numbers from below the lowest value to above the highest."""
    if high - low <= 1e-9 * max(1.0, abs(low)):
        low, high = low - 0.5, low + 0.5
    power = 10.0 ** floor(log10((high - low) / most))
    steps = [1.0] if whole and high - low <= most else [f * power for f in (1, 2, 2.5, 5, 10, 20)]
    step = next(step for step in steps if (high - low) / step <= most and not (whole and step % 1))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(number * step, 12) for number in range(first, last + 1)]


def text_plot_bar(value: float, most: float, width: int = 30) -> str:
    """Draw a bar of block characters, to an eighth of one. A positive value is never shown as empty."""
    if isnan(value) or value <= 0 or most <= 0:
        return ""
    eighths = max(1, round(8 * width * min(1.0, value / most)))
    return "█" * (eighths // 8) + _BLOCKS[eighths % 8].strip()


def plot_page(name: str, title: str, about: str, body: PlotBody) -> str:
    """A plot for a page with a style sheet, with its title and description for screen readers."""
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {body.height:g}" role="img" '
        f'aria-labelledby="{name}-title {name}-about"><title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-about">{escape(about)}</desc>{body.svg}</svg>'
    )


def plot_document(title: str, body: PlotBody) -> str:
    """A plot as a whole SVG with its own colours."""
    inside = (
        f"<style>{STYLE}</style>{text_at(title, MARGIN, 20, 13, weight='bold')}"
        f'<g fill="#1c2430" transform="translate({MARGIN} {TITLE})">{body.svg}</g>'
    )
    return svg_document(WIDTH + 2 * MARGIN, body.height + TITLE + MARGIN, inside, title)


def plot_tracks(
    title: str, found: Sequence[PlotTrack], *, along: str, up: str, bounds: Bounds = (None, None)
) -> str:
    """Plot tracks as a whole SVG. Equal labels share a style and a line of the legend; NaN is left out."""
    labels = list(dict.fromkeys(track.label for track in found))
    series = [
        PlotSeries(
            track.label, labels.index(track.label), [PlotPoint(x, y) for x, y in track.points if not isnan(y)]
        )
        for track in found
    ]
    return plot_document(title, draw_curves(series, along, up, bounds, whole=False))


def draw_bars(
    xs: Sequence[float],
    series: Mapping[str, Sequence[float]],
    *,
    along: str,
    up: str,
    most: float | None = None,
    marks: Sequence[AxisMark] = (),
) -> PlotBody:
    """Draw bars. They are cut off at `most` and then carry their number; NaN values are left out."""
    step = min((b - a for a, b in pairwise(xs)), default=1.0)
    values = [value for ys in series.values() for value in ys if not isnan(value)]
    scale = AxisScale(0, most or max(values, default=1.0), HEIGHT, TOP)
    across = AxisScale(min(xs), max(xs), _left_edge(scale), WIDTH - RIGHT)
    across.low, across.high = min(xs) - step / 2, max(xs) + step / 2
    across.ticks = [tick for tick in across.ticks if across.low <= tick <= across.high]
    body = [*_frame_svg(across, scale, along, up)]
    for number, ys in enumerate(series.values()):
        points = [(x, y) for x, y in zip(xs, ys, strict=True) if not isnan(y)]
        bars = _bars_svg(points, number, len(series), step, across, scale)
        body.append(f'<g class="c{number % COLOURS}">{"".join(bars)}</g>')
    for mark in marks:
        x = across(mark.at)
        side, anchor = (-5, "end") if x > WIDTH * 0.7 else (5, "start")
        label = _text_svg(mark.label, x + side, TOP + 10 + 13 * mark.series, "small", anchor)
        body.append(f'<g class="c{mark.series % COLOURS}">{_line_svg("limit", x, x, TOP, HEIGHT)}</g>{label}')
    keys = [
        ('<rect class="mark" x="8" y="-9" width="10" height="10"/>', n, name) for n, name in enumerate(series)
    ]
    return _add_legend(body, keys)


def draw_curves(
    series: Sequence[PlotSeries],
    along: str,
    up: str,
    bounds: Bounds = (None, None),
    *,
    band: bool = False,
    whole: bool = True,
) -> PlotBody:
    """Draw a line for each series, with intervals as a band or whiskers; equal ones share the legend."""
    dots = [dot for one in series for dot in one.dots]
    xs = [point.x for one in series for point in one.points] + [x for x, _ in dots]
    scale = _make_scale((p for one in series for p in one.points), bounds, HEIGHT, TOP, [y for _, y in dots])
    across = AxisScale(
        min(xs, default=0.0), max(xs, default=1.0), _left_edge(scale), WIDTH - RIGHT, whole=whole
    )
    body = [*_frame_svg(across, scale, along, up)]
    keys: dict[tuple[str, int, bool], str] = {}
    for one in series:
        key = one.label, one.colour % COLOURS, one.control
        rank = list(keys).index(key) if key in keys else len(keys)
        body.append(
            f'<g class="c{key[1]}">{"".join(_curve_svg(one, _dash_attribute(rank), across, scale, band))}</g>'
        )
        line = f'<line class="line" x1="0" x2="26" y1="-4" y2="-4"{_dash_attribute(rank)}/>'
        keys[key] = line + _mark_svg(13, -4, one.control)
    return _add_legend(body, [(sample, colour, label) for (label, colour, _), sample in keys.items()])


def draw_intervals(groups: Sequence[PlotGroup], measure: str, bounds: Bounds) -> PlotBody:
    """Draw a dot and its interval for each series, by group."""
    points = [row.points[0] for group in groups for row in group.rows]
    chances = [group.chance for group in groups if group.chance is not None]
    scale = _make_scale(points, bounds, LEFT - 30, WIDTH - RIGHT, chances)
    y, body = 8.0, []
    for group in groups:
        body.append(_text_svg(group.name, 0, y + 14, "head"))
        top, bottom = y + 22, y + 22 + 32 * len(group.rows)
        body += [_line_svg("grid", scale(tick), scale(tick), top, bottom) for tick in scale.ticks]
        if group.chance is not None:
            body.append(_line_svg("chance", scale(group.chance), scale(group.chance), top, bottom))
        for number, row in enumerate(group.rows):
            body += _whisker_svg(row, scale, top + 32 * number)
        y = bottom + 10
    body += [_text_svg(f"{tick:g}", scale(tick), y + 6, "small", "middle") for tick in scale.ticks]
    body.append(_text_svg(measure, WIDTH / 2, y + 26, "label", "middle"))
    return PlotBody("".join(body), y + 32)


def draw_offsets(counts: Mapping[tuple[int, int], int], colour: int) -> PlotBody:
    """Draw a map around a cell: the darker another cell, the higher its count."""
    reach = max(max(abs(across), abs(down)) for across, down in counts)
    side = min(36.0, (WIDTH - LEFT - RIGHT) / (2 * reach + 1))
    most, body = max(counts.values()), []
    for down in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            x, y = LEFT + (across + reach) * side, 6 + (down + reach) * side
            place = f'x="{x:.1f}" y="{y:.1f}" width="{side - 2:.1f}" height="{side - 2:.1f}"'
            count = counts.get((across, down), 0)
            if (across, down) == (0, 0):
                body.append(f'<rect class="hollow" {place}/>')
            else:
                body.append(f'<rect class="mark" fill-opacity="{0.05 + 0.75 * count / most:.2f}" {place}/>')
            if count:
                body.append(_text_svg(str(count), x + side / 2 - 1, y + side / 2 + 3, "small", "middle"))
    return PlotBody(f'<g class="c{colour % COLOURS}">{"".join(body)}</g>', 12 + (2 * reach + 1) * side)


def _make_scale(
    points: Iterable[PlotPoint], bounds: Bounds, start: float, end: float, more: Sequence[float]
) -> AxisScale:
    """Return a scale over the bounds if there are any, else over the values."""
    values = [v for point in points for v in (point.y, point.low, point.high) if not isnan(v)] + [*more]
    low, high = bounds
    return AxisScale(
        min(values, default=0) if low is None else low,
        max(values, default=1) if high is None else high,
        start,
        end,
    )


def _left_edge(scale: AxisScale) -> float:
    """Where the plot begins, so that long numbers keep clear of the label of their axis."""
    longest = max(len(f"{tick:,g}") for tick in scale.ticks)
    return LEFT + DIGIT * max(0, longest - 4)


def _frame_svg(across: AxisScale, scale: AxisScale, along: str, up: str) -> Iterator[str]:
    left = across.start
    for tick in scale.ticks:
        yield _line_svg("grid", left, WIDTH - RIGHT, scale(tick), scale(tick))
        yield _text_svg(f"{tick:,g}", left - 6, scale(tick) + 4, "small", "end")
    for tick in across.ticks:
        yield _text_svg(f"{tick:g}", across(tick), HEIGHT + 17, "small", "middle")
    yield _line_svg("axis", left, WIDTH - RIGHT, HEIGHT, HEIGHT)
    yield _text_svg(along, (left + WIDTH - RIGHT) / 2, HEIGHT + 36, "label", "middle")
    yield f'<g transform="translate(11 {(HEIGHT + TOP) / 2:g}) rotate(-90)">'
    yield _text_svg(up, 0, 0, "label", "middle") + "</g>"


def _add_legend(body: list[str], keys: Sequence[tuple[str, int, str]]) -> PlotBody:
    """Add a line for each sample, colour and label; a series without a label needs none."""
    y = HEIGHT + 60
    for sample, colour, label in keys:
        if label:
            body.append(f'<g class="c{colour % COLOURS}" transform="translate(0 {y})">{sample}</g>')
            body.append(_text_svg(label, 34, y, "label"))
            y += 19
    return PlotBody("".join(body), y - 8)


def _curve_svg(one: PlotSeries, dash: str, across: AxisScale, scale: AxisScale, band: bool) -> Iterator[str]:
    for x, y in one.dots:
        yield f'<circle class="dot" cx="{across(x):.1f}" cy="{scale(y):.1f}" r="2"/>'
    known = [point for point in one.points if not isnan(point.low)]
    if band and not one.control and len(known) > 1:
        edge = [(p.x, p.high) for p in known] + [(p.x, p.low) for p in reversed(known)]
        yield f'<path class="band" d="M{" ".join(f"{across(x):.1f},{scale(y):.1f}" for x, y in edge)}Z"/>'
    elif not band:
        for p in known:
            yield _line_svg("whisker", across(p.x), across(p.x), scale(p.low), scale(p.high))
    places = " ".join(f"{across(p.x):.1f},{scale(p.y):.1f}" for p in one.points)
    yield f'<polyline class="line" points="{places}"{dash}/>'
    for p in one.points:
        yield _mark_svg(across(p.x), scale(p.y), one.control)


def _bars_svg(
    points: Sequence[tuple[float, float]],
    number: int,
    count: int,
    step: float,
    across: AxisScale,
    scale: AxisScale,
) -> Iterator[str]:
    """Draw the bars of one series, beside those of the others, with a gap between groups."""
    full = 0.86 * (across(step) - across(0))
    for x, y in points:
        left, top = across(x) - full / 2 + number * full / count, scale(min(y, scale.high))
        yield (
            f'<rect class="mark" x="{left:.1f}" y="{top:.1f}" width="{full / count:.1f}" '
            f'height="{HEIGHT - top:.1f}"><title>{x:g}: {y:,g}</title></rect>'
        )
        if y > scale.high:
            yield _text_svg(f"{y:,g}", left + full / count + 3, TOP + 9, "small")


def _whisker_svg(row: PlotSeries, scale: AxisScale, top: float) -> Iterator[str]:
    found, y = row.points[0], top + 24
    yield _text_svg(row.label, LEFT - 24, top + 14, "small")
    yield f'<g class="c{row.colour % COLOURS}">'
    if not isnan(found.low):
        yield _line_svg("whisker", scale(found.low), scale(found.high), y, y)
    if not isnan(found.y):
        yield _mark_svg(scale(found.y), y, row.control, 4.5)
    yield "</g>"


def _mark_svg(x: float, y: float, control: bool, size: float = 3) -> str:
    if control:
        side = f"{2 * size:g}"
        return f'<rect class="hollow" x="{x - size:.1f}" y="{y - size:.1f}" width="{side}" height="{side}"/>'
    return f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="{size:g}"/>'


def _line_svg(kind: str, x1: float, x2: float, y1: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" x2="{x2:.1f}" y1="{y1:.1f}" y2="{y2:.1f}"/>'


def _dash_attribute(rank: int) -> str:
    dash = DASHES[rank % len(DASHES)]
    return f' stroke-dasharray="{dash}"' if dash else ""


def _text_svg(words: str, x: float, y: float, kind: str, anchor: str = "") -> str:
    shown = words if len(words) <= MAX_LABEL else words[: MAX_LABEL - 1] + "…"
    side = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind}" x="{x:.4g}" y="{y:.4g}"{side}>{escape(replace_unprintable(shown))}</text>'
