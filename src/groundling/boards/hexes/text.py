"""The board as text: letters for prompts and terminals, or the painted tiles in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby

from .lattice import COLUMNS, ROWS, Tile

LETTERS = ".KYGRBPO"
"""The letters of the colours in the order of their digits: black is K, blue is B, white a full stop."""
NOTE = (
    "(. white, K black, Y yellow, G green, R red, B blue, P purple, O orange; even columns sit half a tile lower than odd ones)"
)

_ROW = re.compile(rf"\s*(?:(\d+)\s+)?([{re.escape(LETTERS)}](?: *[{re.escape(LETTERS)}]){{{COLUMNS - 1}}})\s*")
_DIGIT = str.maketrans(LETTERS, "01234567", " ")
_LETTER = str.maketrans("01234567", LETTERS)


def rows_of(cells: str, *, note: bool = True) -> str:
    head = "   " + "".join(f"{column:3}" for column in range(1, COLUMNS + 1))
    rows = [
        f"{row + 1:3}" + "".join(f"{letter:>3}" for letter in cells[row * COLUMNS : (row + 1) * COLUMNS].translate(_LETTER))
        for row in range(ROWS)
    ]
    return "\n".join([head, *rows, *([NOTE] if note else [])])


def rows_in(text: str) -> list[str]:
    """The digits of the ten rows that a text shows."""
    rows: list[str] = []
    for line in text.splitlines():
        found = _ROW.fullmatch(line)
        if found:
            rows.append(found[2].translate(_DIGIT))
            if found[1] and int(found[1]) != len(rows):
                raise ValueError(f"row {len(rows)} is numbered {found[1]}")
        elif line.strip() and line.strip() != NOTE and not re.fullmatch(r"[\s\d]+", line):
            raise ValueError(f"this is not a row of {COLUMNS} letters out of {LETTERS}: {line.strip()!r}")
    if len(rows) != ROWS:
        raise ValueError(f"a board has {ROWS} rows of {COLUMNS} letters, not {len(rows)}")
    return rows


def listing(painted: Mapping[Tile, str]) -> str:
    """`row 3: column 5 red, columns 7 to 9 blue`, a line for each row with painted tiles."""
    lines = []
    for row, tiles in groupby(sorted(painted), key=lambda tile: tile[0]):
        runs: list[tuple[int, int, str]] = []
        for _, column in tiles:
            colour = painted[row, column]
            if runs and runs[-1][1:] == (column - 1, colour):
                runs[-1] = (runs[-1][0], column, colour)
            else:
                runs.append((column, column, colour))
        told = (f"column {a} {colour}" if a == b else f"columns {a} to {b} {colour}" for a, b, colour in runs)
        lines.append(f"row {row}: " + ", ".join(told))
    return "\n".join(lines) or "all tiles are white"
