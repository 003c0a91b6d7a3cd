"""Two heads and five facial expressions, drawn around (0, 0) and looking to the right.

The order of expressions is that of the published data: angry, wide smile, smile, sad, surprised."""

from __future__ import annotations

from groundling.boards.clipart.paint import BLUE, BRICK, PINK, RED, WHITE, YELLOW
from groundling.boards.clipart.parts import (
    clipart_line,
    clipart_tube,
    draw_clipart_eyes,
    svg_disc,
    svg_flat_group,
    svg_oval,
    svg_shape,
)

_EYES = (-3, 5), (19, 5)
_NOSE = clipart_line("M12 9Q15 13 11 13", 1.8)


def _draw_cheeks(colour: str) -> str:
    cheeks = svg_flat_group(svg_oval(-13, 15, 5.5, 4, colour), svg_oval(24, 15, 3.5, 4, colour))
    return f'<g fill-opacity=".6">{cheeks}</g>'


def _draw_angry() -> str:
    return (
        _draw_cheeks(RED)
        + draw_clipart_eyes(*_EYES, r=7, down=0.15)
        + clipart_line("M-13-8L4 1M14 1L28-8", 4.5)
        + svg_shape("M-3 24Q-4 18 2 18H16Q21 18 20 24Q8 20-3 24Z", WHITE)
        + clipart_line("M3 18V22M9 18V21M15 18V22", 1.5)
    )


def _draw_wide_smile() -> str:
    return (
        draw_clipart_eyes(*_EYES, r=7.5)
        + clipart_line("M-9-7Q-3-11 3-8M15-8Q21-11 26-7", 2.5)
        + svg_shape("M-9 14Q8 18 25 14Q25 28 9 28Q-8 28-9 14Z", BRICK)
        + svg_flat_group(
            svg_shape("M-6.5 16Q8 19.5 23 16Q22 20 20 21Q8 23-4 21Q-6 19-6.5 16Z", WHITE),
            svg_oval(8, 25.2, 8, 2.3, PINK),
        )
    )


def _draw_smile() -> str:
    return (
        _draw_cheeks(PINK)
        + draw_clipart_eyes(*_EYES, r=7.5)
        + clipart_line("M-9-6Q-3-10 3-7M15-7Q21-10 26-6", 2.5)
        + clipart_line("M-5 17Q8 29 20 17", 3.5)
    )


def _draw_sad() -> str:
    return (
        draw_clipart_eyes(*_EYES, r=7, down=0.3)
        + clipart_line("M-13-2L1-9M16-9L28-2", 3)
        + clipart_line("M-2 25Q8 13 18 25", 3.5)
        + svg_shape("M-9 13c3 5 4 6 4 8.5a4 4 0 0 1-8 0c0-2.5 1-3.5 4-8.5Z", BLUE, 'stroke-width="1.2"')
    )


def _draw_surprised() -> str:
    return (
        draw_clipart_eyes(*_EYES, r=8.5, pupil=0.35)
        + clipart_line("M-11-8Q-4-13 3-9M15-9Q22-13 28-8", 3)
        + svg_oval(8, 21, 6, 7, BRICK)
    )


EXPRESSIONS = (_draw_angry, _draw_wide_smile, _draw_smile, _draw_sad, _draw_surprised)


def _draw_head_shape(skin: str) -> str:
    return svg_oval(2, 3, 28, 25, skin)


def draw_mike_head(skin: str, expression: int) -> str:
    hair = "#4a3029"
    return (
        svg_disc(-26, 8, 5.5, skin)
        + _draw_head_shape(skin)
        + svg_shape(
            "M-27 6C-35-8-29-24-15-28C-11-32-3-31 1-28C9-31 17-29 20-25C31-20 33-8 29 0C27-5 25-9 22-12"
            "C18-16 14-17 10-15"
            "C4-17-4-17-9-14C-15-14-19-8-21-2C-22 3-24 7-27 6Z",
            hair,
        )
        + _NOSE
        + EXPRESSIONS[expression]()
    )


def draw_jenny_head(skin: str, expression: int) -> str:
    hair, tie = "#cf5a30", YELLOW
    return (
        svg_shape(
            "M-26 14C-40 12-47 25-42 37C-34 36-24 31-21 20ZM27 14C41 12 46 25 41 37C33 36 25 31 23 20Z", hair
        )
        + _draw_head_shape(skin)
        + svg_shape(
            "M-26 18C-36 2-31-27 2-28C35-27 38 2 30 18C30 8 29-4 22-14C8-15-12-12-20-2C-23 6-24 13-26 18Z",
            hair,
        )
        + clipart_tube("M-29 19L-24 14M32 19L27 14", 3.5, tie, 2.5)
        + _NOSE
        + EXPRESSIONS[expression]()
    )
