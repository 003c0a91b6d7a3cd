"""Drawings of things in one style and any colour, on the floor of a box of 100 by 100."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from groundling.boards.drawing_sheets import SheetDrawing, read_drawing_sheets
from groundling.boards.stamps import BOX
from groundling.boards.things.paint import INK, PAINTS, PLAIN, SHEET_PAINT, Pattern

__all__ = ["BOX", "DRAWINGS", "PAINTS", "Look", "draw_thing"]

DRAWINGS: Mapping[str, SheetDrawing] = read_drawing_sheets(
    __name__,
    *("music", "fruit", "food", "table", "kitchen", "home", "clothes"),
    *("shoes", "plants", "vehicles", "tools", "toys", "sport"),
)
_VARIANT = re.compile(r'<g class="([a-z ]+)"[^>]*>(.*)</g>')
"""A part that depends on the pattern: its classes are the patterns that it is for."""


class Look(Struct, frozen=True, omit_defaults=True):
    """What a thing looks like: a drawing with colour and pattern, or else a picture of the user's own."""

    drawing: str = ""
    colour: str = ""
    pattern: Pattern = ""
    picture: str = ""
    """An SVG or PNG as a data URL, such as data:image/png;base64,…"""


@lru_cache(1024)
def draw_thing(look: Look) -> str:
    """Draw a thing as an SVG fragment in its box."""
    if look.picture:
        return (
            f'<image href="{look.picture}" width="{BOX}" height="{BOX}" preserveAspectRatio="xMidYMax meet"/>'
        )
    if look.drawing not in DRAWINGS:
        raise ValueError(f"there is no drawing of {look.drawing!r}")
    body = "".join(_choose_variant(tag, look.pattern or "plain") for tag in DRAWINGS[look.drawing].tags)
    for drawn, shade in zip(SHEET_PAINT, PAINTS.get(look.colour, PAINTS[PLAIN]), strict=True):
        body = body.replace(drawn, shade)
    return f'<g stroke="{INK}" stroke-width="3" stroke-linejoin="round" stroke-linecap="round">{body}</g>'


def _choose_variant(tag: str, pattern: str) -> str:
    variant = _VARIANT.fullmatch(tag)
    if not variant:
        return tag
    return variant[2] if pattern in variant[1].split() else ""
