"""The layout of a shelf: how many items of which kind, where they may stand, and why some are impossible."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct

from groundling.boards.shelf import Side, shelf_cell_positions
from groundling.games.director.apportionment import apportioned_share, round_half_up
from groundling.games.director.recipe import Distractor, SetDesign, Stratum
from groundling.games.director.request import Select

T = TypeVar("T")
Rivalry: TypeAlias = Distractor | Literal["none"]
"""How the hidden rival compares with the target; in a control there is none."""


class ShelfLayout(Struct, frozen=True):
    """The counts of a stratum's shelves. *Related* items fit the request except for its superlative."""

    columns: int
    rows: int
    items: int
    others: int
    """The number of related items beside the target."""
    hidden: int
    """How many of them are behind panels."""
    panels: int
    rivalry: Rivalry
    loose: bool
    """Whether hidden items beside the rival may stand anywhere; else none of them changes the answer, so that
    the shelf without the rival is a control."""

    @property
    def cell_count(self) -> int:
        return self.columns * self.rows

    @property
    def unrelated_count(self) -> int:
        return self.items - 1 - self.others


def plan_shelf_layout(design: SetDesign, stratum: Stratum) -> ShelfLayout:
    recipe = design.recipe
    cells = recipe.columns * recipe.rows
    items = round_half_up(apportioned_share(recipe.fill) * cells)
    panels = round_half_up(apportioned_share(recipe.panels) * cells)
    if stratum.kind == "test":
        others = max(2, round_half_up(apportioned_share(recipe.related_test) * items)) - 1
        hidden = (
            others
            if stratum.rule == "none"
            else max(1, round_half_up(apportioned_share(recipe.hidden) * others))
        )
        loose = design.distractor == "any" and not design.twins
        return ShelfLayout(
            recipe.columns, recipe.rows, items, others, hidden, max(panels, hidden), design.distractor, loose
        )
    others = max(1, round_half_up(apportioned_share(recipe.related_control) * items)) - 1
    if stratum.rule == "none":
        others = 0
        if recipe.like_reference:  # the reference adds one unrelated item more
            items = min(items + 1, cells)
    return ShelfLayout(recipe.columns, recipe.rows, items, others, 0, panels, "none", False)


class TargetZone(Struct, frozen=True):
    """Where items may stand, given the cell of the target; cells are numbered row by row from the top."""

    target: int
    rivals: int
    """How many hidden items change the answer: one, or more where there are too few harmless cells."""
    rival: tuple[int, ...]
    harmless: tuple[int, ...]
    """The cells in which other related items do not change the answer."""


def layout_target_zones(shape: ShelfLayout, select: Select, frame: Side) -> list[TargetZone]:
    """List the zones for each possible cell of the target, only those with the fewest rivals."""
    ranks = _rank_cells(shape.columns, shape.rows, select, frame)
    places = range(shape.cell_count)
    found = []
    for target, rank in enumerate(ranks):
        better = tuple(cell for cell in places if ranks[cell] < rank)
        same = tuple(cell for cell in places if ranks[cell] == rank and cell != target)
        worse = tuple(cell for cell in places if ranks[cell] > rank)
        rival = layout_rivals(shape.rivalry, better, same)
        bound = shape.others - shape.hidden if shape.loose else shape.others
        rivals = 0 if shape.rivalry == "none" else 1 if shape.loose else max(1, bound - len(worse))
        if rivals <= len(rival) and bound - (0 if shape.loose else rivals) <= len(worse):
            found.append(TargetZone(target, rivals, rival, worse))
    fewest = min((zone.rivals for zone in found), default=0)
    return [zone for zone in found if zone.rivals == fewest]


def layout_rivals(rivalry: Rivalry, better: tuple[T, ...], same: tuple[T, ...]) -> tuple[T, ...]:
    """The candidates for a rival: better than the target, or as good."""
    ways: dict[Rivalry, tuple[T, ...]] = {"none": (), "strict": better, "tie": same, "any": (*better, *same)}
    return ways[rivalry]


def _rank_cells(columns: int, rows: int, select: Select, frame: Side) -> list[int]:
    """The rank of each cell for a selection; 0 is the most extreme."""
    places = shelf_cell_positions(columns, rows).values()
    if select == "topmost":
        return [down for down, _ in places]
    if select == "bottommost":
        return [rows - 1 - down for down, _ in places]
    if (select == "leftmost") == (frame == "participant"):
        return [across for _, across in places]
    return [columns - 1 - across for _, across in places]


def shelf_layout_obstacle(design: SetDesign, stratum: Stratum, shape: ShelfLayout) -> str | None:
    """Why the counts of a layout are impossible; None if they are not."""
    recipe = design.recipe
    if shape.unrelated_count < 0:
        wanted = "a target" if stratum.kind == "control" else "a target and its hidden rival"
        return (
            f"fill {recipe.fill:g} of {shape.cell_count} cells makes {shape.items} items, "
            f"too few for {wanted}: raise fill"
        )
    open_cells = 1 + (shape.others - shape.hidden if stratum.kind == "test" else 0)
    if shape.panels > shape.cell_count - open_cells:
        return (
            f"{shape.panels} of {shape.cell_count} cells would have a panel, "
            f"but {open_cells} must be open: lower panels"
        )
    return None
