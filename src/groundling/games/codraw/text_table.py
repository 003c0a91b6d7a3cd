"""Plain text tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

TextRow: TypeAlias = tuple[str, ...]


def format_text_table(head: TextRow, rows: Iterable[TextRow]) -> Iterator[str]:
    """Yield the lines of a table; columns of numbers are aligned to the right."""
    body = list(rows)
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    right = [all(row[n][:1].isdigit() or row[n] in ("", "-") for row in body) for n in range(len(head))]
    for row in (head, *body):
        cells = [cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(row, widths, right, strict=True)]
        yield "  ".join(cells).rstrip()
