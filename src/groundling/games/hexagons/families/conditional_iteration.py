"""Conditional iteration: lines and rows of objects that continue until something stops them, so that their
lengths differ."""

from __future__ import annotations

from groundling.games.hexagons.families.sampling import (
    ProgramDraft,
    ProgramSampler,
    indent_sampled_block,
    join_sampled_statements,
)


def draft_iterated_rays(pen: ProgramSampler) -> ProgramDraft:
    """Lines from a shape in all directions to the edge."""
    a, b = pen.sample_colours(2)
    radius, times = pen.sample_between(0, 2), pen.sample_one(6, 6, 3)
    dash = pen.sample_one(b, b, f"{b} -", f"{b} {a}")
    start = pen.sample_one("up", "down")
    return ProgramDraft(
        indent_sampled_block(
            f"at {pen.sample_tile((4, 7), (5, 14))}",
            f"paint {a} {pen.sample_one('ring', 'disc')} here {radius}",
            indent_sampled_block(
                f"rotate {times} about here",
                f"paint {dash} line (here {start} {radius + 1}) {start} until edge",
            ),
        )
    )


def draft_iterated_comb(pen: ProgramSampler) -> ProgramDraft:
    """Teeth from a spine to the edge."""
    a, b = pen.sample_colours(2)
    spine, tooth, start = pen.sample_one(
        ("down-right", "up", "1,1"),
        ("down-right", "down", "1,1"),
        ("up-right", "down", "10,1"),
        ("up-right", "up", "10,1"),
        ("down", "down-right", f"1,{pen.sample_between(1, 9)}"),
        ("down", "up-right", f"1,{pen.sample_between(1, 9)}"),
        ("down", "down-left", f"1,{pen.sample_between(10, 18)}"),
        ("down", "up-left", f"1,{pen.sample_between(10, 18)}"),
        ("down-right", "up-right", "1,1"),
        ("up-right", "down-right", "10,1"),
    )
    dash = pen.sample_one(b, b, b, f"{b} -", f"{b} {a}")
    every = (
        pen.sample_one("column odd", "column even")
        if spine != "down"
        else pen.sample_one("row odd", "row even")
    )
    return ProgramDraft(
        join_sampled_statements(
            f"paint {a} line {start} {spine} until edge",
            indent_sampled_block(
                f"at board where {a} and {every}", f"paint {dash} line (here {tooth} 1) {tooth} until edge"
            ),
        )
    )


def draft_iterated_herringbone(pen: ProgramSampler) -> ProgramDraft:
    """Teeth on both sides of a spine."""
    a, b, *more = pen.sample_colours(2, 3)
    column = pen.sample_between(5, 14)
    left, right = pen.sample_one(
        ("down-left", "down-right"),
        ("up-left", "up-right"),
        ("down-left", "up-right"),
        ("up-left", "down-right"),
    )
    dash = pen.sample_one("", "", " -", f" {a}")
    return ProgramDraft(
        join_sampled_statements(
            f"paint {a} column {column}",
            indent_sampled_block(
                f"at column {column} where {pen.sample_one('row odd', 'row even')}",
                f"paint {b}{dash} line (here {left} 1) {left} until edge",
                f"paint {more[0] if more else b}{dash} line (here {right} 1) {right} until edge",
            ),
        )
    )


def draft_iterated_shades(pen: ProgramSampler) -> ProgramDraft:
    """Lines from the edge that stop at an earlier line."""
    a, b = pen.sample_colours(2)
    row, column = pen.sample_between(2, 8), pen.sample_between(6, 13)
    walls = pen.sample_one(
        ["line 10,1 up-right until edge"],
        ["line 1,1 down-right until edge"],
        [f"line {row},{column} {way} until edge" for way in ("down-left", "down-right")],
        [f"line {row},{column} {way} until edge" for way in ("up-left", "up-right")],
        [
            f"line {row},1 up-right {pen.sample_between(5, 7)}",
            f"line {row},18 up-left {pen.sample_between(5, 7)}",
        ],
    )
    side, way = pen.sample_one(("row 1", "down"), ("row 10", "up"))
    every = f"{side} where white and {pen.sample_one('column odd', 'column even')}"
    return ProgramDraft(
        join_sampled_statements(
            *(f"paint {a} {wall}" for wall in walls),
            indent_sampled_block(
                f"at {every}", f"paint {b}{pen.sample_one('', '', ' -')} line here {way} until {a}"
            ),
        )
    )


