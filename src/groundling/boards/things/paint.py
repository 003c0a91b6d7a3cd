"""The colours in which things are painted, with one soft dark colour for every outline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

INK = "#4b3d50"
Pattern: TypeAlias = Literal["", "striped", "spotted"]
PATTERNS: tuple[Pattern, ...] = ("striped", "spotted")


class ThingPaint(NamedTuple):
    """One colour in three shades, the colour of a pattern on it, and that of laces."""

    base: str
    dark: str
    light: str
    mark: str = "#fffdf8"
    lace: str = "#fffdf8"


SHEET_PAINT = ThingPaint("#f9cd46", "#d8a021", "#fde596", "#c98a10", "#fffdf9")
"""The yellow in which the sheets show all things. They use these five colours for nothing else."""
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
    "white": ThingPaint("#fcf9f3", "#d6d5e0", "#ffffff", "#b9bccb", "#b9bccb"),
    "grey": ThingPaint("#b4bac8", "#888ea1", "#dbdfe7"),
}
PLAIN = "grey"
"""The paint of a thing without a colour."""
