"""Drawings of books and musical instruments."""

from __future__ import annotations

from groundling.boards.things.paint import BARK, COAL, CREAM, GOLD, INK, SAND, TAN, WHITE, ThingPaint
from groundling.boards.things.parts import (
    drawings_by_name,
    fit_parts_to_box,
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


def draw_book(c: ThingPaint) -> str:
    return (
        svg_shape("M26 80H84V97H26Q14 97 14 88T26 80Z", CREAM)
        + thing_line("M30 86H82M30 91.5H82", 1.6, TAN)
        + svg_shape("M26 3H86V81H26Q14 81 14 90V15Q14 3 26 3Z", c.base)
        + thing_shade("M16 84V14Q16 5 26 4V80Q19 80 16 84Z")
        + thing_line("M86 98H26Q14 98 14 89", 4, c.dark)
        + svg_box(38, 18, 36, 18, CREAM, 3)
        + thing_line("M45 27H67", 3, c.dark)
        + thing_line("M44 66H68", 3.5, c.light)
    )


def draw_guitar(c: ThingPaint) -> str:
    return (
        svg_shape("M43 2H57L60 18H40Z", c.dark)
        + thing_line("M38 6H36M38 13H35M62 6H64M62 13H65", 4, SAND)
        + svg_shape(
            "M50 40C38 40 31 45 31 54C31 60 33 63 30 68C24 73 21 78 21 84C21 94 34 98 50 98C66 98 79 94 79 84"
            "C79 78 76 73 70 68C67 63 69 60 69 54C69 45 62 40 50 40Z",
            c.base,
        )
        + thing_gloss("M36 54C36 48 40 45 46 44C42 50 40 58 37 64C32 62 36 58 36 54Z", 0.35)
        + svg_box(45.5, 16, 9, 44, BARK)
        + thing_line("M46 24H54M46 31H54M46 38H54M46 45H54", 1.6, SAND)
        + svg_disc(50, 68, 9, COAL)
        + svg_box(40, 84, 20, 6, BARK, 2)
        + thing_line("M48 18V86M52 18V86", 1.2, CREAM)
    )


def draw_drum(c: ThingPaint) -> str:
    return fit_parts_to_box(
        (4.5, 3.5, 95.5, 101.5),
        svg_shape("M8 46V82C8 91 27 98 50 98C73 98 92 91 92 82V46Z", c.base)
        + thing_line("M10 58L22 88L36 62L50 93L64 62L78 88L90 58", 3, CREAM)
        + thing_line("M8 82C8 91 27 98 50 98C73 98 92 91 92 82", 7)
        + thing_line("M8 82C8 91 27 98 50 98C73 98 92 91 92 82", 3, GOLD)
        + svg_oval(50, 46, 42, 16, GOLD)
        + svg_oval(50, 44, 36, 12, CREAM)
        + thing_tube("M14 8L56 42M86 8L44 42", 4.5, TAN, 4.5)
        + svg_disc(56, 42, 5, TAN)
        + svg_disc(44, 42, 5, TAN),
    )


def draw_trumpet(c: ThingPaint) -> str:
    return (
        thing_tube("M30 60V80Q30 92 42 92H60Q72 92 72 80V60", 6, c.dark)
        + thing_tube("M38 46V86M50 46V86M62 46V86", 7, c.light, 5)
        + thing_tube("M9 60H76", 8, c.base)
        + svg_shape("M70 54C84 54 90 44 97 32V88C90 76 84 66 70 66Z", c.base)
        + svg_oval(96, 60, 3, 28, c.dark)
        + svg_shape("M3 52H9L13 56V64L9 68H3Z", c.light)
        + thing_tube("M34 42H42M46 42H54M58 42H66", 4, c.dark, 5)
        + thing_gloss("M18 57H68V59H18Z", 0.6)
    )


def draw_bell(c: ThingPaint) -> str:
    return fit_parts_to_box(
        (8.5, -3.5, 91.5, 99.5),
        thing_tube("M50 6V34", 13, BARK)
        + svg_disc(50, 88, 10, c.dark)
        + svg_shape(
            "M50 28C72 28 74 46 76 62C78 74 86 78 90 88H10C14 78 22 74 24 62C26 46 28 28 50 28Z", c.base
        )
        + thing_line("M20 76H80", 3.5, c.dark)
        + thing_gloss("M36 40C40 36 44 35 47 35C40 44 38 58 34 68H29C32 58 31 48 36 40Z", 0.55),
    )


def draw_piano(c: ThingPaint) -> str:
    keys = "".join(thing_line(f"M{x} 60V76", 1.5) for x in range(18, 86, 8))
    sharps = svg_flat_group(*(svg_box(x, 60, 4, 9, COAL) for x in (16, 24, 40, 48, 56, 72, 80)))
    return (
        svg_shape("M8 8H92V60H8Z", c.base)
        + svg_shape("M5 4H95V14H5Z", c.dark)
        + svg_box(32, 22, 36, 26, CREAM, 2)
        + thing_line("M38 29H62M38 35H62M38 41H56", 1.8, INK)
        + svg_shape("M10 80H22V98H10ZM78 80H90V98H78Z", c.dark)
        + svg_shape("M3 58H97V82H3Z", c.base)
        + svg_shape("M10 59H90V76H10Z", WHITE)
        + keys
        + sharps
        + thing_line("M38 90H62", 4, c.dark)
    )


DRAWINGS = drawings_by_name(draw_book, draw_guitar, draw_drum, draw_trumpet, draw_bell, draw_piano)
