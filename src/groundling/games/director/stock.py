"""What can be asked for: every way to name some of the items, with those that fit and those that do not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec import Struct

from ...boards.shelf import Item
from .items import Items, Property

LONGEST = 2
"""Properties beside the noun."""


class Ask(Struct, frozen=True, eq=False):
    """A way to ask."""

    tags: frozenset[str]
    fitting: tuple[Item, ...]
    others: tuple[Item, ...]
    marks: tuple[Property, ...]
    """The properties beside the noun."""

    @property
    def physics(self) -> bool:
        return any(each.physics for each in self.marks)

    @property
    def of_a_size(self) -> bool:
        """Names a size, and so makes little sense with the smallest or largest."""
        return any(each.role == "size" for each in self.marks)


def asks(items: Items) -> tuple[Ask, ...]:
    """Each with the noun for some of the things, or for any, and at most two more properties."""
    found: dict[frozenset[str], Ask] = {}
    everything = tuple(items.items.values())
    for item in everything:
        for tags, marks in _ways(item, items):
            if tags not in found:
                fits = [tags <= other.tags for other in everything]
                fitting = tuple(other for other, fit in zip(everything, fits, strict=True) if fit)
                others = tuple(other for other, fit in zip(everything, fits, strict=True) if not fit)
                found[tags] = Ask(tags, fitting, others, marks)
    return tuple(found.values())


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
