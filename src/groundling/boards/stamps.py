"""Drawings that stand in many pictures. Each is painted once in each size, as letters are, and from then on
stamped: that saves a PNG of a full shelf a third of its time. An SVG keeps the drawing as it is, to be made
as large as one likes."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from functools import lru_cache
from math import ceil
from typing import TypeAlias

Paint: TypeAlias = Callable[[str, int], bytes]
"""Makes a PNG of what is drawn in a square, whose side has so many units and pixels."""
BOX = 100
"""What is stamped is drawn in a box of this side, and stands on its floor."""
LARGEST, LONGEST = 120, 50_000
"""What is larger, in pixels, is seldom seen twice; what is longer, such as a photograph, is not kept in memory."""
_STAMP = re.compile(
    r'<g class="stamp" transform="translate\(([-\d.]+) ([-\d.]+)\) scale\(([\d.]+)\)">([^\n]*)\n</g>'
)


def stamp(drawing: str, middle: float, floor: float, side: float) -> str:
    """A drawing, so large, with the middle of its floor at a place. A line break, of which drawings have
    none, ends it. What it is put into may be moved, by whole units at best, but not scaled."""
    place = f"translate({middle - side / 2:.2f} {floor - side:.2f}) scale({side / BOX:.4f})"
    return f'<g class="stamp" transform="{place}">{drawing}\n</g>'


def stamped(svg: str, zoom: float, paint: Paint) -> str:
    """The same picture with an image for every drawing, on whole pixels, of which there are so many a
    unit."""

    def image(found: re.Match[str]) -> str:
        x, y, scale = map(float, found.group(1, 2, 3))
        if BOX * scale * zoom > LARGEST or len(found[4]) > LONGEST:
            return found[0]
        side, edge, data = _painted(found[4], round(scale * zoom, 4), paint)
        left, top = round(x * zoom) - edge, round((y + BOX * scale) * zoom) + edge - side
        return (
            f'<image x="{left / zoom:.4f}" y="{top / zoom:.4f}" width="{side / zoom:.4f}" height="{side / zoom:.4f}" '
            f'image-rendering="optimizeSpeed" href="data:image/png;base64,{data}"/>'
        )

    return _STAMP.sub(image, svg)


@lru_cache(1024)
def _painted(drawing: str, scale: float, paint: Paint) -> tuple[int, int, str]:
    """How large its image is and how much of that lies around the box, in pixels, and the image."""
    edge = 1 + ceil(0.04 * BOX * scale)
    side = 2 * edge + ceil(BOX * scale)
    place = f"translate({edge} {side - edge - BOX * scale:.4f}) scale({scale})"
    return side, edge, b64encode(paint(f'<g transform="{place}">{drawing}</g>', side)).decode()
