"""Drawings of sports gear."""

from __future__ import annotations

from groundling.boards.things.paint import BARK, COAL, GOLD, SILVER, STEEL, WHITE, ThingPaint
from groundling.boards.things.parts import (
    OUTLINE,
    draw_patterned_part,
    draw_wheel_part,
    drawings_by_name,
    fit_parts_to_box,
    svg_disc,
    svg_flat_group,
    svg_oval,
    svg_rotated_group,
    svg_shape,
    thing_gloss,
    thing_line,
    thing_ring,
    thing_shade,
    thing_tube,
)

_ROUND = thing_ring(50, 51, 47, 47, OUTLINE)
_DARK_SIDE = "M86 22C104 48 92 90 56 98C40 100 26 94 18 86C56 96 86 66 86 22Z"
_SHINE = "M13 44C16 28 26 17 38 12C28 22 22 34 20 48C15 52 12 48 13 44Z"


def draw_football(c: ThingPaint) -> str:
    return (
        svg_disc(50, 51, 47, c.base)
        + svg_flat_group(
            svg_shape("M50 34L66 46L60 64H40L34 46Z", COAL),
            svg_shape(
                "M50 4L62 10Q58 18 50 18T38 10ZM5 40L10 30Q18 36 16 44T6 54ZM95 40L90 30Q82 36 84 44T94 54Z",
                COAL,
            ),
            svg_shape("M20 88L18 76Q28 74 34 80T36 94ZM80 88L82 76Q72 74 66 80T64 94Z", COAL),
        )
        + thing_line("M50 34V17M66 46L84 42M60 64L68 79M40 64L32 79M34 46L16 42", 3)
        + _ROUND
        + thing_shade(_DARK_SIDE)
    )


def draw_basketball(c: ThingPaint) -> str:
    return (
        svg_disc(50, 51, 47, c.base)
        + thing_shade(_DARK_SIDE)
        + thing_line("M50 4V98M3 51H97M18 17C34 34 34 68 18 85M82 17C66 34 66 68 82 85", OUTLINE)
        + thing_gloss(_SHINE, 0.45)
        + _ROUND
    )


def draw_tennis_ball(c: ThingPaint) -> str:
    return (
        svg_disc(50, 51, 47, "#ece250")
        + thing_line("M14 22C40 30 44 62 22 88M86 80C60 72 56 40 78 14", 7, WHITE)
        + thing_shade(_DARK_SIDE)
        + thing_gloss(_SHINE, 0.5)
        + _ROUND
    )


def draw_bowling_ball(c: ThingPaint) -> str:
    return (
        svg_disc(50, 51, 47, c.base)
        + thing_shade(_DARK_SIDE)
        + thing_gloss(_SHINE, 0.55)
        + svg_flat_group(
            svg_oval(52, 26, 6.5, 7.5, COAL), svg_oval(70, 34, 6.5, 7.5, COAL), svg_oval(54, 46, 7, 8, COAL)
        )
        + svg_flat_group(
            svg_oval(53, 28, 4.5, 5, "#1f1c26"),
            svg_oval(71, 36, 4.5, 5, "#1f1c26"),
            svg_oval(55, 48, 5, 5.5, "#1f1c26"),
        )
    )


def draw_beach_ball(c: ThingPaint) -> str:
    if c.is_striped:
        body = svg_shape(
            "M48 30C34 22 20 22 12 24A47 47 0 0 0 4 58C16 46 34 36 48 30Z"
            "M50 31C54 46 52 74 40 97A47 47 0 0 0 76 90C74 66 64 44 50 31Z"
            "M51 28C62 24 80 26 94 36A47 47 0 0 0 62 5C58 10 54 20 51 28Z",
            c.base,
        )
        return (
            svg_disc(50, 51, 47, c.mark)
            + body
            + thing_shade(_DARK_SIDE)
            + _ROUND
            + svg_disc(50, 29, 7, c.mark)
        )
    dots = ((30, 24), (56, 16), (78, 34), (22, 52), (48, 46), (70, 62), (36, 76), (58, 88), (88, 56))
    ball = "M97 51A47 47 0 1 1 3 51A47 47 0 1 1 97 51Z"
    return draw_patterned_part(ball, c, "", 8, dots, 7) + thing_shade(_DARK_SIDE) + thing_gloss(_SHINE, 0.4)


