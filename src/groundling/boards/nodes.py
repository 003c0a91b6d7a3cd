"""The nodes that an SVG of ours is made of. A picture is read along the one before it: what was written there
already is not parsed again, and is the same nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

from msgspec import Struct

_TAG = re.compile(r'(/?)([\w.-]+)((?:\s+[\w.-]+="[^"]*")*)(/?)')
_ID = re.compile(r'\sid="([^"]*)"')
_SOME = 200
"""So many characters are split at first."""


class Element(Struct, frozen=True, gc=False):
    name: str
    attributes: str
    """As they are written."""
    children: tuple[Node, ...]
    sizes: tuple[int, ...]
    """How many characters each child is written with."""
    bare: bool
    """Written as <name/>."""


Node: TypeAlias = Element | str
"""An element, or a run of words as they are written."""


class Unknown(ValueError):  # noqa: N818
    """More than drawings of ours hold, such as a comment or an attribute with a prefix."""


def element(name: str, attributes: str, children: Sequence[Node], bare: bool) -> Element:
    return Element(name, attributes, tuple(children), tuple(map(_size, children)), bare)


def kind(node: Node) -> str:
    """What it has in common with the one that it becomes in the next picture."""
    return "" if isinstance(node, str) else _kind(node.name, node.attributes)


def parse(svg: str, before: str = "", known: Element | None = None) -> Element:
    """A picture; where the nodes of the one before are known, along that."""
    reader = _Reader(svg, before)
    node = reader.fresh() if known is None else reader.along(known, 0)
    if isinstance(node, str) or reader.at != len(svg):
        raise Unknown(svg[:40])
    return node


def write(node: Node) -> str:
    parts: list[str] = []
    _write(node, parts)
    return "".join(parts)


def _write(node: Node, parts: list[str]) -> None:
    if isinstance(node, str):
        parts.append(node)
    elif node.bare:
        parts.append(f"<{node.name}{node.attributes}/>")
    else:
        parts.append(f"<{node.name}{node.attributes}>")
        for child in node.children:
            _write(child, parts)
        parts.append(f"</{node.name}>")


class _Reader:
    """Stands somewhere in a picture, and is told where that would be in the one before."""

    def __init__(self, svg: str, before: str) -> None:
        self.at = 0
        self._svg, self._before = svg, before

    def fresh(self) -> Node:
        """The node here."""
        if not self._svg.startswith("<", self.at):
            return self._words()
        at, children, sizes = self.at, list[Node](), list[int]()
        outer: list[tuple[str, str, int, list[Node], list[int]]] = []
        for part in self._parts():
            begun = at
            name, attributes, end, words = _cut(part)
            at += 1 + len(part) - len(words)
            if end == ">":
                outer.append((name, attributes, begun, children, sizes))
                children, sizes = [], []
            else:
                if end == "/>":
                    node = Element(name, attributes, (), (), True)
                elif outer and outer[-1][0] == name:
                    inside, widths = tuple(children), tuple(sizes)
                    _, attributes, begun, children, sizes = outer.pop()
                    node = Element(name, attributes, inside, widths, False)
                else:
                    raise Unknown(part)
                if not outer:
                    self.at = at
                    return node
                children.append(node)
                sizes.append(at - begun)
            if words:
                children.append(words)
                sizes.append(len(words))
                at += len(words)
        raise Unknown("a picture that breaks off")

    def _words(self) -> str:
        begun, self.at = self.at, self._svg.find("<", self.at)
        if self.at < 0:
            raise Unknown("a picture that breaks off")
        return self._svg[begun : self.at]

    def _parts(self) -> Iterator[str]:
        """What stands from one < to the next, from here on. To split some at once is several times as fast as
        to look for each; to split all would be too much where little is wanted."""
        at, some = self.at, _SOME
        while at < len(self._svg):
            end = self._svg.find("<", at + some)
            end = end if end >= 0 else len(self._svg)
            yield from self._svg[at + 1 : end].split("<")
            at, some = end, 4 * some

    def along(self, known: Element, there: int) -> Node:
        """The node here, its children along those of the known one for as long as they come in the same
        order."""
        name, attributes, end = self._tag()
        if end == "/" or known.bare:
            return self.fresh()
        self.at += 1 + len(name) + len(attributes) + len(end)
        if end == "/>":
            return Element(name, attributes, (), (), True)
        there += 2 + len(known.name) + len(known.attributes)
        starts = list(accumulate(known.sizes, initial=there))
        children, sizes, number, last = list[Node](), list[int](), 0, f"</{name}>"
        while not self._svg.startswith(last, self.at):
            same = self._same(starts, number)
            if same > number:
                children += known.children[number:same]
                sizes += known.sizes[number:same]
                self.at += starts[same] - starts[number]
                number = same
                continue
            begun, alike = self.at, self._alike(known.children, number)
            if alike is None:
                children.append(self.fresh())
            else:
                before, number = known.children[alike], alike + 1
                children.append(
                    self._words() if isinstance(before, str) else self.along(before, starts[alike])
                )
            sizes.append(self.at - begun)
        self.at += len(last)
        return Element(name, attributes, tuple(children), tuple(sizes), False)

    def _same(self, starts: Sequence[int], first: int) -> int:
        """Up to which one the nodes that start there are written here as well, and go on as there, since
        words might be longer. More and more are compared at once, then fewer and fewer."""
        shift, same, step = self.at - starts[first], first, 1
        while self._again(starts, same, same + step, shift):
            same, step = same + step, 2 * step
        while step > 1:
            step //= 2
            if self._again(starts, same, same + step, shift):
                same += step
        return same

    def _again(self, starts: Sequence[int], first: int, end: int, shift: int) -> bool:
        if end >= len(starts):
            return False
        return self._svg.startswith(self._before[starts[first] : starts[end] + 1], starts[first] + shift)

    def _alike(self, old: Sequence[Node], start: int) -> int | None:
        """Which of these, from that number on, is the next of the kind that stands here."""
        here = _kind(*self._tag()[:2]) if self._svg.startswith("<", self.at) else ""
        return next((number for number in range(start, len(old)) if kind(old[number]) == here), None)

    def _tag(self) -> tuple[str, str, str]:
        end = self._svg.find("<", self.at + 1)
        return _cut(self._svg[self.at + 1 : end if end >= 0 else None])[:3]


def _size(node: Node) -> int:
    if isinstance(node, str):
        return len(node)
    return len(node.name) + len(node.attributes) + (3 if node.bare else 5 + len(node.name) + sum(node.sizes))


@lru_cache(8192)
def _cut(part: str) -> tuple[str, str, str, str]:
    """Name and attributes of a tag, its end, which is / where it ends an element, and the words after it.
    From picture to picture these are nearly all the same, so remembering them makes parsing several times as
    fast."""
    tag, bracket, words = part.partition(">")
    found = _TAG.fullmatch(tag)
    if not bracket or not found:
        raise Unknown(part)
    closes, name, attributes, bare = found.groups()
    if closes and (attributes or bare):
        raise Unknown(part)
    return name, attributes, closes or f"{bare}>", words


@lru_cache(8192)
def _kind(name: str, attributes: str) -> str:
    found = _ID.search(attributes)
    return f"{name}#{found[1] if found else ''}"
