"""Tables as text that fits the terminal: columns that do not fit side by side follow in further blocks."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from groundling.core.result_tables import Column, TableRow, TextTable

__all__ = ["Column", "TableRow", "TextTable", "count_noun", "print_table", "print_text", "render_table"]

GAP = "  "
NARROWEST_WIDTH = 40
NARROWEST_HEADER = 8
"""Headers are not folded to less than this."""


def print_table(table: TextTable) -> None:
    print("\n".join(render_table(table, terminal_width())))


def print_text(text: str, indent: str = "") -> None:
    """Print text folded to the terminal's width; lines after the first are indented."""
    print("\n".join(fold_text(text, terminal_width(), indent)))


def count_noun(count: int, noun: str) -> str:
    """Return "1 cluster" or "2 clusters"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def terminal_width() -> int:
    """Return COLUMNS, else the width of the terminal, else 120."""
    return max(shutil.get_terminal_size((120, 40)).columns, NARROWEST_WIDTH)


def fold_text(text: str, width: int, indent: str = "") -> list[str]:
    """Break text at blanks, but not at no-break spaces, which become blanks."""
    lines = textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\xa0", " ") for line in lines]


def render_table(table: TextTable, width: int) -> list[str]:
    """Return the lines, none of them wider than `width` and none ending in blanks. Only texts are folded,
    never a cell, so a cell wider than `width` would stick out."""
    lines = [*fold_text(table.title, width), ""]
    headers, widths = _measure_columns(table)
    groups = _join_columns(table.columns)
    first = sum(len(GAP) + widths[at] for at in groups[0]) if groups else 0
    as_columns = _choose_key_columns(table, width - first)
    key_headers, key_widths = _measure_keys(table, as_columns, width - first)
    used = sum(key_widths) + len(GAP) * (len(key_widths) - 1)
    for block in _pack_groups(groups, widths, width - used):
        lines += _header_lines(
            [*key_headers, *(headers[at] for at in block)],
            [*(-size for size in key_widths), *(widths[at] for at in block)],
        )
        lines += [*_body_lines(table, as_columns, key_widths, block, widths, width), ""]
    for note in table.notes:
        lines += fold_text(note, width)
    return lines if table.notes else lines[:-1]


def _measure_columns(table: TextTable) -> tuple[list[list[str]], list[int]]:
    """Return each column's header, folded to about the width of its cells, and its width."""
    headers, widths = [], []
    for at, column in enumerate(table.columns):
        widest = max((len(row.cells[at]) for row in table.rows if at < len(row.cells)), default=0)
        headers.append(_fold_header(column.name, max(widest, NARROWEST_HEADER)))
        widths.append(max(widest, *map(len, headers[-1])))
    return headers, widths


def _fold_header(name: str, width: int) -> list[str]:
    """Fold a header after blanks, slashes, hyphens and the like."""
    lines = [""]
    for part in re.findall(r"[^\s_/:,-]+[_/:,-]*\s*|[_/:,-]+\s*", name):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def _join_columns(columns: Sequence[Column]) -> list[list[int]]:
    groups: list[list[int]] = []
    for at, column in enumerate(columns):
        if column.joined and groups:
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups


def _choose_key_columns(table: TextTable, room: int) -> range:
    """Return the keys that are columns beside the first group; those before them become headings."""
    longest = [
        max(map(len, [name, *(row.keys[at] for row in table.rows)])) for at, name in enumerate(table.keys)
    ]
    start = 0
    while start < len(longest) - 1 and sum(longest[start:]) + len(GAP) * (len(longest) - start - 1) > room:
        start += 1
    return range(start, len(longest))


def _measure_keys(table: TextTable, shown: range, room: int) -> tuple[list[list[str]], list[int]]:
    headers, widths = [], []
    for at in shown:
        fitting = [len(row.keys[at]) for row in table.rows if len(row.keys[at]) <= room]
        headers.append(_fold_header(table.keys[at], max([*fitting, NARROWEST_HEADER])))
        widths.append(max([*fitting, *map(len, headers[-1])]))
    return headers, widths


def _pack_groups(groups: Iterable[list[int]], widths: Sequence[int], room: int) -> list[list[int]]:
    """Put as many groups of columns into a block as fit; a group that is too wide is spread over blocks."""
    blocks: list[list[int]] = [[]]
    left = room
    for group in groups:
        whole = sum(len(GAP) + widths[at] for at in group)
        for part in [group] if whole <= room else [[at] for at in group]:
            needed = sum(len(GAP) + widths[at] for at in part)
            if needed > left and blocks[-1]:
                blocks.append([])
                left = room
            blocks[-1] += part
            left -= needed
    return blocks


def _header_lines(headers: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterator[str]:
    height = max(map(len, headers))
    for level in range(height):
        lines = [header[level - height] if level >= height - len(header) else "" for header in headers]
        yield _join_cells(lines, widths)
    yield "─" * (sum(map(abs, widths)) + len(GAP) * (len(widths) - 1))


def _body_lines(
    table: TextTable,
    shown: range,
    key_widths: Sequence[int],
    block: Sequence[int],
    widths: Sequence[int],
    width: int,
) -> Iterator[str]:
    """Yield the rows that have cells in this block. Where several share their first key, a blank line stands
    between such groups. A key that does not fit into its column stands above its numbers."""
    filled = [row for row in table.rows if any(row.cells[at : at + 1] > ("",) for at in block)]
    groups = [list(rows) for _, rows in groupby(filled, key=lambda row: row.keys[: shown.start or 1])]
    apart = shown.start > 0 or (len(table.keys) > 1 and any(len(rows) > 1 for rows in groups))
    sizes = [*(-size for size in key_widths), *(widths[at] for at in block)]
    for number, rows in enumerate(groups):
        if apart and number:
            yield ""
        if shown.start:
            yield from fold_text(
                ", ".join(f"{table.keys[at]} {rows[0].keys[at]}" for at in range(shown.start)), width
            )
        for row in rows:
            keys = [row.keys[at] for at in shown]
            if any(len(key) > size for key, size in zip(keys, key_widths, strict=True)):
                yield from fold_text(GAP.join(keys), width)
                keys = [""] * len(keys)
            yield _join_cells([*keys, *(row.cells[at] if at < len(row.cells) else "" for at in block)], sizes)


def _join_cells(cells: Iterable[str], widths: Iterable[int]) -> str:
    """Join cells; a negative width aligns to the left."""
    padded = (
        cell.ljust(-size) if size < 0 else cell.rjust(size) for cell, size in zip(cells, widths, strict=True)
    )
    return GAP.join(padded).rstrip()
