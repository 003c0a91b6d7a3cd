"""Objects: figures and shapes that appear once."""

from __future__ import annotations

from collections.abc import Callable

from groundling.games.hexagons.families.figures import FIGURES
from groundling.games.hexagons.families.sampling import (
    Idea,
    ProgramDraft,
    ProgramSampler,
    indent_sampled_block,
    join_sampled_statements,
)


def _figure_idea(figure: Callable[[ProgramSampler], str]) -> Idea:
    """Return an idea that draws the figure somewhere on the board."""
    return lambda pen: ProgramDraft(
        indent_sampled_block(f"at {pen.sample_tile((2, 9), (4, 15))}", figure(pen))
    )


def draft_objects_still_life(pen: ProgramSampler) -> ProgramDraft:
    """A few different shapes side by side."""
    colours = pen.sample_colours(2, 4)
    kinds = pen.choose_some(_SHAPES, len(colours))
    middle = pen.sample_between(5, 6)
    gap = 18 // len(kinds)
    shapes = join_sampled_statements(
        *(
            f"paint {colour} {kind.format(f'{middle},{1 + gap // 2 + n * gap}', size=pen.sample_size(1, 2))}"
            for n, (kind, colour) in enumerate(zip(kinds, colours, strict=True))
        )
    )
    return ProgramDraft(shapes, parts=len(kinds))


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
    a, b = pen.sample_colours(2)
    row, column = pen.sample_between(5, 6), pen.sample_between(6, 12)
    centre = f"{row},{column}"
    outer, inner = pen.sample_one(
        (f"ring {centre} 4", f"outline (rhombus ({centre} left 2) up-right 3)"),
        (f"ring {centre} 4", f"triangle ({centre} left 1) up-right 3"),
        (f"outline (triangle ({centre} left 5) up-right 8)", f"disc {centre} 1"),
        (f"outline (rhombus ({centre} left 5) up-right 6)", f"disc {centre} 1"),
        (f"outline (rhombus ({centre} left 5) up-right 6)", f"line {centre} to {centre}"),
        (f"ring {centre} 3", f"outline (triangle ({centre} left 1) up-right 3)"),
        (f"ring {centre} 4", f"line ({centre} up 2) down 5"),
    )
    return ProgramDraft(join_sampled_statements(f"paint {a} {outer}", f"paint {b} {inner}"))


def draft_objects_strokes(pen: ProgramSampler) -> ProgramDraft:
    """Straight lines, end to end."""
    count = pen.sample_size(3, 5)
    colours = pen.sample_colours(1, 3)
    here, way = (
        f"{pen.sample_between(3, 8)},{pen.sample_between(2, 6)}",
        pen.sample_one("up-right", "down-right", "down", "up"),
    )
    lines, tiles = [], 1
    for n in range(count):
        length = pen.sample_between(4, 7)
        tiles += length - 1
        lines.append(f"paint {colours[n % len(colours)]} line {here} {way} {length}")
        here = f"({here.strip('()')} {way} {length - 1})"
        way = pen.sample_one(*_NEXT[way])
    return ProgramDraft(join_sampled_statements(*lines), level=1, tiles=tiles)


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
