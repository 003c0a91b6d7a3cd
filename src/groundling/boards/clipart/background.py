"""The park background: sky, a horizon, grass."""

from __future__ import annotations

from groundling.boards.clipart.parts import svg_box, svg_flat_group, svg_shape
from groundling.boards.scene.kinds import HEIGHT, HORIZON, WIDTH

_TUFTS = (
    (40, 226),
    (118, 262),
    (212, 222),
    (300, 286),
    (388, 236),
    (462, 300),
    (64, 338),
    (180, 372),
    (352, 368),
    (440, 384),
)


def draw_background() -> str:
    """Draw the whole canvas. It is plain on purpose: everything that can be named in a scene is a piece."""
    tufts = "".join(f"M{x} {y}q-5-2-7-8q6 1 8 6q0-7 3-10q3 4 2 10q3-5 8-6q-2 6-8 8Z" for x, y in _TUFTS)
    return svg_flat_group(
        svg_box(0, 0, WIDTH, HORIZON, "#a8dcf2"),
        svg_shape(f"M0 78Q125 62 250 76T500 70V{HORIZON}H0Z", "#bde5f5"),
        svg_shape(f"M0 136Q125 124 250 138T500 130V{HORIZON}H0Z", "#d3eef7"),
        svg_box(0, HORIZON, WIDTH, HEIGHT - HORIZON, "#b2db86"),
        svg_shape(f"M0 262Q130 246 260 264T500 254V{HEIGHT}H0Z", "#a8d47b"),
        svg_shape(f"M0 336Q140 318 270 336T500 326V{HEIGHT}H0Z", "#9ecd71"),
        svg_shape(tufts, "#8fc062"),
        svg_box(0, HORIZON - 1, WIDTH, 2, "#8fbf6a"),
    )
