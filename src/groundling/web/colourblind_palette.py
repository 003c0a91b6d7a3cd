"""A colour-blind safe palette, applied by a style sheet to the boards when a person switches it on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from groundling.boards.hexes import COLOURS
from groundling.boards.hexes.board_picture import EDGES, FILLS
from groundling.boards.things import PAINTS

TILES: Mapping[str, str] = {
    "black": "#1a1a1a",
    "yellow": "#ffd92c",
    "green": "#1d9170",
    "red": "#a50f05",
    "blue": "#1f3e98",
    "purple": "#b998f3",
    "orange": "#eb9c2a",
}
"""Colours of hexagon tiles, which are few and adjacent."""
THINGS: Mapping[str, str] = {
    "red": "#c1181c",
    "orange": "#f7953c",
    "yellow": "#f4da42",
    "green": "#209570",
    "blue": "#183dc3",
    "purple": "#6c59b0",
    "pink": "#ffa4e1",
    "brown": "#612d27",
}
"""Colours of items on shelves."""
DARKER, LIGHTER = 0.28, 0.42
CLASS = "safe-colours"


def colourblind_safe_colours() -> dict[str, str]:
    """Usual colour to safe colour."""
    return dict(_colour_pairs())


def _colour_pairs() -> Iterator[tuple[str, str]]:
    for name, usual, edge in zip(COLOURS, FILLS, EDGES, strict=True):
        if name in TILES:
            yield usual, TILES[name]
            yield edge, mix_palette_colour(TILES[name], 0, DARKER)
    for name, base in THINGS.items():
        paint = PAINTS[name]
        yield paint.base, base
        yield paint.dark, mix_palette_colour(base, 0, DARKER)
        yield paint.light, mix_palette_colour(base, 255, LIGHTER)


def mix_palette_colour(colour: str, other: int, share: float) -> str:
    """Mix a colour with a share of black (0) or white (255)."""
    return "#" + "".join(
        f"{round(part * (1 - share) + other * share):02x}" for part in bytes.fromhex(colour[1:])
    )


def palette_stylesheet() -> str:
    """Rules that override the colour attributes of SVG elements."""
    return "".join(
        f'.{CLASS} svg [{what}="{usual}"] {{ {what}: {safe}; }}\n'
        for usual, safe in colourblind_safe_colours().items()
        for what in ("fill", "stroke")
    )
