"""Reads the grid in a follower's reply: alone, or somewhere in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from groundling.boards.letter_grid import EMPTY, Grid
from groundling.core.values import Illegal

_CELL = "[A-Z▢□.]"
_EDGES = re.compile(r"^[\s>|*`]+|[\s|*`]+$")


@cache
def _grid_separators(size: int) -> str:
    """What stands between the cells of a plain grid, row by row."""
    return "\n".join([" " * (size - 1)] * size)


@lru_cache(4096)  # strict and tolerant reading both try this, and recorded replies come again
def _parse_plain_grid(text: str, size: int) -> Grid | None:
    plain = text.strip().replace("▢", ".").replace("□", ".")
    if plain[1::2] != _grid_separators(size):
        return None
    try:
        return Grid(plain.replace(" ", "").replace("\n", "/"))
    except ValueError:
        return None


def parse_grid_reply(text: str, size: int) -> Grid:
    """Read strictly: rows of cells with one blank between, nothing else."""
    found = _parse_plain_grid(text, size)
    if found is None:
        raise Illegal(
            f"return only the grid: {size} rows of {size} cells, each a capital letter or {EMPTY}, separated "
            "by single spaces"
        )
    return found


def find_grid_in_reply(text: str, size: int) -> Grid:
    """Read tolerantly: one grid, also repeated or with fences and prose around it, and no other."""
    plain = _parse_plain_grid(text, size)
    if plain is not None:  # most replies are plain grids
        return plain
    found = set(_find_grids(text, size))
    if not found:
        raise Illegal(f"no grid found: return {size} rows of {size} cells, each a capital letter or {EMPTY}")
    if len(found) > 1:
        raise Illegal("there are several different grids: return only the updated one")
    return found.pop()


def _find_grids(text: str, size: int) -> Iterator[Grid]:
    rows: list[str] = []
    for line in [*text.splitlines(), ""]:
        row = _parse_row(line, size)
        if row:
            rows.append(row)
            continue
        if len(rows) > size:
            raise Illegal(f"there are {len(rows)} rows in one piece: return one grid of {size} rows")
        if len(rows) == size:
            yield Grid.from_rows(rows)
        rows = []


def _parse_row(line: str, size: int) -> str | None:
    """Read the cells of a line that is a row of the grid, with any separators."""
    bare = re.sub(r"[\s|,]+", "", _EDGES.sub("", line))
    if not re.fullmatch(rf"{_CELL}{{{size}}}", bare) or not re.fullmatch(
        rf"{_CELL}(?:[\s|,]*{_CELL})*", _EDGES.sub("", line)
    ):
        return None
    return re.sub("[▢□]", ".", bare)
