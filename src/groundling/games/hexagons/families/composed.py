"""Composed images: two mechanisms side by side or nested, or a scene of several things."""

from __future__ import annotations

from groundling.games.hexagons.families.figures import (
    boat_figure,
    cottage_figure,
    fir_figure,
    fish_figure,
    tulip_figure,
)
from groundling.games.hexagons.families.motifs import (
    blossom_motif,
    bow_motif,
    dot_motif,
    flower_motif,
    propeller_motif,
    rhomb_motif,
    star_motif,
)
from groundling.games.hexagons.families.sampling import ProgramDraft, ProgramSampler, block, draft_program

_HALVES = (
    block("repeat 5 right 2", "paint {a} line 1,{left} down 10"),
    block("repeat 5 down 2", "paint {a} {b} line 1,{left} right 8"),
    block(
        "at 2,{left}",
        block("repeat 2 right 4 by 3 down 3", "paint {a} flower (here right 1)", "paint {b} (here right 1)"),
    ),
    block("repeat 5 down 2", "paint {a} line 1,{left} right 8"),
    block("at 3,{left}", block("repeat 3 right 3 by 3 down 3", "paint {a} rhombus here up-right 2")),
    block("repeat 8 right 1 with c = {a} {b}", "paint c - line 1,{left} down 10"),
    block(
        "at 5,{left}",
        block(
            "repeat 3 right 2 with c = {a} {b}",
            "paint c line here up-right 5",
            "paint c line here down-right 5",
        ),
    ),
)


def draft_composed_halves(pen: ProgramSampler) -> ProgramDraft:
    """One pattern on the left and another on the right."""
    a, b, c, d = pen.colours(4)
    one, two = pen.some_of(_HALVES, 2)
    wall = pen.one_of(f"paint {pen.one_of(a, c)} column 9", "")
    return draft_program(one.format(a=a, b=b, left=1), two.format(a=c, b=d, left=pen.one_of(10, 11)), wall)


def draft_composed_frame(pen: ProgramSampler) -> ProgramDraft:
    """A frame around a rotated shape."""
    a, b, c = pen.colours(3)
    frame = pen.one_of("border", "row 1 plus row 10", "column 1 plus column 2 plus column 17 plus column 18")
    hues = pen.one_of(a, f"{a} {b}", f"{a} {a} {b}")
    inner = pen.one_of(
        [f"paint {c} line (here up 1) up 3", f"paint {b} (here up 2 up-right 1)"],
        [f"paint {c} line (here up 1) up 2", f"paint {b} (here up 3)"],
        [f"paint {c} triangle (here up 1) up 2"],
        [f"paint {c} line (here up 2) down-right 3", f"paint {b} (here up 1)"],
        [f"paint {c} line (here up 3) down-right 4", f"paint {b} line (here up 1) up 1"],
    )
    return draft_program(
        f"paint {hues} {frame}",
        block(f"at {pen.tile((5, 6), (8, 11))}", block("rotate 6 about here", *inner), f"paint {a} here"),
    )


def draft_composed_garden(pen: ProgramSampler) -> ProgramDraft:
    """A row of plants or houses between ground and sky."""
    sky, ground = pen.colours(2)
    thing, row, step = pen.one_of((tulip_figure, 5, 5), (fir_figure, 3, 5), (cottage_figure, 5, 5))
    return draft_program(
        f"paint {ground} row 10",
        block(f"at {row},3", block(f"repeat 3 right {step}", thing(pen))),
        pen.one_of(f"paint {sky} - line 1,1 right until edge", f"paint {sky} disc 2,17 1", ""),
    )


def draft_composed_seascape(pen: ProgramSampler) -> ProgramDraft:
    """A boat or a fish on the water under the sun."""
    water, light = pen.one_of(("blue", "yellow"), ("purple", "orange"), ("green", "red"), ("blue", "orange"))
    thing = pen.one_of(boat_figure, fish_figure)(pen)
    return draft_program(
        f"paint {water} row 10",
        f"paint {water} - line 9,1 right until edge",
        f"paint {light} {pen.one_of('disc 2,16 1', 'disc 3,15 1', 'disc 2,17 1', 'disc 3,3 1')}",
        block(f"at 7,{pen.between(6, 10)}", thing),
    )


