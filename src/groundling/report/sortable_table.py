"""Tables of pages that are sorted by a click on a column's name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite

from msgspec import Struct

from groundling.report.page_parts import escape_text
from groundling.report.score_table import format_score_interval, format_score_number
from groundling.scores.intervals import Estimate


class TableCell(Struct, frozen=True):
    html: str
    value: float | None = None
    """The number by which rows are sorted; of a text, its words."""


def estimate_cells(found: Estimate | None) -> list[TableCell]:
    if found is None:
        return [TableCell("—"), TableCell("")]
    interval = format_score_interval(found.low, found.high)
    return [number_cell(found.mean), TableCell(f'<span class="interval">{interval}</span>', found.low)]


def number_cell(value: float | None) -> TableCell:
    known = value is not None and isfinite(value)
    return TableCell(format_score_number(value), value if known else None)


def share_cell(value: float) -> TableCell:
    return TableCell(f"{value:.0%}", value)


def count_cell(value: float) -> TableCell:
    return TableCell(f"{value:,.0f}" if value else "0", value)


def money_cell(value: float | None) -> TableCell:
    return TableCell("unknown" if value is None else f"${value:,.4f}" if value else "$0", value)


def render_sortable_table(
    caption: str, head: Sequence[str], rows: Iterable[Sequence[TableCell]], texts: Iterable[str] = ()
) -> str:
    """Format rows with a header each; columns are numbers unless they are among `texts`."""
    kinds = ["" if name in ("player", *texts) else ' class="n"' for name in head]
    top = "".join(
        f'<th scope="col"{kind}><button type="button" class="sort">{escape_text(name)}</button></th>'
        for name, kind in zip(head, kinds, strict=True)
    )
    body = "".join(_table_row(row, kinds) for row in rows)
    label = escape_text(caption)
    return (
        f'<div class="scroll framed" tabindex="0" role="group" aria-label="{label}"><table class="sortable">'
        f"<caption>{label}</caption><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _table_row(row: Sequence[TableCell], kinds: Sequence[str]) -> str:
    name, *cells = row
    line = ""
    for cell, kind in zip(cells, kinds[1:], strict=True):
        value = "" if cell.value is None else str(cell.value)
        sorted_by = f' data-value="{value}"' if kind else ""
        line += f"<td{kind}{sorted_by}>{cell.html}</td>"
    return f'<tr><th scope="row">{name.html}</th>{line}</tr>'
