"""Places items on a shelf so that a request has exactly the intended answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from msgspec import Struct

from groundling.boards.shelf import Item
from groundling.games.director.recipe import SetDesign, Stratum
from groundling.games.director.request_stock import CandidateRequest, RequestStock, TargetChoice
from groundling.games.director.shelf_layout import (
    ShelfLayout,
    TargetZone,
    layout_target_zones,
    plan_shelf_layout,
    shelf_layout_obstacle,
)


class PlacedItems(Struct, frozen=True):
    """Items by cell, with cells numbered row by row from the top."""

    ask: CandidateRequest
    items: dict[int, Item]
    hidden: frozenset[int]
    target: int
    rivals: tuple[int, ...]


class ShelfPlacer:
    """Makes the shelves of one stratum. Impossible ones are refused first: every choice succeeds."""

    def __init__(self, design: SetDesign, stratum: Stratum, stock: RequestStock) -> None:
        self.stratum = stratum
        self.shape: ShelfLayout = plan_shelf_layout(design, stratum)
        self._sized: Mapping[frozenset[str], list[TargetChoice]] = {}
        self._zones: list[TargetZone] = []
        self._asks: list[CandidateRequest] = []
        self.obstacle = (
            shelf_layout_obstacle(design, stratum, self.shape)
            or self._no_place()
            or self._nothing_to_ask(stock, design.twins)
        )

    def _no_place(self) -> str | None:
        shape, select = self.shape, self.stratum.select
        if self.stratum.rule in ("none", "size_related") or select is None:
            return None
        self._zones = layout_target_zones(shape, select, self.stratum.frame)
        if self._zones:
            return None
        return (
            f"{shape.others} related items beside the target leave it no place on {shape.columns} by "
            f"{shape.rows} cells "
            f"in which it is the {select} that the director sees: lower related, or make the shelf larger"
        )

    def _nothing_to_ask(self, stock: RequestStock, twins: bool) -> str | None:
        shape, stratum = self.shape, self.stratum
        found = stock.find_requests(
            physics=stratum.physics, unrelated=bool(shape.unrelated_count) or twins, related=1 + shape.others
        )
        if stratum.rule == "size_related":
            rivals = 0 if shape.rivalry == "none" else 1
            harmless = shape.others - (shape.hidden if shape.loose else rivals) > 0
            self._sized = stock.requests_by_size(
                1 if stratum.select == "largest" else -1, shape.rivalry, harmless
            )
            found = [ask for ask in found if ask.tags in self._sized]
        self._asks = found
        if found:
            return None
        what = "about how items behave" if stratum.physics else "about how items look"
        sized = ", with matching items of enough different sizes" if stratum.rule == "size_related" else ""
        return f"among the items there is no request {what}{sized}: add items, or change the share of physics"

    def place_items(self, rng: Random) -> PlacedItems:
        ask = rng.choice(self._asks)
        if self._zones:
            return self._place_in_zone(rng, ask, rng.choice(self._zones))
        if self._sized:
            return self._place_by_size(rng, ask, rng.choice(self._sized[ask.tags]))
        shape = self.shape
        cells = rng.sample(range(shape.cell_count), 1 + shape.others)
        items = dict(zip(cells, sample_items_to_place(rng, ask.fitting, 1 + shape.others), strict=True))
        return self._add_unrelated(rng, ask, items, cells[0], cells[1:], cells[1:])

    def _place_in_zone(self, rng: Random, ask: CandidateRequest, zone: TargetZone) -> PlacedItems:
        shape = self.shape
        if shape.loose:
            rivals = rng.sample(zone.rival, 1)
            seen = rng.sample(zone.harmless, shape.others - shape.hidden)
            taken = {zone.target, *rivals, *seen}
            hidden = rivals + rng.sample(
                [cell for cell in range(shape.cell_count) if cell not in taken], shape.hidden - 1
            )
        else:
            rivals = rng.sample(zone.rival, zone.rivals)
            others = rng.sample(zone.harmless, shape.others - zone.rivals)
            hidden = rivals + others[: max(0, shape.hidden - zone.rivals)]
            seen = others[max(0, shape.hidden - zone.rivals) :]
        cells = [zone.target, *hidden, *seen]
        items = dict(zip(cells, sample_items_to_place(rng, ask.fitting, len(cells)), strict=True))
        return self._add_unrelated(rng, ask, items, zone.target, hidden, rivals)

    def _place_by_size(self, rng: Random, ask: CandidateRequest, choice: TargetChoice) -> PlacedItems:
        shape = self.shape
        cells = rng.sample(range(shape.cell_count), 1 + shape.others)
        rivals = 0 if shape.rivalry == "none" else 1
        things = [choice.target, *sample_items_to_place(rng, choice.rival, rivals)]
        loose = shape.hidden - rivals if shape.loose else 0
        things += sample_items_to_place(rng, ask.fitting, loose)
        things += sample_items_to_place(rng, choice.harmless, shape.others - rivals - loose)
        return self._add_unrelated(
            rng,
            ask,
            dict(zip(cells, things, strict=True)),
            cells[0],
            cells[1 : 1 + shape.hidden],
            cells[1 : 1 + rivals],
        )

    def _add_unrelated(
        self,
        rng: Random,
        ask: CandidateRequest,
        items: dict[int, Item],
        target: int,
        hidden: list[int],
        rivals: list[int],
    ) -> PlacedItems:
        """Add unrelated items in other cells, and the remaining panels."""
        shape = self.shape
        free = [cell for cell in range(shape.cell_count) if cell not in items]
        things = sample_items_to_place(rng, ask.others, shape.unrelated_count)
        closed = set(hidden)
        # In a control anything but the target may be hidden; in a test the visible items stay visible.
        keep = {target} if self.stratum.kind == "control" else items.keys()
        spare = [cell for cell in range(shape.cell_count) if cell not in keep and cell not in closed]
        closed.update(rng.sample(spare, max(0, shape.panels - len(closed))))
        items = {**items, **dict(zip(rng.sample(free, shape.unrelated_count), things, strict=True))}
        return PlacedItems(ask, items, frozenset(closed), target, tuple(rivals))


def sample_items_to_place(rng: Random, things: Sequence[Item], count: int) -> list[Item]:
    """Sample items without repetition as long as there are enough."""
    if count <= len(things):
        return rng.sample(things, count)
    return rng.sample(things, len(things)) + (rng.choices(things, k=count - len(things)) if things else [])
