"""Clip art of balls."""

from __future__ import annotations

from groundling.boards.clipart.paint import BLACK, BLUE, BROWN, ORANGE, RED, TEAL, WHITE, YELLOW
from groundling.boards.clipart.parts import (
    clipart_gloss,
    clipart_line,
    svg_disc,
    svg_flat_group,
    svg_rotated_group,
    svg_shape,
)


def draw_clipart_baseball() -> str:
    return svg_rotated_group(
        -25,
        39,
        29,
        svg_disc(39, 29, 10, WHITE),
        clipart_line("M32.5 22Q37 29 32.5 36M45.5 22Q41 29 45.5 36", 1.6, RED),
        clipart_line(
            "M33 25L35.5 24.5M34 29H36.5M33 33L35.5 33.5M45 25L42.5 24.5M44 29H41.5M45 33L42.5 33.5", 1, RED
        ),
    )


def draw_clipart_beach_ball() -> str:
    return (
        svg_disc(39, 39, 37, WHITE)
        + svg_shape("M30 28C26 14 32 6 39 2A37 37 0 0 1 67 15C56 12 40 18 30 28Z", RED)
        + svg_shape("M30 28C46 24 64 32 76 42A37 37 0 0 1 61 69C60 52 48 36 30 28Z", YELLOW)
        + svg_shape("M30 28C30 46 34 64 40 76A37 37 0 0 1 8 59C10 44 18 34 30 28Z", BLUE)
        + svg_shape("M30 28C22 28 10 32 2 40A37 37 0 0 1 14 12C20 14 26 20 30 28Z", TEAL)
        + svg_disc(30, 28, 6, WHITE)
        + clipart_gloss("M52 12Q66 18 70 32Q62 20 50 16Z")
    )


def draw_clipart_basketball() -> str:
    return (
        svg_disc(30, 30, 28, ORANGE)
        + clipart_line(
            "M6 44C22 32 40 14 48 9M13 9C28 18 46 40 50 49M2 28C16 22 30 6 30 2M58 32C44 36 32 46 30 58", 2.2
        )
        + clipart_gloss("M12 20Q16 11 25 8Q18 15 17 24Z")
    )


def draw_clipart_soccer_ball() -> str:
    patches = (
        svg_shape("M33 20L43 27L39 39H27L23 27Z", BLACK)
        + svg_flat_group(
            svg_shape(
                "M26 6Q33 4 40 6L39 11L33 14L27 11ZM56 20Q59 28 58 36L53 35L50 28L52 21ZM10 20Q7 28 8 36"
                "L13 35L16 28L14 21Z",
                BLACK,
            ),
            svg_shape("M47 52Q52 48 55 43L50 41L44 45L44 51ZM19 52Q14 48 11 43L16 41L22 45L22 51Z", BLACK),
        )
        + clipart_line(
            "M33 20V14M43 27L50 28M39 39L44 45M27 39L22 45M23 27L16 28"
            "M39 11L52 21M53 35L50 41M44 51L22 51M16 41L13 35M14 21L27 11",
            1.6,
        )
    )
    return svg_disc(32.5, 30.5, 25, WHITE) + svg_rotated_group(
        14, 32.5, 30.5, f'<g transform="translate(.8 1.2) scale(.96)">{patches}</g>'
    )


def draw_clipart_tennis_ball() -> str:
    seam = clipart_line("M4.8 5.4Q10 10 4.8 14.6M15.2 5.4Q10 10 15.2 14.6", 1.6, WHITE)
    return svg_disc(10, 10, 8.3, "#d6e84a") + svg_rotated_group(30, 10, 10, seam)


def draw_clipart_football() -> str:
    level = (
        svg_shape("M1 21C8 8 20 4 31 4C42 4 54 8 61 21C54 34 42 38 31 38C20 38 8 34 1 21Z", BROWN)
        + svg_flat_group(
            svg_shape(
                "M12 10L17 7.5Q13 21 17 34.5L12 32Q8 21 12 10ZM50 10L45 7.5Q49 21 45 34.5L50 32Q54 21 50 10Z",
                WHITE,
            )
        )
        + clipart_line("M22 20H40M25 16V24M29 16V24M33 16V24M37 16V24", 2, WHITE)
        + clipart_gloss("M20 10Q30 6 42 10Q30 10 20 14Z", 0.3)
    )
    return svg_rotated_group(-22, 30, 21, f'<g transform="translate(1.5 2) scale(.92)">{level}</g>')
