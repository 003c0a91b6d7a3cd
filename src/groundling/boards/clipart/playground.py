"""Clip art of the large things in the park."""

from __future__ import annotations

from groundling.boards.clipart import trees
from groundling.boards.clipart.paint import (
    BARK,
    BLACK,
    BROWN,
    CREAM,
    GLASS,
    ORANGE,
    PLUM,
    RED,
    SAND,
    SLATE,
    STEEL,
    TAN,
    TEAL,
    VIOLET,
    WHITE,
    YELLOW,
)
from groundling.boards.clipart.parts import (
    ClipartDrawing,
    clipart_gloss,
    clipart_line,
    clipart_shade,
    clipart_tube,
    draw_clipart_eyes,
    svg_disc,
    svg_flat_group,
    svg_oval,
    svg_shape,
)

_WET_SAND = "#b98f4d"


def draw_spring_bee() -> str:
    return (
        svg_oval(44, 103, 26, 5, SLATE)
        + clipart_tube("M34 99Q46 104 56 97Q44 98 33 92Q46 96 56 89Q44 90 33 84Q46 88 56 80", 2.5, STEEL, 2)
        + svg_shape("M44 36C28 12 10 12 12 26C14 38 30 42 44 40Z", GLASS)
        + svg_shape("M40 34C34 8 20 4 18 14", GLASS)
        + svg_shape("M4 58C6 42 26 34 46 36C66 38 74 52 72 66C70 80 52 84 36 82C18 80 6 70 4 58Z", YELLOW)
        + svg_shape(
            "M24 40Q16 58 26 79L38 82Q28 60 36 37ZM50 37Q42 60 50 83L61 80Q54 60 62 42Z",
            BLACK,
            'stroke="none"',
        )
        + clipart_line("M4 58C6 42 26 34 46 36C66 38 74 52 72 66C70 80 52 84 36 82C18 80 6 70 4 58Z")
        + clipart_line("M64 26Q58 10 66 5M82 26Q86 10 80 5", 2.5)
        + svg_flat_group(svg_disc(67, 5, 4, BLACK), svg_disc(79, 5, 4, BLACK))
        + svg_disc(74, 44, 21, YELLOW)
        + draw_clipart_eyes((70, 39), (84, 39), r=6.5)
        + svg_shape("M66 50Q76 54 88 49Q84 60 76 59Q69 58 66 50Z", WHITE)
    )


def draw_slide() -> str:
    return (
        clipart_tube("M108 74V44Q108 6 128 6Q146 6 146 40V74", 6, VIOLET)
        + svg_shape("M52 76L104 60L148 70L100 92Z", STEEL)
        + clipart_tube("M6 240L46 92M58 224L96 92", 6, VIOLET)
        + clipart_tube("M18 206L62 196M27 172L70 163M36 139L79 131M43 110L87 104", 5, YELLOW)
        + svg_shape("M100 90L146 70C160 130 182 190 240 230V250H196C142 226 112 162 100 90Z", CREAM)
        + clipart_shade("M172 176C190 206 212 222 240 236V250H196C176 240 160 226 148 208Z")
        + clipart_tube("M146 70C160 130 182 192 239 229", 9, ORANGE)
        + clipart_tube("M100 90C112 162 142 228 196 252", 10, ORANGE)
        + clipart_tube("M46 98V60Q46 22 70 22Q94 22 97 60V94", 6, VIOLET)
    )


def draw_sandbox() -> str:
    return (
        svg_shape("M6 34L226 4L374 40V72L150 114L6 66Z", BROWN)
        + svg_shape("M22 36L224 11L356 42L152 78Z", SAND)
        + clipart_line(
            "M60 42Q80 36 100 42M96 54Q120 48 140 55M150 66Q172 60 190 63M120 34Q140 28 160 33", 2, _WET_SAND
        )
        + svg_shape("M6 34L22 36L152 78L356 42L374 40L152 88Z", TAN)
        + svg_shape("M6 34L22 36L224 11L356 42L374 40L226 4Z", TAN)
        + svg_shape(
            "M170 60C196 52 206 20 226 10Q246-2 266 10C288 22 300 40 330 45Q250 66 170 60Z",
            "#ecd191",
            f'stroke="{_WET_SAND}"',
        )
        + clipart_shade("M246 3Q258 4 266 10C288 22 300 40 330 45Q300 54 262 58C276 42 268 20 246 3Z")
        + clipart_shade("M152 88L374 40V72L150 114Z")
        + clipart_line("M8 51L150 102L372 57M152 88L150 113")
    )


