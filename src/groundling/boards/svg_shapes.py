"""The SVG shapes from which drawings are computed."""

from __future__ import annotations


def svg_shape(d: str, fill: str) -> str:
    return f'<path d="{d}" fill="{fill}"/>'


def svg_line(d: str, width: float, colour: str) -> str:
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def svg_disc(x: float, y: float, r: float, fill: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}"/>'


def svg_box(x: float, y: float, width: float, height: float, fill: str, r: float = 0) -> str:
    corner = f' rx="{r:g}"' if r else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{corner} fill="{fill}"/>'
