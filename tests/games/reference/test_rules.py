from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.boards.letter_grid import Grid
from groundling.core.check import check_game
from groundling.core.pack import find
from groundling.core.values import Illegal, Say
from groundling.games.reference.make import builtin
from groundling.games.reference.rules import (
    FOLLOWER,
    GIVER,
    FollowerView,
    GiverView,
    Lineup,
    Pick,
    ReferenceGame,
    hide,
)

game = ReferenceGame(ReferenceGame.Settings())
lineup = builtin()[0]
start = game.start(lineup)
told = game.play(start, GIVER, Say("the full one"))


def test_it_keeps_every_law() -> None:
    assert check_game(find("reference")) == []


def test_the_giver_sees_which_grid_is_the_target() -> None:
    view = game.view(start, GIVER)
    assert isinstance(view, GiverView)
    assert view.grids[view.target - 1] == lineup.grids[0]


def test_the_follower_sees_the_same_grids_in_its_own_order() -> None:
    view = game.view(told, FOLLOWER)
    assert isinstance(view, FollowerView)
    assert view.grids == tuple(lineup.grids[i] for i in lineup.follower)
    assert view.expression == "the full one"


def test_it_is_won_by_picking_the_target_and_lost_by_any_other() -> None:
    for place in (1, 2, 3):
        result = game.result(game.play(told, FOLLOWER, Pick(place)))
        assert result is not None
        assert result.score == (place == lineup.answer)


@pytest.mark.parametrize("move", [Pick(0), Pick(4), Say("again")])
def test_the_follower_can_only_pick_what_is_there(move: Say | Pick) -> None:
    with pytest.raises(Illegal):
        game.play(told, FOLLOWER, move)


@pytest.mark.parametrize("text", ["", " padded", "two\n\nparagraphs"])
def test_an_expression_is_one_paragraph(text: str) -> None:
    with pytest.raises(Illegal):
        game.play(start, GIVER, Say(text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Expression: the full one", "the full one"),
        ("expression:the full one", "the full one"),
        ("the full one", "the full one"),
        ("Expression: two\n\n\nparagraphs ", "two\nparagraphs"),
    ],
)
def test_the_tolerant_giver_may_write_anything(text: str, said: str) -> None:
    assert game.read(start, GIVER, text).moves == (Say(said),)


@pytest.mark.parametrize(
    "text", ["the full one", "Expression:", "Expression: two\n\nparagraphs", "Sure! Expression: this"]
)
def test_the_strict_giver_writes_the_tag_and_one_paragraph(text: str) -> None:
    with pytest.raises(Illegal):
        game.read(start, GIVER, text, strict=True)


@given(st.text())
def test_whatever_the_giver_says_can_be_written_and_read_again(text: str) -> None:
    try:
        moves = game.read(start, GIVER, text).moves
    except Illegal:
        return
    assert game.play(start, GIVER, moves[0]).expression is not None
    assert game.read(start, GIVER, game.write(moves), strict=True).moves == moves


def test_what_is_hidden_really_differs() -> None:
    for seed in range(20):
        assert hide(lineup, GIVER, Random(seed)).follower != lineup.follower
        other = hide(lineup, FOLLOWER, Random(seed))
        assert other.answer != lineup.answer
        assert game.view(game.start(other), FOLLOWER) == game.view(start, FOLLOWER)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"grids": lineup.grids[:2], "giver": (0, 1), "follower": (0, 1)}, "3 to 9 grids"),
        ({"grids": (lineup.grids[0],) * 3}, "differ"),
        ({"grids": (*lineup.grids[:2], Grid("X../.../..."))}, "one size"),
        ({"giver": (0, 0, 1)}, "each"),
    ],
)
def test_a_lineup_that_cannot_be_played_cannot_be_made(fields: dict[str, object], why: str) -> None:
    good = {"id": "x", "grids": lineup.grids, "giver": (0, 1, 2), "follower": (0, 1, 2)}
    with pytest.raises(ValueError, match=why):
        Lineup(**{**good, **fields})  # type: ignore[arg-type]