def draft_composed_island(pen: ProgramSampler) -> ProgramDraft:
    """Stripes over the whole board around a motif in the middle."""
    a, b, c = pen.colours(3)
    centre = pen.tile((5, 6), (8, 11))
    stripes = pen.one_of("column odd", "row odd", "column even", "row even")
    return draft_program(
        f"paint {a} board where {stripes}",
        f"paint white disc {centre} {pen.one_of(3, 4)}",
        pen.one_of(f"paint {b} ring {centre} 2", f"paint {b} ring {centre} 3", ""),
        block(
            f"at {centre}",
            pen.one_of(flower_motif, star_motif, dot_motif, propeller_motif)(pen, pen.one_of(b, c), c),
        ),
    )


def draft_composed_banks(pen: ProgramSampler) -> ProgramDraft:
    """A row of motifs and its mirror image with a line between them."""
    a, b, c = pen.colours(3)
    motif = pen.one_of(bow_motif, flower_motif, rhomb_motif, blossom_motif, star_motif, propeller_motif)(
        pen, "c", c
    )
    inner = block(f"repeat until edge right {pen.between(4, 5)} with c = {a} {b}", motif)
    return draft_program(
        block(
            f"at {pen.between(5, 6)},1",
            f"paint {c} line here right until edge",
            block(
                "mirror horizontal about here",
                block(f"at (here up {pen.between(2, 3)} right {pen.between(1, 2)})", inner),
            ),
        )
    )


def draft_composed_slopes(pen: ProgramSampler) -> ProgramDraft:
    """Stripes on one side of a diagonal and something else on the other."""
    a, b, c = pen.colours(3)
    start, way, over, under = pen.one_of(
        ("10,1", "up-right", "up", "down"), ("1,1", "down-right", "up", "down")
    )
    here, there = pen.one_of((over, under), (under, over))
    other = pen.one_of(
        block(f"at board where {a} and column even", f"paint {c} - line (here {there} 2) {there} until edge"),
        block(
            f"at board where {a} and column odd", f"paint {c} {b} line (here {there} 1) {there} until edge"
        ),
        block(
            f"at {'3,4 3,9' if there == 'up' and start == '10,1' else '8,15 8,10'}",
            f"paint {c} flower here",
            f"paint {b} here",
        ),
    )
    return draft_program(
        f"paint {a} line {start} {way} until edge",
        block(f"at board where {a} and column odd", f"paint {b} line (here {here} 1) {here} until edge"),
        other,
    )


def draft_composed_beams(pen: ProgramSampler) -> ProgramDraft:
    """A six-sided shape with beams to the edge."""
    a, b, c = pen.colours(3)
    core = pen.one_of(
        [f"paint {a} disc here 1", f"paint {b} ring here 2"],
        [f"paint {a} ring here 2", f"paint {b} here"],
        [f"paint {a} ring here 1", f"paint {b} (ring here 2) where touching 1 {a}"],
    )
    beam = pen.one_of(
        f"{c} line (here up 3) up until edge",
        f"{c} - line (here up 4) up until edge",
        f"{c} {a} line (here up 3) up until edge",
    )
    return draft_program(
        block(
            f"at {pen.tile((4, 7), (6, 13))}",
            *core,
            block(
                "rotate 6 about here",
                f"paint {beam}",
                f"paint {pen.one_of(a, b)} (here up 3 down-right 1)" if pen.between(0, 1) else "",
            ),
        )
    )


def draft_composed_border(pen: ProgramSampler) -> ProgramDraft:
    """Small motifs along two sides with a large shape between them."""
    a, b, c = pen.colours(3)
    motif = pen.one_of(flower_motif, blossom_motif, dot_motif)(pen, "c", c)
    centre = pen.tile((5, 6), (8, 11))
    large = pen.one_of(
        f"paint {c} outline (rhombus ({centre} left 4) up-right 5)",
        f"paint {a} {b} line 5,2 right 15",
        f"paint {c} rhombus ({centre} left 2) up-right 3",
        f"paint {c} line ({centre} left 6) right 13",
    )
    gap = pen.one_of(4, 5)
    count = 5 if gap == 4 else 4
    top = f"2,{2 if gap == 5 else 1 + (18 - 4 * 4) // 2}"
    return draft_program(
        block(
            f"at {top}",
            block(f"repeat {count if gap == 5 else 4} right {gap} by 2 down 7 with c = {a} {b}", motif),
        ),
        large,
    )


IDEAS = (
    draft_composed_halves,
    draft_composed_frame,
    draft_composed_garden,
    draft_composed_seascape,
    draft_composed_island,
    draft_composed_banks,
    draft_composed_slopes,
    draft_composed_beams,
    draft_composed_border,
)
