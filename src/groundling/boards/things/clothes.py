"""Drawings of clothes, except shoes."""

from __future__ import annotations

from groundling.boards.things.paint import COAL, CREAM, GOLD, WHITE, ThingPaint
from groundling.boards.things.parts import (
    draw_patterned_part,
    drawings_by_name,
    fit_parts_to_box,
    mirror_parts,
    move_parts,
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


def draw_t_shirt(c: ThingPaint) -> str:
    return (
        draw_patterned_part(
            "M34 8Q50 20 66 8L82 12L98 38L82 48L76 42V98H24V42L18 48L2 38L18 12Z",
            c,
            "M13 22H87M25 44H75M25 64H75M25 84H75",
            9,
            (
                (34, 34),
                (54, 30),
                (68, 40),
                (38, 54),
                (58, 58),
                (34, 74),
                (54, 80),
                (68, 72),
                (40, 92),
                (14, 32),
                (86, 32),
            ),
        )
        + thing_line("M34 8Q50 26 66 8", 5, c.dark)
        + thing_line("M24 42L27 32M76 42L73 32", 2.4, c.dark)
        + thing_shade("M68 44L76 42V98H66Q70 70 68 44Z")
    )


def draw_trousers(c: ThingPaint) -> str:
    return (
        svg_shape("M22 3H78L86 98H58L50 38L42 98H14Z", c.base)
        + thing_shade("M68 14H78L86 98H76Z")
        + svg_shape("M22 3H78L79 14H21Z", c.dark)
        + thing_line("M50 14V36M24 26Q32 28 34 16M76 26Q68 28 66 16", 2.4, c.light)
        + svg_box(45, 5, 10, 7, GOLD, 1)
        + thing_line("M15 90H42M58 90H85", 2.4, c.light)
    )


def draw_dress(c: ThingPaint) -> str:
    return (
        thing_tube("M36 4V20M64 4V20", 3, c.dark, 5)
        + draw_patterned_part(
            (
                "M32 16Q50 26 68 16C72 28 66 38 64 46C74 62 86 78 92 92"
                "Q71 99 50 98Q29 99 8 92C14 78 26 62 36 46C34 38 28 28 32 16Z"
            ),
            c,
            "M30 60H70M20 76H80M12 90H88",
            7,
            (
                (40, 32),
                (58, 34),
                (50, 58),
                (36, 66),
                (66, 68),
                (50, 76),
                (24, 84),
                (40, 88),
                (62, 86),
                (80, 86),
            ),
            4.5,
        )
        + thing_shade("M64 46C74 62 86 78 92 92Q82 96 72 97C72 80 64 62 58 46Z")
        + thing_line("M36 46Q50 50 64 46", 6, c.dark)
    )


def draw_socks(c: ThingPaint) -> str:
    one = (
        draw_patterned_part(
            "M24 8H52V58C52 66 56 68 66 74C78 80 78 96 66 97H40C28 97 24 90 24 80Z",
            c,
            "M25 30H51M25 46H51M25 62H52M34 79L38 96M52 76L50 96",
            7,
            ((34, 30), (44, 42), (32, 54), (44, 64), (36, 76), (50, 84)),
            4,
        )
        + svg_shape("M52 96.500C52 84 60 78 70 77C78 84 76 97 66 97Z", c.dark)
        + svg_shape("M24 82C32 78 40 84 38 97C28 97 24 90 24 82Z", c.dark)
        + svg_shape("M21 4H55V18H21Z", c.light)
        + thing_line("M29 6V16M38 6V16M47 6V16", 1.8, c.dark)
    )
    return move_parts(22, 0, one) + move_parts(-20, 0, one)


def draw_gloves(c: ThingPaint) -> str:
    one = (
        draw_patterned_part(
            "M8 76V60C4 52 0 46 2 40C6 36 12 40 15 46L13 18C13 11 21 11 22 18L24 36L25 12C26 5 34 5 34 12"
            "L34 36L37 16"
            "C38 10 45 11 45 18L43 42L45 30C46 24 52 26 51 32C50 46 46 56 44 62V76Z",
            c,
            "M4 52H48M8 64H45M13 30H50",
            6,
            ((20, 50), (34, 48), (26, 64)),
            4,
        )
        + svg_shape("M5 74H47V96Q26 100 5 96Z", c.light)
        + thing_line("M14 78V94M22 78V95M30 78V95M38 78V94", 2, c.dark)
    )
    return move_parts(49, 2, one, scale=0.98) + mirror_parts(move_parts(49, 2, one, scale=0.98))


def draw_scarf(c: ThingPaint) -> str:
    return (
        draw_patterned_part("M56 40L84 84L64 94L42 50Z", c, "M56 54L70 46M63 68L78 60M70 82L85 74", 6)
        + thing_line("M66 94L68 98M73 91L76 97M80 87L83 92", 3)
        + draw_patterned_part("M28 44H54L50 88H26Z", c, "M28 58H53M27 72H52", 7, ())
        + thing_line("M29 89V97M36 89V97M43 89V97M49 89V97", 3)
        + draw_patterned_part(
            "M10 28C8 10 30 4 50 4C70 4 92 10 90 28C88 46 70 50 50 50C30 50 12 46 10 28Z",
            c,
            "M20 10L26 44M38 5L40 49M62 5L60 49M80 10L74 44",
            7,
        )
        + svg_oval(50, 22, 27, 10, c.dark)
    )


def draw_jumper(c: ThingPaint) -> str:
    return (
        draw_patterned_part(
            "M34 8H66L82 16C90 36 96 60 97 84L80 88L74 54V92H26V54L20 88L3 84C4 60 10 36 18 16Z",
            c,
            "M16 30H84M27 48H73M27 64H73M27 80H73M8 58L24 62M92 58L76 62",
            7,
        )
        + svg_shape("M34 4H66L62 18Q50 24 38 18Z", c.dark)
        + svg_shape("M25 86H75V98H25Z", c.dark)
        + svg_shape("M2 80L22 84L20 96L1 92ZM98 80L78 84L80 96L99 92Z", c.dark)
        + thing_line("M34 88V96M42 88V96M50 88V96M58 88V96M66 88V96M44 8L46 18M56 8L54 18", 2, c.light)
        + thing_line("M26 54L28 40M74 54L72 40", 2.4, c.dark)
    )


def draw_woolly_hat(c: ThingPaint) -> str:
    return (
        svg_disc(50, 16, 14, WHITE)
        + thing_line("M42 12Q46 16 44 20M52 8Q52 14 58 14M52 20Q56 18 58 22", 2, "#b9bccb")
        + draw_patterned_part("M10 76C8 40 28 26 50 26C72 26 92 40 90 76Z", c, "M18 46H82M11 62H89", 8)
        + thing_line("M36 32C32 46 30 60 30 72M50 28V72M64 32C68 46 70 60 70 72", 2.2, c.dark)
        + svg_box(3, 70, 94, 28, c.light, 10)
        + thing_line("M14 74V94M26 74V94M38 74V94M50 74V94M62 74V94M74 74V94M86 74V94", 2.6, c.dark)
    )


def draw_cap(c: ThingPaint) -> str:
    return fit_parts_to_box(
        (2, 17.5, 99.5, 91),
        svg_shape("M54 72C74 66 98 74 98 84C98 92 84 90 54 86Z", c.dark)
        + svg_shape("M4 82C0 46 20 24 44 24C70 24 82 48 80 74Q60 72 44 84Q24 92 4 82Z", c.base)
        + thing_line("M44 24C58 36 62 56 60 76M40 24C26 38 22 60 24 88", 2.4, c.dark)
        + svg_oval(43, 23, 7, 4, c.dark)
        + thing_gloss("M10 66C10 50 18 38 28 33C20 44 17 56 17 70C12 72 10 70 10 66Z", 0.4)
        + svg_flat_group(svg_disc(42, 56, 9, CREAM))
        + thing_line("M42 51V61M37 56H47", 2.4, c.dark),
    )


def draw_top_hat(c: ThingPaint) -> str:
    return (
        svg_shape("M2 82C2 74 20 74 24 78H76C80 74 98 74 98 82C98 92 74 98 50 98C26 98 2 92 2 82Z", c.base)
        + svg_shape("M22 8H78L74 82Q50 92 26 82Z", c.base)
        + thing_shade("M66 10H78L74 82Q66 86 58 87Z")
        + svg_shape("M25 64Q50 74 75 64L74 82Q50 92 26 82Z", c.light)
        + svg_oval(50, 9, 28, 6, c.dark)
        + thing_gloss("M29 20H36L37 58L31 56Z", 0.3)
    )


def draw_sunglasses(c: ThingPaint) -> str:
    return (
        thing_tube("M8 62L24 36Q28 32 32 36M92 62L76 36Q72 32 68 36", 3, c.base, 4)
        + thing_tube("M42 66Q50 58 58 66", 4, c.base, 5)
        + svg_shape(
            "M4 60H46C48 82 42 96 26 97C10 96 2 82 4 60ZM96 60H54C52 82 58 96 74 97C90 96 98 82 96 60Z",
            c.base,
        )
        + svg_flat_group(
            svg_shape(
                "M10 66H40C41 80 37 90 26 91C14 90 9 80 10 66ZM90 66H60C59 80 63 90 74 91C86 90 91 80 90 66Z",
                COAL,
            )
        )
        + thing_gloss("M15 70H24L16 84ZM65 70H74L66 84Z", 0.55)
    )


DRAWINGS = drawings_by_name(
    draw_trousers,
    draw_dress,
    draw_socks,
    draw_gloves,
    draw_scarf,
    draw_jumper,
    draw_woolly_hat,
    draw_cap,
    draw_top_hat,
    draw_sunglasses,
) | {"T-shirt": draw_t_shirt}
