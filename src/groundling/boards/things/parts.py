"""What all drawings are put together from. Each is made in a box of 100 by 100 and stands on its floor, so
that drawings can be set side by side and grow with the size of the thing. Nothing has an id: many stand in
one picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from groundling.boards.strokes import box as box
from groundling.boards.strokes import disc as disc
from groundling.boards.strokes import flat as flat
from groundling.boards.strokes import oval as oval
from groundling.boards.strokes import shape as shape
from groundling.boards.strokes import turned as turned
from groundling.boards.things.paint import FLAME, GOLD, INK, STEAM, Paint

OUTLINE = 3
HOLE = "#e9eef0"
"""What is seen through a hole: about the colour of what drawings stand before."""


def line(d: str, width: float = 2.5, colour: str = INK, more: str = "") -> str:
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width:g}"{more and " " + more}/>'


def tube(d: str, width: float, colour: str, edge: float = 2 * OUTLINE) -> str:
    """A thick line with an outline of its own."""
    return line(d, width + edge) + line(d, width, colour)


def ring(x: float, y: float, rx: float, ry: float, width: float, colour: str = INK) -> str:
    return f'<ellipse cx="{x:g}" cy="{y:g}" rx="{rx:g}" ry="{ry:g}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def shade(d: str) -> str:
    return f'<path d="{d}" fill="{INK}" fill-opacity=".17" stroke="none"/>'


def gloss(d: str, light: float = 0.5) -> str:
    return f'<path d="{d}" fill="#fff" fill-opacity="{light:g}" stroke="none"/>'


def moved(x: float, y: float, *parts: str, scale: float = 1) -> str:
    grown = f" scale({scale:g})" if scale != 1 else ""
    return f'<g transform="translate({x:g} {y:g}){grown}">{"".join(parts)}</g>'


def flipped(*parts: str) -> str:
    """With left and right exchanged."""
    return f'<g transform="matrix(-1 0 0 1 100 0)">{"".join(parts)}</g>'


def marked(
    d: str,
    c: Paint,
    stripes: str = "",
    width: float = 8,
    spots: Iterable[tuple[float, float]] = (),
    r: float = 5,
) -> str:
    """A painted shape with its pattern on it, and the outline over both. Stripes may run into the outline,
    not beyond."""
    if c.striped:
        over = line(stripes, width, c.mark, 'stroke-linecap="butt"')
    elif c.spotted:
        over = flat(*(disc(x, y, r, c.mark) for x, y in spots))
    else:
        return shape(d, c.base)
    return shape(d, c.base, 'stroke="none"') + over + line(d, OUTLINE)


def steam(x: float, y: float, wide: float = 13, tall: float = 22) -> str:
    """Three wisps that rise from a place."""
    bend = (
        f"q{-tall * 0.3:g} {-tall * 0.25:g} 0 {-tall / 2:g}q{tall * 0.3:g} {-tall * 0.25:g} 0 {-tall / 2:g}"
    )
    return line(f"M{x - wide:g} {y:g}{bend}M{x:g} {y - 3:g}{bend}M{x + wide:g} {y:g}{bend}", 4, STEAM)


def flame(x: float, y: float) -> str:
    """A candle's, on its lowest point."""
    return moved(
        x,
        y,
        shape("M0 0C-10 -1 -12 -12 -5 -19C-2 -23 0 -26 0 -32C8 -26 13 -16 11 -9C9 -2 5 0 0 0Z", FLAME),
        flat(shape("M1 -3C-4 -4 -5 -9 -1 -14C1 -17 2 -18 2 -20C6 -16 7 -12 6 -8C5 -5 4 -3 1 -3Z", GOLD)),
    )


def wheel(x: float, y: float, r: float, hub: str) -> str:
    return disc(x, y, r, "#55505e") + disc(x, y, r * 0.48, hub)


def fitted(reach: tuple[float, float, float, float], *parts: str) -> str:
    """What reaches so far to the left, up, right and down, made as large as its box and put down on the floor
    in its middle."""
    left, top, right, bottom = reach
    scale = 98 / max(right - left, bottom - top)
    return moved(
        round(50 - (left + right) / 2 * scale, 2),
        round(99.4 - bottom * scale, 2),
        *parts,
        scale=round(scale, 4),
    )


def by_name(*drawings: Callable[[Paint], str]) -> dict[str, Callable[[Paint], str]]:
    return {drawing.__name__.replace("_", " "): drawing for drawing in drawings}
