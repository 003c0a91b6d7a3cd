"""Drawings of fruit and vegetables."""

from __future__ import annotations

from groundling.boards.things.paint import BARK, CREAM, GOLD, GRASS, LEAF, MOSS, ThingPaint
from groundling.boards.things.parts import (
    OUTLINE,
    drawings_by_name,
    svg_disc,
    svg_flat_group,
    svg_oval,
    svg_rotated_group,
    svg_shape,
    thing_gloss,
    thing_line,
    thing_ring,
    thing_shade,
)


def _draw_leaf(x: float, y: float, angle: float = 0) -> str:
    body = svg_shape(
        f"M{x} {y}C{x + 6} {y - 14} {x + 22} {y - 15} {x + 30} {y - 10}"
        f"C{x + 26} {y + 3} {x + 12} {y + 8} {x} {y}Z",
        LEAF,
    )
    return svg_rotated_group(
        angle, x, y, body + thing_line(f"M{x + 4} {y - 1}Q{x + 14} {y - 5} {x + 22} {y - 7}", 1.6, MOSS)
    )


def draw_apple(c: ThingPaint) -> str:
    return (
        svg_shape(
            "M50 32C40 22 20 22 11 38C2 58 18 98 36 98C43 98 45 95 50 95"
            "C55 95 57 98 64 98C82 98 98 58 89 38C80 22 60 22 50 32Z",
            c.base,
        )
        + thing_shade("M89 38C98 58 82 98 64 98C60 98 57 96 54 95.5C72 92 84 64 80 30Q86 32 89 38Z")
        + thing_gloss("M18 46C20 36 28 32 34 33C28 38 24 46 23 56C18 56 17 51 18 46Z")
        + thing_line("M50 34Q48 18 53 6", 6)
        + thing_line("M50 34Q48 18 53 6", 2, BARK)
        + _draw_leaf(54, 22)
    )


def draw_pear(c: ThingPaint) -> str:
    return (
        svg_shape(
            "M48 20C60 18 66 28 67 42C70 56 88 60 88 78C88 91 72 98 50 98"
            "C28 98 12 91 12 78C12 60 32 56 33 42C34 28 38 21 48 20Z",
            c.base,
        )
        + thing_shade(
            "M67 42C70 56 88 60 88 78C88 91 72 98 54 98C74 92 78 78 70 66C62 56 60 36 60 24Q66 30 67 42Z"
        )
        + thing_gloss("M24 72C24 64 32 60 36 56C36 64 30 70 29 80C25 80 24 76 24 72Z")
        + thing_line("M49 22Q48 10 55 3", 6.5)
        + thing_line("M49 22Q48 10 55 3", 2.5, BARK)
        + _draw_leaf(52, 16, 12)
    )


def draw_banana(c: ThingPaint) -> str:
    return (
        svg_shape("M14 20C6 58 34 98 78 96C86 96 94 92 96 88L92 78C60 82 34 58 28 18Z", c.base)
        + thing_line("M21 19C22 56 50 90 93 84", 2, c.dark)
        + thing_shade("M14 20C6 58 34 98 78 96L80 91C44 92 18 62 20 19Z")
        + svg_shape("M13 22L16 6Q22 3 26 6L29 19Q20 25 13 22Z", BARK)
        + svg_shape("M92 78L98 80Q99 86 95 89L89 91Q88 84 92 78Z", BARK)
    )


def draw_lemon(c: ThingPaint) -> str:
    return (
        svg_shape(
            "M3 60C8 54 12 52 16 44C28 22 70 20 84 44C88 52 92 54 97 60C92 66 88 70 84 77C70 102 30 102 16 77"
            "C12 70 8 66 3 60Z",
            c.base,
        )
        + thing_shade("M97 60C92 66 88 70 84 77C72 98 42 102 26 88C52 94 76 84 80 40Q90 52 97 60Z")
        + thing_gloss("M24 50C30 38 42 34 50 34C42 40 32 46 28 58C23 58 22 54 24 50Z", 0.65)
        + svg_flat_group(
            *(svg_disc(x, y, 1.5, c.dark) for x, y in ((44, 62), (56, 52), (40, 78), (60, 74), (66, 62)))
        )
        + _draw_leaf(60, 28)
    )


