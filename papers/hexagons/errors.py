"""What is wrong with an answer, by the tiles that it paints and those that it should."""

from __future__ import annotations

from collections.abc import Mapping

from groundling.games.hexagons.neural.notation import Tile

KINDS = (
    "paints nothing",
    "wrong colours",
    "wrong place",
    "too little",
    "too much",
    "partly right",
    "all wrong",
)
"""The kinds of errors; an answer has the first that fits."""
RIGHT = "right"


def error_kind(asked: Mapping[Tile, str], painted: Mapping[Tile, str]) -> str:
    """One of KINDS, or that it is right."""
    common = asked.items() & painted.items()
    checks = (
        not painted,
        asked.keys() == painted.keys(),
        _shape_at_origin(asked) == _shape_at_origin(painted),
        common == painted.items(),
        common == asked.items(),
        bool(common),
        True,
    )
    if asked == painted:
        return RIGHT
    return next(kind for kind, fits in zip(KINDS, checks, strict=True) if fits)


def _shape_at_origin(painted: Mapping[Tile, str]) -> set[tuple[int, int, str]]:
    """The coloured tiles, moved so that equal shapes at different places are equal."""
    # along slanted axes a shape keeps its coordinates up to a sum, whichever column it begins in
    axial = [(column, row - column // 2 - column % 2, colour) for (row, column), colour in painted.items()]
    if not axial:
        return set()
    first, second, _ = min(axial)
    return {(one - first, other - second, colour) for one, other, colour in axial}
