"""A patch makes the next picture of the one before, to the last byte."""

from functools import cache
from itertools import pairwise
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.boards.svg_patches import apply_svg_patch, make_svg_patch

from groundling.boards.hexes import Board
from groundling.boards.picture import svg_document
from groundling.boards.svg_nodes import UnsupportedSvg, parse_svg_nodes, write_svg_node
from groundling.boards.svg_patch import Patch, PatchStream
from groundling.core.evidence import Evidence
from groundling.core.pack import find, installed_packs, load
from groundling.core.replay import replay_events


@cache
def drawings(game: str) -> list[list[str]]:
    """What each seat sees from event to event, in games of gold and of random players."""
    evidence = Evidence(find(game), None, 3, 4, 0)
    draw = load(evidence.pack.draw)
    found: list[list[str]] = []
    for episode in evidence.episodes:
        seats: dict[str, list[str]] = {role: [] for role in episode.players}
        for _, replay in replay_events(evidence.game, episode.transcript):
            for role, pictures in seats.items():
                pictures.append(draw(replay.view(role)).svg)
        found += seats.values()
    return found


def travelled(patch: Patch) -> Patch:
    there: Patch = msgspec.json.decode(msgspec.json.encode(patch))
    return there


@pytest.mark.parametrize("game", installed_packs())
def test_every_picture_of_real_games_comes_out_the_same(game: str) -> None:
    for pictures in drawings(game):
        for before, after in pairwise(pictures):
            patch = travelled(make_svg_patch(before, after))
            assert apply_svg_patch(before, patch) == after
            assert len(msgspec.json.encode(patch)) <= len(msgspec.json.encode(after))


@pytest.mark.parametrize("game", installed_packs())
def test_pictures_far_from_each_other_come_out_the_same(game: str) -> None:
    pictures = [picture for seat in drawings(game) for picture in seat]
    rng = Random(7)
    for _ in range(20):
        before, after = rng.sample(pictures, 2)
        assert apply_svg_patch(before, travelled(make_svg_patch(before, after))) == after


@pytest.mark.parametrize("game", installed_packs())
def test_the_next_picture_costs_a_fraction_of_a_whole_one(game: str) -> None:
    pairs = [pair for pictures in drawings(game) for pair in pairwise(pictures) if pair[0] != pair[1]]
    patches = sum(len(msgspec.json.encode(make_svg_patch(*pair))) for pair in pairs)
    assert patches < 0.25 * sum(len(after) for _, after in pairs)


words = st.text(st.sampled_from("ab<>&\"' \nä\u2028"), max_size=5)
names = st.none() | st.sampled_from("pqrs")


def element(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        _element, st.sampled_from(["g", "rect"]), names, words, st.lists(inside, max_size=4), st.booleans()
    )


def _element(tag: str, name: str | None, value: str, inside: list[str], bare: bool) -> str:
    from xml.sax.saxutils import escape

    start = (
        f"<{tag}"
        + (f' id="{name}"' if name else "")
        + (f' x="{escape(value, {chr(34): "&quot;"})}"' if value else "")
    )
    return f"{start}/>" if bare else f"{start}>{''.join(inside)}</{tag}>"


def _text(value: str) -> str:
    from xml.sax.saxutils import escape

    return escape(value)


trees = element(st.recursive(words.map(_text), element, max_leaves=12))


@given(trees, trees)
def test_any_tree_comes_out_the_same_ids_given_twice_or_not(before: str, after: str) -> None:
    assert write_svg_node(parse_svg_nodes(before)) == before
    assert apply_svg_patch(before, travelled(make_svg_patch(before, after))) == after


def test_the_changes_are_the_ones_that_were_made() -> None:
    before = '<svg><g id="a"><rect x="1" y="2"/></g><g id="said"><text>one</text></g></svg>'
    after = (
        '<svg><g id="a"><rect x="3" y="2"/></g><g id="said"><text>1 &lt; 2</text><text>two</text></g></svg>'
    )
    assert make_svg_patch(before, after.replace("<text>two</text>", "")) == [
        ["set", [0, 0], {"x": "3"}],
        ["text", [1, 0, 0], "1 < 2"],
    ]
    assert make_svg_patch(after, before)[-1] == ["cut", [1], 1]
    assert make_svg_patch(before, before) == []


def test_a_picture_that_shares_nothing_is_sent_whole() -> None:
    assert make_svg_patch("<svg><g/></svg>", "<svg/>") == "<svg/>"


@pytest.mark.parametrize(
    "svg", ["<svg><!-- x --></svg>", '<svg><use xlink:href="#a"/></svg>', "<svg><g></svg>", "", "words"]
)
def test_what_is_not_understood_is_sent_whole(svg: str) -> None:
    with pytest.raises(UnsupportedSvg):
        parse_svg_nodes(svg)
    assert make_svg_patch("<svg/>", svg) == svg
    assert make_svg_patch(svg, "<svg/>") == "<svg/>"


def test_a_film_tells_what_two_pictures_would_tell_whatever_it_has_seen() -> None:
    """Tiles are repainted, and now and then the whole board is written otherwise."""
    rng, board = Random(3), Board.empty()
    film, before = PatchStream(), ""
    for number in range(60):
        board = board.paint_tile(
            (rng.randint(1, 10), rng.randint(1, 18)), rng.choice(("white", "red", "blue"))
        )
        svg = svg_document(400, 400, board.svg("b", live=number % 10 != 9), f"{number // 4} & more")
        patch = film.next_patch(svg)
        if before:
            assert apply_svg_patch(before, patch) == svg
            assert patch == make_svg_patch(before, svg)
        before = svg
