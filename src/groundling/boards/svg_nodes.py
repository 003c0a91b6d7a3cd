"""A parser for the SVG that this package writes. It reuses nodes whose text is unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

from msgspec import Struct

_TAG = re.compile(r'(/?)([\w.-]+)((?:\s+[\w.-]+="[^"]*")*)(/?)')
_ID = re.compile(r'\sid="([^"]*)"')
_FIRST_CHUNK = 200
"""How many characters are split at first."""


class SvgElement(Struct, frozen=True, gc=False):
    name: str
    attributes: str
    """The attributes as they are written."""
    children: tuple[SvgNode, ...]
    sizes: tuple[int, ...]
    """How many characters each child is written with."""
    bare: bool
    """Whether it is written as <name/>."""


SvgNode: TypeAlias = SvgElement | str
"""An element, or a run of words as they are written."""


class UnsupportedSvg(ValueError):  # noqa: N818
    """The SVG has something that our drawings never have, such as a comment or a prefixed attribute."""


def make_svg_element(name: str, attributes: str, children: Sequence[SvgNode], bare: bool) -> SvgElement:
    return SvgElement(name, attributes, tuple(children), tuple(map(_written_length, children)), bare)


def svg_node_key(node: SvgNode) -> str:
    """The tag name and id, by which a node is matched with one of the next picture."""
    return "" if isinstance(node, str) else _element_key(node.name, node.attributes)


def parse_svg_nodes(svg: str, before: str = "", known: SvgElement | None = None) -> SvgElement:
    """Parse a picture, reusing the known nodes of the picture before it."""
    reader = _SvgReader(svg, before)
    node = reader.read_node() if known is None else reader.read_changed_node(known, 0)
    if isinstance(node, str) or reader.at != len(svg):
        raise UnsupportedSvg(svg[:40])
    return node


def write_svg_node(node: SvgNode) -> str:
    parts: list[str] = []
    _append_svg(node, parts)
    return "".join(parts)


def _append_svg(node: SvgNode, parts: list[str]) -> None:
    if isinstance(node, str):
        parts.append(node)
    elif node.bare:
        parts.append(f"<{node.name}{node.attributes}/>")
    else:
        parts.append(f"<{node.name}{node.attributes}>")
        for child in node.children:
            _append_svg(child, parts)
        parts.append(f"</{node.name}>")


class _SvgReader:
    """A position in a picture, and the text of the picture before it."""

    def __init__(self, svg: str, before: str) -> None:
        self.at = 0
        self._svg, self._before = svg, before

    def read_node(self) -> SvgNode:
        if not self._svg.startswith("<", self.at):
            return self._read_words()
        at, children, sizes = self.at, list[SvgNode](), list[int]()
        outer: list[tuple[str, str, int, list[SvgNode], list[int]]] = []
        for part in self._split_tags():
            begun = at
            name, attributes, end, words = _split_tag(part)
            at += 1 + len(part) - len(words)
            if end == ">":
                outer.append((name, attributes, begun, children, sizes))
                children, sizes = [], []
            else:
                if end == "/>":
                    node = SvgElement(name, attributes, (), (), True)
                elif outer and outer[-1][0] == name:
                    inside, widths = tuple(children), tuple(sizes)
                    _, attributes, begun, children, sizes = outer.pop()
                    node = SvgElement(name, attributes, inside, widths, False)
                else:
                    raise UnsupportedSvg(part)
                if not outer:
                    self.at = at
                    return node
                children.append(node)
                sizes.append(at - begun)
            if words:
                children.append(words)
                sizes.append(len(words))
                at += len(words)
        raise UnsupportedSvg("a picture that breaks off")

    def _read_words(self) -> str:
        begun, self.at = self.at, self._svg.find("<", self.at)
        if self.at < 0:
            raise UnsupportedSvg("a picture that breaks off")
        return self._svg[begun : self.at]

    def _split_tags(self) -> Iterator[str]:
        """Yield the text from each < to the next. Splitting a chunk at once is several times as fast as
        finding each tag; splitting everything would waste time where little is read."""
        at, some = self.at, _FIRST_CHUNK
        while at < len(self._svg):
            end = self._svg.find("<", at + some)
            end = end if end >= 0 else len(self._svg)
            yield from self._svg[at + 1 : end].split("<")
            at, some = end, 4 * some

    def read_changed_node(self, known: SvgElement, there: int) -> SvgNode:
        """Read a node, reusing the children of the known one as long as they come in the same order."""
        name, attributes, end = self._peek_tag()
        if end == "/" or known.bare:
            return self.read_node()
        self.at += 1 + len(name) + len(attributes) + len(end)
        if end == "/>":
            return SvgElement(name, attributes, (), (), True)
        there += 2 + len(known.name) + len(known.attributes)
        starts = list(accumulate(known.sizes, initial=there))
        children, sizes, number, last = list[SvgNode](), list[int](), 0, f"</{name}>"
        while not self._svg.startswith(last, self.at):
            same = self._find_last_unchanged(starts, number)
            if same > number:
                children += known.children[number:same]
                sizes += known.sizes[number:same]
                self.at += starts[same] - starts[number]
                number = same
                continue
            begun, alike = self.at, self._find_same_key(known.children, number)
            if alike is None:
                children.append(self.read_node())
            else:
                before, number = known.children[alike], alike + 1
                children.append(
                    self._read_words()
                    if isinstance(before, str)
                    else self.read_changed_node(before, starts[alike])
                )
            sizes.append(self.at - begun)
        self.at += len(last)
        return SvgElement(name, attributes, tuple(children), tuple(sizes), False)

    def _find_last_unchanged(self, starts: Sequence[int], first: int) -> int:
        """Find how many of the known nodes, from `first` on, are written here unchanged. The comparison
        includes the character after a node, since words might continue. It is a galloping binary search."""
        shift, same, step = self.at - starts[first], first, 1
        while self._is_unchanged(starts, same, same + step, shift):
            same, step = same + step, 2 * step
        while step > 1:
            step //= 2
            if self._is_unchanged(starts, same, same + step, shift):
                same += step
        return same

    def _is_unchanged(self, starts: Sequence[int], first: int, end: int, shift: int) -> bool:
        if end >= len(starts):
            return False
        return self._svg.startswith(self._before[starts[first] : starts[end] + 1], starts[first] + shift)

    def _find_same_key(self, old: Sequence[SvgNode], start: int) -> int | None:
        """Find the next of the old nodes, from `start` on, that has the key of the node here."""
        here = _element_key(*self._peek_tag()[:2]) if self._svg.startswith("<", self.at) else ""
        return next((number for number in range(start, len(old)) if svg_node_key(old[number]) == here), None)

    def _peek_tag(self) -> tuple[str, str, str]:
        end = self._svg.find("<", self.at + 1)
        return _split_tag(self._svg[self.at + 1 : end if end >= 0 else None])[:3]


def _written_length(node: SvgNode) -> int:
    if isinstance(node, str):
        return len(node)
    return len(node.name) + len(node.attributes) + (3 if node.bare else 5 + len(node.name) + sum(node.sizes))


@lru_cache(8192)
def _split_tag(part: str) -> tuple[str, str, str, str]:
    """Split into tag name, attributes, tag end (`/` for a closing tag) and the words after it. Pictures share
    nearly all their tags, so the cache makes parsing several times as fast."""
    tag, bracket, words = part.partition(">")
    found = _TAG.fullmatch(tag)
    if not bracket or not found:
        raise UnsupportedSvg(part)
    closes, name, attributes, bare = found.groups()
    if closes and (attributes or bare):
        raise UnsupportedSvg(part)
    return name, attributes, closes or f"{bare}>", words


@lru_cache(8192)
def _element_key(name: str, attributes: str) -> str:
    found = _ID.search(attributes)
    return f"{name}#{found[1] if found else ''}"
