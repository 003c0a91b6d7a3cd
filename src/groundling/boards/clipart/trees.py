"""Clip art of trees."""

from __future__ import annotations

from groundling.boards.clipart.paint import BARK, BROWN, LEAF, PINE, RED
from groundling.boards.clipart.parts import (
    clipart_gloss,
    clipart_line,
    clipart_shade,
    svg_disc,
    svg_flat_group,
    svg_oval,
    svg_shape,
)


def draw_pine_tree() -> str:
    tiers = (
        (500, 180, 700, 60),
        (372, 158, 576, 52),
        (244, 128, 448, 44),
        (120, 98, 320, 34),
        (5, 64, 190, 3),
    )
    body = ""
    for top, half, bottom, neck in tiers:
        low, step = bottom - 36, half / 3
        body += svg_shape(
            f"M{184 - neck} {top}Q{174 - neck} {(top + low) / 2:.0f} {184 - half} {low}"
            f"q{step / 2:.0f} 34 {step:.0f} 12"
            f"q{step / 2:.0f} 38 {step:.0f} 8q{step:.0f} 40 {2 * step:.0f} 0q{step / 2:.0f} 30 {step:.0f}-8"
            f"Q{184 + half - 6} {low + 30} {184 + half} {low}"
            f"Q{194 + neck} {(top + low) / 2:.0f} {184 + neck} {top}"
            f"Q184 {top - neck // 6} {184 - neck} {top}Z",
            PINE,
        ) + clipart_gloss(
            f"M{184 - half * 0.5:.0f} {low - 24}q{half * 0.2:.0f}-20 {half * 0.3:.0f}-56"
            f"q2 40-{half * 0.3:.0f} 56Z",
            0.2,
        )
    trunk = svg_shape("M152 650Q156 730 130 762H238Q212 730 216 650Z", BROWN) + clipart_shade(
        "M184 650H216Q212 730 238 762H196Z"
    )
    return trunk + body


def draw_oak_tree() -> str:
    return (
        svg_shape("M116 380Q124 456 96 503Q146 496 194 504Q170 456 176 380Z", BROWN)
        + clipart_shade("M154 400H176Q170 456 194 504Q176 500 162 500Z")
        + svg_oval(133, 450, 11, 16, BARK)
        + clipart_line("M161 430Q158 450 163 470", 2, BARK)
        + svg_shape(
            "M144 3C178 3 196 24 196 48C222 50 236 72 228 96C252 106 262 132 250 158C272 172 278 200 264 222"
            "C290 246 290 286 266 308C274 346 252 384 214 386C198 414 150 420 126 400C96 420 52 408 44 376"
            "C14 372 0 342 10 312C-2 286 4 256 26 244C16 220 26 194 48 186"
            "C36 158 46 130 70 120C58 92 70 62 98 56C98 26 116 3 144 3Z",
            "#79b240",
        )
        + clipart_line(
            "M92 108Q112 124 136 110M176 150Q198 164 222 148M60 238Q86 254 112 236M150 236Q172 248 192 232"
            "M180 316Q208 332 238 312M84 330Q110 346 138 328",
            5,
            "#528a2c",
        )
        + clipart_gloss(
            "M84 128C80 96 96 70 116 64C112 40 126 20 144 16C130 40 128 58 130 72C108 84 98 100 84 128Z", 0.3
        )
        + clipart_shade(
            "M44 376C60 352 96 380 122 368C150 392 190 376 208 356C232 362 260 346 266 310"
            "C274 346 252 384 214 386"
            "C198 414 150 420 126 400C96 420 52 408 44 376Z"
        )
    )


def draw_apple_tree() -> str:
    apples = (
        (70, 112),
        (148, 62),
        (232, 44),
        (306, 96),
        (226, 132),
        (142, 164),
        (332, 182),
        (66, 206),
        (254, 222),
        (174, 258),
        (302, 272),
        (100, 290),
    )
    return (
        svg_shape("M162 320Q176 380 138 424Q190 416 242 425Q208 380 222 320Z", BARK)
        + clipart_line("M194 360Q188 392 198 410", 2, BROWN)
        + svg_shape(
            "M188 3C236 -2 276 16 296 44C336 56 362 92 360 128C382 160 376 206 352 230"
            "C354 276 322 310 284 314"
            "C254 346 210 354 184 336C150 354 104 346 84 316C44 310 16 274 20 232C-2 204 -2 160 18 132"
            "C16 92 44 56 82 46C104 16 144 0 188 3Z",
            LEAF,
        )
        + clipart_shade(
            "M20 232C40 268 84 262 100 276C130 312 176 286 196 294C230 312 266 280 286 272"
            "C320 270 346 252 352 230"
            "C354 276 322 310 284 314C254 346 210 354 184 336C150 354 104 346 84 316C44 310 16 274 20 232Z"
        )
        + clipart_gloss("M52 104C58 72 92 56 118 56C92 74 76 96 70 126Z", 0.25)
        + "".join(svg_disc(x, y, 16, RED) for x, y in apples)
        + clipart_line("".join(f"M{x} {y - 14}q1-7 7-9" for x, y in apples), 2.5)
        + svg_flat_group(*(svg_disc(x - 5, y - 5, 4, "#ffb3a0") for x, y in apples))
    )
