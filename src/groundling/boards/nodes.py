"""A parser for the SVG that this package writes. It reuses the nodes of the previous picture wherever the
text is unchanged."""

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
"""How many characters are split at first."""


class Element(Struct, frozen=True, gc=False):
    name: str
    attributes: str
    """The attributes as they are written."""
    children: tuple[Node, ...]
    sizes: tuple[int, ...]
    """How many characters each child is written with."""
    bare: bool
    """Whether it is written as <name/>."""


Node: TypeAlias = Element | str
"""An element, or a run of words as they are written."""


class Unknown(ValueError):  # noqa: N818
    """The SVG has something that our drawings never have, such as a comment or a prefixed attribute."""


def element(name: str, attributes: str, children: Sequence[Node], bare: bool) -> Element:
    return Element(name, attributes, tuple(children), tuple(map(_size, children)), bare)


def kind(node: Node) -> str:
    """The tag name and id, by which a node is matched with one of the next picture."""
    return "" if isinstance(node, str) else _kind(node.name, node.attributes)


def parse(svg: str, before: str = "", known: Element | None = None) -> Element:
    """Parse a picture, reusing the known nodes of the picture before it."""
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
    """A position in a picture, and the text of the picture before it."""

    def __init__(self, svg: str, before: str) -> None:
        self.at = 0
        self._svg, self._before = svg, before

    def fresh(self) -> Node:
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
        """Yield the text from each < to the next. Splitting a chunk at once is several times as fast as
        finding each tag; splitting everything would waste time where little is read."""
        at, some = self.at, _SOME
        while at < len(self._svg):
            end = self._svg.find("<", at + some)
            end = end if end >= 0 else len(self._svg)
            yield from self._svg[at + 1 : end].split("<")
            at, some = end, 4 * some

    def along(self, known: Element, there: int) -> Node:
        """Read a node, reusing the children of the known one as long as they come in the same order."""
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
        """Find how many of the known nodes, from `first` on, are written here unchanged. The comparison
        includes the character after a node, since words might go on. It is a galloping binary search."""
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
        """Find the next of the old nodes, from `start` on, that has the key of the node here."""
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
    """Split into tag name, attributes, tag end (`/` for a closing tag) and the words after it. Pictures share
    nearly all their tags, so the cache makes parsing several times as fast."""
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
