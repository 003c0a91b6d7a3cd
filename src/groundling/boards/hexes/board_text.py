"""Text forms of the hexagon board: letters for prompts and terminals, or the painted tiles in words."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby

from groundling.boards.hexes.lattice import COLUMNS, ROWS

LETTERS = ".KYGRBPO"
"""The letters of the colours in the order of their digits: black is K, blue is B, white a full stop."""
NOTE = (
    "(. white, K black, Y yellow, G green, R red, B blue, P purple, O orange; "
    "even columns sit half a tile lower than odd ones)"
)

_ROW = re.compile(
    rf"\s*(?:(\d+)\s+)?([{re.escape(LETTERS)}](?: *[{re.escape(LETTERS)}]){{{COLUMNS - 1}}})\s*"
)
_DIGIT = str.maketrans(LETTERS, "01234567", " ")
_LETTER = str.maketrans("01234567", LETTERS)


def write_board_text(cells: str, *, note: bool = True) -> str:
    head = "   " + "".join(f"{column:3}" for column in range(1, COLUMNS + 1))
    rows = [
        f"{row + 1:3}"
        + "".join(f"{letter:>3}" for letter in cells[row * COLUMNS : (row + 1) * COLUMNS].translate(_LETTER))
        for row in range(ROWS)
    ]
    return "\n".join([head, *rows, *([NOTE] if note else [])])


def parse_board_text(text: str) -> list[str]:
    """Read the digits of the ten rows that a text shows."""
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


def list_painted_text(cells: str, colours: tuple[str, ...]) -> str:
    """Write `row 3: column 5 red, columns 7 to 9 blue`, one line for each row with painted tiles."""
    rows = (_list_row(row + 1, cells[row * COLUMNS : (row + 1) * COLUMNS], colours) for row in range(ROWS))
    return "\n".join(filter(None, rows)) or "all tiles are white"


@lru_cache(2048)  # few rows of a board differ from one tile to the next
def _list_row(row: int, cells: str, colours: tuple[str, ...]) -> str:
    runs = []
    column = 1
    for digit, same in groupby(cells):
        last = column + len(list(same)) - 1
        if digit != "0":
            runs.append(
                (f"column {column}" if column == last else f"columns {column} to {last}")
                + f" {colours[int(digit)]}"
            )
        column = last + 1
    return f"row {row}: " + ", ".join(runs) if runs else ""
