"""Clip art of balls."""

from __future__ import annotations

from groundling.boards.clipart.paint import BLACK, BLUE, BROWN, ORANGE, RED, TEAL, WHITE, YELLOW
from groundling.boards.clipart.parts import disc, flat, gloss, line, rotate_parts, shape


def draw_baseball() -> str:
    return rotate_parts(
        -25,
        39,
        29,
        disc(39, 29, 10, WHITE),
        line("M32.5 22Q37 29 32.5 36M45.5 22Q41 29 45.5 36", 1.6, RED),
        line(
            "M33 25L35.5 24.5M34 29H36.5M33 33L35.5 33.5M45 25L42.5 24.5M44 29H41.5M45 33L42.5 33.5", 1, RED
        ),
    )


def draw_beach_ball() -> str:
    return (
        disc(39, 39, 37, WHITE)
        + shape("M30 28C26 14 32 6 39 2A37 37 0 0 1 67 15C56 12 40 18 30 28Z", RED)
        + shape("M30 28C46 24 64 32 76 42A37 37 0 0 1 61 69C60 52 48 36 30 28Z", YELLOW)
        + shape("M30 28C30 46 34 64 40 76A37 37 0 0 1 8 59C10 44 18 34 30 28Z", BLUE)
        + shape("M30 28C22 28 10 32 2 40A37 37 0 0 1 14 12C20 14 26 20 30 28Z", TEAL)
        + disc(30, 28, 6, WHITE)
        + gloss("M52 12Q66 18 70 32Q62 20 50 16Z")
    )


def draw_basketball() -> str:
    return (
        disc(30, 30, 28, ORANGE)
        + line(
            "M6 44C22 32 40 14 48 9M13 9C28 18 46 40 50 49M2 28C16 22 30 6 30 2M58 32C44 36 32 46 30 58", 2.2
        )
        + gloss("M12 20Q16 11 25 8Q18 15 17 24Z")
    )


def draw_soccer_ball() -> str:
    patches = (
        shape("M33 20L43 27L39 39H27L23 27Z", BLACK)
        + flat(
            shape(
                "M26 6Q33 4 40 6L39 11L33 14L27 11ZM56 20Q59 28 58 36L53 35L50 28L52 21ZM10 20Q7 28 8 36"
                "L13 35L16 28L14 21Z",
                BLACK,
            ),
            shape("M47 52Q52 48 55 43L50 41L44 45L44 51ZM19 52Q14 48 11 43L16 41L22 45L22 51Z", BLACK),
        )
        + line(
            "M33 20V14M43 27L50 28M39 39L44 45M27 39L22 45M23 27L16 28"
            "M39 11L52 21M53 35L50 41M44 51L22 51M16 41L13 35M14 21L27 11",
            1.6,
        )
    )
    return disc(32.5, 30.5, 25, WHITE) + rotate_parts(
        14, 32.5, 30.5, f'<g transform="translate(.8 1.2) scale(.96)">{patches}</g>'
    )


def draw_tennis_ball() -> str:
    seam = line("M4.8 5.4Q10 10 4.8 14.6M15.2 5.4Q10 10 15.2 14.6", 1.6, WHITE)
    return disc(10, 10, 8.3, "#d6e84a") + rotate_parts(30, 10, 10, seam)


def draw_football() -> str:
    level = (
        shape("M1 21C8 8 20 4 31 4C42 4 54 8 61 21C54 34 42 38 31 38C20 38 8 34 1 21Z", BROWN)
        + flat(
            shape(
                "M12 10L17 7.5Q13 21 17 34.5L12 32Q8 21 12 10ZM50 10L45 7.5Q49 21 45 34.5L50 32Q54 21 50 10Z",
                WHITE,
            )
        )
        + line("M22 20H40M25 16V24M29 16V24M33 16V24M37 16V24", 2, WHITE)
        + gloss("M20 10Q30 6 42 10Q30 10 20 14Z", 0.3)
    )
    return rotate_parts(-22, 30, 21, f'<g transform="translate(1.5 2) scale(.92)">{level}</g>')
