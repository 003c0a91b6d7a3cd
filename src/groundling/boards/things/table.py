"""Drawings of tableware."""

from __future__ import annotations

from groundling.boards.things.paint import GLASS, SILVER, STEEL, WHITE, ThingPaint
from groundling.boards.things.parts import (
    draw_patterned_part,
    drawings_by_name,
    svg_box,
    svg_disc,
    svg_flat_group,
    svg_oval,
    svg_shape,
    thing_gloss,
    thing_line,
    thing_ring,
    thing_shade,
    thing_tube,
)


def draw_mug(c: ThingPaint) -> str:
    return (
        thing_tube("M72 34H80Q94 34 94 52T78 72H70", 6, c.base)
        + draw_patterned_part(
            "M6 8H76V82Q76 98 60 98H22Q6 98 6 82Z",
            c,
            "M6 38H76M6 60H76M7 82H75",
            9,
            ((22, 36), (44, 32), (64, 40), (30, 58), (52, 56), (20, 78), (42, 80), (62, 74)),
        )
        + thing_shade("M66 10H76V82Q76 98 60 98H50Q66 96 66 80Z")
        + svg_oval(41, 9, 35, 6.5, c.dark)
        + thing_gloss("M13 24H20V72Q14 70 13 62Z", 0.4)
    )


def draw_plate(c: ThingPaint) -> str:
    return (
        svg_disc(50, 51, 47, c.base)
        + thing_ring(50, 51, 40, 40, 3, c.mark)
        + svg_disc(50, 51, 29, c.light)
        + thing_gloss("M18 40C22 26 32 18 44 15C34 24 26 34 24 46C19 48 17 44 18 40Z", 0.5)
        + thing_line("M66 70Q72 64 73 56", 2.5, c.dark)
    )


def draw_bowl(c: ThingPaint) -> str:
    return (
        draw_patterned_part(
            "M3 40H97C97 74 80 88 68 90V98H32V90C20 88 3 74 3 40Z",
            c,
            "M5 60H95M14 78H86",
            8,
            ((18, 62), (38, 66), (60, 68), (82, 62), (28, 80), (50, 84), (72, 80)),
            5,
        )
        + thing_shade("M97 40C97 74 80 88 68 90V98H56C76 88 84 66 84 42Z")
        + svg_oval(50, 40, 47, 15, c.dark)
        + svg_oval(50, 43, 38, 10, c.light)
        + thing_gloss("M9 54C11 66 18 74 26 78C18 70 16 62 15 54Z", 0.45)
    )


def draw_teapot(c: ThingPaint) -> str:
    return (
        thing_tube("M72 44C92 34 100 56 92 68C88 76 80 78 74 78", 6, c.base)
        + svg_shape("M28 88C14 82 16 62 6 50L2 40L16 38C22 50 24 58 34 62Z", c.base)
        + draw_patterned_part(
            "M50 28C72 28 84 46 84 64C84 84 72 94 66 98H34C28 94 16 84 16 64C16 46 28 28 50 28Z",
            c,
            "M18 56H82M18 74H82",
            8,
            ((36, 48), (58, 46), (28, 66), (48, 64), (70, 62), (38, 82), (60, 82)),
            5,
        )
        + thing_shade("M76 42C82 48 84 58 84 64C84 84 72 94 66 98H54C74 86 80 66 76 42Z")
        + svg_shape("M30 32C32 20 68 20 70 32Q50 40 30 32Z", c.dark)
        + svg_disc(50, 15, 7, c.base)
        + thing_gloss("M24 60C25 50 32 42 38 39C34 46 30 54 30 64C26 66 24 64 24 60Z")
    )


def draw_jug(c: ThingPaint) -> str:
    return (
        thing_tube("M66 26C90 18 98 44 86 60C80 68 74 70 68 70", 7, c.base)
        + draw_patterned_part(
            "M12 6L68 4C66 20 64 24 70 40C80 58 80 82 66 98H24C10 82 10 58 20 40C25 26 22 18 12 6Z",
            c,
            "M18 46H72M13 62H77M15 78H75",
            7,
            ((30, 50), (50, 46), (24, 70), (44, 68), (64, 64)),
            5,
        )
        + svg_oval(42, 9, 25, 4.5, c.dark)
        + thing_shade("M68 36C80 58 80 82 66 98H54C70 82 70 58 62 38Z")
        + thing_gloss("M22 58C24 50 28 44 32 40C28 52 26 64 28 78C22 74 20 66 22 58Z", 0.45)
    )


def draw_wine_glass(c: ThingPaint) -> str:
    return (
        thing_line("M50 58V92", 8)
        + thing_line("M50 58V92", 3, GLASS)
        + svg_oval(50, 94, 24, 4, GLASS)
        + svg_shape("M24 3H76C82 36 70 60 50 60C30 60 18 36 24 3Z", GLASS, 'fill-opacity=".75"')
        + svg_oval(50, 4.5, 26, 3, WHITE)
        + thing_gloss("M30 14H36C34 30 38 42 44 50C34 46 28 32 30 14Z", 0.9)
    )


def draw_knife(c: ThingPaint) -> str:
    return (
        svg_shape("M40 58V4C58 10 66 34 64 58Z", SILVER)
        + svg_flat_group(svg_shape("M42 8C46 24 46 40 44 56H42Z", STEEL))
        + svg_box(37, 57, 30, 8, STEEL, 2)
        + svg_shape("M40 65H64L66 90Q66 98 58 98H48Q40 98 40 90Z", c.base)
        + svg_flat_group(svg_disc(53, 73, 2.6, c.light), svg_disc(53, 85, 2.6, c.light))
    )


def draw_fork(c: ThingPaint) -> str:
    handle = c.base
    return (
        svg_shape(
            "M30 4H38V30H42V4H49V30H52V4H59V30H63V4H70V36C70 48 62 54 56 56V62H44V56C38 54 30 48 30 36Z",
            SILVER,
        )
        + svg_shape("M43 60H57L60 90Q60 98 50 98T40 90Z", handle)
        + thing_line("M50 72V88", 3, c.light)
    )


def draw_spoon(c: ThingPaint) -> str:
    return (
        svg_oval(50, 27, 21, 25, SILVER)
        + svg_flat_group(svg_oval(50, 29, 13, 17, STEEL))
        + thing_gloss("M37 24C38 16 42 12 46 10C42 18 42 26 42 34C38 34 36 30 37 24Z", 0.9)
        + svg_shape("M44 52H56V62H44Z", SILVER)
        + svg_shape("M43 60H57L60 90Q60 98 50 98T40 90Z", c.base)
        + thing_line("M50 72V88", 3, c.light)
    )


DRAWINGS = drawings_by_name(
    draw_mug, draw_plate, draw_bowl, draw_teapot, draw_jug, draw_wine_glass, draw_knife, draw_fork, draw_spoon
)
