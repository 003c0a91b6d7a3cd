"""Small objects to repeat, scatter and turn: statements that draw around `here`."""

from __future__ import annotations

from collections.abc import Callable

from groundling.games.hexagons.families.sampling import ProgramSampler, block, join_lines

Motif = Callable[[ProgramSampler, str, str], str]
"""Takes two colours, which may be equal."""


def flower_motif(pen: ProgramSampler, a: str, b: str) -> str:
    return join_lines(f"paint {a} flower here", f"paint {b} here")


def blossom_motif(pen: ProgramSampler, a: str, b: str) -> str:
    return f"paint {a} flower here"


def dot_motif(pen: ProgramSampler, a: str, b: str) -> str:
    return f"paint {a} disc here 1"


def bow_motif(pen: ProgramSampler, a: str, b: str) -> str:
    side = pen.between(2, 3)
    return join_lines(
        f"paint {a} triangle here down-left {side}",
        f"paint {a} triangle here up-right {side}",
        f"paint {b} here",
    )


def arrowhead_motif(pen: ProgramSampler, a: str, b: str) -> str:
    return f"paint {a} triangle here {pen.one_of('up', 'up-right')} {pen.between(2, 3)}"


def rhomb_motif(pen: ProgramSampler, a: str, b: str) -> str:
    return f"paint {a} rhombus here up-right {pen.between(2, 3)}"


def lozenge_motif(pen: ProgramSampler, a: str, b: str) -> str:
    return join_lines(f"paint {a} outline (rhombus here up-right 3)", f"paint {b} (here right 2)")


def bar_motif(pen: ProgramSampler, a: str, b: str) -> str:
    heading = pen.one_of("down", "up-right", "down-right")
    return f"paint {a} {b} line here {heading} {pen.between(3, 4)}"


def chevron_motif(pen: ProgramSampler, a: str, b: str) -> str:
    arms = pen.one_of(("up-left", "up-right"), ("up-right", "down-right"), ("down-left", "down-right"))
    size = pen.between(3, 4)
    return join_lines(*(f"paint {a} line here {arm} {size}" for arm in arms), f"paint {b} here")


def star_motif(pen: ProgramSampler, a: str, b: str) -> str:
    return join_lines(
        block("rotate 6 about here", f"paint {a} line (here up 1) up {pen.between(1, 2)}"), f"paint {b} here"
    )


def propeller_motif(pen: ProgramSampler, a: str, b: str) -> str:
    start = pen.one_of("up", "down")
    return join_lines(
        block("rotate 3 about here", f"paint {a} line (here {start} 1) {start} 2"), f"paint {b} here"
    )


def hook_motif(pen: ProgramSampler, a: str, b: str) -> str:
    return join_lines(
        f"paint {a} line here down 3",
        f"paint {b} line (here down 2) {pen.one_of('up-right', 'down-right')} 3",
    )


def caterpillar_motif(pen: ProgramSampler, a: str, b: str) -> str:
    return join_lines(f"paint {a} line here right 4", f"paint {b} here")


def bone_motif(pen: ProgramSampler, a: str, b: str) -> str:
    return join_lines(
        f"paint {b} line here right 3",
        f"paint {a} (here up-left 1) (here down-left 1) (here right 2 up-right 1) (here right 2 down-right "
        "1)",
    )


def eye_motif(pen: ProgramSampler, a: str, b: str) -> str:
    return join_lines(f"paint {a} flower here", f"paint {a} (here left 2) (here right 2)", f"paint {b} here")


MOTIFS = (
    flower_motif,
    blossom_motif,
    dot_motif,
    bow_motif,
    arrowhead_motif,
    rhomb_motif,
    lozenge_motif,
    bar_motif,
    chevron_motif,
    star_motif,
    propeller_motif,
    hook_motif,
    caterpillar_motif,
    bone_motif,
    eye_motif,
)
COMPACT = (flower_motif, blossom_motif, dot_motif, rhomb_motif, arrowhead_motif, propeller_motif)
