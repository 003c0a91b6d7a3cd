"""Bounded iteration: a motif copied along a line or over a lattice, with alternating colours."""

from __future__ import annotations

from groundling.games.hexagons.families.motifs import COMPACT, MOTIFS, Motif
from groundling.games.hexagons.families.sampling import (
    Idea,
    ProgramDraft,
    ProgramSampler,
    block,
    draft_program,
)


def _colour_cycle(pen: ProgramSampler) -> tuple[str, str]:
    """Return the `with` clause of a repeat, and a second colour for the motif."""
    colours = pen.colours(1, 3)
    if len(colours) == 1:
        return f" with c = {colours[0]}", "c"
    if len(colours) == 2 and pen.between(0, 1):
        return f" with c = {colours[0]}", colours[1]
    return f" with c = {' '.join(colours[:2])}", colours[-1] if len(colours) > 2 else "c"


def _lattice_idea(motif: Motif) -> Idea:
    return lambda pen: _draft_lattice(pen, motif)


def _draft_lattice(pen: ProgramSampler, motif: Motif) -> ProgramDraft:
    cycle, other = _colour_cycle(pen)
    body = motif(pen, "c", other)
    lean = pen.one_of("", "", " up 1", " down 1")
    head = (
        f"repeat {pen.size(3, 6)} right {pen.between(3, 6)}{lean} "
        f"by {pen.between(2, 3)} down {pen.between(3, 5)}"
    )
    return draft_program(block(f"at {pen.tile((2, 6), (1, 5))}", block(f"{head}{cycle}", body)), apart=True)


def draft_bounded_diagonal(pen: ProgramSampler) -> ProgramDraft:
    """Motifs along diagonals."""
    cycle, other = _colour_cycle(pen)
    motif = pen.one_of(*MOTIFS)(pen, "c", other)
    way = pen.one_of("down-right", "up-right")
    head = f"repeat {pen.size(3, 5)} {way} {pen.between(3, 5)}"
    if pen.between(0, 2):
        head += f" by {pen.one_of('2 down 4', '2 right 6', '2 down 5', '3 right 5')}"
    return draft_program(block(f"at {pen.tile((2, 9), (2, 6))}", block(f"{head}{cycle}", motif)), apart=True)


def draft_bounded_stripes(pen: ProgramSampler) -> ProgramDraft:
    """Bars side by side, each in one colour or in two that alternate."""
    colours = pen.colours(2, 3)
    way, step = pen.one_of(
        ("down", "right 2"),
        ("down", "right 1"),
        ("down", "right 3"),
        ("down-right", "down 2"),
        ("up-right", "down 2"),
    )
    length = pen.between(5, 10)
    count = pen.size(6, 9) if step.startswith("right") else pen.size(3, 4)
    hues = f"with c = {' '.join(colours)}"
    body = [f"paint c line here {way} {length}"]
    if pen.between(0, 2):
        hues += f", d = {' '.join([*colours[1:], colours[0]])}"
        split = pen.between(2, length - 2)
        body = [
            f"paint c line here {way} {split}",
            f"paint d line (here {way} {split}) {way} {length - split}",
        ]
    return draft_program(
        block(f"at {pen.tile((1, 6), (1, 6))}", block(f"repeat {count} {step} {hues}", *body))
    )


def draft_bounded_carpet(pen: ProgramSampler) -> ProgramDraft:
    """Whole columns in a pattern whose colours change from one to the next."""
    colours = pen.colours(2, 3)
    step, count = pen.one_of((2, 9), (2, 8), (3, 6))
    pattern = pen.one_of("c", "c c d d", "c d", "c c c d d", "c c c d")
    hues = f"with c = {' '.join(colours)}, d = {' '.join([*colours[1:], colours[0]])}"
    body = f"paint {pattern} line here down {pen.one_of(8, 10)}"
    return draft_program(
        block(f"at {pen.tile((1, 2), (1, 2))}", block(f"repeat {count} right {step} {hues}", body))
    )


def draft_bounded_waves(pen: ProgramSampler) -> ProgramDraft:
    colours = pen.colours(2, 3)
    rows, gap = pen.one_of((3, 3), (4, 2), (5, 2), (3, 2), (4, 3))
    pattern = pen.one_of("c", "c c d d", "c d", "c c d", "c c c d")
    hues = f"with c = {' '.join(colours)}, d = {' '.join([*colours[1:], colours[0]])}"
    body = f"paint {pattern} line here right {pen.one_of(14, 16, 18)}"
    return draft_program(
        block(f"at {pen.tile((1, 3), (1, 4))}", block(f"repeat {rows} down {gap} {hues}", body))
    )


def draft_bounded_groups(pen: ProgramSampler) -> ProgramDraft:
    """Repeated groups of a motif."""
    cycle, other = _colour_cycle(pen)
    motif = pen.one_of(*COMPACT)(pen, "c", other)
    inner = pen.one_of(
        "repeat 3 down-right 3",
        "repeat 2 down 3",
        "repeat 3 up-right 3",
        "repeat 3 down 3",
        "repeat 2 right 4",
    )
    outer = f"repeat {pen.size(2, 4)} right {pen.between(4, 8)}"
    return draft_program(
        block(f"at {pen.tile((2, 9), (2, 5))}", block(f"{outer}{cycle}", block(inner, motif))), apart=True
    )


def draft_bounded_weave(pen: ProgramSampler) -> ProgramDraft:
    """Shapes packed side to side."""
    colours = pen.colours(2, 3)
    shape, right, down = pen.one_of(
        ("rhombus here up-right 2", "right 3", "down 3"),
        ("triangle here up 3", "right 3", "down 3"),
        ("triangle here up-right 3", "right 3", "down 3"),
        ("rhombus here up 2", "right 2", "down 2"),
        ("rhombus here up 3 x 2", "right 2", "down 3"),
        ("rhombus here up 2 x 3", "right 3", "down 2"),
        ("disc here 1", "right 2 up-right 1", "down 2 down-right 1"),
        ("disc here 1", "right 3 up 1", "down 3"),
    )
    across, deep = pen.size(4, 8), pen.between(2, 4)
    head = f"repeat {across} {right} by {deep} {down} with c = {' '.join(colours)}"
    return draft_program(block(f"at {pen.tile((2, 8), (1, 6))}", block(head, f"paint c {shape}")))


IDEAS = (
    *map(_lattice_idea, MOTIFS),
    *2
    * (
        draft_bounded_diagonal,
        draft_bounded_stripes,
        draft_bounded_waves,
        draft_bounded_groups,
        draft_bounded_weave,
        draft_bounded_carpet,
    ),
    draft_bounded_weave,
)
