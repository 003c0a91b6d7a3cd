"""Clip art of food and drink."""

from __future__ import annotations

from groundling.boards.clipart.paint import BRICK, BROWN, CREAM, LEAF, ORANGE, RED, STEEL, TAN, WHITE, YELLOW
from groundling.boards.clipart.parts import (
    ClipartDrawing,
    clipart_gloss,
    clipart_line,
    clipart_tube,
    svg_box,
    svg_disc,
    svg_flat_group,
    svg_oval,
    svg_rotated_group,
    svg_shape,
)


def draw_clipart_pie() -> str:
    return (
        svg_shape("M7 18H55L50 28H12Z", STEEL)
        + clipart_line("M16 20L18 27M25 20V27M37 20V27M46 20L44 27", 1.2)
        + svg_shape(
            "M2 18C6 8 18 2 31 2C44 2 56 8 60 18Q58 21 54 19Q50 22 46 19Q42 22 38 19"
            "Q34 22 31 19Q28 22 24 19Q20 22 16 19Q12 22 8 19Q4 21 2 18Z",
            TAN,
        )
        + clipart_line("M16 14L22 7M27 13L33 5M38 13L44 7", 3, BRICK)
    )


def draw_clipart_pizza() -> str:
    return (
        svg_oval(44, 19, 42, 11, TAN)
        + svg_flat_group(svg_oval(44, 18, 37, 8.5, YELLOW))
        + "".join(
            svg_oval(x, y, 5, 2.6, RED)
            for x, y in ((20, 17), (34, 13), (36, 22), (52, 18), (66, 14), (68, 21))
        )
        + svg_flat_group(
            *(
                svg_oval(x, y, 2.4, 1.2, LEAF)
                for x, y in ((27, 20), (44, 14), (45, 24), (60, 22), (57, 12), (75, 18))
            )
        )
    )


def draw_hot_dog() -> str:
    level = (
        svg_shape("M-1 9Q-1 3 6 3H46Q53 3 53 9V13H-1Z", TAN)
        + svg_shape("M-4 11Q-4 6 2 6H50Q56 6 56 11Q56 16 50 16H2Q-4 16-4 11Z", RED)
        + clipart_line("M4 11Q8 7 12 11T20 11T28 11T36 11T44 11L48 10", 2.6, YELLOW)
        + svg_shape("M-1 13H53Q54 24 44 24H8Q-2 24-1 13Z", ORANGE)
        + clipart_gloss("M4 16H20Q12 18 10 21Q4 20 4 16Z")
    )
    return svg_rotated_group(17, 27, 15, f'<g transform="translate(3.5 3.5) scale(.86)">{level}</g>')


def _draw_bottle(colour: str, mark: str) -> str:
    return (
        svg_shape("M6.5 8L7.4 2H8.6L9.5 8Z", WHITE)
        + svg_shape("M4.5 8H11.5V12H4.5Z", colour)
        + svg_shape("M4 12H12Q14.5 14 14.5 18V36Q14.5 38.5 12 38.5H4Q1.5 38.5 1.5 36V18Q1.5 14 4 12Z", colour)
        + mark
        + clipart_gloss("M3.5 17Q4 14.5 5.5 14V36H3.5Z")
    )


def draw_ketchup() -> str:
    return _draw_bottle(
        RED,
        svg_flat_group(
            svg_disc(8.5, 26, 4.5, CREAM),
            svg_disc(8.5, 26.5, 2.8, BRICK),
            svg_shape("M6.5 24L8.5 22L10.5 24Z", LEAF),
        ),
    )


def draw_mustard() -> str:
    return _draw_bottle(
        YELLOW,
        svg_flat_group(
            svg_box(2.5, 21, 11, 10, CREAM),
            svg_shape("M4 28Q6 21 8 26T12 24", "none", 'stroke="#c98a1b" stroke-width="2"'),
        ),
    )


def draw_burger() -> str:
    return (
        svg_shape("M3 20H35Q36 26 30 26H8Q2 26 3 20Z", TAN)
        + svg_shape("M2 17.5Q2 15 5 15H33Q36 15 36 17.5Q36 21 33 21H5Q2 21 2 17.5Z", BROWN)
        + svg_shape(
            "M2 14Q6 17 9 14.5Q13 18 17 14.5Q21 18 25 14.5Q29 17 36 14L34 11H4Z", LEAF, 'stroke-width="1.2"'
        )
        + svg_shape("M14 12.5H34L29 18Z", YELLOW, 'stroke-width="1"')
        + svg_shape("M3 12C3 5 11 2 19 2C27 2 35 5 35 12Z", TAN)
        + clipart_line("M12 7L14 6M19 5H21M26 7L28 8M17 9H19", 1.6, CREAM)
    )


def draw_drink() -> str:
    return (
        clipart_tube("M3.5 3L10 4L12 9", 2, ORANGE, 2)
        + svg_shape("M4 9H24L22 32H6.5Z", RED)
        + svg_shape("M4.8 16H23.4L22.7 24H5.7Z", WHITE, 'stroke-width="1"')
        + svg_flat_group(svg_disc(14, 20, 2.8, RED))
        + svg_shape("M2.5 6.5H25.5V11H2.5Z", WHITE)
    )


DRAWINGS = {
    "pie": ClipartDrawing(62, 30, draw_clipart_pie, 1.5),
    "pizza": ClipartDrawing(88, 32, draw_clipart_pizza, 1.6),
    "hot dog": ClipartDrawing(54, 30, draw_hot_dog, 1.6),
    "ketchup": ClipartDrawing(16, 40, draw_ketchup, 1.3),
    "mustard": ClipartDrawing(16, 40, draw_mustard, 1.3),
    "burger": ClipartDrawing(38, 28, draw_burger, 1.4),
    "drink": ClipartDrawing(30, 34, draw_drink, 1.4),
}
