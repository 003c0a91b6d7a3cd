"""Places in a grid that a text names: lines, cells, spots along a line, directions."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from groundling.boards.english.lexicon import WordToken
from groundling.boards.letter_grid import Cell


class GridPlace(Struct, frozen=True):
    kind: str
    """row, column: whole lines; spot: a place on some line; side: a direction; cells; other: the rest."""
    at: frozenset[int] = frozenset()
    cells: frozenset[Cell] = frozenset()
    text: str = ""
    line: tuple[str, frozenset[int]] | None = None
    """The rows or columns in which the text placed the cells."""
    numbered: bool = False
    """Whether it is "row 2", not "the second row": then "row 2, column 3" is one cell."""


Item: TypeAlias = WordToken | GridPlace
LINES = ("row", "column")
FIRST, LAST = ("top", "left"), ("bottom", "right")


def place_line_cells(axis: str, at: frozenset[int], size: int) -> frozenset[Cell]:
    span = range(1, size + 1)
    return frozenset((i, j) if axis == "row" else (j, i) for i in at for j in span)


def place_cross_cells(axis: str, at: frozenset[int], across: frozenset[int]) -> frozenset[Cell]:
    return frozenset((i, j) if axis == "row" else (j, i) for i in at for j in across)


def join_grid_places(items: list[Item], size: int) -> list[Item]:
    """Join two phrases for one place: "columns 1 and 2 of row 3", "row 2, column 3", "row 3's last cell"."""
    found: list[Item] = []
    for item in items:
        if isinstance(item, GridPlace) and item.kind in ("row", "column", "spot"):
            gap = len(found) - 1
            while (
                gap >= 0
                and gap >= len(found) - 2
                and isinstance(found[gap], WordToken)
                and found[gap].kind in ("of", "comma")
            ):
                gap -= 1
            before = found[gap] if gap >= 0 else None
            between = [word.kind for word in found[gap + 1 :]]
            bound = _join_pair(before, item, between) if isinstance(before, GridPlace) else None
            if bound is not None:
                del found[gap:]
                item = bound
        found.append(item)
    return found


def _join_pair(one: GridPlace, two: GridPlace, between: list[str]) -> GridPlace | None:
    if one.kind in ("spot", "side") and two.kind in LINES and between == ["of"]:
        return GridPlace("cells", cells=place_cross_cells(two.kind, two.at, one.at), line=(two.kind, two.at))
    if one.kind == "side" and two.kind == "spot" and two.text == "middle" and between == ["of"]:
        step = -1 if one.text in FIRST else 1
        return GridPlace("spot", frozenset(i + step for i in two.at) - two.at)
    if one.kind in LINES and two.kind in LINES and one.kind != two.kind:
        if between == ["of"]:
            return GridPlace(
                "cells", cells=place_cross_cells(two.kind, two.at, one.at), line=(two.kind, two.at)
            )
        if between in ([], ["comma"], ["comma", "of"]) and one.numbered and two.numbered:
            return GridPlace(
                "cells", cells=place_cross_cells(one.kind, one.at, two.at), line=(one.kind, one.at)
            )
    if one.kind in LINES and two.kind == "spot" and not between:
        return GridPlace("cells", cells=place_cross_cells(one.kind, one.at, two.at), line=(one.kind, one.at))
    return None
