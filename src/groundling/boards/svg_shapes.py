"""The SVG shapes from which all drawings are made."""

from __future__ import annotations


def svg_shape(d: str, fill: str, more: str = "") -> str:
    return f'<path d="{d}" fill="{fill}"{more and " " + more}/>'


def svg_oval(x: float, y: float, rx: float, ry: float, fill: str) -> str:
    return f'<ellipse cx="{x:g}" cy="{y:g}" rx="{rx:g}" ry="{ry:g}" fill="{fill}"/>'


def svg_disc(x: float, y: float, r: float, fill: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}"/>'


def svg_box(x: float, y: float, width: float, height: float, fill: str, r: float = 0) -> str:
    corner = f' rx="{r:g}"' if r else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{corner} fill="{fill}"/>'


def svg_flat_group(*parts: str) -> str:
    """Group parts without an outline, for markings."""
    return f'<g stroke="none">{"".join(parts)}</g>'


def svg_rotated_group(angle: float, x: float, y: float, *parts: str) -> str:
    return f'<g transform="rotate({angle:g} {x:g} {y:g})">{"".join(parts)}</g>'
