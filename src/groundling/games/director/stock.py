"""What can be asked for: every way to name some of the items, with those that fit and those that do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec import Struct

from groundling.boards.shelf import Item
from groundling.games.director.items import Items, Property
from groundling.games.director.layout import Rivalry, chosen

LONGEST = 2
"""Properties beside the noun."""
VARIED = 3
"""As many different things should fit a request, where so many are wanted."""


class Ask(Struct, frozen=True, eq=False):
    """A way to ask."""

    tags: frozenset[str]
    fitting: tuple[Item, ...]
    others: tuple[Item, ...]
    marks: tuple[Property, ...]
    """The properties beside the noun."""
    physics: bool
    of_a_size: bool
    """Names a size, and so makes little sense with the smallest or largest."""


class Choice(Struct, frozen=True):
    """A target for a request for the smallest or largest, and what may stand beside it."""

    target: Item
    rival: tuple[Item, ...]
    harmless: tuple[Item, ...]


class Stock:
    """All ways to ask for some of these items."""

    def __init__(self, items: Items) -> None:
        self.asks = tuple(_asks(items))
        self._choices: dict[tuple[int, Rivalry, bool], dict[frozenset[str], list[Choice]]] = {}

    def find(self, *, physics: bool, unrelated: bool, related: int) -> list[Ask]:
        """Those for what things do, or not; with something that does not fit, if there is to be such a thing;
        and, as far as there are any, with several things that do."""
        found = [ask for ask in self.asks if ask.physics == physics and (ask.others or not unrelated)]
        return [ask for ask in found if len(ask.fitting) >= min(VARIED, related)] or found

    def by_size(self, sign: int, rivalry: Rivalry, harmless: bool) -> dict[frozenset[str], list[Choice]]:
        """What can be asked for with largest (1) or smallest (-1), with the targets that it can be said
        of."""
        key = sign, rivalry, harmless
        if key not in self._choices:
            found = {
                ask.tags: _targets(ask, sign, rivalry, harmless) for ask in self.asks if not ask.of_a_size
            }
            self._choices[key] = {tags: choices for tags, choices in found.items() if choices}
        return self._choices[key]


def _targets(ask: Ask, sign: int, rivalry: Rivalry, harmless: bool) -> list[Choice]:
    found = []
    for target in ask.fitting:
        better = tuple(item for item in ask.fitting if sign * (item.size - target.size) > 0)
        same = tuple(item for item in ask.fitting if item.size == target.size)
        worse = tuple(item for item in ask.fitting if sign * (item.size - target.size) < 0)
        rival = chosen(rivalry, better, same)
        if (rival or rivalry == "none") and (worse or not harmless) and (better or worse):
            found.append(Choice(target, rival, worse))
    return found


def _asks(items: Items) -> Iterator[Ask]:
    """Each with the noun for some of the things, or for any, and at most two more properties. What a thing
    does is asked for only with a noun of which not everything does it: to know that a sharp dart is sharp
    takes no thought."""
    known: set[frozenset[str]] = set()
    everything = tuple(items.items.values())
    common = _common(items)
    for item in everything:
        for tags, marks in _ways(item, items):
            if tags not in known and not any(common[tag] & tags for tag in tags if tag in common):
                known.add(tags)
                fitting, others = _apart(tags, everything)
                physics, of_a_size = (
                    any(each.physics for each in marks),
                    any(each.role == "size" for each in marks),
                )
                yield Ask(tags, fitting, others, marks, physics, of_a_size)


def _common(items: Items) -> dict[str, frozenset[str]]:
    """By noun, what all things do that it is a name for."""
    physics = frozenset(name for name, found in items.properties.items() if found.physics)
    found: dict[str, frozenset[str]] = {}
    for item in items.items.values():
        for tag in item.tags:
            if items.properties[tag].role == "category":
                found[tag] = found.get(tag, physics) & item.tags
    return found


def _apart(tags: frozenset[str], things: Sequence[Item]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    fits = [tags <= item.tags for item in things]
    both = (
        [item for item, fit in zip(things, fits, strict=True) if fit == wanted] for wanted in (True, False)
    )
    fitting, others = map(tuple, both)
    return fitting, others


def _ways(item: Item, items: Items) -> Iterator[tuple[frozenset[str], tuple[Property, ...]]]:
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
    """One clause at most, and nothing of two sizes or colours."""
    told = [each.role for each in marks if each.role in ("colour", "size")]
    return sum(bool(each.clause) for each in marks) <= 1 and len(set(told)) == len(told)
