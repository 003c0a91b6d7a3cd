"""Conditional iteration: lines and rows of objects that continue until something stops them."""

from __future__ import annotations

from groundling.games.hexagons.families.sampling import ProgramDraft, ProgramSampler, block, draft_program


def draft_iterated_rays(pen: ProgramSampler) -> ProgramDraft:
    """Lines from a shape in all directions to the edge."""
    a, b = pen.colours(2)
    radius, times = pen.between(0, 2), pen.one_of(6, 6, 3)
    dash = pen.one_of(b, b, f"{b} -", f"{b} {a}")
    start = pen.one_of("up", "down")
    return draft_program(
        block(
            f"at {pen.tile((4, 7), (5, 14))}",
            f"paint {a} {pen.one_of('ring', 'disc')} here {radius}",
            block(
                f"rotate {times} about here",
                f"paint {dash} line (here {start} {radius + 1}) {start} until edge",
            ),
        )
    )


def draft_iterated_comb(pen: ProgramSampler) -> ProgramDraft:
    """Teeth from a spine to the edge."""
    a, b = pen.colours(2)
    spine, tooth, start = pen.one_of(
        ("down-right", "up", "1,1"),
        ("down-right", "down", "1,1"),
        ("up-right", "down", "10,1"),
        ("up-right", "up", "10,1"),
        ("down", "down-right", f"1,{pen.between(1, 9)}"),
        ("down", "up-right", f"1,{pen.between(1, 9)}"),
        ("down", "down-left", f"1,{pen.between(10, 18)}"),
        ("down", "up-left", f"1,{pen.between(10, 18)}"),
        ("down-right", "up-right", "1,1"),
        ("up-right", "down-right", "10,1"),
    )
    dash = pen.one_of(b, b, b, f"{b} -", f"{b} {a}")
    every = pen.one_of("column odd", "column even") if spine != "down" else pen.one_of("row odd", "row even")
    return draft_program(
        f"paint {a} line {start} {spine} until edge",
        block(f"at board where {a} and {every}", f"paint {dash} line (here {tooth} 1) {tooth} until edge"),
    )


def draft_iterated_herringbone(pen: ProgramSampler) -> ProgramDraft:
    """Teeth on both sides of a spine."""
    a, b, *more = pen.colours(2, 3)
    column = pen.between(5, 14)
    left, right = pen.one_of(
        ("down-left", "down-right"),
        ("up-left", "up-right"),
        ("down-left", "up-right"),
        ("up-left", "down-right"),
    )
    dash = pen.one_of("", "", " -", f" {a}")
    return draft_program(
        f"paint {a} column {column}",
        block(
            f"at column {column} where {pen.one_of('row odd', 'row even')}",
            f"paint {b}{dash} line (here {left} 1) {left} until edge",
            f"paint {more[0] if more else b}{dash} line (here {right} 1) {right} until edge",
        ),
    )


def draft_iterated_shades(pen: ProgramSampler) -> ProgramDraft:
    """Lines from the edge that stop at an earlier line."""
    a, b = pen.colours(2)
    row, column = pen.between(2, 8), pen.between(6, 13)
    walls = pen.one_of(
        ["line 10,1 up-right until edge"],
        ["line 1,1 down-right until edge"],
        [f"line {row},{column} {way} until edge" for way in ("down-left", "down-right")],
        [f"line {row},{column} {way} until edge" for way in ("up-left", "up-right")],
        [f"line {row},1 up-right {pen.between(5, 7)}", f"line {row},18 up-left {pen.between(5, 7)}"],
    )
    side, way = pen.one_of(("row 1", "down"), ("row 10", "up"))
    every = f"{side} where white and {pen.one_of('column odd', 'column even')}"
    return draft_program(
        *(f"paint {a} {wall}" for wall in walls),
        block(f"at {every}", f"paint {b}{pen.one_of('', '', ' -')} line here {way} until {a}"),
    )


def draft_iterated_shadow(pen: ProgramSampler) -> ProgramDraft:
    """Lines from the edge that stop at an object."""
    a, b, *more = pen.colours(2, 3)
    row, column = pen.between(5, 6), pen.between(7, 12)
    shape = pen.one_of(
        f"disc {row},{column} {pen.between(2, 3)}",
        f"ring {row},{column} 3",
        f"rhombus {row},{column - 3} up-right 4",
        f"outline (rhombus {row},{column - 4} up-right 5)",
        f"triangle {row},{column - 2} up-right 5",
        f"flower {row},{column}",
    )
    sides = pen.one_of(
        [("row 1", "down", b)],
        [("row 10", "up", b)],
        [("row 1", "down", b), ("row 10", "up", more[0] if more else b)],
    )
    every = pen.one_of("column odd", "column even")
    return draft_program(
        f"paint {a} {shape}",
        *(
            block(f"at {side} where {every}", f"paint {c} line here {way} until painted")
            for side, way, c in sides
        ),
    )


def draft_iterated_rows(pen: ProgramSampler) -> ProgramDraft:
    """Rows of a motif that start at a slanting line and continue as long as whole motifs fit."""
    a, *hues = pen.colours(2, 3)
    spine, way, start = pen.one_of(
        ("down-right", "down", "1,1"),
        ("up-right", "up", "10,1"),
        ("down", "down-right", f"1,{pen.between(1, 6)}"),
        ("down", "up-right", f"1,{pen.between(1, 6)}"),
        ("down", "down-left", f"1,{pen.between(13, 18)}"),
    )
    motif, gap, step, every = pen.one_of(
        ("paint c here", 2, 2, 2),
        (f"paint c line here {way} 2", 2, 3, 2),
        ("paint c flower here", 2, 3, 3),
        ("paint c disc here 1", 3, 3, 3),
        ("paint c disc here 1", 3, 4, 4),
    )
    inner = block(f"repeat until edge {way} {step} with c = {' '.join(hues)}", motif)
    return draft_program(
        f"paint {a} line {start} {spine} until edge",
        block(
            f"at {start}", block(f"repeat until edge {spine} {every}", block(f"at (here {way} {gap})", inner))
        ),
    )


def draft_iterated_angles(pen: ProgramSampler) -> ProgramDraft:
    """Nested angles whose arms run to the edge."""
    colours = pen.colours(1, 3)
    one, two, heading = pen.one_of(
        ("up-right", "down-right", "right"),
        ("up-left", "down-left", "left"),
        ("up", "down-right", "right"),
        ("down", "up-right", "right"),
        ("up", "down-left", "left"),
    )
    row = pen.between(4, 7)
    start = f"{row},{pen.between(1, 3) if heading == 'right' else pen.between(16, 18)}"
    body = [f"paint c line here {one} until edge", f"paint c line here {two} until edge"]
    head = (
        f"repeat {pen.size(3, 6)} {heading} {4 if len(colours) == 1 else pen.one_of(2, 2, 4)} "
        f"with c = {' '.join(colours)}"
    )
    return draft_program(block(f"at {start}", block(head, *body)))


IDEAS = (
    draft_iterated_rays,
    draft_iterated_comb,
    draft_iterated_herringbone,
    draft_iterated_shades,
    draft_iterated_shadow,
    draft_iterated_rows,
    draft_iterated_angles,
)
