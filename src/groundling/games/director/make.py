"""The seeded generator: a request, a shelf with one answer, and in a test a hidden rival of that answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from random import Random

import msgspec

from groundling.boards.shelf import Item, Shelf, shelf_cell_positions
from groundling.core.values import CANARY, Problem
from groundling.games.director.items import Items, load_items
from groundling.games.director.recipe import (
    SampleRecipe,
    SetDesign,
    Stratum,
    count_recipe_strata,
    recipe_designs,
)
from groundling.games.director.request import SIDEWAYS, Request, answers, mirror_request_select
from groundling.games.director.request_stock import CandidateRequest, RequestStock
from groundling.games.director.request_wording import (
    word_request,
    word_request_without_view,
    wording_unlike_ours,
)
from groundling.games.director.rules import Kind, Sample
from groundling.games.director.shelf_placer import PlacedItems, ShelfPlacer, sample_items_to_place

BUILTIN_SEED = 117


def make(recipe: SampleRecipe) -> list[Sample]:
    """Make new samples. A recipe that cannot be made is refused before the first is made."""
    items = load_items(recipe.items or None)
    stock = RequestStock(items) if recipe.items else _our_stock()
    planned = [(design, _make_placers(design, stock)) for design in recipe_designs(recipe)]
    rng = Random(recipe.seed)
    made: list[Sample] = []
    for design, placers in planned:
        writer = SampleWriter(design, items)
        if design.twins:
            made += _make_twins(rng, placers, writer, recipe.n)
        else:
            single = [
                writer.make_samples(rng, placer, placer.place_items(rng))[0]
                for placer, n in placers
                for _ in range(n)
            ]
            made += rng.sample(single, len(single))
    width = len(str(len(made)))
    return [
        msgspec.structs.replace(sample, id=f"shelf-{number:0{width}d}")
        for number, sample in enumerate(made, 1)
    ]


def why_make_refused(stock: RequestStock) -> str:
    """Why the default recipe cannot be made with these requests; "" where it can."""
    try:
        for design in recipe_designs(SampleRecipe()):
            _make_placers(design, stock)
    except Problem as trouble:
        return str(trouble)
    return ""


@lru_cache(1)
def _our_stock() -> RequestStock:
    return RequestStock(load_items())


def _make_placers(design: SetDesign, stock: RequestStock) -> list[tuple[ShelfPlacer, int]]:
    """Make a placer for every stratum, with the number of samples or pairs of twins to make."""
    found = []
    for stratum, count in count_recipe_strata(design):
        placer = ShelfPlacer(design, stratum, stock)
        if placer.obstacle:
            place = f"{design.recipe.columns} by {design.recipe.rows}"
            where = f"{stratum} on {place}" + (f" ({design.name})" if design.name else "")
            raise Problem(f"cannot make {where}: {placer.obstacle}")
        found.append((placer, count))
    return found


def _make_twins(
    rng: Random, placers: list[tuple[ShelfPlacer, int]], writer: SampleWriter, n: int
) -> list[Sample]:
    """Make groups of four: a test, its control, and both mirrored. The last group may have two."""
    groups = [
        writer.make_samples(rng, placer, placer.place_items(rng))
        for placer, count in placers
        for _ in range(count)
    ]
    rng.shuffle(groups)
    width = len(str(len(groups)))
    made = []
    for number, pair in enumerate(groups, 1):
        of_group = [
            msgspec.structs.replace(sample, group=f"{writer.prefix}twin-{number:0{width}d}")
            for sample in pair
        ]
        made += [*of_group, *(make_mirrored_sample(sample, writer.items) for sample in of_group)]
    return rng.sample(made[:n], n)


class SampleWriter:
    """Turns placed items into samples, with the shortest request and its words."""

    def __init__(self, design: SetDesign, items: Items) -> None:
        self.design, self.items = design, items
        self.prefix = f"{design.name} " if design.name else ""
        self._names = tuple(shelf_cell_positions(design.recipe.columns, design.recipe.rows))
        self._words: dict[Request, tuple[str, str]] = {}
        self._terms = wording_unlike_ours(items)

    def make_samples(self, rng: Random, placer: ShelfPlacer, placed: PlacedItems) -> list[Sample]:
        """Make the sample, and its control if the design has twins."""
        stratum = placer.stratum
        shelves = [placed.items]
        if self.design.twins:
            instead = sample_items_to_place(rng, placed.ask.others, len(placed.rivals))
            shelves.append({**placed.items, **dict(zip(placed.rivals, instead, strict=True))})
        request = Request(_shorten_tags(rng, placed.ask, shelves), stratum.select, stratum.frame)
        kinds: tuple[Kind, ...] = (stratum.kind, "control")
        return [
            self._make_sample(placed, stratum, request, kind, things)
            for kind, things in zip(kinds, shelves, strict=False)
        ]

    def _make_sample(
        self, placed: PlacedItems, stratum: Stratum, request: Request, kind: Kind, things: Mapping[int, Item]
    ) -> Sample:
        names, recipe = self._names, self.design.recipe
        items = {names[cell]: item for cell, item in things.items()}
        shelf = Shelf(recipe.columns, recipe.rows, items, frozenset([names[cell] for cell in placed.hidden]))
        target = names[placed.target]
        seen, all_of_it = answers(shelf, request), answers(shelf, request, "participant")
        assert seen == {target}, "the director's answer is the target alone"
        assert (all_of_it != seen) == (kind == "test"), (
            "what is hidden changes the answer of a test, and only of a test"
        )
        words, plain = self._say_request(request, stratum)
        ties = kind == "test" and target in all_of_it and not recipe.like_reference
        group = ("tie-none" if stratum.rule == "none" else "tie") if ties else kind
        return Sample(
            id="",
            set=f"{group} {self.design.name}".rstrip(),
            shelf=shelf,
            request=request,
            words=words,
            plain=plain,
            target=target,
            kind=kind,
            rule=stratum.rule,
            physics=stratum.physics,
            rivals=self._rival_cells(placed, kind, all_of_it - seen),
            looks=self.items.looks_unlike_ours(item.name for item in items.values()),
            terms=self._terms,
        )

    def _rival_cells(self, placed: PlacedItems, kind: Kind, winners: frozenset[str]) -> tuple[str, ...]:
        """The rivals: those placed as such, or randomly hidden items that became answers."""
        loose = kind == "test" and self.design.distractor == "any" and not self.design.twins
        return tuple(sorted(winners if loose else [self._names[cell] for cell in placed.rivals]))

    def _say_request(self, request: Request, stratum: Stratum) -> tuple[str, str]:
        if request not in self._words:
            view = self.design.recipe.frames == "both" or stratum.rule == "spatial_different_perspective"
            self._words[request] = (
                word_request(request, self.items, view=view),
                word_request_without_view(request, self.items),
            )
        return self._words[request]


def _shorten_tags(
    rng: Random, ask: CandidateRequest, shelves: Sequence[Mapping[int, Item]]
) -> frozenset[str]:
    """Drop properties as long as the same items fit on all of the shelves."""
    tags, marks = ask.tags, list(ask.marks)
    for mark in rng.sample(marks, len(marks)):
        fewer = tags - {mark.name}
        if not fewer or (mark.physics and sum(other.physics for other in marks) == 1):
            continue
        others = [item.tags for things in shelves for item in things.values()]
        if all(tags <= other for other in others if fewer <= other):
            tags = fewer
            marks.remove(mark)
    return tags


def make_mirrored_sample(sample: Sample, items: Items) -> Sample:
    """Exchange left and right in the shelf and in the request."""
    request, shelf = sample.request, sample.shelf
    words, plain = sample.words, sample.plain
    if request.select in SIDEWAYS:
        request = Request(request.tags, mirror_request_select(request.select), request.frame)
        words, plain = word_request(request, items), word_request_without_view(request, items)
    swap = {
        cell: shelf.cell(shelf.column(cell, "director"), shelf.row(cell))
        for cell in (sample.target, *sample.rivals)
    }
    return msgspec.structs.replace(
        sample,
        shelf=shelf.mirrored(),
        request=request,
        words=words,
        plain=plain,
        target=swap[sample.target],
        rivals=tuple(sorted(swap[cell] for cell in sample.rivals)),
    )


def make_director_builtin() -> list[Sample]:
    """Make the built-in set as in its file."""
    made = make(SampleRecipe(seed=BUILTIN_SEED, n=48))
    return [msgspec.structs.replace(sample, canary=CANARY, origin="built in") for sample in made]


def builtin() -> list[Sample]:
    return msgspec.json.Decoder(Sample).decode_lines(
        files(__package__).joinpath("builtin.jsonl").read_bytes()
    )
