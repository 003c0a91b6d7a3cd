"""The kinds of errors in the tables of papers/hexagons."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from papers.hexagons.errors import KINDS, RIGHT, error_kind

from groundling.boards.hexes import COLOURS, TILES
from groundling.games.hexagons.neural.notation import Tile

PAINTED = st.dictionaries(st.sampled_from(TILES), st.sampled_from(COLOURS), max_size=6)
FLOWER = dict.fromkeys([(4, 5), (6, 5), (4, 4), (5, 4), (4, 6), (5, 6)], "red")
ONE_TO_THE_RIGHT = dict.fromkeys([(4, 6), (6, 6), (5, 5), (6, 5), (5, 7), (6, 7)], "red")


@pytest.mark.parametrize(
    ("painted", "kind"),
    [
        (FLOWER, RIGHT),
        ({}, "paints nothing"),
        (dict.fromkeys(FLOWER, "blue"), "wrong colours"),
        (ONE_TO_THE_RIGHT, "wrong place"),
        ({(4, 5): "red"}, "too little"),
        ({**FLOWER, (5, 5): "red"}, "too much"),
        ({(4, 5): "red", (9, 9): "red"}, "partly right"),
        ({(9, 9): "red"}, "all wrong"),
    ],
)
def test_a_flower_can_go_wrong_in_seven_ways(painted: dict[Tile, str], kind: str) -> None:
    assert error_kind(FLOWER, painted) == kind


@given(PAINTED, PAINTED)
def test_only_the_same_tiles_in_the_same_colours_are_right(
    asked: dict[Tile, str], painted: dict[Tile, str]
) -> None:
    found = error_kind(asked, painted)
    assert (found == RIGHT) == (asked == painted)
    assert found in (RIGHT, *KINDS)
