"""Clip art of things in the sky."""

from __future__ import annotations

from math import cos, radians, sin

from groundling.boards.clipart.paint import (
    BLUE,
    BRICK,
    CREAM,
    GLASS,
    NAVY,
    ORANGE,
    PLUM,
    RED,
    SLATE,
    STEEL,
    TAN,
    VIOLET,
    WHITE,
    YELLOW,
)
from groundling.boards.clipart.parts import (
    ClipartDrawing,
    clipart_gloss,
    clipart_line,
    clipart_shade,
    clipart_tube,
    svg_box,
    svg_disc,
    svg_flat_group,
    svg_oval,
    svg_rotated_group,
    svg_shape,
)

_CLOUD_INK = "#7f88ad"
_STORM = "#d5d9e8"


def draw_helicopter() -> str:
    return (
        clipart_tube("M96 86L90 100M134 86L140 100", 2.5, SLATE)
        + clipart_tube("M70 103H150Q160 103 163 95", 3, SLATE)
        + svg_shape("M90 46L20 36L8 14H24L40 38L92 72Z", RED)
        + svg_disc(17, 43, 11, STEEL)
        + clipart_line("M11 35L23 51M9 47L25 39", 2)
        + svg_box(107, 14, 9, 22, SLATE)
        + svg_shape(
            "M68 62C68 40 90 31 114 31C146 31 164 50 166 68C167 83 146 90 118 90C88 90 68 84 68 62Z", RED
        )
        + svg_shape("M70 70Q110 76 165 72C163 85 145 90 118 90C90 90 73 84 70 70Z", CREAM)
        + svg_shape("M122 37C142 39 157 52 159 66Q140 68 122 66Z", GLASS)
        + svg_box(86, 44, 24, 20, GLASS, 5)
        + clipart_gloss("M128 42C138 44 146 51 150 58L128 58Z")
        + svg_oval(112, 11, 82, 6, SLATE)
        + svg_disc(112, 12, 6, YELLOW)
    )


def draw_hot_air_balloon() -> str:
    return (
        clipart_line("M50 144L56 164M86 144L80 164M68 146V164", 2)
        + svg_box(53, 161, 30, 23, TAN, 5)
        + clipart_line("M53 168H83M60 169V183M68 169V183M76 169V183", 1.5)
        + svg_shape(
            "M68 2C106 2 133 30 133 66C133 102 102 118 88 148H48C34 118 3 102 3 66C3 30 30 2 68 2Z", VIOLET
        )
        + svg_shape(
            "M68 2C94 2 112 30 112 66C112 102 92 118 80 148H56C44 118 24 102 24 66C24 30 42 2 68 2Z", YELLOW
        )
        + svg_shape(
            "M68 2C80 2 88 30 88 66C88 102 80 118 74 148H62C56 118 48 102 48 66C48 30 56 2 68 2Z", RED
        )
        + svg_shape("M46 143H90L87 152H49Z", PLUM)
        + clipart_gloss("M20 62C19 40 32 20 46 14C36 28 30 44 29 66Z")
    )


def _draw_puff(fill: str, below: str) -> str:
    """Draw a cloud of 170 × 102."""
    return (
        svg_shape(
            "M34 98C14 98 2 86 2 71C2 57 12 47 25 46C25 31 37 22 50 24C57 9 71 2 86 2C105 2 118 13 122 28"
            "C137 25 149 35 149 49C161 52 168 62 168 73C168 88 155 98 138 98Z",
            fill,
        )
        + '<path d="M5 78C20 90 38 84 46 76C60 90 92 90 104 76C118 88 150 88 167 77'
        f'C165 90 153 97 138 97H34C18 97 7 89 5 78Z" fill="{below}" stroke="none"/>'
        + clipart_line("M25 46Q33 44 39 49M122 28Q112 29 107 38", 2, _CLOUD_INK)
    )


def draw_cloud() -> str:
    return _draw_puff(WHITE, "#dfe6f3")


def draw_sun() -> str:
    rays = ""
    for turn in range(0, 360, 30):
        (left, up), (right, down), (x, y) = (
            (74 + r * cos(radians(a)), 74 + r * sin(radians(a)))
            for a, r in ((turn - 13, 50), (turn + 13, 50), (turn + 4, 72))
        )
        rays += f"M{left:.0f} {up:.0f}L{x:.0f} {y:.0f}L{right:.0f} {down:.0f}Z"
    return (
        svg_shape(rays, ORANGE)
        + svg_disc(74, 74, 51, YELLOW)
        + svg_flat_group(svg_disc(74, 74, 40, "#ffdd6b"))
        + clipart_gloss("M42 66C46 50 60 40 76 40C62 47 51 56 49 70Z")
    )


