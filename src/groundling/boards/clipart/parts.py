"""Shapes and helpers that all clip art shares.

Every drawing is made in a box whose corner is (0, 0), and is then moved onto its centre. Nothing has an id,
so that one picture can hold many drawings."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from groundling.boards.clipart.paint import BLACK, INK, WHITE
from groundling.boards.svg_shapes import svg_box as svg_box
from groundling.boards.svg_shapes import svg_disc as svg_disc
from groundling.boards.svg_shapes import svg_flat_group as svg_flat_group
from groundling.boards.svg_shapes import svg_oval as svg_oval
from groundling.boards.svg_shapes import svg_rotated_group as svg_rotated_group
from groundling.boards.svg_shapes import svg_shape as svg_shape


class ClipartDrawing(NamedTuple):
    """The size of a piece at full scale, and the function that draws it."""

    width: int
    height: int
    body: Callable[[], str]
    outline: float = 2
    ink: str = INK


def clipart_line(d: str, width: float = 2, colour: str = INK) -> str:
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def clipart_tube(d: str, width: float, colour: str, edge: float = 3) -> str:
    """Draw a thick line with an outline."""
    return clipart_line(d, width + edge) + clipart_line(d, width, colour)


def clipart_shade(d: str) -> str:
    return f'<path d="{d}" fill="{INK}" fill-opacity=".16" stroke="none"/>'


def clipart_gloss(d: str, light: float = 0.45) -> str:
    return f'<path d="{d}" fill="#fff" fill-opacity="{light:g}" stroke="none"/>'


def draw_clipart_eyes(*centres: tuple[float, float], r: float, pupil: float = 0.5, down: float = 0) -> str:
    """Draw white eyes that look to the right. `pupil` and `down` are fractions of the radius."""
    body = ""
    for x, y in centres:
        across, low = round(x + 0.3 * r, 1), round(y + down * r, 1)
        dot = svg_disc(across, low, round(pupil * r, 1), BLACK)
        body += svg_disc(x, y, r, WHITE) + svg_flat_group(
            dot, svg_disc(across + 0.2 * r, low - 0.2 * r, round(0.16 * r, 1), WHITE)
        )
    return body


def centre_clipart_drawing(width: float, height: float, body: str, outline: float = 2, ink: str = INK) -> str:
    """Move the content of a box so that (0, 0) is the centre of the box."""
    return (
        f'<g transform="translate({-width / 2:g} {-height / 2:g})" stroke="{ink}" stroke-width="{outline:g}" '
        f'stroke-linejoin="round" stroke-linecap="round">{body}</g>'
    )
