"""SVG documents, text in them, and the picture of a text for games that draw nothing else."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from html import escape as escape_html

FONT = "DejaVu Sans"
ZOOM = 2
"""Pixels per unit of a PNG."""
_EDGE, _LINE, _SIZE, _STEP, _WIDE = 16, 24, 15, 13, 68
"""Margin, line height, letter size, width of a character in a grid, most characters of other lines."""
_NARROW = 400.0
"""The least width of a text, so that short ones are not shown larger than long ones."""
escape = partial(escape_html, quote=False)  # xml.sax.saxutils would import urllib

# Control characters except line breaks and tabs, surrogates and non-characters: neither XML nor a terminal
# takes them well.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def replace_unprintable(text: str) -> str:
    """Make text from others safe to show: control characters become replacement characters."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


@lru_cache(8192)  # a conversation is drawn again with every line
def text_at(
    text: str,
    x: float,
    y: float,
    size: float,
    *,
    fill: str = "#1c2430",
    anchor: str = "start",
    weight: str = "normal",
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(replace_unprintable(text))}</text>'
    )


def svg_document(width: float, height: float, body: str, title: str, zoom: float = ZOOM) -> str:
    """Make a whole SVG with a title for screen readers. `zoom` is the pixels per unit of its PNG."""
    pixels = f'data-zoom="{zoom:g}" ' if zoom != ZOOM else ""
    paper = f'<rect width="{width:g}" height="{height:g}" fill="#fbfaf7"/>'
    return svg_element(
        width,
        height,
        f"<title>{escape(replace_unprintable(title))}</title>{paper}{body}",
        f'{pixels}role="img" ',
    )


def svg_element(width: float, height: float, body: str, more: str = "") -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" {more}font-family="{FONT}, sans-serif">{body}</svg>'
    )


def add_description(svg: str, words: str) -> str:
    """Add a description in words, for screen readers."""
    return svg.replace("</title>", f"</title><desc>{escape(replace_unprintable(words))}</desc>", 1)


@lru_cache(4096)  # a list that grows is drawn again with every line
def wrap_text(text: str, width: int) -> tuple[str, ...]:
    """Break a text into lines of at most `width` characters; longer words are cut."""
    from textwrap import wrap

    return tuple(line for part in text.splitlines() for line in (wrap(part, width) or [""]))


def text_svg(text: str) -> str:
    """Draw a text. Single letters and digits with spaces between them are a grid, with columns in line."""
    lines = [
        line
        for part in text.splitlines()
        for line in ([part] if _is_row(part) else wrap_text(part, _WIDE) or [""])
    ]
    body, width = [], _NARROW
    for number, line in enumerate(lines):
        y = _EDGE + _LINE * (number + 0.7)
        if _is_row(line):
            body += [
                text_at(cell[0], _EDGE + _STEP * (cell.start() + 0.5), y, _SIZE, anchor="middle")
                for cell in re.finditer(r"\S+", line)
            ]
            width = max(width, _STEP * len(line))
        elif line.strip():
            body.append(text_at(line.strip(), _EDGE, y, _SIZE))
            width = max(width, 0.62 * _SIZE * len(line))
    height = _LINE * len(lines) + 2 * _EDGE
    return add_description(
        svg_document(width + 2 * _EDGE, height, "".join(body), lines[0] if lines else ""), text
    )


def _is_row(line: str) -> bool:
    cells = line.split()
    return len(cells) > 1 and all(len(cell) <= 2 for cell in cells)
