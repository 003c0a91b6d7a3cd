"""Drawings of shoes and bags."""

from __future__ import annotations

from groundling.boards.things.paint import COAL, CREAM, GOLD, SILVER, SLATE, STEEL, WHITE, ThingPaint
from groundling.boards.things.parts import (
    OUTLINE,
    draw_patterned_part,
    draw_wheel_part,
    drawings_by_name,
    svg_box,
    svg_disc,
    svg_flat_group,
    svg_shape,
    thing_gloss,
    thing_line,
    thing_shade,
    thing_tube,
)


def draw_trainer(c: ThingPaint) -> str:
    return (
        svg_shape(
            "M6 40C14 46 24 44 28 36L36 30C44 40 50 50 62 56C80 60 97 62 97 82H6C2 66 2 52 6 40Z", c.base
        )
        + svg_shape("M70 58C86 60 97 64 97 82H76C72 72 70 66 70 58Z", c.light)
        + svg_shape("M4 66C8 60 20 62 24 82H5Z", c.dark)
        + thing_line("M44 42L36 50M52 50L44 58M61 56L54 64", 4.5, WHITE)
        + thing_line("M26 72Q44 76 60 66", 5, c.mark)
        + svg_shape("M3 80H98Q100 97 88 97H14Q2 97 3 80Z", WHITE)
        + thing_line("M20 90H34M44 90H58M68 90H82", 2.5, SLATE)
    )


def draw_boot(c: ThingPaint) -> str:
    return (
        draw_patterned_part(
            "M22 6H60V58C66 66 92 66 92 88H22Z",
            c,
            "M22 24H60M22 42H60M22 60H62",
            8,
            ((34, 32), (50, 26), (36, 50), (52, 46), (34, 68), (54, 66), (72, 78), (42, 82)),
            4.5,
        )
        + thing_shade("M22 70Q40 80 92 84V88H22Z")
        + svg_shape("M18 3H64V15H18Z", c.dark)
        + svg_shape("M18 86H94Q96 98 88 98H56L52 94H44V98H18Z", c.dark)
        + thing_gloss("M28 24H34V60H28Z", 0.45)
    )


def draw_high_heel(c: ThingPaint) -> str:
    return (
        svg_shape("M8 30C4 44 6 56 10 64L12 97H20L22 68C26 60 24 52 22 46Z", c.dark)
        + svg_shape(
            (
                "M8 26C14 20 22 22 26 30C34 50 46 66 60 72C76 76 92 76 97 88Q98 97 86 97H60C44 88 36 70 20 66"
                "C8 62 2 44 8 26Z"
            ),
            c.base,
        )
        + svg_shape("M26 30C34 50 46 66 60 72L48 72C36 66 26 52 20 36Z", c.light)
        + thing_line("M58 96H88", 4, c.dark)
        + thing_gloss("M70 80C78 80 86 82 90 87C84 86 76 86 70 84Z", 0.6)
    )


def _draw_skate(c: ThingPaint) -> str:
    return (
        svg_shape("M16 4H50C52 16 50 26 54 34C64 44 90 44 90 64V70H14C12 50 20 26 16 4Z", c.base)
        + svg_shape("M14 3H53V14H14Z", c.dark)
        + thing_line(
            "M50 22L38 24M51 30L40 34M57 37L47 43M66 42L58 50", 4, c.mark if c.base == "#fcf9f3" else WHITE
        )
        + thing_shade("M14 60H90V70H14Z")
        + svg_shape("M12 68H92V77H12Z", COAL)
        + thing_gloss("M22 20H28C28 32 26 44 24 54H20C23 44 23 32 22 20Z", 0.5)
    )


def draw_ice_skate(c: ThingPaint) -> str:
    return (
        thing_line("M28 78L26 90M74 78L76 90", 8)
        + thing_line("M28 78L26 90M74 78L76 90", 3, STEEL)
        + _draw_skate(c)
        + svg_shape("M4 86Q12 90 20 88H96L92 98H14Q4 96 4 86Z", SILVER)
        + thing_gloss("M20 90H90V92H20Z", 0.9)
    )


