"""The seeded generator: compact pictures, which follow a pattern, and random pictures."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from random import Random
from string import ascii_uppercase
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from groundling.boards.grid_patterns import random_pattern
from groundling.boards.letter_grid import Cell, Grid
from groundling.core.values import CANARY, Problem, Recipe
from groundling.games.image.players.giver_plan import giver_plan_length
from groundling.games.image.rules import Picture

BUILTIN_SEED = 40
FEWEST = 5
MOST = 10
"""The most filled cells of a random picture, where the grid is large enough."""

_DRAWN = """
X...X ..X.. XXXXX X.X.X XXXXX X.... ..X.. X...X XXXXX .XXX.
XX.XX ..X.. ..... X.X.X X...X .X... .XXX. .X.X. ....X X...X
X.X.X XXXXX ..... X.X.X X...X ..X.. XXXXX ..X.. ....X X...X
X...X ..X.. XXXXX X.X.X X...X ...X. .XXX. .X.X. ....X X...X
X...X ..X.. ..... X.X.X XXXXX ....X ..X.. X...X ....X .XXX.

X...X X.... XX... XXX.. ..X.. X.... XXXXX .X.X. ..... X.X.X
X...X X.... XX... XXX.. ..X.. XX... X.... .X.X. ..X.. .X.X.
XXXXX X.... ..... XXX.. ..X.. XXX.. XXXX. XXXXX .XXX. X.X.X
X...X X.... ...XX ..... ..X.. XXXX. X.... .X.X. ..X.. .X.X.
X...X XXXXX ...XX ..... ..X.. XXXXX XXXXX .X.X. ..... X.X.X
"""

DRAWN = tuple(
    Grid.from_rows(rows)
    for block in _DRAWN.strip().split("\n\n")
    for rows in zip(*(line.split() for line in block.splitlines()), strict=True)
)
"""M, plus, two rows, three columns, frame, diagonal, diamond, saltire, corner, ring, H…"""


class PictureRecipe(Recipe, frozen=True, kw_only=True):
    n: Annotated[int, Meta(description="number of instances")] = 40
    size: Annotated[int, Meta(ge=3, le=12, description="rows and columns of a grid")] = 5
    letters: Annotated[int, Meta(ge=1, le=26, description="different letters in a grid")] = 1
    set: Annotated[
        Literal["both", "compact", "random"],
        Meta(description="pictures with a pattern, without, half of each"),
    ] = "both"


def make(recipe: PictureRecipe) -> list[Picture]:
    """Make new pictures, none twice."""
    kinds = ["compact", "random"] if recipe.set == "both" else [recipe.set]
    if recipe.n < len(kinds):
        raise Problem(f"{recipe.n} pictures cannot be shared by {len(kinds)} sets: raise n or choose one set")
    cells = recipe.size**2
    if recipe.letters > min(FEWEST, cells):
        raise Problem(f"a picture may have only {FEWEST} filled cells: at most {FEWEST} letters")
    rng = Random(recipe.seed)
    seen: set[str] = set()
    made = []
    for number, kind in enumerate(kinds):
        count = recipe.n // len(kinds) + (number < recipe.n % len(kinds))
        made += _number_pictures(kind, [_new_grid(rng, kind, recipe, seen) for _ in range(count)])
    return made


def _new_grid(rng: Random, kind: str, recipe: PictureRecipe, seen: set[str]) -> Grid:
    for _ in range(10_000):
        places = (
            list(dict.fromkeys(random_pattern(rng, recipe.size)))
            if kind == "compact"
            else _scatter_cells(rng, recipe.size)
        )
        grid = _fill_letters(rng, recipe.size, places, recipe.letters)
        if len(places) >= FEWEST and grid.cells not in seen:
            seen.add(grid.cells)
            return grid
    raise Problem(
        f"no more {kind} pictures of size {recipe.size} can be found: lower n, or raise the size or the "
        "letters"
    )


def _scatter_cells(rng: Random, size: int) -> list[Cell]:
    cells = [(r, c) for r in range(1, size + 1) for c in range(1, size + 1)]
    return rng.sample(cells, rng.randint(FEWEST, min(MOST, len(cells))))


def _fill_letters(rng: Random, size: int, places: list[Cell], count: int) -> Grid:
    """Fill the cells with `count` letters, each at least once where there are enough cells."""
    letters = rng.sample(ascii_uppercase, count)
    grid = Grid.empty(size)
    order = rng.sample(places, len(places)) if count > 1 else places
    for cell, letter in zip(order, _spread_letters(rng, letters), strict=False):
        grid = grid.with_cell(cell, letter)
    return grid


def _spread_letters(rng: Random, letters: list[str]) -> Iterator[str]:
    yield from letters
    while True:
        yield rng.choice(letters)


def _number_pictures(kind: str, grids: list[Grid]) -> list[Picture]:
    width = len(str(len(grids)))
    return [
        Picture(
            id=f"{kind}-{i:0{width}d}",
            set=kind,
            group=f"{kind}-{i:0{width}d}",
            target=grid,
            par=giver_plan_length(grid),
        )
        for i, grid in enumerate(grids, 1)
    ]


def make_image_builtin() -> list[Picture]:
    """Make the built-in set as in its file: the hand-drawn patterns and as many random pictures."""
    rng = Random(BUILTIN_SEED)
    compact = [Grid(grid.cells.replace("X", rng.choice(ascii_uppercase))) for grid in DRAWN]
    random = [_fill_letters(rng, 5, _scatter_cells(rng, 5), 1) for _ in compact]
    pictures = _number_pictures("compact", compact) + _number_pictures("random", random)
    return [msgspec.structs.replace(picture, canary=CANARY, origin="built in") for picture in pictures]


def builtin() -> list[Picture]:
    return msgspec.json.Decoder(Picture).decode_lines(
        files(__package__).joinpath("builtin.jsonl").read_bytes()
    )