def draft_iterated_shadow(pen: ProgramSampler) -> ProgramDraft:
    """Lines from the edge that stop at an object."""
    a, b, *more = pen.sample_colours(2, 3)
    row, column = pen.sample_between(5, 6), pen.sample_between(7, 12)
    shape = pen.sample_one(
        f"disc {row},{column} {pen.sample_between(2, 3)}",
        f"ring {row},{column} 3",
        f"rhombus {row},{column - 3} up-right 4",
        f"outline (rhombus {row},{column - 4} up-right 5)",
        f"triangle {row},{column - 2} up-right 5",
        f"flower {row},{column}",
    )
    sides = pen.sample_one(
        [("row 1", "down", b)],
        [("row 10", "up", b)],
        [("row 1", "down", b), ("row 10", "up", more[0] if more else b)],
    )
    every = pen.sample_one("column odd", "column even")
    return ProgramDraft(
        join_sampled_statements(
            f"paint {a} {shape}",
            *(
                indent_sampled_block(f"at {side} where {every}", f"paint {c} line here {way} until painted")
                for side, way, c in sides
            ),
        )
    )


def draft_iterated_rows(pen: ProgramSampler) -> ProgramDraft:
    """Rows of a motif that start at a slanting line and continue as long as whole motifs fit."""
    a, *hues = pen.sample_colours(2, 3)
    spine, way, start = pen.sample_one(
        ("down-right", "down", "1,1"),
        ("up-right", "up", "10,1"),
        ("down", "down-right", f"1,{pen.sample_between(1, 6)}"),
        ("down", "up-right", f"1,{pen.sample_between(1, 6)}"),
        ("down", "down-left", f"1,{pen.sample_between(13, 18)}"),
    )
    motif, gap, step, every = pen.sample_one(
        ("paint c here", 2, 2, 2),
        (f"paint c line here {way} 2", 2, 3, 2),
        ("paint c flower here", 2, 3, 3),
        ("paint c disc here 1", 3, 3, 3),
        ("paint c disc here 1", 3, 4, 4),
    )
    inner = indent_sampled_block(f"repeat until edge {way} {step} with c = {' '.join(hues)}", motif)
    return ProgramDraft(
        join_sampled_statements(
            f"paint {a} line {start} {spine} until edge",
            indent_sampled_block(
                f"at {start}",
                indent_sampled_block(
                    f"repeat until edge {spine} {every}",
                    indent_sampled_block(f"at (here {way} {gap})", inner),
                ),
            ),
        )
    )


def draft_iterated_angles(pen: ProgramSampler) -> ProgramDraft:
    """Nested angles whose arms run to the edge."""
    colours = pen.sample_colours(1, 3)
    one, two, heading = pen.sample_one(
        ("up-right", "down-right", "right"),
        ("up-left", "down-left", "left"),
        ("up", "down-right", "right"),
        ("down", "up-right", "right"),
        ("up", "down-left", "left"),
    )
    row = pen.sample_between(4, 7)
    start = f"{row},{pen.sample_between(1, 3) if heading == 'right' else pen.sample_between(16, 18)}"
    body = [f"paint c line here {one} until edge", f"paint c line here {two} until edge"]
    head = (
        f"repeat {pen.sample_size(3, 6)} {heading} {4 if len(colours) == 1 else pen.sample_one(2, 2, 4)} "
        f"with c = {' '.join(colours)}"
    )
    return ProgramDraft(indent_sampled_block(f"at {start}", indent_sampled_block(head, *body)))


IDEAS = (
    draft_iterated_rays,
    draft_iterated_comb,
    draft_iterated_herringbone,
    draft_iterated_shades,
    draft_iterated_shadow,
    draft_iterated_rows,
    draft_iterated_angles,
)