def draw_roller_skate(c: ThingPaint) -> str:
    return _draw_skate(c) + draw_wheel_part(26, 86, 11, GOLD) + draw_wheel_part(76, 86, 11, GOLD)


def draw_backpack(c: ThingPaint) -> str:
    return (
        thing_tube("M38 14C38 0 62 0 62 14", 4, c.dark, 5)
        + svg_shape("M12 52C4 56 4 88 12 92H20V52ZM88 52C96 56 96 88 88 92H80V52Z", c.dark)
        + draw_patterned_part(
            "M16 42C16 20 30 10 50 10C70 10 84 20 84 42V90Q84 98 76 98H24Q16 98 16 90Z",
            c,
            "M18 32H82M16 50H84",
            8,
            ((28, 30), (48, 20), (70, 30), (36, 44), (60, 42), (24, 84), (76, 62), (24, 58), (78, 88)),
            4.5,
        )
        + svg_box(26, 56, 48, 32, c.light, 8)
        + thing_line("M28 66H72", 2.6, c.dark)
        + svg_box(46, 62, 8, 10, GOLD, 2)
        + thing_line("M20 40Q50 34 80 40", 2.6, c.dark)
    )


def draw_handbag(c: ThingPaint) -> str:
    return (
        thing_tube("M28 46C28 -8 72 -8 72 46", 5, c.dark)
        + draw_patterned_part(
            "M12 40H88L97 90Q98 98 90 98H10Q2 98 3 90Z",
            c,
            "M26 41L20 97M42 41L40 97M58 41L60 97M74 41L80 97",
            8,
        )
        + svg_shape("M12 40H88L91 58C76 72 62 70 50 70C38 70 24 72 9 58Z", c.light)
        + svg_box(43, 62, 14, 14, GOLD, 3)
        + thing_gloss("M14 80L15 68L20 72L19 86Z", 0.4)
    )


def draw_suitcase(c: ThingPaint) -> str:
    return (
        thing_tube("M36 30V14Q36 8 42 8H58Q64 8 64 14V30", 5, COAL, 5)
        + draw_patterned_part(
            "M11 26H89Q97 26 97 34V90Q97 98 89 98H11Q3 98 3 90V34Q3 26 11 26Z",
            c,
            "M40 27V97M50 27V97M60 27V97",
            6,
        )
        + thing_shade("M4 84H96V90Q96 97 89 97H11Q4 97 4 90Z")
        + svg_flat_group(svg_box(18, 27.5, 9, 69, c.dark), svg_box(73, 27.5, 9, 69, c.dark))
        + thing_line("M11 26H89Q97 26 97 34V90Q97 98 89 98H11Q3 98 3 90V34Q3 26 11 26Z", OUTLINE)
        + svg_box(16, 44, 13, 10, GOLD, 2)
        + svg_box(71, 44, 13, 10, GOLD, 2)
        + svg_shape("M3 36V34Q3 26 11 26H16L3 40ZM97 36V34Q97 26 89 26H84L97 40Z", c.light)
    )


def draw_paper_bag(c: ThingPaint) -> str:
    return (
        thing_line("M34 34C34 2 66 2 66 34", 6)
        + thing_line("M34 34C34 2 66 2 66 34", 2, CREAM)
        + draw_patterned_part("M10 30H90V98H10Z", c._replace(base=c.light), "M20 31V97M36 31V97M52 31V97", 7)
        + svg_shape("M72 30H90V98H72L80 64Z", c.base)
        + thing_line("M80 64V98", 2)
        + thing_line("M10 30H90", 5, c.dark)
        + svg_flat_group(svg_disc(34, 37, 2.4, COAL), svg_disc(66, 37, 2.4, COAL))
    )


DRAWINGS = drawings_by_name(
    draw_trainer,
    draw_boot,
    draw_high_heel,
    draw_ice_skate,
    draw_roller_skate,
    draw_backpack,
    draw_handbag,
    draw_suitcase,
    draw_paper_bag,
)
