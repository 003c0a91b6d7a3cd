"""All requests that some of the items fit, with the items that fit and those that do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec import Struct

from groundling.boards.shelf import Item
from groundling.games.director.item_sheet import Property
from groundling.games.director.items import Items
from groundling.games.director.shelf_layout import Rivalry, layout_rivals

LONGEST = 2
"""The most properties beside the noun."""
_SIZE_WORDS = ("small", "large")
"""Sizes even where a file has them as qualities, because they do not follow from its sizes."""
VARIED = 3
"""How many different items should fit a request, where that many are wanted."""


class CandidateRequest(Struct, frozen=True, eq=False):
    """A request as a set of properties, with the items that fit it and the others."""

    tags: frozenset[str]
    fitting: tuple[Item, ...]
    others: tuple[Item, ...]
    marks: tuple[Property, ...]
    """The properties beside the noun."""
    physics: bool
    of_a_size: bool
    """Whether it names a size, and so makes little sense with smallest or largest."""


class TargetChoice(Struct, frozen=True):
    """A target of a request for the smallest or largest, with its possible rivals and harmless items."""

    target: Item
    rival: tuple[Item, ...]
    harmless: tuple[Item, ...]


class RequestStock:
    """All requests for some of these items."""

    def __init__(self, items: Items) -> None:
        self.asks = tuple(_candidate_requests(items))
        self._choices: dict[tuple[int, Rivalry, bool], dict[frozenset[str], list[TargetChoice]]] = {}

    def find_requests(self, *, physics: bool, unrelated: bool, related: int) -> list[CandidateRequest]:
        """Find requests with physics, or without; with some unrelated items, if wanted; and preferably with
        several related items."""
        found = [ask for ask in self.asks if ask.physics == physics and (ask.others or not unrelated)]
        return [ask for ask in found if len(ask.fitting) >= min(VARIED, related)] or found

    def requests_by_size(
        self, sign: int, rivalry: Rivalry, harmless: bool
    ) -> dict[frozenset[str], list[TargetChoice]]:
        """The requests that work with largest (sign 1) or smallest (-1), with their possible targets."""
        key = sign, rivalry, harmless
        if key not in self._choices:
            found = {
                ask.tags: _size_targets(ask, sign, rivalry, harmless)
                for ask in self.asks
                if not ask.of_a_size
            }
            self._choices[key] = {tags: choices for tags, choices in found.items() if choices}
        return self._choices[key]


def _size_targets(ask: CandidateRequest, sign: int, rivalry: Rivalry, harmless: bool) -> list[TargetChoice]:
    found = []
    for target in ask.fitting:
        better = tuple(item for item in ask.fitting if sign * (item.size - target.size) > 0)
        same = tuple(item for item in ask.fitting if item.size == target.size)
        worse = tuple(item for item in ask.fitting if sign * (item.size - target.size) < 0)
        rival = layout_rivals(rivalry, better, same)
        if (rival or rivalry == "none") and (worse or not harmless) and (better or worse):
            found.append(TargetChoice(target, rival, worse))
    return found


def _candidate_requests(items: Items) -> Iterator[CandidateRequest]:
    """Yield requests with a noun, or none, and at most two more properties. A physics property is combined
    only with a noun that does not imply it: "a sharp dart" would need no thought."""
    known: set[frozenset[str]] = set()
    everything = tuple(items.shelf_items.values())
    common = _physics_by_noun(items)
    for item in everything:
        for tags, marks in _tag_combinations(item, items):
            if tags not in known and not any(common[tag] & tags for tag in tags if tag in common):
                known.add(tags)
                fitting, others = _partition_items(tags, everything)
                physics = any(each.physics for each in marks)
                of_a_size = any(each.role == "size" or each.adjective in _SIZE_WORDS for each in marks)
                yield CandidateRequest(tags, fitting, others, marks, physics, of_a_size)


def _physics_by_noun(items: Items) -> dict[str, frozenset[str]]:
    """By noun, the physics properties that all its items have."""
    physics = frozenset(name for name, found in items.properties.items() if found.physics)
    found: dict[str, frozenset[str]] = {}
    for item in items.shelf_items.values():
        for tag in item.tags:
            if items.properties[tag].role == "category":
                found[tag] = found.get(tag, physics) & item.tags
    return found


def _partition_items(
    tags: frozenset[str], things: Sequence[Item]
) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    fits = [tags <= item.tags for item in things]
    both = (
        [item for item, fit in zip(things, fits, strict=True) if fit == wanted] for wanted in (True, False)
    )
    fitting, others = map(tuple, both)
    return fitting, others


def _tag_combinations(item: Item, items: Items) -> Iterator[tuple[frozenset[str], tuple[Property, ...]]]:
    own = [items.properties[tag] for tag in item.tags if items.properties[tag].asked]
    nouns = [each.name for each in own if each.role == "category"]
    for count in range(LONGEST + 1):
        for marks in combinations([each for each in own if each.role != "category"], count):
            if _can_be_said(marks):
                names = [each.name for each in marks]
                yield from ((frozenset((noun, *names)), marks) for noun in nouns)
                if marks:
                    yield frozenset(names), marks


def _can_be_said(marks: tuple[Property, ...]) -> bool:
    """Whether there is at most one clause, one size and one colour."""
    told = [each.role for each in marks if each.role in ("colour", "size")]
    return sum(bool(each.clause) for each in marks) <= 1 and len(set(told)) == len(told)
