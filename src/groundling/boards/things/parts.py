"""Shapes and helpers that all drawings of things share. A drawing stands on the floor of a box of 100 by 100,
so that drawings can be placed side by side and scaled with the size of the thing. Nothing has an id: one
picture holds many drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from groundling.boards.svg_shapes import svg_box as svg_box
from groundling.boards.svg_shapes import svg_disc as svg_disc
from groundling.boards.svg_shapes import svg_flat_group as svg_flat_group
from groundling.boards.svg_shapes import svg_oval as svg_oval
from groundling.boards.svg_shapes import svg_rotated_group as svg_rotated_group
from groundling.boards.svg_shapes import svg_shape as svg_shape
from groundling.boards.things.paint import FLAME, GOLD, INK, STEAM, ThingPaint

OUTLINE = 3
HOLE = "#e9eef0"
"""The colour seen through a hole: about that of the background."""


def thing_line(d: str, width: float = 2.5, colour: str = INK, more: str = "") -> str:
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width:g}"{more and " " + more}/>'


def thing_tube(d: str, width: float, colour: str, edge: float = 2 * OUTLINE) -> str:
    """Draw a thick line with an outline."""
    return thing_line(d, width + edge) + thing_line(d, width, colour)


def thing_ring(x: float, y: float, rx: float, ry: float, width: float, colour: str = INK) -> str:
    place = f'cx="{x:g}" cy="{y:g}" rx="{rx:g}" ry="{ry:g}"'
    return f'<ellipse {place} fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def thing_shade(d: str) -> str:
    return f'<path d="{d}" fill="{INK}" fill-opacity=".17" stroke="none"/>'


def thing_gloss(d: str, light: float = 0.5) -> str:
    return f'<path d="{d}" fill="#fff" fill-opacity="{light:g}" stroke="none"/>'


def move_parts(x: float, y: float, *parts: str, scale: float = 1) -> str:
    grown = f" scale({scale:g})" if scale != 1 else ""
    return f'<g transform="translate({x:g} {y:g}){grown}">{"".join(parts)}</g>'


def mirror_parts(*parts: str) -> str:
    """Exchange left and right."""
    return f'<g transform="matrix(-1 0 0 1 100 0)">{"".join(parts)}</g>'


def draw_patterned_part(
    d: str,
    c: ThingPaint,
    stripes: str = "",
    width: float = 8,
    spots: Iterable[tuple[float, float]] = (),
    r: float = 5,
) -> str:
    """Draw a painted shape with its pattern, and the outline over both. Stripes may run into the outline, not
    beyond it."""
    if c.is_striped:
        over = thing_line(stripes, width, c.mark, 'stroke-linecap="butt"')
    elif c.is_spotted:
        over = svg_flat_group(*(svg_disc(x, y, r, c.mark) for x, y in spots))
    else:
        return svg_shape(d, c.base)
    return svg_shape(d, c.base, 'stroke="none"') + over + thing_line(d, OUTLINE)


def draw_steam_part(x: float, y: float, wide: float = 13, tall: float = 22) -> str:
    """Draw three wisps that rise from a point."""
    bend = (
        f"q{-tall * 0.3:g} {-tall * 0.25:g} 0 {-tall / 2:g}q{tall * 0.3:g} {-tall * 0.25:g} 0 {-tall / 2:g}"
    )
    return thing_line(f"M{x - wide:g} {y:g}{bend}M{x:g} {y - 3:g}{bend}M{x + wide:g} {y:g}{bend}", 4, STEAM)


def draw_flame_part(x: float, y: float) -> str:
    """Draw a candle flame that stands on a point."""
    return move_parts(
        x,
        y,
        svg_shape("M0 0C-10 -1 -12 -12 -5 -19C-2 -23 0 -26 0 -32C8 -26 13 -16 11 -9C9 -2 5 0 0 0Z", FLAME),
        svg_flat_group(
            svg_shape("M1 -3C-4 -4 -5 -9 -1 -14C1 -17 2 -18 2 -20C6 -16 7 -12 6 -8C5 -5 4 -3 1 -3Z", GOLD)
        ),
    )


def draw_wheel_part(x: float, y: float, r: float, hub: str) -> str:
    return svg_disc(x, y, r, "#55505e") + svg_disc(x, y, r * 0.48, hub)


def fit_parts_to_box(reach: tuple[float, float, float, float], *parts: str) -> str:
    """Scale parts with these bounds (left, top, right, bottom) to the box, centred on its floor."""
    left, top, right, bottom = reach
    scale = 98 / max(right - left, bottom - top)
    return move_parts(
        round(50 - (left + right) / 2 * scale, 2),
        round(99.4 - bottom * scale, 2),
        *parts,
        scale=round(scale, 4),
    )


def drawings_by_name(*drawings: Callable[[ThingPaint], str]) -> dict[str, Callable[[ThingPaint], str]]:
    """Map each function `draw_a_thing` to the name "a thing"."""
    return {drawing.__name__.removeprefix("draw_").replace("_", " "): drawing for drawing in drawings}