def draw_tangerine(c: ThingPaint) -> str:
    return (
        svg_oval(50, 58, 46, 40, c.base)
        + thing_shade("M94 46C104 76 76 98 50 98C40 98 30 96 22 90C60 96 84 76 86 34Q92 40 94 46Z")
        + thing_gloss("M14 52C18 38 28 32 38 30C28 38 22 46 20 60C15 60 13 56 14 52Z")
        + svg_flat_group(
            *(
                svg_disc(x, y, 1.6, c.dark)
                for x, y in ((36, 58), (52, 50), (44, 74), (62, 66), (72, 52), (58, 84))
            )
        )
        + svg_shape("M50 30L40 27L46 22L44 13L52 19L60 13L58 22L66 26L56 30Z", MOSS)
        + _draw_leaf(56, 18, 4)
    )


def draw_strawberry(c: ThingPaint) -> str:
    seeds = (
        (30, 48),
        (50, 46),
        (70, 48),
        (22, 60),
        (40, 61),
        (60, 61),
        (78, 60),
        (34, 75),
        (50, 76),
        (66, 75),
        (50, 89),
    )
    return (
        svg_shape("M50 98C30 92 6 66 10 42C13 24 36 24 50 30C64 24 87 24 90 42C94 66 70 92 50 98Z", c.base)
        + thing_shade("M90 42C94 66 70 92 50 98C46 97 44 96 40 94C64 86 80 60 78 30Q88 33 90 42Z")
        + svg_flat_group(*(svg_oval(x, y, 2, 3, GOLD) for x, y in seeds))
        + svg_shape(
            "M50 24L62 40L66 28L86 32L70 18L78 10L58 13L50 2L42 13L22 10L30 18L14 32L34 28L38 40Z", LEAF
        )
    )


def draw_cherries(c: ThingPaint) -> str:
    return (
        thing_line("M26 66C28 44 44 20 66 8M74 70C76 46 74 24 66 8", 6)
        + thing_line("M26 66C28 44 44 20 66 8M74 70C76 46 74 24 66 8", 2.5, LEAF)
        + svg_disc(26, 74, 23, c.base)
        + svg_disc(74, 75, 23, c.base)
        + thing_gloss(
            "M10 72C11 62 18 57 24 57C18 62 16 68 15 76C11 77 10 75 10 72Z"
            "M58 73C59 63 66 58 72 58C66 63 64 69 63 77C59 78 58 76 58 73Z"
        )
        + svg_shape("M66 9C54 -2 34 0 26 8C34 20 54 20 66 9Z", LEAF)
    )


def draw_grapes(c: ThingPaint) -> str:
    rows = (
        (32, (22, 41, 59, 78)),
        (47, (14, 32, 50, 68, 86)),
        (63, (23, 41, 59, 77)),
        (78, (32, 50, 68)),
        (88, (42, 58)),
    )
    berries = [(x, y) for y, xs in rows for x in xs]
    return (
        thing_line("M50 26Q48 12 56 4", 6.5)
        + thing_line("M50 26Q48 12 56 4", 2.5, BARK)
        + "".join(svg_disc(x, y, 10.5, c.base) for x, y in berries)
        + svg_flat_group(*(svg_disc(x - 3.5, y - 4, 2.6, c.light) for x, y in berries))
        + svg_shape("M52 22C44 8 24 6 14 14C18 18 18 22 24 26C34 32 46 30 52 22Z", LEAF)
    )


