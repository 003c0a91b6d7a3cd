"""PNG rendering of SVG documents with the bundled font. The documents and the text in them are made by
`core/text_svg.py`, whose functions boards find here too."""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.util import find_spec
from threading import local

from groundling.boards.stamps import rasterize_stamps
from groundling.core.text_svg import (
    FONT,
    ZOOM,
    add_description,
    replace_unprintable,
    svg_document,
    svg_element,
    text_at,
    wrap_text,
)
from groundling.core.values import missing_extra

__all__ = [
    "FONT",
    "add_description",
    "can_render_png",
    "render_png",
    "replace_unprintable",
    "svg_document",
    "text_at",
    "wrap_text",
]

_ZOOM = re.compile(r'<svg [^>]*\bdata-zoom="([\d.]+)"')
_THREAD_LOCAL = local()
"""Holds the font in memory, for each thread: from a file it would be opened again for every letter."""


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
    return _rasterize_svg(svg_element(side, side, body), 1)


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
