"""How many things of which kind a shelf gets, where they may stand, and why some shelves cannot be."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct

from groundling.boards.shelf import Side, grid
from groundling.games.director.recipe import Design, Distractor, Stratum
from groundling.games.director.request import Select
from groundling.games.director.shares import exact, half_up

T = TypeVar("T")
Rivalry: TypeAlias = Distractor | Literal["none"]
"""How the hidden rival does against the target; in a control there is none."""


class Layout(Struct, frozen=True):
    """The numbers of a stratum's shelves. Things are *related* that fit the request, but for its
    superlative."""

    columns: int
    rows: int
    items: int
    others: int
    """Related things beside the target."""
    hidden: int
    """So many of them behind panels."""
    panels: int
    rivalry: Rivalry
    loose: bool
    """Hidden things beside the rival may stand anywhere; else none of them changes the answer, so that without the rival
    the shelf is a control."""

    @property
    def cells(self) -> int:
        return self.columns * self.rows

    @property
    def unrelated(self) -> int:
        return self.items - 1 - self.others


def layout(design: Design, stratum: Stratum) -> Layout:
    recipe = design.recipe
    cells = recipe.columns * recipe.rows
    items = half_up(exact(recipe.fill) * cells)
    panels = half_up(exact(recipe.panels) * cells)
    if stratum.kind == "test":
        others = max(2, half_up(exact(recipe.related_test) * items)) - 1
        hidden = others if stratum.rule == "none" else max(1, half_up(exact(recipe.hidden) * others))
        loose = design.distractor == "any" and not design.twins
        return Layout(
            recipe.columns, recipe.rows, items, others, hidden, max(panels, hidden), design.distractor, loose
        )
    others = max(1, half_up(exact(recipe.related_control) * items)) - 1
    if stratum.rule == "none":
        others = 0
        if recipe.like_reference:  # an unrelated thing for every related one, and one more
            items = min(items + 1, cells)
    return Layout(recipe.columns, recipe.rows, items, others, 0, panels, "none", False)


class Zone(Struct, frozen=True):
    """Where things may stand once the target stands in a cell; cells are counted row by row from the top."""

    target: int
    rivals: int
    """How many hidden things take the answer away: one, or as many as find no place where they would be harmless."""
    rival: tuple[int, ...]
    harmless: tuple[int, ...]
    """Where the other related things lose against the target."""


def zones(shape: Layout, select: Select, frame: Side) -> list[Zone]:
    """The places that the target may have: of all that are possible, those with the fewest rivals."""
    ranks = _ranks(shape.columns, shape.rows, select, frame)
    places = range(shape.cells)
    found = []
    for target, rank in enumerate(ranks):
        better = tuple(cell for cell in places if ranks[cell] < rank)
        same = tuple(cell for cell in places if ranks[cell] == rank and cell != target)
        worse = tuple(cell for cell in places if ranks[cell] > rank)
        rival = chosen(shape.rivalry, better, same)
        bound = shape.others - shape.hidden if shape.loose else shape.others
        rivals = 0 if shape.rivalry == "none" else 1 if shape.loose else max(1, bound - len(worse))
        if rivals <= len(rival) and bound - (0 if shape.loose else rivals) <= len(worse):
            found.append(Zone(target, rivals, rival, worse))
    fewest = min((zone.rivals for zone in found), default=0)
    return [zone for zone in found if zone.rivals == fewest]


def chosen(rivalry: Rivalry, better: tuple[T, ...], same: tuple[T, ...]) -> tuple[T, ...]:
    """What can be a rival: what is better than the target, or as good."""
    ways: dict[Rivalry, tuple[T, ...]] = {"none": (), "strict": better, "tie": same, "any": (*better, *same)}
    return ways[rivalry]


def _ranks(columns: int, rows: int, select: Select, frame: Side) -> list[int]:
    """How far each cell is from being the most extreme one: 0 is."""
    places = grid(columns, rows).values()
    if select == "topmost":
        return [down for down, _ in places]
    if select == "bottommost":
        return [rows - 1 - down for down, _ in places]
    if (select == "leftmost") == (frame == "participant"):
        return [across for _, across in places]
    return [columns - 1 - across for _, across in places]


def obstacle(design: Design, stratum: Stratum, shape: Layout) -> str | None:
    """Why there is no such shelf, as far as numbers go."""
    recipe = design.recipe
    if shape.unrelated < 0:
        wanted = "a target" if stratum.kind == "control" else "a target and its hidden rival"
        return f"fill {recipe.fill:g} of {shape.cells} cells makes {shape.items} items, too few for {wanted}: raise fill"
    open_cells = 1 + (shape.others - shape.hidden if stratum.kind == "test" else 0)
    if shape.panels > shape.cells - open_cells:
        return f"{shape.panels} of {shape.cells} cells would have a panel, but {open_cells} must be open: lower panels"
    return None
