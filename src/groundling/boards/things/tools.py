"""Drawings of tools."""

from __future__ import annotations

from groundling.boards.things.paint import COAL, CREAM, SAND, SILVER, SLATE, STEEL, WHITE, ThingPaint
from groundling.boards.things.parts import (
    HOLE,
    draw_patterned_part,
    drawings_by_name,
    fit_parts_to_box,
    svg_box,
    svg_disc,
    svg_flat_group,
    svg_rotated_group,
    svg_shape,
    thing_gloss,
    thing_line,
    thing_ring,
    thing_shade,
    thing_tube,
)


def draw_hammer(c: ThingPaint) -> str:
    return fit_parts_to_box(
        (20, -1, 101.5, 97.5),
        svg_rotated_group(
            28,
            50,
            50,
            svg_shape("M44 30H56L58 94Q58 100 50 100T42 94Z", c.base),
            thing_line("M46 66H54M46 74H54M46 82H54", 2.6, c.dark),
            svg_shape("M28 6C40 2 58 4 66 8H72V4H82V32H72V28H36C30 20 20 24 12 34C12 20 18 10 28 6Z", SILVER),
            svg_flat_group(svg_box(73.5, 5.5, 7, 25, STEEL)),
            thing_gloss("M32 10H62V14H30Z", 0.8),
        ),
    )


def draw_saw(c: ThingPaint) -> str:
    return fit_parts_to_box(
        (1.5, 24, 98, 92),
        svg_shape("M66 36L3 64V76L10 86L15 76L22 86L27 76L34 86L39 76L46 86L51 76L58 86L63 76H70Z", SILVER)
        + thing_gloss("M60 44L8 67V71L60 49Z", 0.8)
        + svg_shape("M60 32C70 22 92 24 96 38C98 50 92 56 92 66C94 80 88 92 74 90C62 88 62 78 60 70Z", c.base)
        + svg_shape("M72 46C78 40 84 42 84 50C82 58 80 62 80 70C80 76 76 78 73 76C70 68 70 54 72 46Z", HOLE)
        + svg_disc(66, 42, 2.2, STEEL)
        + svg_disc(66, 68, 2.2, STEEL),
    )


def draw_axe(c: ThingPaint) -> str:
    return fit_parts_to_box(
        (17, -10, 81, 98.5),
        svg_rotated_group(
            24,
            50,
            50,
            svg_shape("M46 6H56L58 94Q58 100 51 100T44 94Z", c.base),
            thing_line("M48 70H55M48 78H55M48 86H55", 2.6, c.dark),
            svg_shape("M36 14H66V38H54C48 38 34 40 20 54C8 42 6 20 14 2C24 10 30 14 36 14Z", STEEL),
            svg_shape("M20 54C8 42 6 20 14 2C16 18 16 36 20 54Z", WHITE),
            thing_line("M46 6H56V14H46Z", 3),
        ),
    )


def draw_screwdriver(c: ThingPaint) -> str:
    return fit_parts_to_box(
        (17.5, 1, 86, 98.5),
        svg_rotated_group(
            30,
            50,
            50,
            svg_shape("M46 50H54V90L57 100H43L46 90Z", SILVER),
            svg_shape("M38 2Q50 -4 62 2V34L58 42V50H42V42L38 34Z", c.base),
            thing_line("M45 6V34M55 6V34", 3, c.dark),
            svg_box(41, 47, 18, 7, STEEL, 2),
        ),
    )


def draw_spanner(c: ThingPaint) -> str:
    return fit_parts_to_box(
        (5, -1, 94, 102),
        svg_rotated_group(
            34,
            50,
            50,
            svg_shape(
                "M38 -1V16H62V-1C74 4 78 16 74 26C72 32 66 36 61 38V64"
                "C66 66 72 70 74 76C78 86 74 98 62 102V86H38V102C26 98 22 86 26 76"
                "C28 70 34 66 39 64V38C34 36 28 32 26 26C22 16 26 4 38 -1Z",
                c.base,
            ),
            thing_line("M47 42V60M53 42V60", 2.4, c.dark),
            thing_gloss("M30 12C30 20 34 28 42 31C34 32 28 24 28 16Z", 0.7),
        ),
    )


