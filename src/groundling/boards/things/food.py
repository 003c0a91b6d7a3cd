"""Drawings of prepared food and drinks; steam shows what is hot."""

from __future__ import annotations

from groundling.boards.things.paint import CREAM, GLASS, GOLD, ICE, LEAF, ROSE, SAND, TAN, WHITE, ThingPaint
from groundling.boards.things.parts import (
    HOLE,
    OUTLINE,
    draw_steam_part,
    drawings_by_name,
    svg_box,
    svg_disc,
    svg_flat_group,
    svg_oval,
    svg_rotated_group,
    svg_shape,
    thing_gloss,
    thing_line,
    thing_shade,
    thing_tube,
)


def draw_pizza(c: ThingPaint) -> str:
    return (
        draw_steam_part(50, 29, 16, 24)
        + svg_shape("M10 46L50 98L90 46Q50 30 10 46Z", GOLD)
        + svg_shape("M22 62L26 76Q30 80 32 74L33 76ZM64 80L66 88Q70 90 71 82L74 66Z", GOLD, 'stroke="none"')
        + svg_disc(38, 55, 8, ROSE)
        + svg_disc(62, 53, 8, ROSE)
        + svg_disc(51, 73, 7, ROSE)
        + thing_line("M50 60L55 63M30 50L33 46M74 56L70 60M45 84L48 88", 3.5, LEAF)
        + svg_shape("M6 48Q4 38 12 34Q50 20 88 34Q96 38 94 48Q90 54 84 50Q50 36 16 50Q10 54 6 48Z", TAN)
    )


def draw_soup(c: ThingPaint) -> str:
    return (
        draw_steam_part(50, 36, 17, 30)
        + svg_shape("M4 52H96C96 78 80 90 66 92V98H34V92C20 90 4 78 4 52Z", c.base)
        + thing_shade("M96 52C96 78 80 90 66 92V98H54C74 90 84 74 84 52Z")
        + svg_oval(50, 52, 46, 13, c.dark)
        + svg_oval(50, 53, 39, 9, c.light)
        + svg_flat_group(
            svg_disc(38, 52, 3, c.dark),
            svg_disc(56, 55, 3, c.dark),
            svg_disc(66, 51, 2.5, c.dark),
            svg_disc(47, 57, 2.2, c.dark),
        )
        + thing_gloss("M13 62C15 74 22 80 28 83C20 83 10 76 9 61Z")
    )


def draw_pie(c: ThingPaint) -> str:
    return (
        draw_steam_part(50, 30, 17, 26)
        + svg_shape("M12 74H88L80 98H20Z", c.dark)
        + thing_line("M26 78L30 96M38 78L40 96M50 78V96M62 78L60 96M74 78L70 96", 2.2, c.light)
        + svg_shape("M10 70C12 44 32 36 50 36C68 36 88 44 90 70Z", c.base)
        + thing_line("M36 50L32 60M50 46V58M64 50L68 60", 4, c.dark)
        + thing_gloss("M20 64C22 52 30 46 36 44C30 52 28 58 27 66Z", 0.3)
        + svg_shape(
            "M4 72C4 64 12 64 14 68C16 63 25 63 27 68C29 63 38 63 40 68"
            "C42 63 51 63 53 68C55 63 64 63 66 68C68 63 77 63 79 68"
            "C82 63 96 64 96 72C96 80 90 80 86 80H14C8 80 4 79 4 72Z",
            c.light,
        )
    )


def draw_ice_cream(c: ThingPaint) -> str:
    return (
        svg_shape("M28 50L50 98L72 50Z", TAN)
        + thing_line("M34 54L58 82M45 52L64 70M66 54L42 82M55 52L36 70", 2, "#a8743f")
        + thing_line("M28 50L50 98L72 50Z", OUTLINE)
        + svg_shape(
            "M20 46C16 20 32 3 50 3C68 3 84 20 80 46C84 52 78 58 73 54"
            "C70 62 62 62 59 55C56 64 46 64 43 55C39 62 31 60 29 54"
            "C23 58 16 52 20 46Z",
            c.base,
        )
        + thing_gloss("M28 36C28 22 36 14 44 11C38 20 34 30 34 40C30 42 28 40 28 36Z", 0.6)
        + svg_flat_group(
            svg_disc(56, 24, 2.2, c.dark),
            svg_disc(66, 36, 2.2, c.dark),
            svg_disc(48, 38, 2.2, c.dark),
            svg_disc(60, 46, 2.2, c.dark),
        )
    )


def draw_ice_lolly(c: ThingPaint) -> str:
    return (
        svg_box(43, 70, 14, 28, SAND, 6)
        + svg_shape("M24 30C24 12 36 3 50 3C64 3 76 12 76 30V72Q76 80 68 80H32Q24 80 24 72Z", c.base)
        + thing_line("M41 26V62M59 26V62", 7, c.dark)
        + thing_gloss("M29 34C29 22 33 15 39 11V16C35 22 34 28 34 40V58H29Z", 0.55)
        + svg_shape("M30 80Q31 90 35 90T40 80ZM60 80Q61 87 64 87T68 80Z", ICE, 'stroke-width="2"')
    )


