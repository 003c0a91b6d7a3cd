"""Read along the one before it, a picture is what it is read alone."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.boards.svg_patches import apply_svg_patch
from tests.boards.test_svg_patch import drawings, travelled, trees

from groundling.boards.svg_nodes import (
    SvgElement,
    SvgNode,
    UnsupportedSvg,
    make_svg_element,
    parse_svg_nodes,
    write_svg_node,
)
from groundling.boards.svg_patch import PatchStream
from groundling.core.pack import installed_packs


def edited(svg: str, draw: st.DrawFn) -> str:
    """The same tree with one child more, less, moved or another, or with other attributes, somewhere in
    it."""

    def inside(node: SvgNode) -> SvgNode:
        if isinstance(node, str):
            return draw(st.sampled_from(["a", "b &amp; c", "ab", node + "a"]))
        children = list(node.children)
        work = draw(st.sampled_from(["deeper", "deeper", "deeper", "add", "cut", "move", "set", "same"]))
        if work == "set":
            return make_svg_element(
                node.name,
                draw(st.sampled_from(["", ' id="p"', ' x="1"', ' x="2" id="q"'])),
                children,
                node.bare,
            )
        if work == "add" and not node.bare:
            new = draw(trees.map(parse_svg_nodes) | st.sampled_from(["a", "b"]))
            children.insert(draw(st.integers(0, len(children))), new)
        elif children:
            at = draw(st.integers(0, len(children) - 1))
            if work == "deeper":
                children[at] = inside(children[at])
            elif work in ("cut", "move"):
                taken = children.pop(at)
                if work == "move":
                    children.insert(draw(st.integers(0, len(children))), taken)
        return make_svg_element(node.name, node.attributes, children, node.bare)

    return write_svg_node(inside(parse_svg_nodes(svg)))


@st.composite
def rolls(draw: st.DrawFn) -> list[str]:
    """Pictures that follow each other."""
    found = [draw(trees)]
    for _ in range(draw(st.integers(1, 6))):
        found.append(edited(found[-1], draw))
    return found


def sized(node: SvgNode) -> bool:
    return isinstance(node, str) or (
        node.sizes == tuple(len(write_svg_node(child)) for child in node.children)
        and all(map(sized, node.children))
    )


@given(trees, trees)
def test_along_any_other_picture_it_is_the_same_tree(before: str, after: str) -> None:
    read = parse_svg_nodes(after, before, parse_svg_nodes(before))
    assert read == parse_svg_nodes(after)
    assert sized(read)


@given(rolls())
def test_along_one_that_was_read_along_another_it_is_the_same_tree(pictures: list[str]) -> None:
    film, known = PatchStream(pictures[0]), parse_svg_nodes(pictures[0])
    for before, after in pairwise(pictures):
        known = parse_svg_nodes(after, before, known)
        assert known == parse_svg_nodes(after)
        assert sized(known)
        assert apply_svg_patch(before, travelled(film.next_patch(after))) == after


@given(trees, st.integers(0, 400), st.integers(0, 400), st.text(st.sampled_from('<>/="ga '), max_size=3))
def test_what_cannot_be_read_alone_cannot_be_read_along_another(
    svg: str, start: int, end: int, between: str
) -> None:
    broken = svg[:start] + between + svg[end:]
    try:
        alone: SvgElement | None = parse_svg_nodes(broken)
    except UnsupportedSvg:
        alone = None
    try:
        along: SvgElement | None = parse_svg_nodes(broken, svg, parse_svg_nodes(svg))
    except UnsupportedSvg:
        along = None
    assert along == alone


@pytest.mark.parametrize("game", installed_packs())
def test_what_did_not_change_is_the_same_nodes(game: str) -> None:
    for pictures in drawings(game):
        for before, after in pairwise(pictures):
            known = parse_svg_nodes(before)
            read = parse_svg_nodes(after, before, known)
            assert read == parse_svg_nodes(after)
            kept = {id(child) for child in known.children}
            assert before == after or any(id(child) in kept for child in read.children)


def test_words_that_go_on_are_other_words() -> None:
    before, after = "<text>one</text>", "<text>one more</text>"
    assert parse_svg_nodes(after, before, parse_svg_nodes(before)).children == ("one more",)
    assert parse_svg_nodes(before, after, parse_svg_nodes(after)).children == ("one",)
    wider = "<g>one<rect/></g>"
    assert parse_svg_nodes("<g>one</g>", wider, parse_svg_nodes(wider)) == parse_svg_nodes("<g>one</g>")


def test_films_of_two_seats_go_on_apart_from_one_picture() -> None:
    one = PatchStream()
    assert one.next_patch("<svg><g/><g/></svg>") == "<svg><g/><g/></svg>"
    other = one.copy()
    assert other.next_patch('<svg><g x="1"/><g/></svg>') == [["set", [0], {"x": "1"}]]
    assert one.next_patch('<svg><g/><g y="1"/></svg>') == [["set", [1], {"y": "1"}]]
    assert PatchStream().copy().next_patch("<svg/>") == "<svg/>"
