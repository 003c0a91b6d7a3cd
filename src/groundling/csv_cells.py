"""Rows of CSV files whose cells no spreadsheet reads as formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

FORMULA = tuple("=+-@\t\r")


def format_csv_row(cells: Sequence[Any]) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer).writerow(map(escape_csv_formula, cells))
    return buffer.getvalue().encode()


def encode_csv_records(records: Iterable[Mapping[str, Any]]) -> bytes:
    """Encode rows with the columns that any of them has; what is missing is empty."""
    rows = list(records)
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines: list[Sequence[Any]] = [names, *([row.get(name) for name in names] for row in rows)]
    return b"".join(map(format_csv_row, lines))


def escape_csv_formula(cell: Any) -> str:
    """The cell as text that no spreadsheet reads as a formula; numbers stay numbers."""
    text = "" if cell is None else str(cell)
    return f"'{text}" if isinstance(cell, str) and text.startswith(FORMULA) else text


def unescape_csv_formula(cell: str) -> str:
    """The text that the cell was written for."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell
