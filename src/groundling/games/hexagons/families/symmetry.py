"""Functions and symmetry: one block drawn in other colours, places and turns, or mirrored and rotated."""

from __future__ import annotations

from groundling.games.hexagons.families.figures import (
    bee_figure,
    cherries_figure,
    fish_figure,
    flag_figure,
    key_figure,
    tulip_figure,
)
from groundling.games.hexagons.families.motifs import (
    arrowhead_motif,
    bone_motif,
    bow_motif,
    chevron_motif,
    hook_motif,
    propeller_motif,
)
from groundling.games.hexagons.families.sampling import (
    ProgramDraft,
    ProgramSampler,
    block,
    draft_program,
    turn_lines,
)


def draft_symmetry_snowflake(pen: ProgramSampler) -> ProgramDraft:
    """Strokes in a twelfth of the circle, mirrored and rotated six times."""
    colours = pen.colours(1, 3)
    reach, radius = 3 if pen.wish.size == 1 else 4, 1
    strokes = []
    while radius <= reach:
        colour = pen.one_of(*colours)
        kind = pen.between(0, 4)
        if kind < 2 and radius < reach:
            strokes.append(f"paint {colour} line (here up {radius}) up 2")
            radius += 1
        elif kind == 4 and radius > 1:
            strokes.append(
                f"paint {colour} line (here up {radius}) down-right {pen.between(2, radius // 2 + 1)}"
            )
        elif kind == 3 and radius > 2:
            strokes.append(f"paint {colour} (here up {radius} down-right {radius // 2})")
        else:
            strokes.append(f"paint {colour} (here up {radius})")
        radius += pen.one_of(1, 1, 2)
    return draft_program(
        block(
            f"at {pen.tile((5, 6), (6, 13))}",
            block("rotate 6 about here", block("mirror vertical about here", *strokes)),
            pen.one_of(f"paint {pen.one_of(*colours)} here", ""),
        ),
        groups=("D6",),
    )


def draft_symmetry_pinwheel(pen: ProgramSampler) -> ProgramDraft:
    """Strokes rotated three or six times without a mirror."""
    colours = pen.colours(1, 3)
    times = pen.one_of(3, 6)
    long, short = pen.between(2, 4), pen.between(2, 3)
    arm = pen.one_of(
        [f"line (here up 1) up {long}", f"line (here up {long}) up-right {short}"],
        [f"line (here up 1) up {long}", f"line (here up {long}) down-right {short}"],
        [f"triangle (here up 1) up {short}"],
        [f"line (here up 1) up {long}", f"(here up {long} up-left 1)", f"(here up {long - 1} up-left 1)"],
        [f"rhombus (here up 1) up {short}"],
        [f"line (here up 1) up-right {long}"],
        [f"line (here up 2) up-right {long}", "(here up 1)"],
        ["line (here up 2) up 2", "line (here up 3) down-right 3"],
    )
    strokes = [f"paint {colours[n % len(colours)]} {part}" for n, part in enumerate(arm)]
    return draft_program(
        block(
            f"at {pen.tile((5, 6), (6, 13))}",
            block(f"rotate {times} about here", *strokes),
            f"paint {pen.one_of(*colours)} here",
        ),
        groups=(f"C{times}",),
    )


_UPRIGHT = (
    ("triangle (here up-right 1) up 4", "rhombus (here down-right 1) down-right 3 x 2"),
    (
        "line (here up-right 1) up 3",
        "line (here up-right 2) up 4",
        "line (here up-right 3) up 3",
        "triangle (here down 2) up-right 3",
    ),
    ("triangle here up-right 6", "triangle (here right 3) up-right 2"),
    ("line (here up-right 1) up-right 5", "line (here down-right 1) down-right 5", "disc (here right 5) 1"),
    ("disc (here up-right 3) 1", "disc (here down-right 3) 1", "(here right 3)"),
    ("rhombus (here up 1 right 1) up-right 3", "rhombus (here down 2 right 1) up-right 2"),
    ("line (here up 2) up-right 6", "line (here down 2) down-right 6", "triangle (here right 3) up-right 4"),
    ("line (here down 2) up-right 7", "line (here down 3) up-right 5", "line (here up 2) up-right 3"),
)
_LEVEL = (
    ("triangle (here up 1 left 3) up 3", "triangle (here up 1 right 1) up-right 3"),
    (
        "line (here up 1 left 2) up 3",
        "line (here up 1) up 4",
        "line (here up 1 right 2) up 3",
        "(here up 2 right 4)",
    ),
    ("disc (here up 3 left 3) 1", "line (here up 1) up 3", "(here up 2 right 3)", "(here up 1 right 4)"),
    ("line (here up 1 left 4) up-right 4", "line (here up 1 right 4) up-left 3"),
    (
        "line (here up 1 left 5) up-right 4",
        "line (here up 1 left 2) up-right 4",
        "line (here up 1 right 1) up-right 4",
    ),
)


def draft_symmetry_mirrored(pen: ProgramSampler) -> ProgramDraft:
    """Wings on both sides of a body, with one vertical or horizontal mirror."""
    colours = pen.colours(2, 4)
    upright = pen.between(0, 2) > 0
    parts = pen.one_of(*(_UPRIGHT if upright else _LEVEL))
    reach = pen.between(4, 6)
    body = "line (here up 2) down 5" if upright else f"line (here left {reach}) right {2 * reach + 1}"
    hues = colours[1:]
    return draft_program(
        block(
            f"at {pen.tile((4, 6), (8, 11))}",
            block(
                f"mirror {'vertical' if upright else 'horizontal'} about here",
                *(f"paint {hues[n % len(hues)]} {part}" for n, part in enumerate(parts)),
            ),
            f"paint {colours[0]} {body}",
        ),
        groups=("D1",),
    )


def draft_symmetry_wings(pen: ProgramSampler) -> ProgramDraft:
    """Striped wings that widen or narrow from the middle outwards."""
    body, *hues = pen.colours(3, 5)
    count = pen.size(4, 7)
    stripes = f"with c = {' '.join(hues)}"
    wing = pen.one_of(
        block(
            "at (here up-right 1)",
            block(f"repeat {count} up-right 1 counting n {stripes}", "paint c line here down n"),
        ),
        block(
            "at (here up-right 1)",
            block(f"repeat {count} up-right 1 counting n from 2 {stripes}", "paint c line here down n"),
        ),
        block(
            "at (here up-right 1)",
            block(f"repeat {count} down-right 1 {stripes}", f"paint c line here up {count - 2}"),
        ),
        block(
            "at (here down-right 1)",
            block(f"repeat {count} up-right 1 {stripes}", "paint c line here down 3"),
        ),
    )
    return draft_program(
        block(
            f"at {pen.tile((4, 6), (8, 11))}",
            block("mirror vertical about here", wing),
            f"paint {body} line (here up 1) down 3",
        ),
        groups=("D1", "D2"),
    )


def draft_symmetry_quarters(pen: ProgramSampler) -> ProgramDraft:
    """Strokes mirrored about two axes at right angles."""
    colours = pen.colours(2, 3)
    parts = pen.one_of(
        ["line here up-right 7", "triangle (here right 4) up-right 3"],
        ["disc (here up-right 4) 1", "line (here up 2) up 2", "line (here right 3) right 3"],
        ["line (here up 1) up-right 6", "line (here up 3) up-right 4", "line (here right 3) right 3"],
        ["triangle (here up-right 3) up 3", "line (here right 5) right 3"],
        ["line (here up 4) down-right 8", "disc here 1"],
        ["rhombus (here up 1 right 1) up-right 3", "line (here right 2) right 6"],
        ["line here up-right 5", "disc (here up-right 6) 1"],
        ["triangle here up-right 4", "line (here up 2) up-right 6"],
    )
    return draft_program(
        block(
            f"at {pen.tile((5, 6), (8, 11))}",
            block(
                "mirror vertical about here",
                block(
                    "mirror horizontal about here",
                    *(f"paint {colours[n % len(colours)]} {part}" for n, part in enumerate(parts)),
                ),
            ),
            f"paint {colours[-1]} here",
        ),
        groups=("D2",),
    )


def draft_symmetry_leaning(pen: ProgramSampler) -> ProgramDraft:
    """Shapes mirrored about a slanting axis, which is drawn."""
    a, *hues = pen.colours(2, 3)
    axis, way, start, side = pen.one_of(
        ("rising", "up-right", "10,1", "up"), ("falling", "down-right", "1,1", "up-right")
    )
    spots = sorted(pen.some_of([3, 6, 9, 12], pen.between(2, 3)))
    shape = pen.one_of(
        f"triangle (here {side} 1) {side} 3",
        f"line (here {side} 1) {side} 3",
        f"disc (here {side} 3) 1",
        f"flower (here {side} 2)",
    )
    return draft_program(
        block(
            f"at {start}",
            f"paint {a} line here {way} until edge",
            block(
                f"mirror {axis} about here",
                *(
                    block(f"at (here {way} {spot})", f"paint {hues[n % len(hues)]} {shape}")
                    for n, spot in enumerate(spots)
                ),
            ),
        ),
        groups=("D1", "D2"),
    )


def draft_symmetry_half_turn(pen: ProgramSampler) -> ProgramDraft:
    """A figure and its copy turned by 180 degrees about the middle of the board."""
    figure = pen.one_of(fish_figure, key_figure, flag_figure, bee_figure, cherries_figure, tulip_figure)(pen)
    return draft_program(
        block("rotate 2 about 5,9 6,10", block(f"at {pen.tile((2, 8), (3, 9))}", figure)), groups=("C2",)
    )


def draft_symmetry_pieces(pen: ProgramSampler) -> ProgramDraft:
    """A block that is defined once and drawn in other colours, places and turns."""
    colours = pen.colours(2, 4)
    motif = pen.one_of(bow_motif, hook_motif, chevron_motif, propeller_motif, arrowhead_motif, bone_motif)(
        pen, "a", "b"
    )
    pairs = [pen.some_of(colours, 2) for _ in range(pen.size(5, 8))]
    spots = pen.some_of(
        [(3, 3), (2, 8), (3, 12), (3, 16), (6, 6), (6, 10), (6, 14), (9, 3), (8, 8), (9, 12), (8, 16)],
        len(pairs),
    )
    calls = [
        block(f"at {row},{column}", turn_lines(turn, f"piece({a}, {b})"))
        for (row, column), (a, b) in zip(sorted(spots), pairs, strict=True)
        for turn in [pen.one_of(0, 1, 2, 3, 4, 5)]
    ]
    return draft_program(block("define piece(a, b)", motif), *calls, groups=("C1",), parts=len(pairs))


IDEAS = (
    draft_symmetry_snowflake,
    draft_symmetry_snowflake,
    draft_symmetry_pinwheel,
    draft_symmetry_mirrored,
    draft_symmetry_wings,
    draft_symmetry_quarters,
    draft_symmetry_leaning,
    draft_symmetry_half_turn,
    draft_symmetry_pieces,
)
