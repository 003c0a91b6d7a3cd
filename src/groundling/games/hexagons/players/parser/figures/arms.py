"""Shapes made of diagonals from a point: V and X."""

from __future__ import annotations

import re

from groundling.boards.hexes import COLUMNS, Tile, on_board, step_tile
from groundling.games.hexagons.players.parser.meaning import TargetFinder
from groundling.games.hexagons.players.parser.target import Target

_REACH = re.compile(
    r"(?:arms?|sides?|legs?)(?: of| with| being| is| are)? (\d+)|"
    r"(\d+) (?:more |additional )?tiles? (?:long |out )?(?:in|on|to|for) (?:each|both|either|all)"
)


def arm_tiles(finder: TargetFinder, target: Target, text: str) -> list[Tile]:
    """Return two upward diagonals for a V (downward if it is upside down), four for an X."""
    shape = target.shape
    assert shape is not None
    points = finder.reference_tiles(target.start) if target.start is not None else []
    if target.relation in ("above", "below") and not points:
        points = finder.related_tiles(target, 1)
    ways = ["up-left", "up-right"]
    if shape.name == "x":
        ways += ["down-left", "down-right"]
    elif shape.name == "chevron" or "upside" in shape.words or "down" in shape.words:
        ways = ["down-left", "down-right"]
    reach = _arm_reach(text, shape.size, len(ways)) or (2 if shape.name == "x" else COLUMNS)
    found: list[Tile] = []
    for point in points:
        found.append(point)
        found += [
            tile for way in ways for n in range(1, reach + 1) if on_board(tile := step_tile(point, way, n))
        ]
    return found


def _arm_reach(text: str, size: int | None, count: int) -> int | None:
    """Return the length of the arms beyond the point where they meet."""
    if match := _REACH.search(text):
        return int(match[1]) - 1 if match[1] else int(match[2])
    return (size - 1) // count if size else None
