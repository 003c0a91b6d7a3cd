"""Colours that are told apart also by those who do not see all of them, in place of the usual ones. People
switch them on in a page; the boards are drawn as ever, and a style sheet changes what their colours look
like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from groundling.boards.hexes import COLOURS
from groundling.boards.hexes.picture import EDGES, FILLS
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
"""Of hexagons: these are few, and lie beside each other."""
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
"""Of things on shelves."""
DARKER, LIGHTER = 0.28, 0.42
CLASS = "safe-colours"


def safe_colours() -> dict[str, str]:
    """What each of the usual colours becomes."""
    return dict(_pairs())


def _pairs() -> Iterator[tuple[str, str]]:
    for name, usual, edge in zip(COLOURS, FILLS, EDGES, strict=True):
        if name in TILES:
            yield usual, TILES[name]
            yield edge, mixed(TILES[name], 0, DARKER)
    for name, base in THINGS.items():
        paint = PAINTS[name]
        yield paint.base, base
        yield paint.dark, mixed(base, 0, DARKER)
        yield paint.light, mixed(base, 255, LIGHTER)


def mixed(colour: str, other: int, share: float) -> str:
    """With a share of black (0) or white (255)."""
    return "#" + "".join(
        f"{round(part * (1 - share) + other * share):02x}" for part in bytes.fromhex(colour[1:])
    )


def stylesheet() -> str:
    """A rule for what is painted is stronger than the attribute it names."""
    return "".join(
        f'.{CLASS} svg [{what}="{usual}"] {{ {what}: {safe}; }}\n'
        for usual, safe in safe_colours().items()
        for what in ("fill", "stroke")
    )
