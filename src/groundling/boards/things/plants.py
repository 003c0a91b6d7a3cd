"""Drawings of ornamental plants."""

from __future__ import annotations

from groundling.boards.things.paint import BARK, CLAY, GOLD, LEAF, MOSS, WHITE, ThingPaint
from groundling.boards.things.parts import (
    drawings_by_name,
    fit_parts_to_box,
    move_parts,
    svg_box,
    svg_disc,
    svg_flat_group,
    svg_rotated_group,
    svg_shape,
    thing_gloss,
    thing_line,
    thing_shade,
    thing_tube,
)

_PETALS = "M50 30C42 24 42 8 50 2C58 8 58 24 50 30Z"


def _draw_flowerpot() -> str:
    return (
        svg_shape("M28 74H72L66 98H34Z", CLAY)
        + thing_shade("M62 76H72L66 98H56Z")
        + svg_box(24, 66, 52, 11, CLAY, 3)
    )


def draw_cactus(c: ThingPaint) -> str:
    spines = (
        "M42 14L36 10M58 14L64 10M42 30L35 28M58 26L65 24M50 20V13M50 40V33M50 60"
        "V53M58 44L64 42M15 38L9 36M19 30L19 24M85 32L91 30M81 24L81 18M42 60L36 58"
    )
    return (
        thing_tube("M40 56H30Q20 56 20 46V38", 12, c.base)
        + thing_tube("M60 50H70Q80 50 80 40V30", 12, c.base)
        + svg_shape("M34 70V20C34 -2 66 -2 66 20V70Z", c.base)
        + thing_line("M44 12V64M56 12V64", 2, c.dark)
        + thing_line(spines, 2.2, WHITE)
        + thing_line(spines, 1, "#4b3d50")
        + _draw_flowerpot()
    )


def draw_rose(c: ThingPaint) -> str:
    return (
        thing_line("M50 40C52 60 48 78 50 96", 7)
        + thing_line("M50 40C52 60 48 78 50 96", 3, MOSS)
        + svg_shape(
            "M51 66C60 54 76 54 82 58C78 70 64 74 51 66ZM49 82C40 70 26 70 18 74C22 86 38 90 49 82Z", LEAF
        )
        + svg_shape("M53 54L61 49L53 59ZM47 66L39 61L47 71ZM52 86L60 82L52 91Z", MOSS, 'stroke-width="2"')
        + svg_shape("M30 36L20 46L38 48ZM70 36L80 46L62 48Z", LEAF)
        + svg_shape("M30 12C26 4 40 1 50 4C60 1 74 4 70 12C78 24 68 36 50 36C32 36 22 24 30 12Z", c.dark)
        + svg_shape("M38 12C42 5 58 5 62 12C66 22 58 32 50 32C42 32 34 22 38 12Z", c.base)
        + thing_line("M44 15C47 10 57 13 55 18C53 22 47 20 49 16", 2.4, c.dark)
        + svg_shape("M50 54C28 56 16 40 20 14C32 14 44 22 50 36C42 36 34 32 30 26C34 40 42 46 50 54Z", c.base)
        + svg_shape("M50 54C72 56 84 40 80 14C68 14 56 22 50 36C58 36 66 32 70 26C66 40 58 46 50 54Z", c.base)
        + svg_shape(
            "M50 54C40 48 36 38 38 28C46 30 50 34 50 36C50 34 54 30 62 28C64 38 60 48 50 54Z", c.light
        )
    )


def draw_tulip(c: ThingPaint) -> str:
    return (
        thing_line("M50 44V96", 8)
        + thing_line("M50 44V96", 3.5, MOSS)
        + svg_shape(
            "M50 96C30 92 20 74 20 56C34 62 46 76 50 96ZM50 96C70 92 80 70 82 50C66 58 54 76 50 96Z", LEAF
        )
        + svg_shape(
            (
                "M24 8C34 10 38 16 42 20C44 12 46 6 50 3C54 6 56 12 58 20C62 16 66 10 76 8C82 34 70 54 50 54"
                "C30 54 18 34 24 8Z"
            ),
            c.base,
        )
        + svg_shape("M50 3C62 14 64 36 50 54C36 36 38 14 50 3Z", c.light)
        + thing_gloss("M29 20C30 32 34 40 38 45C30 40 26 30 29 20Z", 0.5)
    )


def draw_sunflower(c: ThingPaint) -> str:
    petals = "".join(
        svg_rotated_group(angle, 50, 34, svg_shape(_PETALS, c.base, 'stroke-width="2"'))
        for angle in range(0, 360, 30)
    )
    return (
        thing_line("M50 60V97", 8)
        + thing_line("M50 60V97", 3.5, MOSS)
        + svg_shape(
            "M50 86C58 70 76 68 88 72C82 88 66 94 50 86ZM50 92C42 78 26 76 14 80C20 94 36 98 50 92Z", LEAF
        )
        + petals
        + svg_disc(50, 34, 15, BARK)
        + svg_flat_group(
            *(
                svg_disc(x, y, 1.8, GOLD)
                for x, y in ((44, 30), (52, 26), (57, 33), (50, 36), (43, 39), (54, 43))
            )
        )
    )


def draw_house_plant(c: ThingPaint) -> str:
    leaf = "M50 70C30 60 28 34 38 18C42 12 46 8 50 6C54 8 58 12 62 18C72 34 70 60 50 70Z"
    leaves = "".join(
        svg_rotated_group(
            angle,
            50,
            68,
            svg_shape(leaf, paint)
            + thing_line("M50 66V22M50 50L42 42M50 50L58 42M50 38L44 32M50 38L56 32", 2, c.dark),
        )
        for angle, paint in ((-62, c.dark), (62, c.dark), (-34, c.base), (34, c.base), (0, c.light))
    )
    return fit_parts_to_box((-6.5, 7.5, 106.5, 99.5), move_parts(0, 3, leaves) + _draw_flowerpot())


DRAWINGS = drawings_by_name(draw_cactus, draw_rose, draw_tulip, draw_sunflower, draw_house_plant)