def draw_skateboard(c: ThingPaint) -> str:
    return (
        svg_shape("M20 80H36V88H20ZM64 80H80V88H64Z", STEEL)
        + draw_patterned_part(
            "M2 60Q2 54 8 56L20 70H80L92 56Q98 54 98 60Q96 72 84 82H16Q4 72 2 60Z",
            c,
            "M34 70V82M50 70V82M66 70V82",
            8,
        )
        + draw_wheel_part(28, 89, 9, GOLD)
        + draw_wheel_part(72, 89, 9, GOLD)
        + thing_line("M8 57L20 71H80L92 57", 2.4, c.dark)
    )


def draw_racket(c: ThingPaint) -> str:
    strings = "M34 16V62M42 10V68M50 8V70M58 10V68M66 16V62M26 26H74M24 36H76M24 46H76M30 56H70"
    return fit_parts_to_box(
        (19, 2, 90, 104.5),
        svg_rotated_group(
            24,
            50,
            50,
            thing_line("M38 66L47 82M62 66L53 82", 9),
            thing_line("M38 66L47 82M62 66L53 82", 4, c.base),
            svg_oval(50, 39, 29, 33, WHITE),
            thing_line(strings, 1.6, "#9aa0b0"),
            f'<ellipse cx="50" cy="39" rx="29" ry="33" fill="none" stroke-width="11"/>'
            f'<ellipse cx="50" cy="39" rx="29" ry="33" fill="none" stroke="{c.base}" stroke-width="5.5"/>',
            thing_tube("M50 80V102", 8, COAL),
        ),
    )


def draw_bat(c: ThingPaint) -> str:
    return fit_parts_to_box(
        (12, -4.5, 91.5, 102),
        svg_rotated_group(
            34,
            50,
            50,
            draw_patterned_part(
                "M50 -10C60 -10 64 -4 64 6C64 30 58 54 55 84H45C42 54 36 30 36 6C36 -4 40 -10 50 -10Z",
                c,
                "M36 6H64M37 22H63M39 38H61M41 54H59",
                7,
            ),
            thing_shade("M58 -7Q64 -4 64 6C64 30 58 54 55 84H51C54 54 60 20 58 -7Z"),
            thing_line("M46 70H54M46 76H54M46 82H54", 3, BARK),
            svg_shape("M43 92H57V104Q57 108 50 108T43 104Z", BARK),
            thing_line("M46 84L45 92M54 84L55 92", 3),
            svg_shape("M45 83H55V94H45Z", c.dark),
            thing_gloss("M42 4C42 -2 44 -4 47 -5C45 10 46 26 48 40C44 30 42 16 42 4Z", 0.35),
        ),
    )


def draw_dart(c: ThingPaint) -> str:
    return fit_parts_to_box(
        (16.5, -12.9, 106.5, 92.6),
        svg_rotated_group(
            38,
            50,
            50,
            svg_shape("M46 72H54L50 102Z", SILVER),
            svg_shape("M41 42H59L61 66Q58 76 50 76T39 66Z", STEEL),
            thing_line("M41 51H59M40.5 58H59.5M40.5 65H59.5", 2.2),
            thing_line("M50 44V24", 8),
            svg_shape("M50 36L27 22V-10L50 8Z", c.base),
            svg_shape("M50 36L73 22V-10L50 8Z", c.light),
            thing_line("M50 8V36", 3),
        ),
    )


DRAWINGS = drawings_by_name(
    draw_football,
    draw_basketball,
    draw_tennis_ball,
    draw_bowling_ball,
    draw_beach_ball,
    draw_skateboard,
    draw_racket,
    draw_bat,
    draw_dart,
)
