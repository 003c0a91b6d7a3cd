"""Tables as files: one page of HTML that works offline, or CSV with the title of the table in each row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from html import escape

from groundling.core.result_tables import TableRow, TextTable

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem;
  color: #1a1a1a; background: #fff; }
table { border-collapse: collapse; margin: .5rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem; border-bottom: 1px solid #ccc; text-align: right; white-space: nowrap; }
thead th { white-space: normal; vertical-align: bottom; }
.key { text-align: left; }
.scroll { overflow-x: auto; }
.note { color: #555; margin: .1rem 0; }
"""


def render_table_page(title: str, tables: Sequence[TextTable]) -> str:
    parts = "".join(f"<section>{_render_table(table)}</section>" for table in tables)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f"<body><h1>{escape(title)}</h1>{parts}</body></html>\n"
    )


def _render_table(table: TextTable) -> str:
    head = [*((name, "key") for name in table.keys), *((column.name, "") for column in table.columns)]
    top = "".join(_cell("th", name, kind, ' scope="col"') for name, kind in head)
    body = "".join(f"<tr>{''.join(_row_cells(table, row))}</tr>" for row in table.rows)
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in table.notes)
    label = escape(table.title)
    return (
        f'<h2>{label}</h2><div class="scroll" tabindex="0" role="group" aria-label="{label}"><table>'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>{notes}"
    )


def _row_cells(table: TextTable, row: TableRow) -> Iterator[str]:
    yield from (_cell("th", key, "key", ' scope="row"') for key in row.keys)
    yield from (_cell("td", cell) for cell in _pad_cells(table, row))


def _pad_cells(table: TextTable, row: TableRow) -> list[str]:
    return [*row.cells, *[""] * (len(table.columns) - len(row.cells))]


def _cell(tag: str, text: str, kind: str = "", more: str = "") -> str:
    return f"<{tag}{f' class={kind}' if kind else ''}{more}>{escape(text)}</{tag}>"


def render_table_csv(tables: Sequence[TextTable]) -> str:
    """All tables, one after the other, with a blank line between them."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    for number, table in enumerate(tables):
        if number:
            writer.writerow([])
        writer.writerow(["table", *table.keys, *(column.name for column in table.columns)])
        writer.writerows([table.title, *row.keys, *_pad_cells(table, row)] for row in table.rows)
    return buffer.getvalue()
