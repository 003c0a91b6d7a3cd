"""The seeded generator of images, which are made from programs so that their content is known."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from random import Random
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from groundling.boards.hexes import Board
from groundling.core.values import CANARY, Problem, Recipe
from groundling.games.hexagons.families import (
    bounded,
    composed,
    conditional_iteration,
    conditions,
    objects,
    recursion,
    symmetry,
)
from groundling.games.hexagons.families.canonical_form import canonical_fingerprint
from groundling.games.hexagons.families.image_checks import check_image
from groundling.games.hexagons.families.sampling import Idea, ImageWish, ProgramSampler
from groundling.games.hexagons.image import HexagonsImage, ImageStep
from groundling.games.hexagons.narration import narrate_image
from groundling.games.hexagons.program import format_program, interpret_program, parse_statements

BUILTIN_SEED = 13
BUILTIN_EACH = 16
_TRIES = 100
"""How often an idea may be rejected before another is tried."""


class ImageFamily(Struct, frozen=True):
    category: str
    """The name of the mechanism in the published data."""
    level: int
    """Abstraction level of a short description: 2 objects, 3 mechanisms over objects."""
    ideas: tuple[Idea, ...]


FAMILIES: dict[str, ImageFamily] = {
    "objects": ImageFamily("simple", 2, objects.IDEAS),
    "bounded": ImageFamily("bounded iteration", 3, bounded.IDEAS),
    "conditional": ImageFamily("conditional iteration", 3, conditional_iteration.IDEAS),
    "conditions": ImageFamily("conditions", 3, conditions.IDEAS),
    "symmetry": ImageFamily("symmetry", 3, symmetry.IDEAS),
    "recursion": ImageFamily("recursion", 3, recursion.IDEAS),
    "composed": ImageFamily("composed objects", 3, composed.IDEAS),
}


DrawnProgram = tuple[str, Board, int]
"""A program, the board it draws, and the level."""


class ImageRecipe(Recipe, frozen=True, kw_only=True):
    n: Annotated[int, Meta(description="number of instances")] = 112
    family: Annotated[
        Literal[
            "all", "objects", "bounded", "conditional", "conditions", "symmetry", "recursion", "composed"
        ],
        Meta(description="the abstraction mechanism; all: an equal number of each"),
    ] = "all"
    size: Annotated[int, Meta(ge=0, le=3, description="1 small, 2 middling, 3 large; 0: any")] = 0
    colours: Annotated[int, Meta(ge=0, le=7, description="number of colours in an image; 0: any")] = 0
    told: Annotated[
        Literal["no", "0", "1", "2", "3"],
        Meta(description="add the narrator's steps at this level, to evaluate executors on them"),
    ] = "no"
    wordings: Annotated[Literal["open", "held-out"], Meta(description="the narrator's wordings")] = "open"
    depth: Annotated[int, Meta(ge=0, le=9, description="recursion depth, within limits; 0: any")] = 0


def make(recipe: ImageRecipe) -> list[HexagonsImage]:
    """Make new images, different from each other and published ones up to symmetry and colours."""
    rng = Random(recipe.seed)
    wish = ImageWish(recipe.size, recipe.colours, recipe.depth)
    kinds = list(FAMILIES) if recipe.family == "all" else [recipe.family]
    seen = set(published_fingerprints())
    made = []
    for number, kind in enumerate(kinds):
        count = recipe.n // len(kinds) + (number < recipe.n % len(kinds))
        made += [(kind, image) for image in _make_family(rng, kind, wish, count, seen)]
    order = rng.sample(range(1, len(made) + 1), len(made))
    width = max(3, len(str(len(made))))
    return [
        HexagonsImage(
            id=f"image-{place:0{width}d}",
            set=kind,
            target=board,
            image=f"{place:0{width}d}",
            category=FAMILIES[kind].category,
            level=level,
            program=text,
            steps=_narrated_steps(text, recipe, place),
        )
        for place, (kind, (text, board, level)) in zip(order, made, strict=True)
    ]


def _narrated_steps(program: str, recipe: ImageRecipe, place: int) -> tuple[ImageStep, ...]:
    if recipe.told == "no":
        return ()
    told = narrate_image(program, int(recipe.told), Random(f"{recipe.seed} {place}"), recipe.wordings)
    return tuple(ImageStep(step.text, step.board, step.level, format_program(step.program)) for step in told)


def _make_family(rng: Random, kind: str, wish: ImageWish, count: int, seen: set[str]) -> list[DrawnProgram]:
    """Make images of one family from its ideas in turn."""
    pen = ProgramSampler(rng, wish)
    found: list[DrawnProgram] = []
    ideas: list[Idea] = []
    barren = 0
    while len(found) < count:
        ideas = ideas or pen.some_of(FAMILIES[kind].ideas, len(FAMILIES[kind].ideas))
        image = _draw_image(pen, kind, ideas.pop(), seen)
        if image:
            found.append(image)
        barren = 0 if image else barren + 1
        if barren > len(FAMILIES[kind].ideas):
            raise Problem(
                f"no more than {len(found)} images of the family {kind!r} were found: lower n, or ask for "
                "another family, size, number of colours or depth"
            )
    return found


def _draw_image(pen: ProgramSampler, kind: str, idea: Idea, seen: set[str]) -> DrawnProgram | None:
    for _ in range(_TRIES):
        draft = idea(pen)
        program = parse_statements(draft.text)
        drawn = interpret_program(program)
        if check_image(kind, draft, program, drawn):
            continue
        if pen.wish.colours and len(set(drawn.board.painted_tiles().values())) != pen.wish.colours:
            continue
        mark = canonical_fingerprint(drawn.board)
        if mark not in seen:
            seen.add(mark)
            return format_program(program), drawn.board, draft.level or FAMILIES[kind].level
    return None


@cache
def published_fingerprints() -> frozenset[str]:
    """Return the fingerprints of the published images, which must not be generated again."""
    return frozenset((files(__package__) / "families" / "published.txt").read_text(encoding="ascii").split())


def make_hexagons_builtin() -> list[HexagonsImage]:
    """Make the built-in gallery as its file holds it."""
    images = make(ImageRecipe(seed=BUILTIN_SEED, n=BUILTIN_EACH * len(FAMILIES)))
    return [msgspec.structs.replace(image, canary=CANARY, origin="built in") for image in images]


def builtin() -> list[HexagonsImage]:
    return msgspec.json.Decoder(HexagonsImage).decode_lines(
        files(__package__).joinpath("builtin.jsonl").read_bytes()
    )
