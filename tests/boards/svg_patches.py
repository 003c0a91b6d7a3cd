"""What a page does with patches of SVGs."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

from groundling.boards.svg_nodes import SvgElement, SvgNode, make_svg_element, parse_svg_nodes, write_svg_node
from groundling.boards.svg_patch import Address, Patch, PatchStream, _parse_attributes, _write_attributes


def make_svg_patch(before: str, after: str) -> Patch:
    """Return the patch that turns `before` into `after`."""
    return PatchStream(before).next_patch(after)


def apply_svg_patch(before: str, patch: Patch) -> str:
    if isinstance(patch, str):
        return patch
    node: SvgNode = parse_svg_nodes(before)
    for change, address, *rest in patch:
        node = _apply_change(node, address, change, rest)
    return write_svg_node(node) if patch else before


def _apply_change(node: SvgNode, address: Address, change: str, rest: list[Any]) -> SvgNode:
    """Return the node after a change at the address."""
    if not address and change == "text":
        return escape(rest[0])
    if not address and change == "swap":
        return _parse_fragment(rest[0])
    assert isinstance(node, SvgElement), "words have neither children nor attributes"
    attributes, children = node.attributes, list(node.children)
    if address:
        children[address[0]] = _apply_change(children[address[0]], address[1:], change, rest)
    elif change == "set":
        values = {**(_parse_attributes(attributes) or {}), **rest[0]}
        attributes = _write_attributes({name: value for name, value in values.items() if value is not None})
    elif change == "cut":
        del children[rest[0]]
    else:
        children.insert(rest[0], _parse_fragment(rest[1]))
    return make_svg_element(node.name, attributes, children, node.bare)


def _parse_fragment(svg: str) -> SvgNode:
    return parse_svg_nodes(svg) if svg.startswith("<") else svg