def draw_pineapple(c: ThingPaint) -> str:
    return (
        svg_shape(
            "M50 40C40 26 22 28 16 24C26 22 30 24 36 26C28 16 26 12 28 6"
            "C36 10 40 16 44 22C44 12 46 6 50 2C54 6 56 12 56 22"
            "C60 16 64 10 72 6C74 12 72 16 64 26C70 24 74 22 84 24C78 28 60 26 50 40Z",
            LEAF,
        )
        + svg_shape("M50 34C70 34 80 46 80 66C80 86 68 98 50 98C32 98 20 86 20 66C20 46 30 34 50 34Z", c.base)
        + thing_line(
            "M28 46L68 92M22 58L58 97M42 36L78 76M60 36L79 58M72 46L32 92M78 58L42 97M58 36L22 76M40 36"
            "L21 58",
            2.2,
            c.dark,
        )
        + thing_line(
            "M50 34C70 34 80 46 80 66C80 86 68 98 50 98C32 98 20 86 20 66C20 46 30 34 50 34Z", OUTLINE
        )
    )


def draw_watermelon(c: ThingPaint) -> str:
    return (
        svg_oval(50, 60, 47, 38, c.base)
        + thing_line("M50 23Q44 40 50 60T50 97M30 28Q18 44 24 60T32 92M70 28Q82 44 76 60T68 92", 6.5, c.dark)
        + thing_line("M13 42Q6 58 14 78M87 42Q94 58 86 78", 5, c.dark)
        + thing_gloss("M20 46C24 36 34 30 42 29C34 36 28 44 26 54C21 54 18 50 20 46Z", 0.4)
        + thing_ring(50, 60, 47, 38, OUTLINE)
        + thing_line("M50 23C50 12 60 8 66 12C72 16 66 22 62 18", 4, MOSS)
    )


def draw_carrot(c: ThingPaint) -> str:
    return (
        svg_shape(
            "M50 34C30 30 22 14 26 4C34 8 38 12 42 18C42 10 46 4 51 2C56 6 58 12 58 18C62 12 66 8 74 4"
            "C78 16 70 30 50 34Z",
            LEAF,
        )
        + svg_shape("M28 34C38 24 62 24 72 34C76 56 60 98 50 98C40 98 24 56 28 34Z", c.base)
        + thing_line("M29 46H42M60 52H71M34 64H44M56 72H64M42 82H49", 2.5, c.dark)
        + thing_gloss("M36 36Q40 33 45 33C40 46 42 60 44 72C36 62 34 46 36 36Z", 0.35)
    )


def draw_pumpkin(c: ThingPaint) -> str:
    return (
        svg_oval(24, 64, 22, 31, c.base)
        + svg_oval(76, 64, 22, 31, c.base)
        + svg_oval(37, 63, 20, 35, c.base)
        + svg_oval(63, 63, 20, 35, c.base)
        + svg_oval(50, 63, 17, 35, c.base)
        + thing_gloss("M40 42C42 36 46 34 49 34C45 44 44 56 44 68C39 62 38 50 40 42Z", 0.4)
        + svg_shape("M44 32C46 24 44 16 38 10L50 5C56 12 58 22 57 32Q50 36 44 32Z", MOSS)
        + thing_line("M58 22C68 14 78 18 78 26C78 32 70 32 70 27", 3, MOSS)
    )


def draw_broccoli(c: ThingPaint) -> str:
    return (
        svg_shape("M40 58H60C60 68 64 76 70 90Q62 98 50 98T30 90C36 76 40 68 40 58Z", GRASS)
        + thing_line("M42 62L32 54M58 62L68 54", 8, GRASS)
        + svg_shape(
            "M28 66C12 68 2 56 8 44C2 32 14 20 26 22C30 8 46 2 56 8"
            "C68 4 78 12 78 22C92 24 98 38 90 48C94 60 82 70 70 65"
            "C62 72 38 72 28 66Z",
            c.base,
        )
        + thing_line("M22 44Q28 38 36 42M46 26Q54 20 62 26M62 46Q70 40 78 46M40 56Q46 52 52 56", 3, c.dark)
        + svg_flat_group(*(svg_disc(x, y, 2, CREAM) for x, y in ((32, 30), (70, 32), (50, 42))))
    )


DRAWINGS = drawings_by_name(
    draw_apple,
    draw_pear,
    draw_banana,
    draw_lemon,
    draw_tangerine,
    draw_strawberry,
    draw_cherries,
    draw_grapes,
    draw_pineapple,
    draw_watermelon,
    draw_carrot,
    draw_pumpkin,
    draw_broccoli,
)