def draw_drill(c: ThingPaint) -> str:
    return (
        thing_line("M3 30H26", 7)
        + thing_line("M3 30H26", 2.5, SILVER)
        + svg_shape("M22 20H34V40H22Z", SLATE)
        + svg_shape("M34 14H84Q97 14 97 30T86 48L76 48L80 82H54L50 48H34Z", c.base)
        + thing_shade("M34 38H94Q90 46 84 48L76 48L80 82H54L50 48H34Z")
        + svg_box(48, 82, 40, 16, COAL, 4)
        + svg_shape("M50 52H40Q38 62 46 66L52 66Z", SLATE)
        + thing_line("M74 24H88M74 31H88", 3, c.dark)
        + thing_gloss("M38 18H66V23H38Z", 0.5)
    )


def draw_spade(c: ThingPaint) -> str:
    return (
        thing_tube("M50 18V58", 7, c.base)
        + thing_tube("M36 6H64V14Q58 22 50 22T36 14Z", 4, c.base, 5)
        + svg_shape("M28 56H72V74C72 86 60 94 50 98C40 94 28 86 28 74Z", SILVER)
        + thing_shade("M62 58H71V74C71 84 62 91 52 96C60 86 64 72 62 58Z")
        + thing_line("M50 58V76", 5, STEEL)
    )


def draw_paintbrush(c: ThingPaint) -> str:
    return fit_parts_to_box(
        (12.5, 0.5, 82.5, 99),
        svg_rotated_group(
            30,
            50,
            50,
            svg_shape("M44 -2Q50 -6 56 -2L58 50H42Z", c.base),
            svg_disc(50, 6, 2.4, WHITE),
            svg_box(32, 48, 36, 18, STEEL, 2),
            thing_line("M34 54H66M34 60H66", 2, SLATE),
            svg_shape(
                "M32 66H68C70 80 66 92 58 100C54 94 52 96 48 102C44 94 38 96 34 94C32 86 31 76 32 66Z", SAND
            ),
            svg_shape(
                "M33 80H68C68 88 64 94 58 100C54 94 52 96 48 102C44 94 38 96 34 94Q33 86 33 80Z", c.base
            ),
        ),
    )


def draw_scissors(c: ThingPaint) -> str:
    return fit_parts_to_box(
        (6.5, 0.5, 93.5, 101.5),
        svg_shape("M38 2C30 4 30 12 34 20L52 62L60 58Z", SILVER)
        + svg_shape("M62 2C70 4 70 12 66 20L48 62L40 58Z", STEEL)
        + svg_disc(50, 46, 3, SLATE)
        + thing_ring(30, 78, 17, 17, 13)
        + thing_ring(70, 78, 17, 17, 13)
        + thing_line("M46 54L40 66M54 54L60 66", 13)
        + thing_line("M46 54L40 66M54 54L60 66", 7.5, c.base)
        + thing_ring(30, 78, 17, 17, 7.5, c.base)
        + thing_ring(70, 78, 17, 17, 7.5, c.base),
    )


def draw_pencil(c: ThingPaint) -> str:
    return fit_parts_to_box(
        (18.5, -4.5, 90, 99.5),
        svg_rotated_group(
            32,
            50,
            50,
            draw_patterned_part("M38 12H62V76H38Z", c, "M38 24H62M38 40H62M38 56H62M38 72H62", 7),
            thing_shade("M54 12H62V76H54Z"),
            svg_box(37, 2, 26, 12, STEEL, 1),
            svg_shape("M38 3V-2Q38 -8 50 -8T62 -2V3Z", "#f49bbc"),
            svg_shape("M38 76H62L50 106Z", CREAM),
            svg_shape("M45.5 95H54.500L50 107Z", COAL, 'stroke-width="2"'),
            thing_line("M46 18V72", 2, c.light),
        ),
    )


DRAWINGS = drawings_by_name(
    draw_hammer,
    draw_saw,
    draw_axe,
    draw_screwdriver,
    draw_spanner,
    draw_drill,
    draw_spade,
    draw_paintbrush,
    draw_scissors,
    draw_pencil,
)
