"""Drawings of vehicles."""

from __future__ import annotations

from groundling.boards.things.paint import BARK, COAL, GOLD, SILVER, SLATE, TAN, WHITE, ThingPaint
from groundling.boards.things.parts import (
    draw_patterned_part,
    draw_wheel_part,
    drawings_by_name,
    fit_parts_to_box,
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

_WINDOW = "#bfe3f2"


def draw_car(c: ThingPaint) -> str:
    return (
        svg_shape("M18 60L30 38Q33 34 38 34H64Q70 34 74 40L84 60Z", c.base)
        + svg_shape("M28 58L36 42H49V58ZM54 42H64Q67 42 69 45L76 58H54Z", _WINDOW)
        + svg_shape("M4 66Q4 58 14 58H84Q98 60 98 76V86H2V72Q2 68 4 66Z", c.base)
        + thing_shade("M2 78H98V86H2Z")
        + svg_oval(94, 70, 4, 5, GOLD)
        + svg_box(2, 64, 6, 8, WHITE, 2)
        + thing_line("M52 60V76M56 66H62", 2.4, c.dark)
        + draw_wheel_part(24, 85, 13, SILVER)
        + draw_wheel_part(76, 85, 13, SILVER)
    )


def draw_bus(c: ThingPaint) -> str:
    return (
        svg_box(3, 28, 94, 60, c.base, 10)
        + svg_flat_group(svg_box(4, 66, 92, 6, c.light))
        + "".join(svg_box(x, 38, 15, 20, _WINDOW, 3) for x in (10, 29, 48))
        + svg_box(68, 38, 13, 48, _WINDOW, 3)
        + thing_line("M74.5 38V86", 2)
        + svg_shape("M86 38H96V58H86Z", _WINDOW)
        + svg_disc(93, 76, 4, GOLD)
        + thing_shade("M4 78H96V84Q94 88 88 88H12Q5 88 4 82Z")
        + draw_wheel_part(24, 87, 11, SILVER)
        + draw_wheel_part(58, 87, 11, SILVER)
        + draw_wheel_part(84, 87, 11, SILVER)
    )


def draw_truck(c: ThingPaint) -> str:
    return (
        svg_box(3, 20, 62, 62, c.base, 4)
        + thing_line("M14 26V76M25 26V76M36 26V76M47 26V76M57 26V76", 2.4, c.dark)
        + svg_shape("M65 38H80Q84 38 86 42L97 60V82H65Z", c.light)
        + svg_shape("M71 44H79L88 60H71Z", _WINDOW)
        + svg_box(2, 78, 96, 8, SLATE, 2)
        + svg_oval(95, 70, 3, 4, GOLD)
        + draw_wheel_part(20, 86, 12, SILVER)
        + draw_wheel_part(46, 86, 12, SILVER)
        + draw_wheel_part(80, 86, 12, SILVER)
    )


def draw_bicycle(c: ThingPaint) -> str:
    wheels = thing_ring(23, 75, 20, 20, 6) + thing_ring(77, 75, 20, 20, 6)
    spokes = "".join(
        thing_line(
            f"M{x - 18} 75H{x + 18}M{x} 57V93M{x - 13} 62L{x + 13} 88M{x + 13} 62L{x - 13} 88", 1.3, SLATE
        )
        for x in (23, 77)
    )
    return (
        spokes
        + wheels
        + thing_tube("M23 75L36 44L62 44L48 75ZM48 75L33 38M77 75L63 34", 4, c.base, 5)
        + svg_disc(48, 75, 7, SILVER)
        + thing_line("M42 80H54", 4)
        + thing_tube("M24 36H40", 6, COAL, 3)
        + thing_line("M63 34Q60 26 68 26H78Q86 26 84 34", 6)
        + thing_line("M63 34Q60 26 68 26H78", 2, SILVER)
    )


def draw_boat(c: ThingPaint) -> str:
    return (
        thing_line("M48 4V76", 6)
        + thing_line("M48 4V76", 2, TAN)
        + svg_shape("M54 8C72 24 82 44 86 64H54Z", WHITE)
        + svg_shape("M42 18C30 34 18 50 12 64H42Z", WHITE)
        + thing_line("M58 30H71M58 46H79M38 34H32M38 50H22", 2, "#b9bccb")
        + draw_patterned_part("M2 72H98C94 86 86 94 78 98H22C14 94 6 86 2 72Z", c, "M8 86H92", 7)
        + thing_shade("M12 88H88C84 94 82 96 78 98H22C18 96 16 94 12 88Z")
        + svg_shape("M48 4L64 8L48 13Z", c.base, 'stroke-width="2"')
    )


def draw_aeroplane(c: ThingPaint) -> str:
    return fit_parts_to_box(
        (0.5, 28.5, 98, 95.5),
        svg_shape("M40 58L62 30H72L62 58Z", c.dark)
        + svg_shape("M4 32H14L30 54L12 60Z", c.dark)
        + svg_shape("M8 56C26 48 66 46 84 54C94 58 98 64 96 68C90 76 60 78 36 74C18 71 6 64 8 56Z", c.base)
        + thing_shade("M10 62C30 70 70 72 96 66C92 76 60 78 36 74C22 72 12 68 10 62Z")
        + svg_shape("M80 55Q90 57 94 62L82 64Q78 60 80 55Z", _WINDOW)
        + svg_flat_group(*(svg_disc(x, 59, 3, "#5f86b8") for x in (34, 44, 54, 64)))
        + svg_shape("M36 68L18 94H30L60 70Z", c.light)
        + svg_shape("M12 62L2 72H12L26 64Z", c.light),
    )


def draw_train(c: ThingPaint) -> str:
    return (
        svg_shape("M62 20H97V30H62Z", c.dark)
        + svg_box(66, 28, 28, 54, c.base, 2)
        + svg_box(72, 36, 16, 18, _WINDOW, 2)
        + svg_shape("M20 24H36L33 50H23Z", c.dark)
        + svg_box(16, 18, 24, 9, GOLD, 3)
        + svg_oval(53, 46, 7, 9, GOLD)
        + svg_box(8, 46, 60, 34, c.base, 8)
        + thing_line("M24 48V78M48 48V78", 4, c.dark)
        + svg_disc(8, 60, 5, GOLD)
        + thing_shade("M9 70H94V80H9Z")
        + svg_box(4, 78, 92, 8, BARK, 2)
        + draw_wheel_part(20, 88, 9.5, TAN)
        + draw_wheel_part(44, 88, 9.5, TAN)
        + draw_wheel_part(78, 84, 14, TAN)
        + thing_gloss("M14 52H60V56H14Z", 0.35)
    )


DRAWINGS = drawings_by_name(
    draw_car, draw_bus, draw_truck, draw_bicycle, draw_boat, draw_aeroplane, draw_train
)
