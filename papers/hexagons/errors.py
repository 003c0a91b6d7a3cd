"""What is wrong with an answer, by the tiles that it paints and those that it should."""

from __future__ import annotations

from collections.abc import Mapping

from groundling.games.hexagons.neural.notation import Tile
from groundling.games.hexagons.tile_scores import shape_at_origin

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
        shape_at_origin(asked) == shape_at_origin(painted),
        common == painted.items(),
        common == asked.items(),
        bool(common),
        True,
    )
    if asked == painted:
        return RIGHT
    return next(kind for kind, fits in zip(KINDS, checks, strict=True) if fits)
