"""Drawings of household things, and a snowman."""

from __future__ import annotations

from groundling.boards.things.paint import (
    BARK,
    COAL,
    FLAME,
    GLASS,
    GOLD,
    SILVER,
    SLATE,
    STEEL,
    WHITE,
    ThingPaint,
)
from groundling.boards.things.parts import (
    draw_flame_part,
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


def draw_candle(c: ThingPaint) -> str:
    return (
        svg_shape("M30 46H70V92H30Z", c.base)
        + thing_shade("M60 46H70V92H60Z")
        + svg_oval(50, 46, 20, 6, c.light)
        + svg_shape("M30 46Q34 50 37 50V62Q37 67 34 67T30 62Z", c.light, 'stroke-width="2"')
        + thing_line("M50 46V36", 3)
        + draw_flame_part(50, 38)
        + svg_shape("M16 88Q50 96 84 88L78 98H22Z", GOLD)
        + thing_gloss("M42 58H47V84H42Z", 0.4)
    )


def draw_light_bulb(c: ThingPaint) -> str:
    return (
        svg_shape("M50 3C76 3 88 22 86 40C84 54 70 60 68 74H32C30 60 16 54 14 40C12 22 24 3 50 3Z", c.light)
        + thing_line("M40 72L36 44L45 52L50 44L55 52L64 44L60 72", 2.6, c.dark)
        + thing_gloss("M24 38C24 24 32 15 42 12C36 20 32 30 31 42C27 44 24 42 24 38Z", 0.9)
        + svg_shape("M34 74H66V88Q66 92 62 92H38Q34 92 34 88Z", STEEL)
        + thing_line("M34 80H66M34 86H66", 2.2)
        + svg_shape("M42 92H58L54 98H46Z", SLATE)
    )


def draw_mirror(c: ThingPaint) -> str:
    return (
        svg_shape("M42 66H58L62 92Q62 98 50 98T38 92Z", c.base)
        + svg_oval(50, 37, 34, 35, c.base)
        + svg_oval(50, 37, 26, 27, GLASS)
        + thing_line("M36 44L56 18M42 54L66 24M56 54L68 38", 4, WHITE)
        + thing_gloss("M45 74H50V92H46Z", 0.35)
    )


def draw_camera(c: ThingPaint) -> str:
    return (
        svg_shape("M30 34L36 20H64L70 34Z", c.dark)
        + svg_box(12, 24, 14, 10, c.dark, 2)
        + svg_box(3, 32, 94, 66, c.base, 9)
        + svg_flat_group(svg_box(3.5, 44, 93, 8, c.light))
        + '<rect x="3" y="32" width="94" height="66" rx="9" fill="none"/>'
        + svg_disc(50, 66, 27, SILVER)
        + svg_disc(50, 66, 19, COAL)
        + svg_disc(50, 66, 10, "#5f86b8")
        + thing_gloss("M42 60C44 56 48 54 51 54C47 57 46 61 46 64Z", 0.9)
        + svg_box(78, 36, 12, 8, GOLD, 2)
    )


def draw_clock(c: ThingPaint) -> str:
    return (
        thing_line("M26 88L18 97M74 88L82 97", 8)
        + thing_line("M26 88L18 97M74 88L82 97", 3, c.dark)
        + thing_tube("M34 10Q50 -2 66 10", 4, c.dark, 4)
        + svg_shape("M8 32C4 14 22 4 38 12Z", c.light)
        + svg_shape("M92 32C96 14 78 4 62 12Z", c.light)
        + svg_disc(50, 56, 39, c.base)
        + svg_disc(50, 56, 29, WHITE)
        + thing_line("M50 32V36M50 76V80M26 56H30M70 56H74", 3)
        + thing_line("M50 56V40M50 56L62 64", 4)
        + svg_disc(50, 56, 2, c.dark)
    )


def draw_cushion(c: ThingPaint) -> str:
    return (
        draw_patterned_part(
            (
                "M8 14C2 4 16 4 22 10Q50 2 78 10C84 4 98 4 92 14Q98 52 92 88"
                "C98 98 84 98 78 92Q50 98 22 92C16 98 2 98 8 88Q2 52 8 14Z"
            ),
            c,
            "M8 30H92M5 52H95M8 74H92",
            10,
            (
                (24, 26),
                (50, 22),
                (76, 26),
                (34, 46),
                (66, 46),
                (22, 64),
                (50, 66),
                (78, 64),
                (36, 84),
                (64, 84),
            ),
        )
        + thing_shade("M92 14Q98 52 92 88C98 98 84 98 78 92Q50 98 22 92Q70 92 84 70Q92 40 92 14Z")
        + thing_line("M22 10Q24 18 20 22M78 10Q76 18 80 22M22 92Q24 84 20 80M78 92Q76 84 80 80", 2.2, c.dark)
        + thing_gloss("M16 34C15 26 18 20 24 18C22 26 22 34 22 42C18 42 16 40 16 34Z", 0.45)
    )


def draw_umbrella(c: ThingPaint) -> str:
    return (
        thing_tube("M50 50V84Q50 95 60 95T70 86", 4, BARK, 5)
        + thing_line("M50 10V3", 5)
        + draw_patterned_part(
            "M3 54C3 28 24 9 50 9C76 9 97 28 97 54Q90 46 82 46T66 54Q58 46 50 46T34 54Q26 46 18 46T3 54Z",
            c,
            "M19 46C22 28 36 14 48 10M81 46C78 28 64 14 52 10",
            9,
            ((24, 34), (42, 28), (60, 28), (78, 36), (50, 16), (34, 42), (66, 42), (14, 44)),
            4.5,
        )
        + thing_line("M34 54C34 32 42 16 50 9C58 16 66 32 66 54", 2.2)
        + thing_gloss("M14 40C18 28 28 20 38 16C28 24 22 34 20 42Z", 0.35)
    )


def draw_snowman(c: ThingPaint) -> str:
    return (
        thing_line("M24 56L6 42M9 48L4 50M76 56L94 42M91 48L96 50", 4, BARK)
        + svg_disc(50, 74, 24, c.base)
        + svg_disc(50, 38, 18, c.base)
        + thing_shade("M66 56C76 66 76 82 66 92C60 98 48 99 40 96C60 94 70 78 66 56Z")
        + svg_box(36, 2, 28, 16, COAL, 2)
        + thing_line("M28 20H72", 6.5)
        + svg_flat_group(
            svg_disc(43, 33, 2.6, COAL),
            svg_disc(57, 33, 2.6, COAL),
            svg_disc(50, 68, 2.6, COAL),
            svg_disc(50, 78, 2.6, COAL),
        )
        + svg_shape("M49 37L70 41L50 44Z", FLAME, 'stroke-width="2"')
        + thing_line("M36 52Q50 60 64 52", 6, "#5f86b8")
        + thing_line("M58 55L62 68", 6, "#5f86b8")
        + svg_flat_group(svg_disc(34, 70, 2.5, WHITE), svg_disc(38, 82, 2, SILVER))
    )


DRAWINGS = drawings_by_name(
    draw_candle,
    draw_light_bulb,
    draw_mirror,
    draw_camera,
    draw_clock,
    draw_cushion,
    draw_umbrella,
    draw_snowman,
)
