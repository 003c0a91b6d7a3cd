"""The colours of the drawings of things, with one soft dark colour for every outline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

INK = "#4b3d50"
WHITE, CREAM, SAND, TAN = "#fffdf8", "#fdf0d2", "#efd4a0", "#d6a26a"
STEEL, SILVER, SLATE, COAL = "#b9bfcc", "#dfe3ea", "#7b8194", "#3d3945"
LEAF, MOSS, GRASS = "#58a65c", "#3c7f49", "#9acb78"
GLASS, STEAM, ICE = "#cfeaf3", "#8fa6bd", "#e4f5fb"
GOLD, FLAME, CLAY, BARK, ROSE = "#f7c948", "#f58a33", "#c8714a", "#7a4f36", "#e2554d"

Pattern: TypeAlias = Literal["", "striped", "spotted"]
PATTERNS: tuple[Pattern, ...] = ("striped", "spotted")


class ThingPaint(NamedTuple):
    """One colour in three shades, and the pattern on it."""

    base: str
    dark: str
    light: str
    mark: str = WHITE
    pattern: Pattern = ""

    @property
    def is_striped(self) -> bool:
        return self.pattern == "striped"

    @property
    def is_spotted(self) -> bool:
        return self.pattern == "spotted"


PAINTS: Mapping[str, ThingPaint] = {
    "red": ThingPaint("#e2504a", "#b23a40", "#f38d80"),
    "orange": ThingPaint("#f28c34", "#c96a1f", "#fab877"),
    "yellow": ThingPaint("#f9cd46", "#d8a021", "#fde596", "#c98a10"),
    "green": ThingPaint("#55a95a", "#397d46", "#90cf8a"),
    "blue": ThingPaint("#3f83d1", "#2b5ea4", "#86b6ea"),
    "purple": ThingPaint("#8b62ba", "#644493", "#b999db"),
    "pink": ThingPaint("#f49bbc", "#d56d98", "#fbc9db"),
    "brown": ThingPaint("#9c6540", "#744930", "#c59469"),
    "black": ThingPaint("#4a4653", "#302d38", "#7c7886"),
    "white": ThingPaint("#fcf9f3", "#d6d5e0", "#ffffff", "#b9bccb"),
    "grey": ThingPaint("#b4bac8", "#888ea1", "#dbdfe7"),
}
PLAIN = "grey"
"""The paint of a thing without a colour."""
