"""Drawings of toys."""

from __future__ import annotations

from groundling.boards.things.paint import BARK, COAL, FLAME, GOLD, SILVER, SLATE, WHITE, ThingPaint
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
    thing_shade,
    thing_tube,
)


def draw_building_block(c: ThingPaint) -> str:
    studs = "".join(
        svg_shape(f"M{x} 30V20Q{x} 14 {x + 11} 14T{x + 22} 20V30Z", c.base)
        + svg_oval(x + 11, 19, 11, 4.5, c.light)
        for x in (10, 39, 68)
    )
    return (
        studs
        + svg_shape("M3 32Q3 28 7 28H93Q97 28 97 32V94Q97 98 93 98H7Q3 98 3 94Z", c.base)
        + svg_flat_group(svg_box(4.5, 29.5, 91, 8, c.light))
        + thing_shade("M84 30H96V94Q96 97 93 97H7Q4 97 4 94V88H76Q84 88 84 80Z")
    )


def draw_teddy_bear(c: ThingPaint) -> str:
    return (
        svg_disc(28, 14, 11, c.base)
        + svg_disc(72, 14, 11, c.base)
        + svg_flat_group(svg_disc(28, 14, 5.5, c.light), svg_disc(72, 14, 5.5, c.light))
        + thing_tube("M32 56Q18 58 14 70M68 56Q82 58 86 70", 13, c.base)
        + svg_oval(50, 72, 25, 24, c.base)
        + svg_oval(50, 74, 15, 16, c.light)
        + svg_oval(24, 88, 15, 10, c.base)
        + svg_oval(76, 88, 15, 10, c.base)
        + svg_flat_group(svg_oval(22, 89, 7, 5, c.light), svg_oval(78, 89, 7, 5, c.light))
        + svg_oval(50, 30, 29, 26, c.base)
        + svg_oval(50, 40, 14, 10.5, c.light)
        + svg_flat_group(
            svg_disc(38, 27, 3.4, COAL), svg_disc(62, 27, 3.4, COAL), svg_oval(50, 35.5, 5, 3.5, COAL)
        )
        + thing_line("M50 39V43Q45 48 42 44M50 43Q55 48 58 44", 2.2)
        + svg_shape("M50 57L38 52V64ZM50 57L62 52V64Z", c.dark, 'stroke-width="2"')
    )


def draw_rubber_duck(c: ThingPaint) -> str:
    return (
        svg_shape("M6 54C14 62 26 60 36 56H62C78 54 92 62 92 76C92 92 74 98 50 98C22 98 2 88 6 54Z", c.base)
        + thing_shade("M92 76C92 92 74 98 50 98C34 98 20 94 12 86C40 92 70 90 90 66Q92 70 92 76Z")
        + svg_shape("M26 72C40 64 60 66 66 74C62 88 38 92 26 72Z", c.light)
        + svg_disc(64, 32, 28, c.base)
        + svg_shape("M86 30C94 30 99 34 98 39C96 46 86 48 80 44Q80 34 86 30Z", FLAME)
        + thing_line("M82 39H94", 2)
        + svg_disc(68, 24, 5, WHITE)
        + svg_flat_group(svg_disc(69.5, 24, 3, COAL))
        + thing_gloss("M42 30C43 20 50 13 57 11C51 18 48 25 47 34C44 35 42 33 42 30Z", 0.7)
    )


def draw_robot(c: ThingPaint) -> str:
    return (
        thing_line("M50 12V4", 5)
        + svg_disc(50, 5, 4, GOLD)
        + svg_box(34, 82, 12, 16, SLATE, 3)
        + svg_box(54, 82, 12, 16, SLATE, 3)
        + thing_tube("M22 54Q10 58 12 76M78 54Q90 58 88 76", 7, SILVER)
        + svg_box(24, 46, 52, 40, c.base, 6)
        + svg_box(34, 56, 32, 18, SILVER, 3)
        + svg_flat_group(
            svg_disc(41, 62, 3, "#e2504a"), svg_disc(50, 62, 3, GOLD), svg_disc(59, 62, 3, "#55a95a")
        )
        + thing_line("M39 69H61", 2.4, SLATE)
        + svg_box(18, 22, 6, 12, SLATE, 2)
        + svg_box(76, 22, 6, 12, SLATE, 2)
        + svg_box(24, 12, 52, 32, c.base, 7)
        + svg_disc(40, 25, 7, WHITE)
        + svg_disc(60, 25, 7, WHITE)
        + svg_flat_group(svg_disc(41, 25, 3.2, COAL), svg_disc(61, 25, 3.2, COAL))
        + thing_line("M40 37H60", 3.4, WHITE)
        + svg_oval(12, 80, 6, 6, SILVER)
        + svg_oval(88, 80, 6, 6, SILVER)
    )


def draw_kite(c: ThingPaint) -> str:
    return (
        thing_line("M38 64Q30 76 42 82T46 97", 3)
        + svg_shape(
            "M28 70L40 74L30 80ZM54 68L41 74L52 81ZM36 84L46 88L36 94ZM58 82L46 88L57 95Z",
            c.light,
            'stroke-width="2"',
        )
        + draw_patterned_part("M56 2L90 28L38 66L18 20Z", c, "M24 16L74 42M46 5L84 34M19 26L56 54", 6)
        + svg_shape("M56 2L90 28L47 39Z", c.dark, 'fill-opacity=".35" stroke="none"')
        + thing_line("M56 2L38 66M18 20L90 28", 2.4, BARK)
        + thing_line("M56 2L90 28L38 66L18 20Z", 3)
    )


DRAWINGS = drawings_by_name(draw_building_block, draw_teddy_bear, draw_rubber_duck, draw_robot, draw_kite)
