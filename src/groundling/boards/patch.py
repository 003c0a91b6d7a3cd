"""What changed from one SVG to the next, so that a replay carries a picture once and then only the differences.

A patch is a list of changes, or the whole new SVG where that is shorter. A node is named by the numbers of the children
(elements and runs of words alike, as in a browser) that lead to it from the root. A script in the browser makes the same
changes to the same nodes, see `report/page/lib/picture.js`. The changes, as in JSON:

    ["set", node, {name: value, …}]     attributes; null takes one away
    ["text", node, words]               other words
    ["swap", node, svg]                 another node in its place
    ["cut", parent, number]             a child less
    ["add", parent, number, svg]        a new child, which then has that number
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any, TypeAlias
from xml.sax.saxutils import escape, unescape

import msgspec
from msgspec import Struct

Address: TypeAlias = list[int]
Place: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
Change: TypeAlias = list[Any]
Patch: TypeAlias = str | list[Change]

_TAG = re.compile(r'(/?)([\w.-]+)((?:\s+[\w.-]+="[^"]*")*)(/?)')
_PAIR = re.compile(r'([\w.-]+)="([^"<]*)"')
_ID = re.compile(r'\sid="([^"<]*)"')
_QUOTE = {'"': "&quot;"}
_UNQUOTE = {"&quot;": '"'}


class Element(Struct, gc=False):
    name: str
    attributes: str
    """As they are written."""
    children: list[Node]
    bare: bool
    """Written as <name/>."""

    @property
    def id(self) -> str | None:
        return _id(self.attributes)


Node: TypeAlias = Element | str
"""An element, or a run of words as they are written."""


@lru_cache(4096)
def _id(attributes: str) -> str | None:
    found = _ID.search(attributes)
    return found[1] if found else None


class Unknown(ValueError):  # noqa: N818
    """More than drawings of ours hold, such as a comment or an attribute with a prefix."""


class Film:
    """One picture after another, each told by how it differs from the one before."""

    def __init__(self, svg: str = "") -> None:
        self.svg = svg
        self._tree: Element | None = None
        """Of the picture, where it is known."""
        self._places: list[Place] = []
        """Where in the tree that is what its brackets begin; likewise."""

    def next(self, svg: str) -> Patch:
        if svg == self.svg:
            return []
        if not self.svg:
            self.svg = svg
            return svg
        changes = self._repainted(svg)
        if changes is None:
            old, new = self._tree or _tree(self.svg), _tree(svg)
            changes = None if old is None or new is None else list(_changes(old, new, []))
            self._tree, self._places = new, []
        else:
            self._tree = None
        self.svg = svg
        if changes is None:
            return svg
        size = len(msgspec.json.encode(changes))
        return changes if size < len(svg) or size < len(msgspec.json.encode(svg)) else svg

    def _repainted(self, svg: str) -> list[Change] | None:
        """The same as below where all nodes stay and only attributes and words are others, as on a board where a tile is
        painted; None where that is not so. This saves parsing all the rest."""
        before, changes = self.svg, list[Change]()
        old_at = new_at = number = 0
        try:
            places = self._places or _places(before)
            while True:
                same = _alike(before, old_at, svg, new_at)
                if old_at + same == len(before) and new_at + same == len(svg):
                    break
                start = before.rfind("<", old_at, old_at + same)
                if start < 0:
                    return None
                number += before.count("<", old_at, start)
                old_start, new_start = start + 1, new_at + start - old_at + 1
                old_at, new_at = _end(before, old_start), _end(svg, new_start)
                told = _retouched(before[old_start:old_at], svg[new_start:new_at], places[number])
                if told is None:
                    return None
                changes += told
                number += 1
        except Unknown:
            return None
        self._places = places
        return changes


def _alike(one: str, start: int, other: str, begin: int) -> int:
    """For how many characters they are the same from there on. Long strings are compared fast, and characters slowly: ever
    longer pieces are, until two differ, and then ever shorter ones."""
    at, step, shift, longer = start, 64, begin - start, True
    while step:
        end = at + step
        if end <= len(one) and one[at:end] == other[at + shift : end + shift]:
            at = end
            step = step * 2 if longer else step >> 1
        else:
            step, longer = step >> 1, False
    return at - start


def _end(svg: str, start: int) -> int:
    """Where the next bracket is."""
    found = svg.find("<", start)
    return len(svg) if found < 0 else found


def _retouched(before: str, after: str, place: Place) -> list[Change] | None:
    """How one part differs from what stands in its place now; None where that is another node."""
    name, old, end, words = _cut(before)
    other, new, other_end, other_words = _cut(after)
    update = _update(old, new)
    if (name, end, bool(words)) != (other, other_end, bool(other_words)) or update is None or _id(old) != _id(new):
        return None
    element, run = place
    changes: list[Change] = [["set", list(element), update]] if update else []
    return changes if words == other_words else [*changes, *_changes(words, other_words, list(run))]


def diff(before: str, after: str) -> Patch:
    """What makes `after` of `before`."""
    return Film(before).next(after)


def _tree(svg: str) -> Element | None:
    try:
        return parse(svg)
    except Unknown:
        return None


def apply(before: str, patch: Patch) -> str:
    if isinstance(patch, str):
        return patch
    return write(_changed(parse(before), patch)) if patch else before


def parse(svg: str) -> Element:
    first, *parts = svg.split("<")
    here: list[Node] = []
    outer: list[list[Node]] = []
    names: list[str] = []
    for part in parts:
        name, attributes, end, words = _cut(part)
        if end == "/":
            if not names or names.pop() != name:
                raise Unknown(part)
            here = outer.pop()
        else:
            inside: list[Node] = []
            here.append(Element(name, attributes, inside, end == "/>"))
            if end == ">":
                names.append(name)
                outer.append(here)
                here = inside
        if words:
            here.append(words)
    if first or outer or len(here) != 1 or isinstance(here[0], str):
        raise Unknown(svg[:40])
    return here[0]


def _places(svg: str) -> list[Place]:
    """For each bracket, where the element is that it begins, and where the words are that follow its tag."""
    parse(svg)
    found: list[Place] = []
    path: Address = []
    number = 0
    for part in svg.split("<")[1:]:
        _, _, end, words = _cut(part)
        element = (*path, number)[1:]
        if end == "/":
            number = path.pop() + 1
        elif end == ">":
            path, number = [*path, number], 0
        else:
            number += 1
        found.append((element, (*path, number)[1:]))
        number += bool(words)
    return found


@lru_cache(4096)
def _cut(part: str) -> tuple[str, str, str, str]:
    """What stands from one < to the next: a name, attributes, how it ends (`/`: it ends another), and the words after it.
    From picture to picture these are nearly all the same, so remembering them makes parsing several times as fast."""
    tag, bracket, words = part.partition(">")
    found = _TAG.fullmatch(tag)
    if not bracket or not found:
        raise Unknown(part)
    closes, name, attributes, bare = found.groups()
    if closes and (attributes or bare):
        raise Unknown(part)
    return name, attributes, "/" if closes else f"{bare}>", words


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


def _changes(old: Node, new: Node, address: Address) -> Iterator[Change]:
    """Children are changed first, under their old numbers, then cut from the last on, then added from the first on."""
    if old == new:
        return
    if isinstance(old, str) or isinstance(new, str):
        words = unescape(str(new))
        same = isinstance(old, str) and escape(words) == new
        yield ["text", address, words] if same else _swap(address, new)
        return
    update = _update(old.attributes, new.attributes)
    if (old.name, old.bare, old.id) != (new.name, new.bare, new.id) or update is None:
        yield _swap(address, new)
        return
    if update:
        yield ["set", address, update]
    start, pairs, end = _pairs(old.children, new.children)
    for left, right in pairs:
        yield from _changes(old.children[left], new.children[right], [*address, left])
    lefts, rights = {left for left, _ in pairs}, {right for _, right in pairs}
    for number in reversed(range(start, len(old.children) - end)):
        if number not in lefts:
            yield ["cut", address, number]
    for number in range(start, len(new.children) - end):
        if number not in rights:
            yield ["add", address, number, write(new.children[number])]


def _swap(address: Address, new: Node) -> Change:
    return ["swap", address, write(new)]


def _update(old: str, new: str) -> dict[str, str | None] | None:
    """The attributes to set and to take away; None where that would leave them in another order."""
    if old == new:
        return {}
    before, after = dict(_PAIR.findall(old)), dict(_PAIR.findall(new))
    update: dict[str, str | None] = {name: None for name in before if name not in after}
    update |= {name: unescape(value, _UNQUOTE) for name, value in after.items() if before.get(name) != value}
    plain = "&" not in new and list(before) == list(after)
    return update if plain or _attributes(old, update) == new else None


def _attributes(old: str, update: dict[str, str | None]) -> str:
    values = dict(_PAIR.findall(old))
    for name, value in update.items():
        if value is None:
            values.pop(name, None)
        else:
            values[name] = escape(value, _QUOTE)
    return "".join(f' {name}="{value}"' for name, value in values.items())


def _pairs(old: list[Node], new: list[Node]) -> tuple[int, list[tuple[int, int]], int]:
    """How many children are alike at the start and at the end, and which of those between are the same ones, by id or else
    by kind."""
    most = min(len(old), len(new))
    start = next((n for n in range(most) if old[n] != new[n]), most)
    end = next((n for n in range(most - start) if old[-1 - n] != new[-1 - n]), most - start)
    lefts = list(map(_kind, old[start : len(old) - end]))
    rights = list(map(_kind, new[start : len(new) - end]))
    if lefts == rights:
        return start, [(start + number, start + number) for number in range(len(lefts))], end
    blocks = SequenceMatcher(None, lefts, rights, autojunk=False).get_matching_blocks()
    pairs = [(start + block.a + step, start + block.b + step) for block in blocks for step in range(block.size)]
    return start, pairs, end


def _kind(node: Node) -> str:
    return "" if isinstance(node, str) else f"{node.name}#{node.id or ''}"


def _changed(root: Element, changes: list[Change]) -> Node:
    """The root with all changes made, in place."""
    holder = Element("", "", [root], False)
    for kind, address, *rest in changes:
        parent, number = holder, 0
        for step in address:
            parent, number = _element(parent.children[number]), step
        if kind == "text":
            parent.children[number] = escape(rest[0])
        elif kind == "swap":
            parent.children[number] = _fragment(rest[0])
        elif kind == "set":
            node = _element(parent.children[number])
            node.attributes = _attributes(node.attributes, rest[0])
        elif kind == "cut":
            del _element(parent.children[number]).children[rest[0]]
        else:
            _element(parent.children[number]).children.insert(rest[0], _fragment(rest[1]))
    return holder.children[0]


def _element(node: Node) -> Element:
    assert isinstance(node, Element), "words have neither children nor attributes"
    return node


def _fragment(svg: str) -> Node:
    return parse(svg) if svg.startswith("<") else svg