def draw_grill() -> str:
    return (
        clipart_tube("M24 44L10 80M48 44L62 87M36 46V84", 3, SLATE, 2.5)
        + clipart_line("M16 68H56", 3)
        + svg_disc(10, 82, 6, BLACK)
        + svg_shape("M3 14H69C69 36 56 50 36 50C16 50 3 36 3 14Z", RED)
        + clipart_gloss("M8 22H18Q18 36 28 45Q10 40 8 22Z")
        + svg_oval(36, 13, 33, 10, BLACK)
        + svg_flat_group(*(svg_disc(x, y, 3, ORANGE) for x, y in ((18, 14), (29, 18), (44, 18), (55, 13))))
        + clipart_line("M10 10L20 21M22 5L34 23M36 3L48 21M50 5L60 17", 1.5, STEEL)
        + clipart_tube("M19 10L34 6M38 16L54 11", 5, "#c96a43", 2)
    )


def draw_swing() -> str:
    poles = "M58 42L8 246M300 12L246 220"
    near = "M58 42L98 298M300 12L350 268"
    return (
        clipart_tube(poles, 9, TEAL, 4)
        + clipart_tube("M58 42L300 12", 10, YELLOW, 4)
        + clipart_line("M110 38L136 206M146 34L178 198M206 27L208 188M242 22L248 182", 3, SLATE)
        + clipart_tube("M134 207Q158 216 180 199M206 190Q230 198 250 183", 7, RED)
        + clipart_tube(near, 9, TEAL, 4)
        + svg_disc(58, 42, 11, RED)
        + svg_disc(300, 12, 10, RED)
    )


def draw_tent() -> str:
    return (
        clipart_line("M84 108L6 180M196 66L86 190M334 130L418 190", 2.5, TAN)
        + clipart_tube("M6 174L4 186M88 184L84 196M416 184L420 196", 3, BARK, 2)
        + svg_shape("M150 4L276 24L196 194L66 152C86 110 112 60 150 4Z", ORANGE)
        + svg_shape(
            "M171 8L192 11C156 66 128 120 112 167L92 160C106 118 134 64 171 8ZM220 15L242 18"
            "C206 76 176 134 158 182L138 175"
            "C156 126 186 66 220 15Z",
            CREAM,
        )
        + svg_shape("M276 24C300 80 336 140 372 194H196C228 136 256 82 276 24Z", ORANGE)
        + svg_shape("M276 40C280 96 296 150 318 193H238C262 150 274 96 276 40Z", PLUM)
        + svg_shape("M276 30C276 92 264 150 226 193H196C228 136 256 82 276 30Z", YELLOW)
        + svg_shape("M276 30C284 92 300 150 336 193H372C336 140 300 84 276 30Z", YELLOW)
        + clipart_tube("M276 22V12", 4, BARK, 2)
        + svg_shape("M276 4L296 9L276 15Z", RED)
    )


def draw_picnic_table() -> str:
    return (
        clipart_tube("M60 40L34 88M196 28L232 80", 8, BROWN)
        + clipart_tube("M30 70L206 52", 8, TAN)
        + clipart_tube("M92 40L60 108M64 40L100 104M234 40L206 100M210 36L252 98", 8, BROWN)
        + clipart_tube("M58 86L262 74", 12, TAN)
        + clipart_line("M64 85L256 74", 1.5)
        + svg_shape("M4 30L190 3L266 26L76 54Z", TAN)
        + clipart_line("M28 38L214 10M52 46L240 18")
        + svg_shape("M4 30L76 54L266 26V33L76 62L4 37Z", BROWN)
    )


DRAWINGS = {
    "spring bee": ClipartDrawing(98, 110, draw_spring_bee),
    "slide": ClipartDrawing(248, 262, draw_slide),
    "sandbox": ClipartDrawing(380, 118, draw_sandbox, 2.5),
    "grill": ClipartDrawing(72, 92, draw_grill),
    "swing": ClipartDrawing(360, 304, draw_swing),
    "tent": ClipartDrawing(424, 200, draw_tent, 2.5),
    "picnic table": ClipartDrawing(270, 114, draw_picnic_table, 2.5),
    "pine tree": ClipartDrawing(368, 766, trees.draw_pine_tree, 4),
    "oak tree": ClipartDrawing(290, 508, trees.draw_oak_tree, 3.5),
    "apple tree": ClipartDrawing(376, 428, trees.draw_apple_tree, 3.5),
}
