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
from groundling.games.hexagons.families.sampling import (
    ProgramDraft,
    ProgramSampler,
    indent_sampled_block,
    join_sampled_statements,
)

_HALVES = (
    indent_sampled_block("repeat 5 right 2", "paint {a} line 1,{left} down 10"),
    indent_sampled_block("repeat 5 down 2", "paint {a} {b} line 1,{left} right 8"),
    indent_sampled_block(
        "at 2,{left}",
        indent_sampled_block(
            "repeat 2 right 4 by 3 down 3", "paint {a} flower (here right 1)", "paint {b} (here right 1)"
        ),
    ),
    indent_sampled_block("repeat 5 down 2", "paint {a} line 1,{left} right 8"),
    indent_sampled_block(
        "at 3,{left}",
        indent_sampled_block("repeat 3 right 3 by 3 down 3", "paint {a} rhombus here up-right 2"),
    ),
    indent_sampled_block("repeat 8 right 1 with c = {a} {b}", "paint c - line 1,{left} down 10"),
    indent_sampled_block(
        "at 5,{left}",
        indent_sampled_block(
            "repeat 3 right 2 with c = {a} {b}",
            "paint c line here up-right 5",
            "paint c line here down-right 5",
        ),
    ),
)


def draft_composed_halves(pen: ProgramSampler) -> ProgramDraft:
    """One pattern on the left and another on the right."""
    a, b, c, d = pen.sample_colours(4)
    one, two = pen.choose_some(_HALVES, 2)
    wall = pen.sample_one(f"paint {pen.sample_one(a, c)} column 9", "")
    return ProgramDraft(
        join_sampled_statements(
            one.format(a=a, b=b, left=1), two.format(a=c, b=d, left=pen.sample_one(10, 11)), wall
        )
    )


def draft_composed_frame(pen: ProgramSampler) -> ProgramDraft:
    """A frame around a rotated shape."""
    a, b, c = pen.sample_colours(3)
    frame = pen.sample_one(
        "border", "row 1 plus row 10", "column 1 plus column 2 plus column 17 plus column 18"
    )
    hues = pen.sample_one(a, f"{a} {b}", f"{a} {a} {b}")
    inner = pen.sample_one(
        [f"paint {c} line (here up 1) up 3", f"paint {b} (here up 2 up-right 1)"],
        [f"paint {c} line (here up 1) up 2", f"paint {b} (here up 3)"],
        [f"paint {c} triangle (here up 1) up 2"],
        [f"paint {c} line (here up 2) down-right 3", f"paint {b} (here up 1)"],
        [f"paint {c} line (here up 3) down-right 4", f"paint {b} line (here up 1) up 1"],
    )
    return ProgramDraft(
        join_sampled_statements(
            f"paint {hues} {frame}",
            indent_sampled_block(
                f"at {pen.sample_between(5, 6)},{pen.sample_between(8, 11)}",
                indent_sampled_block("rotate 6 about here", *inner),
                f"paint {a} here",
            ),
        )
    )


def draft_composed_garden(pen: ProgramSampler) -> ProgramDraft:
    """A row of plants or houses between ground and sky."""
    sky, ground = pen.sample_colours(2)
    thing, row, step = pen.sample_one((tulip_figure, 5, 5), (fir_figure, 3, 5), (cottage_figure, 5, 5))
    return ProgramDraft(
        join_sampled_statements(
            f"paint {ground} row 10",
            indent_sampled_block(f"at {row},3", indent_sampled_block(f"repeat 3 right {step}", thing(pen))),
            pen.sample_one(f"paint {sky} - line 1,1 right until edge", f"paint {sky} disc 2,17 1", ""),
        )
    )


def draft_composed_seascape(pen: ProgramSampler) -> ProgramDraft:
    """A boat or a fish on the water under the sun."""
    water, light = pen.sample_one(
        ("blue", "yellow"), ("purple", "orange"), ("green", "red"), ("blue", "orange")
    )
    thing = pen.sample_one(boat_figure, fish_figure)(pen)
    return ProgramDraft(
        join_sampled_statements(
            f"paint {water} row 10",
            f"paint {water} - line 9,1 right until edge",
            f"paint {light} {pen.sample_one('disc 2,16 1', 'disc 3,15 1', 'disc 2,17 1', 'disc 3,3 1')}",
            indent_sampled_block(f"at 7,{pen.sample_between(6, 10)}", thing),
        )
    )