def draw_cake(c: ThingPaint) -> str:
    return (
        svg_oval(50, 92, 47, 7, WHITE)
        + svg_shape("M12 46V86C12 92 88 92 88 86V46Z", c.light)
        + thing_line("M13 72C30 80 70 80 87 72", 6, CREAM, 'stroke-linecap="butt"')
        + thing_line("M12 46V86C12 92 88 92 88 86V46", OUTLINE)
        + svg_shape(
            "M12 44C12 34 30 28 50 28C70 28 88 34 88 44V52C88 60 80 60 79 54C78 64 66 66 64 57"
            "C62 68 48 68 46 58"
            "C44 66 32 66 30 57C28 64 20 62 19 54C18 60 12 58 12 52Z",
            c.base,
        )
        + svg_disc(50, 20, 11, ROSE)
        + thing_gloss("M43 18C44 14 47 12 50 12C47 15 46 18 46 21Z", 0.7)
        + thing_line("M52 10Q54 4 60 3", 2.5, LEAF)
    )


def draw_doughnut(c: ThingPaint) -> str:
    bits = (
        (28, 34, 30),
        (46, 20, -20),
        (68, 28, 50),
        (80, 48, -40),
        (24, 56, 80),
        (36, 74, 20),
        (58, 80, -60),
        (74, 68, 10),
    )
    colours = (GOLD, WHITE, "#86b6ea", GOLD, WHITE, "#86b6ea", GOLD, WHITE)
    return (
        svg_disc(50, 51, 47, TAN)
        + svg_shape(
            "M50 9C74 8 92 28 91 50C94 60 84 66 80 74C74 82 66 82 60 88"
            "C50 94 42 86 32 84C22 82 18 72 12 64C6 54 10 44 12 36"
            "C18 20 32 9 50 9Z",
            c.base,
        )
        + "".join(
            svg_rotated_group(angle, x, y, thing_line(f"M{x - 4} {y}H{x + 4}", 4, colour))
            for (x, y, angle), colour in zip(bits, colours, strict=True)
        )
        + svg_disc(50, 51, 16, TAN)
        + svg_disc(50, 53, 12, HOLE)
    )


def draw_egg(c: ThingPaint) -> str:
    return (
        svg_shape("M50 3C70 3 88 38 88 62C88 84 70 98 50 98C30 98 12 84 12 62C12 38 30 3 50 3Z", c.light)
        + thing_shade("M74 26C84 38 88 52 88 62C88 84 70 98 50 98C40 98 30 94 24 88C60 92 82 66 74 26Z")
        + thing_gloss("M26 50C28 36 36 24 42 20C38 32 34 42 33 56C28 60 25 56 26 50Z", 0.8)
    )


def draw_tea(c: ThingPaint) -> str:
    return (
        draw_steam_part(42, 34, 16, 28)
        + thing_tube("M74 58H84Q94 58 94 68T84 80H72", 5, c.base)
        + svg_shape("M6 44H78V86Q78 98 66 98H18Q6 98 6 86Z", c.base)
        + thing_shade("M66 46H78V86Q78 98 66 98H56Q66 96 66 84Z")
        + svg_oval(42, 45, 36, 8, c.dark)
        + svg_oval(42, 46, 30, 5, "#b9743a")
        + thing_line("M26 48Q25 60 28 68", 1.8, WHITE)
        + svg_shape("M19 66H37V84H19Z", CREAM, 'stroke-width="2"')
        + svg_flat_group(svg_shape("M28 80C23 77 23 71 28 70C33 71 33 77 28 80Z", LEAF))
    )


def draw_lemonade(c: ThingPaint) -> str:
    return (
        thing_tube("M56 40L68 4H80", 4, WHITE, 4)
        + svg_shape("M18 22H82L74 92Q73 98 67 98H33Q27 98 26 92Z", GLASS, 'fill-opacity=".8"')
        + svg_shape("M21 38Q50 44 79 38L73 90Q72 95 67 95H33Q28 95 27 90Z", c.base, 'stroke="none"')
        + "".join(
            svg_rotated_group(a, x, y, svg_box(x - 9, y - 9, 18, 18, ICE, 3))
            for x, y, a in ((38, 44, 14), (62, 48, -18), (46, 66, 30))
        )
        + thing_gloss("M28 30L33 30L38 88Q34 88 33 84Z", 0.6)
        + thing_line("M18 22H82L74 92Q73 98 67 98H33Q27 98 26 92Z", OUTLINE)
        + svg_disc(22, 22, 16, c.base)
        + svg_disc(22, 22, 11, CREAM)
        + thing_line("M22 12V32M12 22H32M15 15L29 29M29 15L15 29", 1.6, c.base)
    )


DRAWINGS = drawings_by_name(
    draw_pizza,
    draw_soup,
    draw_pie,
    draw_ice_cream,
    draw_ice_lolly,
    draw_cake,
    draw_doughnut,
    draw_egg,
    draw_tea,
    draw_lemonade,
)
