"""Parts of pages that are one self-contained HTML file: templates, styles, scripts, tables and figures."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape as escape_html
from importlib.resources import files
from typing import Any

from groundling.boards.picture import replace_unprintable
from groundling.report.plot_captions import Plot

TEXT_COLUMNS = frozenset({"players", "run", "set", "measure", "seat"})
"""Columns of text; all others are numbers."""


def read_page_file(name: str) -> str:
    return (files("groundling.report") / "page" / name).read_text(encoding="utf-8")


def join_page_scripts(*names: str) -> str:
    """Join modules into one script, since a self-contained file cannot import any."""
    return re.sub(r"^(export |import .*\n)", "", "".join(map(read_page_file, names)), flags=re.MULTILINE)


def fill_page_template(template: str, **parts: str) -> str:
    """Fill all placeholders in one pass, so that inserted text is not searched for placeholders."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], template)


def content_policy(style: str, script: str) -> str:
    """Return a content security policy that allows nothing but our own script and style sheet. Style
    attributes are allowed, since drawings use them, hashes cannot list them, and nothing can be loaded
    through them."""
    style_hash, script_hash = (b64encode(sha256(part.encode()).digest()).decode() for part in (style, script))
    return (
        f"default-src 'none'; script-src 'sha256-{script_hash}'; style-src 'sha256-{style_hash}'; "
        f"style-src-attr 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
    )


def escape_text(words: object) -> str:
    """Escape words for HTML and make control characters visible."""
    return escape_html(replace_unprintable(str(words)))


def format_plan_value(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {True: "yes", False: "no", None: "unknown"}[value]
    return str(value)


def format_settings(values: dict[str, Any]) -> str:
    return ", ".join(f"{key} {format_plan_value(value)}" for key, value in values.items())


def html_table(
    caption: str, head: Sequence[str], groups: Sequence[tuple[str, Sequence[tuple[str, Sequence[str]]]]]
) -> str:
    """Format groups of rows, with a heading if named. A row is a CSS class, a header and other cells."""
    kinds = ["" if name in TEXT_COLUMNS else ' class="n"' for name in head]
    top = "".join(
        f'<th scope="col"{kind}>{escape_text(name)}</th>' for name, kind in zip(head, kinds, strict=True)
    )
    body = []
    for heading, rows in groups:
        body.append("<tbody>")
        if heading:
            body.append(f'<tr><th scope="rowgroup" colspan="{len(head)}">{escape_text(heading)}</th></tr>')
        for row_kind, (name, *cells) in rows:
            padded = [*cells, *[""] * (len(head) - 1 - len(cells))]
            line = "".join(
                f"<td{kind}>{escape_text(cell)}</td>" for cell, kind in zip(padded, kinds[1:], strict=True)
            )
            body.append(
                f"<tr{f' class={row_kind}' if row_kind else ''}>"
                f'<th scope="row">{escape_text(name)}</th>{line}</tr>'
            )
        body.append("</tbody>")
    label = escape_text(caption)
    return (
        f'<div class="scroll framed" tabindex="0" role="group" aria-label="{label}">'
        f"<table><caption>{label}</caption>"
        f"<thead><tr>{top}</tr></thead>{''.join(body)}</table></div>"
    )


def plot_figure(plot: Plot) -> str:
    numbers = html_table(
        f"{plot.title}, the numbers", plot.head, [("", [("", list(row)) for row in plot.numbers])]
    )
    title = escape_text(plot.title[:1].upper() + plot.title[1:])
    return (
        f'<figure class="card"><figcaption>{title}</figcaption>'
        f'<p class="small">{escape_text(plot.about)}</p>'
        f'{plot.svg}<details><summary class="numbers">The numbers</summary>{numbers}</details></figure>'
    )
