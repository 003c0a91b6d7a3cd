"""The seeded generator: targets, distractors at an exact number of edits, and balanced places."""

from __future__ import annotations

from importlib.resources import files
from itertools import islice
from math import comb
from random import Random
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from groundling.boards.letter_grid import Grid
from groundling.core.values import CANARY, Problem, Recipe
from groundling.games.reference.rules import Lineup
from groundling.games.reference.targets import DRAWN, count_possible_targets, generate_targets

BUILTIN_SEED = 36


class LineupRecipe(Recipe, frozen=True, kw_only=True):
    size: Annotated[int, Meta(ge=3, le=12, description="rows and columns of a grid")] = 5
    distractors: Annotated[int, Meta(ge=2, le=8, description="number of grids besides the target")] = 2
    edits: Annotated[
        str,
        Meta(
            description='edits between target and distractor: "2" exactly, "1-2" a range, '
            '"2,4" one set for each'
        ),
    ] = "2,4"
    fill: Annotated[bool, Meta(description="an edit may also fill an empty cell")] = False
    crossed: Annotated[
        bool,
        Meta(
            description="n targets, each at every distance and in every place, to compare distances in pairs"
        ),
    ] = False


class EditRange(Struct, frozen=True):
    """A number of edits, or a range from which it is drawn."""

    low: int
    high: int
    fill: bool

    @property
    def set_name(self) -> str:
        return f"edits-{self.low}" if self.low == self.high else f"edits-{self.low}-{self.high}"

    def count_variants(self, size: int, filled: int) -> int:
        """Count the non-empty grids at this many edits from a grid with `filled` filled cells."""
        cells = size * size if self.fill else filled
        return sum(comb(cells, count) - (count == filled) for count in range(self.low, self.high + 1))

    def least_filled(self, size: int, distractors: int) -> int | None:
        """The fewest filled cells with which a target has that many distractors; None where none has."""
        return next(
            (m for m in range(1, size * size + 1) if self.count_variants(size, m) >= distractors), None
        )

    def make_distractors(self, rng: Random, target: Grid, count: int) -> list[Grid]:
        letter = next(iter(target.letters_by_cell.values()))
        cells = list(target.iter_cells()) if self.fill else list(target.letters_by_cell)
        found: list[Grid] = []
        while len(found) < count:
            grid = target
            for cell in rng.sample(cells, min(rng.randint(self.low, self.high), len(cells))):
                grid = grid.with_cell(cell, "." if cell in target.letters_by_cell else letter)
            if grid.letters_by_cell and grid not in found:
                found.append(grid)
        return found


def make(recipe: LineupRecipe) -> list[Lineup]:
    """Make new lineups. A recipe that cannot be made is refused before the first is made."""
    distances = parse_made_edits(recipe.edits, recipe.fill)
    if recipe.n < len(distances) and not recipe.crossed:
        raise Problem(
            f"{recipe.n} lineups cannot be shared by {len(distances)} distances: raise n or give one distance"
        )
    least = 1
    for edits in distances:
        needed = edits.least_filled(recipe.size, recipe.distractors)
        if needed is None:
            raise Problem(
                f"no {recipe.size}x{recipe.size} grid has {recipe.distractors} distractors "
                f"at {edits.set_name}: "
                "fewer edits or distractors, a larger size, or fill"
            )
        least = max(least, needed)
    possible = count_possible_targets(recipe.size, least)
    if recipe.n > possible:
        raise Problem(f"there are only {possible} such targets of size {recipe.size}: lower n")
    rng = Random(recipe.seed)
    targets = list(islice(generate_targets(rng, recipe.size, least), recipe.n))
    if recipe.crossed:
        return make_crossed_lineups(rng, targets, distances, recipe.distractors)
    lineups = []
    for number, edits in enumerate(distances):
        lineups += make_lineups_at_distance(
            rng, list(enumerate(targets, 1))[number :: len(distances)], edits, recipe.distractors
        )
    return lineups


