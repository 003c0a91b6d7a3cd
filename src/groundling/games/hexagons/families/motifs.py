"""Small objects to repeat, scatter and turn: statements that draw around `here`."""

from __future__ import annotations

from collections.abc import Callable

from groundling.games.hexagons.families.pen import Pen, block, steps

Motif = Callable[[Pen, str, str], str]
"""Takes two colours, which may be equal."""


def flower(pen: Pen, a: str, b: str) -> str:
    return steps(f"paint {a} flower here", f"paint {b} here")


def blossom(pen: Pen, a: str, b: str) -> str:
    return f"paint {a} flower here"


def dot(pen: Pen, a: str, b: str) -> str:
    return f"paint {a} disc here 1"


def bow(pen: Pen, a: str, b: str) -> str:
    side = pen.between(2, 3)
    return steps(
        f"paint {a} triangle here down-left {side}",
        f"paint {a} triangle here up-right {side}",
        f"paint {b} here",
    )


def arrowhead(pen: Pen, a: str, b: str) -> str:
    return f"paint {a} triangle here {pen.one('up', 'up-right')} {pen.between(2, 3)}"


def rhomb(pen: Pen, a: str, b: str) -> str:
    return f"paint {a} rhombus here up-right {pen.between(2, 3)}"


def lozenge(pen: Pen, a: str, b: str) -> str:
    return steps(f"paint {a} outline (rhombus here up-right 3)", f"paint {b} (here right 2)")


def bar(pen: Pen, a: str, b: str) -> str:
    return f"paint {a} {b} line here {pen.one('down', 'up-right', 'down-right')} {pen.between(3, 4)}"


def chevron(pen: Pen, a: str, b: str) -> str:
    arms = pen.one(("up-left", "up-right"), ("up-right", "down-right"), ("down-left", "down-right"))
    size = pen.between(3, 4)
    return steps(*(f"paint {a} line here {arm} {size}" for arm in arms), f"paint {b} here")


def star(pen: Pen, a: str, b: str) -> str:
    return steps(
        block("rotate 6 about here", f"paint {a} line (here up 1) up {pen.between(1, 2)}"), f"paint {b} here"
    )


def propeller(pen: Pen, a: str, b: str) -> str:
    start = pen.one("up", "down")
    return steps(
        block("rotate 3 about here", f"paint {a} line (here {start} 1) {start} 2"), f"paint {b} here"
    )


def hook(pen: Pen, a: str, b: str) -> str:
    return steps(
        f"paint {a} line here down 3", f"paint {b} line (here down 2) {pen.one('up-right', 'down-right')} 3"
    )


def caterpillar(pen: Pen, a: str, b: str) -> str:
    return steps(f"paint {a} line here right 4", f"paint {b} here")


def bone(pen: Pen, a: str, b: str) -> str:
    return steps(
        f"paint {b} line here right 3",
        f"paint {a} (here up-left 1) (here down-left 1) (here right 2 up-right 1) (here right 2 down-right "
        "1)",
    )


def eye(pen: Pen, a: str, b: str) -> str:
    return steps(f"paint {a} flower here", f"paint {a} (here left 2) (here right 2)", f"paint {b} here")


MOTIFS = (
    flower,
    blossom,
    dot,
    bow,
    arrowhead,
    rhomb,
    lozenge,
    bar,
    chevron,
    star,
    propeller,
    hook,
    caterpillar,
    bone,
    eye,
)
COMPACT = (flower, blossom, dot, rhomb, arrowhead, propeller)
