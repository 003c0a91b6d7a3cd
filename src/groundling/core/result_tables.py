"""Tables as values, which reports print."""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct


class Column(Struct, frozen=True):
    """A right-aligned column."""

    name: str
    joined: bool = False
    """It stands beside the column on its left, in the same block."""


class TableRow(Struct, frozen=True):
    keys: tuple[str, ...]
    cells: tuple[str, ...]
    """The first cells; the others are empty."""


class TextTable(Struct, frozen=True):
    title: str
    keys: tuple[str, ...]
    """Headers of the left-aligned columns that name a row. They are repeated in every block; where they leave
    too little room, all but the last become headings above groups of rows."""
    columns: tuple[Column, ...]
    rows: tuple[TableRow, ...]
    notes: tuple[str, ...] = ()


def natural_sort_key(text: str) -> list[Any]:
    """Return a sort key by which 10 comes after 9."""
    return [
        (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"(\d+)", text) if part
    ]
