"""Drawings that occur in many pictures. For PNGs each is rendered once per size and then reused as an image,
which saves a third of the time for a full shelf. The SVG itself keeps the vector drawing."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from functools import lru_cache
from math import ceil
from typing import TypeAlias

RenderSquare: TypeAlias = Callable[[str, int], bytes]
"""Renders a drawing in a square as a PNG; the side is given in units, which are also pixels."""
BOX = 100
"""A stamp is drawn in a box of this side and stands on its floor."""
LARGEST, LONGEST = 120, 50_000
"""Limits in pixels and characters: larger stamps seldom repeat, longer ones would fill the memory."""
_STAMP = re.compile(
    r'<g class="stamp" transform="translate\(([-\d.]+) ([-\d.]+)\) scale\(([\d.]+)\)">([^\n]*)\n</g>'
)


def stamp_drawing(drawing: str, middle: float, floor: float, side: float) -> str:
    """Place a drawing of this size with the middle of its floor at a point. A line break, which no drawing
    contains, ends it. The picture around it may be moved, best by whole units, but not scaled."""
    place = f"translate({middle - side / 2:.2f} {floor - side:.2f}) scale({side / BOX:.4f})"
    return f'<g class="stamp" transform="{place}">{drawing}\n</g>'


def rasterize_stamps(svg: str, zoom: float, paint: RenderSquare) -> str:
    """Replace every stamp by an image on whole pixels, with `zoom` pixels per unit."""

    def stamp_image(found: re.Match[str]) -> str:
        x, y, scale = map(float, found.group(1, 2, 3))
        if BOX * scale * zoom > LARGEST or len(found[4]) > LONGEST:
            return found[0]
        side, edge, data = _render_stamp(found[4], round(scale * zoom, 4), paint)
        left, top = round(x * zoom) - edge, round((y + BOX * scale) * zoom) + edge - side
        return (
            f'<image x="{left / zoom:.4f}" y="{top / zoom:.4f}" width="{side / zoom:.4f}" '
            f'height="{side / zoom:.4f}" image-rendering="optimizeSpeed" '
            f'href="data:image/png;base64,{data}"/>'
        )

    return _STAMP.sub(stamp_image, svg)


@lru_cache(1024)
def _render_stamp(drawing: str, scale: float, paint: RenderSquare) -> tuple[int, int, str]:
    """Return the side of the image and its margin around the box, in pixels, and the image as base64."""
    edge = 1 + ceil(0.04 * BOX * scale)
    side = 2 * edge + ceil(BOX * scale)
    place = f"translate({edge} {side - edge - BOX * scale:.4f}) scale({scale})"
    return side, edge, b64encode(paint(f'<g transform="{place}">{drawing}</g>', side)).decode()
