"""Drawings of cookware and containers."""

from __future__ import annotations

from groundling.boards.things.paint import CREAM, SILVER, STEAM, STEEL, TAN, WHITE, ThingPaint
from groundling.boards.things.parts import (
    OUTLINE,
    draw_patterned_part,
    draw_steam_part,
    drawings_by_name,
    fit_parts_to_box,
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


def draw_pan(c: ThingPaint) -> str:
    return (
        thing_tube("M62 72L90 46", 9, TAN)
        + svg_disc(90, 46, 1.8, CREAM)
        + svg_shape("M4 72C6 90 16 98 26 98H50C62 98 70 88 72 72Z", c.base)
        + svg_oval(38, 72, 34, 11, c.light)
        + svg_oval(38, 74, 27, 7, c.dark)
        + thing_gloss("M16 72C18 69 24 67 30 67C24 70 21 73 20 76Z", 0.5)
    )


def draw_pot(c: ThingPaint) -> str:
    return (
        draw_steam_part(50, 26, 18, 22)
        + thing_tube("M12 60H4V70H12M88 60H96V70H88", 4, c.dark, 5)
        + svg_shape("M12 50H88V86Q88 98 74 98H26Q12 98 12 86Z", c.base)
        + thing_shade("M76 50H88V86Q88 98 74 98H62Q76 96 76 84Z")
        + svg_shape("M8 50C12 38 30 34 50 34C70 34 88 38 92 50Z", c.light)
        + svg_box(42, 27, 16, 8, c.dark, 4)
        + thing_line("M14 60H86", 3, c.dark)
        + thing_gloss("M19 66H26V88Q20 88 19 82Z", 0.45)
    )


def draw_kettle(c: ThingPaint) -> str:
    return (
        thing_line("M8 32q-6 -5 0 -11q6 -5 0 -11M21 30q-6 -5 0 -11q6 -5 0 -11", 4, STEAM)
        + thing_tube("M34 46C30 14 82 14 78 46", 6, TAN)
        + svg_shape("M40 82C24 78 22 60 14 52L3 46L8 38L22 40C32 46 34 54 44 58Z", c.base)
        + svg_shape(
            "M56 38C78 38 92 58 92 78C92 90 88 98 80 98H32C24 98 20 90 20 78C20 58 34 38 56 38Z", c.base
        )
        + thing_shade("M78 46C88 54 92 68 92 78C92 90 88 98 80 98H66C84 92 84 66 78 46Z")
        + svg_shape("M40 44C42 34 70 34 72 44Q56 50 40 44Z", c.dark)
        + svg_disc(56, 33, 5, c.dark)
        + thing_gloss("M30 72C31 60 38 52 44 48C40 56 36 66 37 78C33 80 30 78 30 72Z")
    )


def draw_rolling_pin(c: ThingPaint) -> str:
    return svg_rotated_group(
        -24,
        50,
        74,
        thing_tube("M4 74H96", 6, c.dark),
        svg_box(16, 62, 68, 24, c.light, 6),
        thing_gloss("M22 66H78V71H22Z", 0.45),
        thing_line("M24 79H60M66 79H76", 1.8, c.base),
    )


def draw_bottle(c: ThingPaint) -> str:
    return (
        svg_box(42, 2, 16, 12, TAN, 2)
        + svg_shape(
            "M41 12H59V32C59 42 74 44 74 60V88Q74 98 64 98H36Q26 98 26 88V60C26 44 41 42 41 32Z", c.base
        )
        + thing_shade("M64 46C71 50 74 54 74 60V88Q74 98 64 98H54Q64 96 64 86Z")
        + svg_box(39, 12, 22, 6, c.dark, 2)
        + svg_shape("M26 60H74V84H26Z", CREAM)
        + thing_line("M40 70H60M44 77H56", 2.5, c.dark)
        + thing_gloss("M44 20H48V34C46 42 36 46 34 56H31C31 46 44 42 44 34Z", 0.55)
    )


def draw_vase(c: ThingPaint) -> str:
    return (
        draw_patterned_part(
            (
                "M34 6H66C64 18 60 22 62 30C78 40 86 54 82 70C78 84 70 88 68 98"
                "H32C30 88 22 84 18 70C14 54 22 40 38 30C40 22 36 18 34 6Z"
            ),
            c,
            "M22 46H78M17 62H83M22 78H78",
            7,
            ((50, 44), (32, 54), (68, 54), (48, 64), (30, 72), (66, 74), (50, 84)),
            5,
        )
        + thing_shade("M62 30C78 40 86 54 82 70C78 84 70 88 68 98H56C58 88 68 82 70 68C72 54 64 42 54 32Z")
        + svg_oval(50, 7, 17, 4.5, c.dark)
        + thing_gloss("M24 58C25 48 32 42 38 38C34 46 31 56 32 68C26 68 24 64 24 58Z", 0.5)
    )


def draw_bucket(c: ThingPaint) -> str:
    return (
        thing_tube("M13 34C14 -6 86 -6 87 34", 3, STEEL, 4)
        + draw_patterned_part(
            "M8 34H92L82 92Q81 98 75 98H25Q19 98 18 92Z",
            c,
            "M11 56H89M15 76H85",
            9,
            ((28, 54), (50, 60), (72, 54), (36, 78), (62, 80)),
            5,
        )
        + thing_shade("M80 36H92L82 92Q81 98 75 98H62Q72 97 73 90Z")
        + svg_oval(50, 34, 42, 9, c.dark)
        + thing_line("M8 34H4M92 34H96", 5, c.dark)
        + thing_gloss("M18 48H26L32 88Q26 88 25 84Z", 0.4)
    )


def draw_cardboard_box(c: ThingPaint) -> str:
    return (
        svg_shape("M6 40H94V98H6Z", c.light)
        + svg_shape("M6 40L20 22H80L94 40Z", c.base)
        + svg_shape("M6 40L20 22L12 12L1 30ZM94 40L80 22L88 12L99 30Z", c.light)
        + svg_flat_group(svg_box(42, 41.5, 16, 26, CREAM))
        + svg_shape("M20 22H80L94 40H6Z", c.dark, 'fill-opacity=".45"')
        + thing_line("M6 40H94", OUTLINE)
        + thing_line("M66 78V90M62 83L66 78L70 83M78 78V90M74 83L78 78L82 83", 2.2, c.dark)
        + thing_shade("M8 88H92V97H8Z")
    )


def draw_present(c: ThingPaint) -> str:
    return (
        draw_patterned_part(
            "M10 50H90V98H10Z",
            c,
            "M22 51V97M34 51V97M66 51V97M78 51V97",
            6,
            ((20, 62), (34, 74), (22, 88), (68, 62), (80, 76), (68, 88)),
            4.5,
        )
        + svg_flat_group(svg_box(42, 51, 16, 46, CREAM))
        + thing_line("M10 50H90V98H10Z", OUTLINE)
        + svg_shape("M4 32H96V52H4Z", c.base)
        + svg_flat_group(svg_box(42, 33.5, 16, 17, CREAM))
        + svg_shape(
            "M50 32C40 6 16 0 12 14C8 28 32 32 50 32ZM50 32C60 6 84 0 88 14C92 28 68 32 50 32Z", CREAM
        )
        + svg_disc(50, 30, 7, CREAM)
    )


def draw_watering_can(c: ThingPaint) -> str:
    return fit_parts_to_box(
        (0.5, 11.5, 101.5, 99.5),
        thing_tube("M62 36C64 6 98 14 96 44C96 62 90 70 84 74", 5, c.dark)
        + svg_shape("M36 90L10 36L16 30L48 66Z", c.base)
        + svg_shape("M2 36L20 20L24 28L8 42Z", SILVER)
        + svg_shape("M34 38H80L86 92Q86 98 80 98H36Q30 98 30 92Z", c.base)
        + thing_shade("M72 40H80L86 92Q86 98 80 98H68Q76 96 75 88Z")
        + thing_line("M33 52H82M31 86H85", 3, c.dark)
        + svg_shape("M36 38C38 28 54 26 62 38Z", WHITE, 'fill-opacity=".5"')
        + thing_gloss("M40 58H47V80H39Z", 0.4)
        + svg_flat_group(
            svg_disc(7, 36, 1.3, "#4b3d50"),
            svg_disc(12, 31, 1.3, "#4b3d50"),
            svg_disc(17, 26, 1.3, "#4b3d50"),
        ),
    )


DRAWINGS = drawings_by_name(
    draw_pan,
    draw_pot,
    draw_kettle,
    draw_rolling_pin,
    draw_bottle,
    draw_vase,
    draw_bucket,
    draw_present,
    draw_watering_can,
) | {"box": draw_cardboard_box}
