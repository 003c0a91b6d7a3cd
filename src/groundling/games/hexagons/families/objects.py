"""Objects: figures and shapes that appear once."""

from __future__ import annotations

from collections.abc import Callable

from groundling.games.hexagons.families.figures import FIGURES
from groundling.games.hexagons.families.sampling import (
    Idea,
    ProgramDraft,
    ProgramSampler,
    block,
    draft_program,
    join_lines,
)


def _figure_idea(figure: Callable[[ProgramSampler], str]) -> Idea:
    """Return an idea that draws the figure somewhere on the board."""
    return lambda pen: draft_program(block(f"at {pen.tile((2, 9), (4, 15))}", figure(pen)))


def draft_objects_still_life(pen: ProgramSampler) -> ProgramDraft:
    """A few different shapes side by side."""
    colours = pen.colours(2, 4)
    kinds = pen.some_of(_SHAPES, len(colours))
    middle = pen.between(5, 6)
    gap = 18 // len(kinds)
    shapes = join_lines(
        *(
            f"paint {colour} {kind.format(f'{middle},{1 + gap // 2 + n * gap}', size=pen.size(1, 2))}"
            for n, (kind, colour) in enumerate(zip(kinds, colours, strict=True))
        )
    )
    return draft_program(shapes, parts=len(kinds))


_SHAPES = (
    "disc {0} {size}",
    "ring {0} {size}",
    "triangle ({0} left 1) up-right 3",
    "triangle ({0} left 1 down 1) up 3",
    "rhombus ({0} left 2) up-right 3",
    "outline (triangle ({0} left 1) up-right 4)",
    "line ({0} up 2) down 5",
    "outline (rhombus ({0} left 3) up-right 4)",
)


def draft_objects_nested(pen: ProgramSampler) -> ProgramDraft:
    """A shape inside another shape."""
    a, b = pen.colours(2)
    row, column = pen.between(5, 6), pen.between(6, 12)
    centre = f"{row},{column}"
    outer, inner = pen.one_of(
        (f"ring {centre} 4", f"outline (rhombus ({centre} left 2) up-right 3)"),
        (f"ring {centre} 4", f"triangle ({centre} left 1) up-right 3"),
        (f"outline (triangle ({centre} left 5) up-right 8)", f"disc {centre} 1"),
        (f"outline (rhombus ({centre} left 5) up-right 6)", f"disc {centre} 1"),
        (f"outline (rhombus ({centre} left 5) up-right 6)", f"line {centre} to {centre}"),
        (f"ring {centre} 3", f"outline (triangle ({centre} left 1) up-right 3)"),
        (f"ring {centre} 4", f"line ({centre} up 2) down 5"),
    )
    return draft_program(f"paint {a} {outer}", f"paint {b} {inner}")


def draft_objects_strokes(pen: ProgramSampler) -> ProgramDraft:
    """Straight lines, end to end."""
    count = pen.size(3, 5)
    colours = pen.colours(1, 3)
    here, way = (pen.tile((3, 8), (2, 6)), pen.one_of("up-right", "down-right", "down", "up"))
    lines, tiles = [], 1
    for n in range(count):
        length = pen.between(4, 7)
        tiles += length - 1
        lines.append(f"paint {colours[n % len(colours)]} line {here} {way} {length}")
        here = f"({here.strip('()')} {way} {length - 1})"
        way = pen.one_of(*_NEXT[way])
    return draft_program(*lines, level=1, tiles=tiles)


_NEXT = {
    "up": ("up-right", "down-right"),
    "down": ("up-right", "down-right"),
    "up-right": ("down-right", "down"),
    "down-right": ("up-right", "up"),
}

IDEAS = (
    *map(_figure_idea, FIGURES),
    draft_objects_still_life,
    draft_objects_still_life,
    draft_objects_nested,
    draft_objects_nested,
    draft_objects_strokes,
    draft_objects_strokes,
)
