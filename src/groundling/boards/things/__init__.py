"""Drawings of things in one style. Each can be painted in any colour and stands on the floor of a box of
100 by 100."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from groundling.boards.stamps import BOX
from groundling.boards.things import (
    clothes,
    food,
    fruit,
    home,
    kitchen,
    music,
    plants,
    shoes,
    sport,
    table,
    tools,
    toys,
    vehicles,
)
from groundling.boards.things.paint import INK, PAINTS, PLAIN, Pattern, ThingPaint
from groundling.boards.things.parts import OUTLINE

__all__ = ["BOX", "DRAWINGS", "PAINTS", "Look", "draw_thing"]

DrawThing: TypeAlias = Callable[[ThingPaint], str]
DRAWINGS: Mapping[str, DrawThing] = {
    name: drawing
    for family in (
        music,
        fruit,
        food,
        table,
        kitchen,
        home,
        clothes,
        shoes,
        plants,
        vehicles,
        tools,
        toys,
        sport,
    )
    for name, drawing in family.DRAWINGS.items()
}


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
    paint = PAINTS[look.colour if look.colour in PAINTS else PLAIN]._replace(pattern=look.pattern)
    return (
        f'<g stroke="{INK}" stroke-width="{OUTLINE}" stroke-linejoin="round" stroke-linecap="round">'
        f"{DRAWINGS[look.drawing](paint)}</g>"
    )