def parse_made_edits(text: str, fill: bool) -> list[EditRange]:
    found = []
    for part in text.split(","):
        low, _, high = part.strip().partition("-")
        if not low.isdecimal() or not (high or low).isdecimal() or not 1 <= int(low) <= int(high or low):
            raise Problem(
                f'edits {text!r} is no number of edits: give "2", a range "1-2", or several as "2,4"'
            )
        found.append(EditRange(int(low), int(high or low), fill))
    if len(set(found)) < len(found):
        raise Problem(f"edits {text!r} names a distance twice: name each once")
    return found


def make_lineups_at_distance(
    rng: Random, targets: list[tuple[int, Grid]], edits: EditRange, count: int
) -> list[Lineup]:
    """Make one lineup per target, with the target's places balanced for both seats."""
    places = _balanced_places(rng, len(targets), count + 1)
    giver_places = _balanced_places(rng, len(targets), count + 1)
    made = []
    for (group, target), place, giver_place in zip(targets, places, giver_places, strict=True):
        grids = (target, *edits.make_distractors(rng, target, count))
        orders = _grid_order(rng, giver_place, count), _grid_order(rng, place, count)
        made.append(_make_lineup(edits, group, grids, *orders))
    return _assign_ids(rng, made)


def make_crossed_lineups(
    rng: Random, targets: list[Grid], distances: list[EditRange], count: int
) -> list[Lineup]:
    """Make lineups with every target at every distance and, with the same grids, in every place."""
    lineups = []
    for edits in distances:
        made = []
        for (group, target), giver_place in zip(
            enumerate(targets, 1), _balanced_places(rng, len(targets), count + 1), strict=True
        ):
            grids = (target, *edits.make_distractors(rng, target, count))
            giver, follower = _grid_order(rng, giver_place, count), _grid_order(rng, 0, count)
            for place in range(count + 1):
                made.append(
                    _make_lineup(
                        edits, group, grids, giver, (*follower[1 : place + 1], 0, *follower[place + 1 :])
                    )
                )
        lineups += _assign_ids(rng, made)
    return lineups


def make_reference_builtin() -> list[Lineup]:
    """Make the built-in set as in its file: the hand-drawn targets at two and at four edits."""
    rng = Random(BUILTIN_SEED)
    lineups = [
        lineup
        for count in (2, 4)
        for lineup in make_lineups_at_distance(
            rng, list(enumerate(DRAWN, 1)), EditRange(count, count, False), 2
        )
    ]
    return [msgspec.structs.replace(lineup, canary=CANARY, origin="built in") for lineup in lineups]


def builtin() -> list[Lineup]:
    return msgspec.json.Decoder(Lineup).decode_lines(
        files(__package__).joinpath("builtin.jsonl").read_bytes()
    )


def _make_lineup(
    edits: EditRange, group: int, grids: tuple[Grid, ...], giver: tuple[int, ...], follower: tuple[int, ...]
) -> Lineup:
    return Lineup(
        id="", set=edits.set_name, group=f"target-{group}", grids=grids, giver=giver, follower=follower
    )


def _balanced_places(rng: Random, n: int, places: int) -> list[int]:
    """Draw every place equally often, to within one, in random order."""
    extra = rng.sample(range(places), n % places)
    return rng.sample((all_places := list(range(places)) * (n // places) + extra), len(all_places))


def _grid_order(rng: Random, place: int, count: int) -> tuple[int, ...]:
    """An order with the target at that place and the distractors around it at random."""
    others = rng.sample(range(1, count + 1), count)
    return (*others[:place], 0, *others[place:])


def _assign_ids(rng: Random, made: list[Lineup]) -> list[Lineup]:
    """Number the lineups in random order, since players see the id and it must not reveal the place."""
    width = len(str(len(made)))
    shuffled = rng.sample(made, len(made))
    return [
        msgspec.structs.replace(lineup, id=f"{lineup.set}-{i:0{width}d}")
        for i, lineup in enumerate(shuffled, 1)
    ]