def draft_composed_island(pen: ProgramSampler) -> ProgramDraft:
    """Stripes over the whole board around a motif in the middle."""
    a, b, c = pen.sample_colours(3)
    centre = f"{pen.sample_between(5, 6)},{pen.sample_between(8, 11)}"
    stripes = pen.sample_one("column odd", "row odd", "column even", "row even")
    return ProgramDraft(
        join_sampled_statements(
            f"paint {a} board where {stripes}",
            f"paint white disc {centre} {pen.sample_one(3, 4)}",
            pen.sample_one(f"paint {b} ring {centre} 2", f"paint {b} ring {centre} 3", ""),
            indent_sampled_block(
                f"at {centre}",
                pen.sample_one(flower_motif, star_motif, dot_motif, propeller_motif)(
                    pen, pen.sample_one(b, c), c
                ),
            ),
        )
    )


def draft_composed_banks(pen: ProgramSampler) -> ProgramDraft:
    """A row of motifs and its mirror image with a line between them."""
    a, b, c = pen.sample_colours(3)
    motif = pen.sample_one(bow_motif, flower_motif, rhomb_motif, blossom_motif, star_motif, propeller_motif)(
        pen, "c", c
    )
    inner = indent_sampled_block(
        f"repeat until edge right {pen.sample_between(4, 5)} with c = {a} {b}", motif
    )
    return ProgramDraft(
        indent_sampled_block(
            f"at {pen.sample_between(5, 6)},1",
            f"paint {c} line here right until edge",
            indent_sampled_block(
                "mirror horizontal about here",
                indent_sampled_block(
                    f"at (here up {pen.sample_between(2, 3)} right {pen.sample_between(1, 2)})", inner
                ),
            ),
        )
    )


def draft_composed_slopes(pen: ProgramSampler) -> ProgramDraft:
    """Stripes on one side of a diagonal and something else on the other."""
    a, b, c = pen.sample_colours(3)
    start, way, over, under = pen.sample_one(
        ("10,1", "up-right", "up", "down"), ("1,1", "down-right", "up", "down")
    )
    here, there = pen.sample_one((over, under), (under, over))
    other = pen.sample_one(
        indent_sampled_block(
            f"at board where {a} and column even", f"paint {c} - line (here {there} 2) {there} until edge"
        ),
        indent_sampled_block(
            f"at board where {a} and column odd", f"paint {c} {b} line (here {there} 1) {there} until edge"
        ),
        indent_sampled_block(
            f"at {'3,4 3,9' if there == 'up' and start == '10,1' else '8,15 8,10'}",
            f"paint {c} flower here",
            f"paint {b} here",
        ),
    )
    return ProgramDraft(
        join_sampled_statements(
            f"paint {a} line {start} {way} until edge",
            indent_sampled_block(
                f"at board where {a} and column odd", f"paint {b} line (here {here} 1) {here} until edge"
            ),
            other,
        )
    )


def draft_composed_beams(pen: ProgramSampler) -> ProgramDraft:
    """A six-sided shape with beams to the edge."""
    a, b, c = pen.sample_colours(3)
    core = pen.sample_one(
        [f"paint {a} disc here 1", f"paint {b} ring here 2"],
        [f"paint {a} ring here 2", f"paint {b} here"],
        [f"paint {a} ring here 1", f"paint {b} (ring here 2) where touching 1 {a}"],
    )
    beam = pen.sample_one(
        f"{c} line (here up 3) up until edge",
        f"{c} - line (here up 4) up until edge",
        f"{c} {a} line (here up 3) up until edge",
    )
    return ProgramDraft(
        indent_sampled_block(
            f"at {pen.sample_tile((4, 7), (6, 13))}",
            *core,
            indent_sampled_block(
                "rotate 6 about here",
                f"paint {beam}",
                f"paint {pen.sample_one(a, b)} (here up 3 down-right 1)" if pen.sample_between(0, 1) else "",
            ),
        )
    )


def draft_composed_border(pen: ProgramSampler) -> ProgramDraft:
    """Small motifs along two sides with a large shape between them."""
    a, b, c = pen.sample_colours(3)
    motif = pen.sample_one(flower_motif, blossom_motif, dot_motif)(pen, "c", c)
    centre = f"{pen.sample_between(5, 6)},{pen.sample_between(8, 11)}"
    large = pen.sample_one(
        f"paint {c} outline (rhombus ({centre} left 4) up-right 5)",
        f"paint {a} {b} line 5,2 right 15",
        f"paint {c} rhombus ({centre} left 2) up-right 3",
        f"paint {c} line ({centre} left 6) right 13",
    )
    gap = pen.sample_one(4, 5)
    count = 5 if gap == 4 else 4
    top = f"2,{2 if gap == 5 else 1 + (18 - 4 * 4) // 2}"
    return ProgramDraft(
        join_sampled_statements(
            indent_sampled_block(
                f"at {top}",
                indent_sampled_block(
                    f"repeat {count if gap == 5 else 4} right {gap} by 2 down 7 with c = {a} {b}", motif
                ),
            ),
            large,
        )
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