def draw_lightning_cloud() -> str:
    return (
        svg_shape("M58 78H108L96 108H122L102 138H124L116 186L66 134H86L52 108Z", YELLOW)
        + clipart_gloss("M74 96H98L88 112H72L62 106Z")
        + f'<g transform="scale(.93)" stroke="{_CLOUD_INK}">{_draw_puff(_STORM, "#b3bad2")}</g>'
    )


def draw_rain_cloud() -> str:
    small, large = (
        "c2.5 6 6 9 6 13a6 6 0 0 1-12 0c0-4 3.5-7 6-13Z",
        "c3 8 8 11 8 17a8 8 0 0 1-16 0c0-6 5-9 8-17Z",
    )
    drops = "".join(
        f"M{x} {y}{large}" for x, y in ((58, 110), (138, 112), (36, 142), (112, 144), (84, 176), (142, 178))
    )
    drops += "".join(
        f"M{x} {y}{small}" for x, y in ((24, 108), (98, 110), (74, 148), (152, 148), (54, 182), (114, 184))
    )
    return (
        svg_shape(drops, BLUE, f'stroke="{NAVY}" stroke-width="1.5"')
        + f'<g transform="scale(1.03)" stroke="{_CLOUD_INK}">{_draw_puff("#e6eaf4", "#b9c3dd")}</g>'
    )


def draw_rocket() -> str:
    upright = (
        svg_shape(
            "M47 78C40 92 46 104 50 112C54 106 56 112 59 128C62 112 64 106 68 112C72 104 78 92 71 78Z", ORANGE
        )
        + svg_shape("M53 79C50 90 56 96 59 108C62 96 68 90 65 79Z", YELLOW)
        + svg_shape("M45 44C32 52 28 66 31 82L46 72ZM73 44C86 52 90 66 87 82L72 72Z", RED)
        + svg_shape("M59 -22C76 -4 80 26 78 46Q77 64 71 78H47Q41 64 40 46C38 26 42 -4 59 -22Z", WHITE)
        + svg_shape("M59 -22C67 -14 72 -4 75 8Q59 14 43 8C46 -4 51 -14 59 -22Z", RED)
        + svg_disc(59, 30, 10, GLASS)
        + svg_shape("M44 70H74L71 79H47Z", STEEL)
        + clipart_line("M59 54V76", 4, BRICK)
        + clipart_shade("M72 8C78 26 78 58 70 78H64C72 54 72 26 68 10Z")
    )
    return svg_rotated_group(-48, 59, 54, upright)


def draw_airplane() -> str:
    return (
        svg_shape("M112 46L84 3H106L152 46Z", STEEL)
        + svg_shape("M36 48L4 8H32L74 46Z", RED)
        + svg_shape(
            "M14 44C44 40 70 40 110 40H168C196 40 226 52 228 66C226 80 196 82 168 82H96C60 82 32 68 14 44Z",
            WHITE,
        )
        + clipart_line("M36 63H221", 7, RED)
        + svg_shape("M190 44C205 46 216 51 222 58L194 56Z", GLASS)
        + "".join(svg_box(x, 46, 9, 11, GLASS, 3) for x in range(82, 180, 17))
        + svg_shape("M46 54L10 70H32L76 58Z", STEEL)
        + svg_shape("M152 68L94 120H66L106 68Z", STEEL)
        + clipart_shade("M152 68L94 120H84L130 68Z")
    )


DRAWINGS = {
    "helicopter": ClipartDrawing(196, 110, draw_helicopter),
    "hot air balloon": ClipartDrawing(136, 186, draw_hot_air_balloon),
    "cloud": ClipartDrawing(170, 102, draw_cloud, ink=_CLOUD_INK),
    "sun": ClipartDrawing(148, 148, draw_sun),
    "lightning cloud": ClipartDrawing(158, 188, draw_lightning_cloud),
    "rain cloud": ClipartDrawing(176, 206, draw_rain_cloud),
    "rocket": ClipartDrawing(118, 108, draw_rocket),
    "airplane": ClipartDrawing(230, 122, draw_airplane),
}
