"""The changes from one SVG to the next, so that a replay carries a picture once and then only differences.

A patch is a list of changes, or the whole new SVG where that is shorter. The address of a node is the child
numbers (elements and runs of words alike, as in a browser) that lead to it from the root. A script in the
browser makes the same changes to the same nodes, see `report/page/lib/picture.js`. The changes, as JSON:

    ["set", node, {name: value, …}]     set attributes; null removes one
    ["text", node, words]               replace the words
    ["swap", node, svg]                 replace the node
    ["cut", parent, number]             remove a child
    ["add", parent, number, svg]        insert a child, which then has that number
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any, TypeAlias
from xml.sax.saxutils import escape, unescape

import msgspec

from groundling.boards.svg_nodes import (
    SvgElement,
    SvgNode,
    UnsupportedSvg,
    parse_svg_nodes,
    svg_node_key,
    write_svg_node,
)

Address: TypeAlias = list[int]
Change: TypeAlias = list[Any]
Patch: TypeAlias = str | list[Change]

_PAIR = re.compile(r'([\w.-]+)="([^"<]*)"')
_QUOTE = {'"': "&quot;"}
_UNQUOTE = {"&quot;": '"'}


class PatchStream:
    """Turns a sequence of pictures into patches, each against the picture before."""

    def __init__(self, svg: str = "", tree: SvgElement | None = None) -> None:
        self.svg = svg
        self._tree = tree

    def next_patch(self, svg: str) -> Patch:
        if svg == self.svg:
            return []
        before, self.svg = self.svg, svg
        if not before:
            return svg
        old = self._tree or _parse_or_none(before)
        new = self._tree = _parse_or_none(svg, before, old)
        if old is None or new is None:
            return svg
        changes = _node_changes(old, new, [])
        size = len(msgspec.json.encode(changes))
        return changes if size < len(svg) or size < len(msgspec.json.encode(svg)) else svg

    def copy(self) -> PatchStream:
        """Return another stream that continues from the same picture."""
        if self.svg and self._tree is None:
            self._tree = _parse_or_none(self.svg)
        return PatchStream(self.svg, self._tree)


def _parse_or_none(svg: str, before: str = "", known: SvgElement | None = None) -> SvgElement | None:
    try:
        return parse_svg_nodes(svg, before, known)
    except UnsupportedSvg:
        return None


def _node_changes(old: SvgNode, new: SvgNode, address: Address) -> list[Change]:
    """List the changes: children change under their old numbers, are cut from the last, then added."""
    if isinstance(old, str) or isinstance(new, str):
        words = unescape(str(new))
        same = isinstance(old, str) and escape(words) == new
        return [["text", address, words] if same else _swap_change(address, new)]
    update = _attribute_changes(old.attributes, new.attributes)
    if svg_node_key(old) != svg_node_key(new) or old.bare != new.bare or update is None:
        return [_swap_change(address, new)]
    changes: list[Change] = [["set", address, update]] if update else []
    start, pairs, end = _match_children(old.children, new.children)
    for left, right in pairs:
        if old.children[left] != new.children[right]:
            changes += _node_changes(old.children[left], new.children[right], [*address, left])
    lefts, rights = {left for left, _ in pairs}, {right for _, right in pairs}
    changes += [
        ["cut", address, number]
        for number in reversed(range(start, len(old.children) - end))
        if number not in lefts
    ]
    changes += [
        ["add", address, number, write_svg_node(new.children[number])]
        for number in range(start, len(new.children) - end)
        if number not in rights
    ]
    return changes


def _swap_change(address: Address, new: SvgNode) -> Change:
    return ["swap", address, write_svg_node(new)]


def _attribute_changes(old: str, new: str) -> dict[str, str | None] | None:
    """The attributes to set and to remove; None where that would leave them in another order."""
    if old == new:
        return {}
    before, after = _parse_attributes(old), _parse_attributes(new)
    if before is None or after is None:
        return None
    if [name for name in before if name in after] + [name for name in after if name not in before] != list(
        after
    ):
        return None
    update: dict[str, str | None] = {name: None for name in before if name not in after}
    return update | {name: value for name, value in after.items() if before.get(name) != value}


@lru_cache(4096)  # most attributes occur in many pictures
def _parse_attributes(attributes: str) -> Mapping[str, str] | None:
    """Parse attributes by name; None where writing them again would give another text."""
    found = {name: unescape(value, _UNQUOTE) for name, value in _PAIR.findall(attributes)}
    return found if _write_attributes(found) == attributes else None


def _write_attributes(values: Mapping[str, str]) -> str:
    return "".join(f' {name}="{escape(value, _QUOTE)}"' for name, value in values.items())


def _match_children(old: Sequence[SvgNode], new: Sequence[SvgNode]) -> tuple[int, list[tuple[int, int]], int]:
    """Count the equal children at the start and at the end, and match those between by tag name and id."""
    most = min(len(old), len(new))
    start = next((n for n in range(most) if old[n] != new[n]), most)
    end = next((n for n in range(most - start) if old[-1 - n] != new[-1 - n]), most - start)
    between = range(start, len(old) - end)
    if len(old) == len(new) and all(
        old[n] is new[n] or svg_node_key(old[n]) == svg_node_key(new[n]) for n in between
    ):
        return start, [(n, n) for n in between], end
    lefts = list(map(svg_node_key, old[start : len(old) - end]))
    rights = list(map(svg_node_key, new[start : len(new) - end]))
    blocks = SequenceMatcher(None, lefts, rights, autojunk=False).get_matching_blocks()
    pairs = [
        (start + block.a + step, start + block.b + step) for block in blocks for step in range(block.size)
    ]
    return start, pairs, end
