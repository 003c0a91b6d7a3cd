"""Clip art of toys and sports gear."""

from __future__ import annotations

from groundling.boards.clipart import balls
from groundling.boards.clipart.paint import (
    BARK,
    BLUE,
    BRICK,
    BROWN,
    CREAM,
    NAVY,
    ORANGE,
    RED,
    SAND,
    SLATE,
    TAN,
    TEAL,
    VIOLET,
    WHITE,
    YELLOW,
)
from groundling.boards.clipart.parts import (
    ClipartDrawing,
    clipart_gloss,
    clipart_line,
    clipart_tube,
    svg_disc,
    svg_oval,
    svg_rotated_group,
    svg_shape,
)


def draw_pail() -> str:
    return (
        clipart_tube("M6 32C6 -6 40 -6 40 32", 2.5, YELLOW, 2)
        + svg_shape("M4 32H42L37 68Q23 73 9 68Z", RED)
        + svg_oval(23, 32, 19, 6, SAND)
        + clipart_line("M12 31Q23 24 34 31", 1.5, TAN)
        + svg_shape("M6 46Q23 52 40 46L39 54Q23 60 7 54Z", YELLOW)
        + clipart_gloss("M9 42L13 43L15 66L12 66Z")
    )


def draw_shovel() -> str:
    upright = (
        clipart_tube("M17 12V38", 4, BLUE, 2.5)
        + svg_shape("M9 3H25V10H9Z", YELLOW)
        + svg_shape("M6 36H28V48Q28 58 17 58Q6 58 6 48Z", RED)
        + clipart_gloss("M10 40H13V50H10Z")
    )
    return svg_rotated_group(-18, 17, 30, f'<g transform="translate(1 2) scale(.93)">{upright}</g>')


def draw_frisbee() -> str:
    level = (
        svg_oval(32, 17, 31, 10, BRICK)
        + svg_oval(32, 13.5, 31, 9.5, RED)
        + f'<ellipse cx="32" cy="13" rx="20" ry="5.5" fill="none" stroke="{CREAM}" stroke-width="3"/>'
        + clipart_gloss("M6 13Q12 7 24 6Q16 9 13 14Z")
    )
    return svg_rotated_group(-15, 32, 15, f'<g transform="translate(2 1.5) scale(.94 .86)">{level}</g>')


def draw_clipart_bat() -> str:
    upright = (
        svg_shape("M18 6C18 0 32 0 32 6C33 40 29 60 28 98H22C21 60 17 40 18 6Z", TAN)
        + svg_shape("M22 92H28V118H22Z", RED)
        + clipart_line("M22 98L28 95M22 105L28 102M22 112L28 109", 1.4)
        + svg_oval(25, 119, 6, 3, TAN)
        + clipart_gloss("M20.5 8Q22 4 24 5L23.5 60Q20 36 20.5 8Z")
        + clipart_line("M18.5 40Q25 43 31.5 40M19 45Q25 48 31 45", 2, BROWN)
    )
    return svg_rotated_group(16, 25, 62, f'<g transform="translate(0 1)">{upright}</g>')


def draw_clipart_racket() -> str:
    strings = (
        "M32 18L50 40M28 28L46 50M29 46L51 20M31 56L52 33M39 11L52 28M26 39L42 16M38 60L51 46M27 38L41 57"
    )
    upright = (
        clipart_line(strings, 1.5, WHITE)
        + clipart_tube("M31 56L39 72L47 56", 3.5, RED, 2.5)
        + clipart_line("M39 9C52 9 56 22 55 34C54 48 47 60 39 60C31 60 24 48 23 34C22 22 26 9 39 9Z", 8)
        + clipart_line("M39 9C52 9 56 22 55 34C54 48 47 60 39 60C31 60 24 48 23 34C22 22 26 9 39 9Z", 5, RED)
        + clipart_tube("M39 72V101", 6, NAVY, 3)
        + clipart_line("M36.5 80L41.5 78M36.5 87L41.5 85M36.5 94L41.5 92", 1.2, WHITE)
    )
    return svg_rotated_group(26, 39, 56, f'<g transform="translate(0 8) scale(.95)">{upright}</g>')


