"""Recursion: self-similar growth, spirals, and wholes that resemble their parts."""

from __future__ import annotations

from groundling.boards.hexes import HEADINGS
from groundling.games.hexagons.families.sampling import (
    ProgramDraft,
    ProgramSampler,
    block,
    draft_program,
    join_lines,
    turn_lines,
)


def draft_recursion_spiral(pen: ProgramSampler) -> ProgramDraft:
    """A triangular spiral whose arm gets longer with every turn."""
    a, *more = pen.colours(1, 2)
    body = [
        "paint a line here up n",
        block("at (here up n-1)", block(f"turn {pen.one_of(2, 4)}", "arm(n+2, b, a)")),
    ]
    return draft_program(
        block("define arm(n, a, b)", block(f"if n < {2 * pen.depth(4, 5) + 1}", *body)),
        block(
            f"at {pen.tile((3, 8), (6, 13))}", turn_lines(pen.between(0, 5), f"arm(2, {a}, {[a, *more][-1]})")
        ),
    )


def draft_recursion_coil(pen: ProgramSampler) -> ProgramDraft:
    """A hexagonal spiral that grows with every half turn."""
    a, *more = pen.colours(1, 2)
    turn = pen.one_of(1, 5)

    def continue_turned(*then: str) -> str:
        return block("at (here up n)", block(f"turn {turn}", *then))

    side = "paint a line here up n+1"
    body = [side, continue_turned(side, continue_turned(side, continue_turned("coil(n+1, b, a)")))]
    return draft_program(
        block("define coil(n, a, b)", block(f"if n < {pen.depth(4, 5)}", *body)),
        block(
            f"at {pen.tile((4, 7), (6, 13))}",
            turn_lines(pen.between(0, 5), f"coil(1, {a}, {[a, *more][-1]})"),
        ),
    )


def draft_recursion_rings(pen: ProgramSampler) -> ProgramDraft:
    """Layers around a seed."""
    colours = pen.colours(2, 4)
    if pen.between(0, 1):
        colours.insert(1, "white")
    centre = pen.tile((5, 6), (6, 13))
    seed = pen.one_of(
        centre, f"(line {centre} right 5)", f"(line {centre} up-right 4)", f"(triangle {centre} up 2)"
    )
    hues = " ".join([*colours[1:], colours[0]])
    return draft_program(f"paint {colours[0]} {seed}", f"grow {pen.depth(3, 4)} {hues} from {seed}")


def draft_recursion_growing(pen: ProgramSampler) -> ProgramDraft:
    """Copies of a shape, each larger than the last."""
    colours = pen.colours(1, 3)
    if pen.between(0, 2) == 0:
        narrow = len(colours) > 1 and pen.between(0, 1)
        side, step, count = pen.one_of(
            *[("10,{0} up", 1, 10), ("1,{0} down", 1, 10)]
            if narrow
            else [("10,{0} up", 2, 8), ("1,{0} down", 2, 9)]
        )
        head = f"repeat {count} right {step} counting n with c = {' '.join(colours)}"
        return draft_program(
            block(head, f"paint c line {side.format(pen.between(1, 18 - step * (count - 1)))} n")
        )
    shape, place, first, last, on = pen.one_of(
        ("triangle here up-right n", "5,1", 2, 5, "n+1"),
        ("triangle here up n", "7,1", 2, 5, "n+1"),
        ("ring here n", "6,2", 1, 3, "2*n+3"),
        ("disc here n", "5,2", 1, 3, "2*n+3"),
        ("rhombus here up-right n", "5,1", 2, 4, "2*n"),
        ("outline (rhombus here up-right n)", "5,1", 2, 4, "2*n"),
        ("outline (triangle here up n)", "7,1", 2, 5, "n+1"),
    )
    names = (colours * 3)[:3]
    body = [f"paint a {shape}", block(f"at (here right {on})", "next(n+1, b, c, a)")]
    return draft_program(
        block("define next(n, a, b, c)", block(f"if n < {last + 1}", *body)),
        block(f"at {place}", f"next({first}, {', '.join(names)})"),
    )


