"""Small plots: bars of characters for a terminal, bars and lines as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor, isnan, log10
from typing import Literal

from msgspec import Struct

from groundling.boards.picture import svg_document, text_at

WIDTH, HEIGHT = 480, 280
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 44, 48
COLOURS = ("#2f6db5", "#4c9a5b", "#b5532f", "#7d4fa8", "#a8842c", "#3a8f95", "#b04a80", "#6b7280")
DASHES = ("", "7 4", "2 3")
"""Dash patterns for lines when all colours are taken."""
INK, FAINT, PAPER = "#1c2430", "#d9dde2", "#fbfaf7"
_BLOCKS = " ▏▎▍▌▋▊▉█"


class AxisMark(Struct, frozen=True):
    """A labelled value on the horizontal axis, such as a median."""

    at: float
    label: str
    series: int = 0


class PlotTrack(Struct, frozen=True):
    """A line through points in their given order."""

    label: str
    points: Sequence[tuple[float, float]]


class AxisScale:
    """Maps values to positions along an axis."""

    def __init__(self, low: float, high: float, start: float, end: float, whole: bool = False) -> None:
        self.ticks = round_ticks(low, high, whole=whole)
        self.low, self.high = self.ticks[0], self.ticks[-1]
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def round_ticks(low: float, high: float, most: int = 6, *, whole: bool = False) -> list[float]:
    """List round numbers from below the lowest value to above the highest."""
    if high - low <= 1e-9 * max(1.0, abs(low)):
        low, high = low - 0.5, low + 0.5
    power = 10.0 ** floor(log10((high - low) / most))
    steps = [1.0] if whole and high - low <= most else [f * power for f in (1, 2, 2.5, 5, 10, 20)]
    step = next(step for step in steps if (high - low) / step <= most and not (whole and step % 1))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(number * step, 12) for number in range(first, last + 1)]


def text_bar(value: float, most: float, width: int = 30) -> str:
    """Draw a bar of block characters, to an eighth of one. A positive value is never shown as empty."""
    if isnan(value) or value <= 0 or most <= 0:
        return ""
    eighths = max(1, round(8 * width * min(1.0, value / most)))
    return "█" * (eighths // 8) + _BLOCKS[eighths % 8].strip()


def plot_series(
    title: str,
    xs: Sequence[float],
    series: Mapping[str, Sequence[float]],
    *,
    along: str,
    up: str,
    kind: Literal["bars", "lines"] = "bars",
    most: float | None = None,
    marks: Sequence[AxisMark] = (),
) -> str:
    """Plot one or more series over the same x values as a whole SVG. Bars are cut off at `most` and then
    carry their number; NaN values are left out."""
    values = [value for ys in series.values() for value in ys if not isnan(value)]
    step = min((b - a for a, b in pairwise(xs)), default=1.0)
    edge = step / 2 if kind == "bars" else 0.0
    across = AxisScale(min(xs), max(xs), LEFT + 8, WIDTH - RIGHT - 8)
    across.low, across.high = min(xs) - edge, max(xs) + edge
    down = AxisScale(0, most or max(values, default=1.0), HEIGHT - BOTTOM, TOP)
    body = [*_draw_grid(title, across, down)]
    for number, (name, ys) in enumerate(series.items()):
        points = [(x, y) for x, y in zip(xs, ys, strict=True) if not isnan(y)]
        shape = (
            _draw_bars(points, number, len(series), step, across, down)
            if kind == "bars"
            else _draw_polyline(points, across, down)
        )
        body.append(f'<g fill="{COLOURS[number]}" stroke="{COLOURS[number]}">{"".join(shape)}</g>')
        if len(series) > 1 or name:
            left = LEFT + 140 * number
            body.append(f'<rect x="{left}" y="{TOP - 17}" width="10" height="10" fill="{COLOURS[number]}"/>')
            body.append(text_at(name, left + 15, TOP - 8, 10))
    for mark in marks:
        x, colour = across(mark.at), COLOURS[mark.series]
        body.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="{colour}" '
            'stroke-dasharray="4 3"/>'
        )
        side, anchor = (-5, "end") if x > WIDTH * 0.7 else (5, "start")
        label = text_at(mark.label, x + side, TOP + 10 + 12 * mark.series, 10, fill=colour, anchor=anchor)
        body.append(f'<g stroke="{PAPER}" stroke-width="3" paint-order="stroke">{label}</g>')
    body += _draw_axes(along, up)
    return svg_document(WIDTH, HEIGHT, "".join(body), title)


def plot_tracks(title: str, found: Sequence[PlotTrack], *, along: str, up: str) -> str:
    """Plot tracks as a whole SVG. Tracks with the same label share a style and one line of the legend."""
    points = [point for track in found for point in track.points]
    across = AxisScale(0, max((x for x, _ in points), default=1.0), LEFT + 8, WIDTH - RIGHT - 8)
    down = AxisScale(
        min((y for _, y in points), default=0.0),
        max((y for _, y in points), default=1.0),
        HEIGHT - BOTTOM,
        TOP,
    )
    body = [*_draw_grid(title, across, down)]
    labels = list(dict.fromkeys(track.label for track in found))
    for track in found:
        body.append(
            f"<g {_line_style(labels.index(track.label))}>"
            f"{''.join(_draw_polyline(track.points, across, down))}</g>"
        )
    body += _draw_axes(along, up)
    for number, label in enumerate(labels):
        y = HEIGHT + 6 + 16 * number
        body.append(
            f'<line x1="{LEFT}" x2="{LEFT + 24}" y1="{y}" y2="{y}" stroke-width="2" {_line_style(number)}/>'
        )
        body.append(text_at(label, LEFT + 31, y + 4, 10))
    return svg_document(WIDTH, HEIGHT + 4 + 16 * len(labels), "".join(body), title)


def _line_style(number: int) -> str:
    colour, dash = COLOURS[number % len(COLOURS)], DASHES[number // len(COLOURS) % len(DASHES)]
    return f'fill="{colour}" stroke="{colour}"' + (f' stroke-dasharray="{dash}"' if dash else "")


def _draw_grid(title: str, across: AxisScale, down: AxisScale) -> Iterator[str]:
    yield text_at(title, LEFT, 20, 13, weight="bold")
    for tick in down.ticks:
        y = down(tick)
        yield f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{FAINT}"/>'
        yield text_at(f"{tick:,g}", LEFT - 6, y + 4, 10, anchor="end")
    for tick in across.ticks:
        if across.low - 1e-9 <= tick <= across.high + 1e-9:
            yield text_at(f"{tick:g}", across(tick), HEIGHT - BOTTOM + 15, 10, anchor="middle")


def _draw_axes(along: str, up: str) -> Iterator[str]:
    floor_y = HEIGHT - BOTTOM
    yield f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{floor_y}" y2="{floor_y}" stroke="{INK}"/>'
    yield text_at(along, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, 11, anchor="middle")
    yield f'<g transform="translate(12 {(TOP + HEIGHT - BOTTOM) / 2:g}) rotate(-90)">'
    yield text_at(up, 0, 0, 11, anchor="middle") + "</g>"


def _draw_bars(
    points: Sequence[tuple[float, float]],
    number: int,
    count: int,
    step: float,
    across: AxisScale,
    down: AxisScale,
) -> Iterator[str]:
    """Draw the bars of one series, beside those of the others, with a gap between groups."""
    full = 0.86 * (across(step) - across(0))
    for x, y in points:
        left, top = across(x) - full / 2 + number * full / count, down(min(y, down.high))
        yield (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{full / count:.1f}" height="{down.start - top:.1f}" '
            f'stroke="none"><title>{x:g}: {y:,g}</title></rect>'
        )
        if y > down.high:
            label = text_at(f"{y:,g}", left + full / count + 3, TOP + 9, 9, fill=COLOURS[number])
            yield f'<g stroke="none">{label}</g>'


def _draw_polyline(
    points: Sequence[tuple[float, float]], across: AxisScale, down: AxisScale
) -> Iterator[str]:
    places = " ".join(f"{across(x):.1f},{down(y):.1f}" for x, y in points)
    yield f'<polyline points="{places}" fill="none" stroke-width="2"/>'
    for x, y in points:
        title = f"<title>{x:g}: {y:.3f}</title>"
        yield f'<circle cx="{across(x):.1f}" cy="{down(y):.1f}" r="2.5" stroke="none">{title}</circle>'