def draw_balloons() -> str:
    def draw_balloon(x: int, y: int, colour: str) -> str:
        return (
            svg_shape(
                f"M{x} {y - 32}c17 0 26 13 26 28c0 17-14 30-26 35c-12-5-26-18-26-35c0-15 9-28 26-28Z", colour
            )
            + svg_shape(f"M{x} {y + 31}l-5 7h10Z", colour)
            + clipart_gloss(f"M{x - 18} {y - 6}q0-14 12-19q-6 8-6 20Z")
        )

    return (
        clipart_line(
            "M54 230Q56 150 54 74M54 230Q46 160 30 90M54 230Q60 160 79 88M54 230Q54 160 54 108", 1.8, SLATE
        )
        + draw_balloon(54, 35, YELLOW)
        + draw_balloon(79, 50, VIOLET)
        + draw_balloon(29, 52, RED)
        + draw_balloon(54, 72, TEAL)
    )


def draw_glove() -> str:
    return (
        svg_disc(17, 15, 10, WHITE)
        + clipart_line("M11 9Q15 14 12 21M22 7Q19 14 22 19", 1.4, RED)
        + svg_shape(
            "M3 18C2 8 11 6 13 14L17 24L20 12C22 2 31 4 30 13C33 4 41 8 39 16C43 10 50 14 47 22"
            "C52 22 53 28 49 33"
            "C44 42 38 48 27 48C14 48 4 36 3 18Z",
            BROWN,
        )
        + clipart_line("M30 13L27 25M39 16L33 28M47 22L38 31M14 34Q24 44 37 37", 1.8, BARK)
        + clipart_line("M16 24Q18 30 24 31", 2, CREAM)
    )


def draw_clipart_kite() -> str:
    bows = ((147, 75), (170, 98), (196, 115), (224, 127), (253, 133), (282, 133))
    return (
        clipart_line("M86 34C88 120 62 220 14 257M66 12L85 50L124 46", 1.8, SLATE)
        + clipart_tube("M6 257H16", 5, TAN, 2)
        + clipart_line("M128 54C170 116 240 140 307 129", 2.2, SLATE)
        + "".join(
            svg_shape(f"M{x} {y}l-9-8v16ZM{x} {y}l9-8v16Z", colour, 'stroke-width="1.6"')
            for (x, y), colour in zip(bows, (RED, YELLOW, TEAL) * 2, strict=True)
        )
        + svg_shape("M66 3L120 10L129 55L57 30Z", YELLOW)
        + svg_shape("M66 3L87 20.5L57 30ZM129 55L87 20.5L120 10Z", RED)
        + svg_shape("M57 30L87 20.5L129 55Z", TEAL)
    )


def draw_campfire() -> str:
    return (
        svg_shape(
            "M44 2C48 20 62 28 66 44C70 38 70 34 69 28C80 42 84 58 80 74C76 92 62 100 44 100"
            "C24 100 10 90 8 72C6 58 14 48 20 38"
            "C20 46 22 52 27 54C26 36 42 24 44 2Z",
            RED,
        )
        + svg_shape(
            "M45 34C48 46 58 52 62 64C68 84 58 98 44 98C28 98 20 86 25 70C28 74 30 76 34 77C32 60 44 52 45 34"
            "Z",
            ORANGE,
        )
        + svg_shape("M45 64C48 72 55 76 55 86C55 95 50 99 44 99C37 99 32 94 33 86C34 78 43 74 45 64Z", YELLOW)
        + clipart_tube("M11 92L76 109", 12, BROWN)
        + clipart_tube("M77 92L12 109", 12, BROWN)
        + svg_oval(10, 109, 5.5, 7, TAN)
        + svg_oval(78, 109, 5.5, 7, TAN)
    )


DRAWINGS = {
    "baseball": ClipartDrawing(78, 54, balls.draw_clipart_baseball, 1.5),
    "pail": ClipartDrawing(46, 72, draw_pail),
    "beach ball": ClipartDrawing(78, 78, balls.draw_clipart_beach_ball),
    "basketball": ClipartDrawing(60, 60, balls.draw_clipart_basketball),
    "soccer ball": ClipartDrawing(62, 60, balls.draw_clipart_soccer_ball),
    "tennis ball": ClipartDrawing(20, 20, balls.draw_clipart_tennis_ball, 1.5),
    "football": ClipartDrawing(60, 42, balls.draw_clipart_football),
    "frisbee": ClipartDrawing(64, 30, draw_frisbee),
    "bat": ClipartDrawing(50, 124, draw_clipart_bat),
    "balloons": ClipartDrawing(108, 232, draw_balloons),
    "glove": ClipartDrawing(54, 50, draw_glove),
    "shovel": ClipartDrawing(34, 60, draw_shovel),
    "racket": ClipartDrawing(96, 104, draw_clipart_racket),
    "kite": ClipartDrawing(310, 264, draw_clipart_kite),
    "campfire": ClipartDrawing(88, 118, draw_campfire),
}
