"""Tiles of triangles and diamonds."""

from __future__ import annotations

import re

from groundling.boards import hexes
from groundling.boards.hexes import ROWS, Tile, on_board, rhombus_tiles, step_tile
from groundling.games.hexagons.players.parser.geometry import outline_tiles
from groundling.games.hexagons.players.parser.meaning import TargetFinder
from groundling.games.hexagons.players.parser.target import Target

POINTING = re.compile(
    r"(?:pointing|facing|points|faces|face|point|with its tip)(?: to| towards)?(?: the)? (left|right)|"
    r"(?<!top )(?<!bottom )(?<!upper )(?<!lower )(left|right) (?:corner|tip|point)"
)
_TIP = re.compile(
    r"pointing (?:left|right) from|(?:tip|point|peak|corner)(?: of it| of the triangle)?"
    r"(?: is| at| in| being| located| on)+"
)
_SIDE = re.compile(
    r"size (\d+)|sides? (?:of|with|being|has|have|is) (\d+)|(\d+) (?:tiles? )?(?:on|per|for|along) "
    r"(?:each|a|every|all) side|(\d+) sided|(\d+) (?:tiles )?(?:tall|high|long|wide|by)"
)
_TRIANGULAR = {3: 2, 6: 3, 10: 4, 15: 5, 21: 6, 28: 7}
_SQUARE = {4: 2, 9: 3, 16: 4}


def side_length(text: str, size: int | None) -> int:
    """Return the tiles per side, as stated or computed from the total."""
    if match := _SIDE.search(text):
        return int(next(group for group in match.groups() if group))
    total = size or next((int(n) for n in re.findall(r"(\d+) (?:\w+ )?tiles?", text)), 0)
    return _TRIANGULAR.get(total, 0)


def triangle_tiles(finder: TargetFinder, target: Target, text: str) -> list[Tile]:
    """Return a triangle with one vertical side that points left or right, placed by its tip or by the top of
    that side."""
    assert target.shape is not None
    side, pointing = side_length(text, target.shape.size), POINTING.search(text)
    way = (pointing[1] or pointing[2]) if pointing else "right"
    by_tip = pointing is not None and _TIP.search(text) is not None
    starts = finder.resolve_target(target.start) if target.start is not None else []
    if target.corner is not None:
        starts = finder.resolve_target(target)
    if target.columns is not None and not starts:
        row = 1 if target.side != "bottom" else ROWS - side + 1
        starts = [(row, column) for column in finder.find_columns(target.columns)]
    if not starts or not side:
        return []
    if starts[0][0] == ROWS and not by_tip:
        starts = [(row - side + 1, column) for row, column in starts]
    found: list[Tile] = []
    for start in starts:
        found += (
            hexes.triangle_tiles(start, "up-right" if way == "left" else "down-left", side)
            if by_tip
            else _upright_triangle(start, side, way)
        )
    return [tile for tile in (outline_tiles(found) if "hollow" in text else found) if on_board(tile)]


def _upright_triangle(top: Tile, side: int, pointing: str) -> list[Tile]:
    """Return a triangle whose vertical side starts at a tile, pointing left or right."""
    heads = [step_tile(top, f"down-{pointing}", n) for n in range(side)]
    return [step_tile(head, "down", k) for n, head in enumerate(heads) for k in range(side - n)]


def diamond_tiles(finder: TargetFinder, target: Target, text: str) -> list[Tile]:
    """Return a horizontal rhombus, placed by its left corner."""
    assert target.shape is not None
    side = side_length(text, target.shape.size) or _SQUARE.get(target.shape.size or 0, 0)
    starts = finder.resolve_target(target.start) if target.start is not None and side else []
    found = [tile for corner in starts for tile in rhombus_tiles(corner, "up-right", side)]
    return outline_tiles(found) if "hollow" in text else found