def draft_recursion_sierpinski(pen: ProgramSampler) -> ProgramDraft:
    """A triangle of triangles of triangles."""
    colours = pen.colours(1, 3)
    way, second = pen.one_of(("up", "up-right"), ("up-right", "down-right"))
    halves = [1, 2, 4][: pen.depth(3, 3)]
    text = block("define part0(c)", "paint c here")
    for number, half in enumerate(halves, 1):
        top = number == len(halves)
        hues = (colours * 3)[:3] if top and pen.between(0, 1) else ["c", "c", "c"]
        text = join_lines(
            text,
            block(
                f"define part{number}(c)",
                f"part{number - 1}({hues[0]})",
                block(f"at (here {way} {half})", f"part{number - 1}({hues[1]})"),
                block(f"at (here {second} {half})", f"part{number - 1}({hues[2]})"),
            ),
        )
    start = pen.tile((8, 9), (2, 9)) if way == "up" else f"5,{pen.between(2, 9)}"
    fill = pen.one_of(f"paint {colours[-1]} triangle {start} {way} 8", "", "") if len(colours) > 1 else ""
    return draft_program(fill, text, block(f"at {start}", f"part{len(halves)}({colours[0]})"))


def draft_recursion_flowers(pen: ProgramSampler) -> ProgramDraft:
    """A flower whose petals are flowers."""
    a, *more = pen.colours(1, 3)
    b = more[-1] if more else a
    small = pen.one_of("disc here 1", "flower here") if more else "flower here"
    packed = " ".join(f"(here {way} 2 {HEADINGS[(n + 1) % 6]} 1)" for n, way in enumerate(HEADINGS))
    loose = " ".join(f"(here {way} 3)" for way in HEADINGS)
    hearts = (
        block("at {0}", f"paint {more[0]} here")
        if more and small == "flower here" and pen.between(0, 1)
        else ""
    )
    around = pen.one_of(packed, loose)
    return draft_program(
        block("define bloom(c)", f"paint c {small}"),
        block(
            f"at {pen.tile((5, 6), (6, 13))}",
            block(f"at {around}", f"bloom({a})"),
            hearts.format(around),
            pen.one_of(f"bloom({b})", f"bloom({b})", ""),
        ),
    )


def draft_recursion_crystal(pen: ProgramSampler) -> ProgramDraft:
    """A crystal that grows where a tile touches exactly one painted tile."""
    colours = pen.colours(1, 3)
    centre = pen.tile((5, 6), (6, 13))
    seed = pen.one_of(
        centre,
        f"(line {centre} down 2)",
        f"(triangle {centre} up 2)",
        f"(line {centre} right 3)",
        f"(ring {centre} 1)",
        f"(line {centre} up-right 4)",
        f"({centre} ({centre} up-right 4))",
    )
    touch = pen.one_of("touching 1 painted", "touching 1 painted", "touching 1 painted or touching 3 painted")
    hues = " ".join([*colours[1:], colours[0]])
    return draft_program(
        f"paint {colours[0]} {seed}", f"grow {pen.depth(3, 4)} {hues} from {seed} where {touch}"
    )


def draft_recursion_tree(pen: ProgramSampler) -> ProgramDraft:
    """A twig that ends in two smaller twigs."""
    a, *more = pen.colours(1, 3)
    names = ([a, *more] * 3)[:3]
    size = pen.depth(4, 5)
    start, turn = pen.one_of(("10,9", 0), ("5,1", 2), ("6,1", 1), ("5,18", 4), ("10,10", 0), ("1,9", 3))
    fork = [
        turn_lines(side, "twig(n-1, b, c, a)")
        for side in pen.one_of((1, 5), (1, 5), (1, 0), (0, 5), (1, 0, 5))
    ]
    body = ["paint a line here up n", block("at (here up n-1)", *fork)]
    return draft_program(
        block("define twig(n, a, b, c)", block("if n > 1", *body)),
        block(f"at {start}", turn_lines(turn, f"twig({size}, {', '.join(names)})")),
    )


def draft_recursion_stars(pen: ProgramSampler) -> ProgramDraft:
    """A star with smaller stars at its tips."""
    a, b = pen.colours(2)
    times = pen.one_of(3, 6)
    long, short = pen.one_of((3, 1), (2, 1), (3, 2)) if times == 3 else (3, 1)
    twist = pen.one_of(0, 3) if times == 3 else 0
    return draft_program(
        block(
            "define star(n, c)",
            "paint c here",
            block(f"rotate {times} about here", "paint c line (here up 1) up n"),
        ),
        block(
            f"at {pen.tile((5, 6), (6, 13))}",
            block(
                f"rotate {times} about here",
                block(f"at (here up {long})", turn_lines(twist, f"star({short}, {b})")),
            ),
            f"star({long - 1}, {a})",
        ),
    )


IDEAS = (
    draft_recursion_spiral,
    draft_recursion_coil,
    draft_recursion_rings,
    draft_recursion_growing,
    draft_recursion_sierpinski,
    draft_recursion_flowers,
    draft_recursion_crystal,
    draft_recursion_tree,
    draft_recursion_stars,
)
