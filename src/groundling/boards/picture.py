"""SVG documents, text in them, and PNG rendering with the bundled font."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from importlib.util import find_spec
from threading import local
from xml.sax.saxutils import escape

from groundling.boards.stamps import rasterize_stamps
from groundling.core.values import missing_extra

FONT = "DejaVu Sans"
ZOOM = 2
_ZOOM = re.compile(r'<svg [^>]*\bdata-zoom="([\d.]+)"')
_THREAD_LOCAL = local()
"""Holds the font in memory, for each thread: from a file it would be opened again for every letter."""


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
    return _svg_element(
        width,
        height,
        f"<title>{escape(replace_unprintable(title))}</title>{paper}{body}",
        f'{pixels}role="img" ',
    )


def _svg_element(width: float, height: float, body: str, more: str = "") -> str:
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
    from textwrap import wrap as lines

    return tuple(line for part in text.splitlines() for line in (lines(part, width) or [""]))


def can_render_png() -> bool:
    """Whether the PNG renderer is installed."""
    return find_spec("resvg") is not None


def render_png(svg: str, zoom: float | None = None) -> bytes:
    """Render an SVG with `zoom` pixels per unit, by default as many as the SVG itself asks for."""
    if zoom is None:
        asked = _ZOOM.match(svg)
        zoom = float(asked[1]) if asked else ZOOM
    return _rasterize_svg(rasterize_stamps(svg, zoom, _render_square), zoom)


def _render_square(body: str, side: int) -> bytes:
    return _rasterize_svg(_svg_element(side, side, body), 1)


def _rasterize_svg(svg: str, zoom: float) -> bytes:
    try:
        from resvg import render, usvg
    except ImportError:
        raise missing_extra("picture") from None
    if not hasattr(_THREAD_LOCAL, "options"):
        _THREAD_LOCAL.options = usvg.Options.default()
        _THREAD_LOCAL.options.load_font_data(
            (files("groundling.boards") / "fonts" / "DejaVuSans.ttf").read_bytes()
        )
    tree = usvg.Tree.from_str(svg, _THREAD_LOCAL.options)
    width, height = (max(1, round(side * zoom)) for side in tree.int_size())
    return bytes(render(tree, (zoom, 0, 0, 0, zoom, 0), bg_size=(width, height)))
