"""The conventions of the scores, on boards small enough to count by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.boards.hexes import Board, Tile
from groundling.games.hexagons.batch import (
    UNPAINTED,
    action_scores_batch,
    board_scores_batch,
    emitted_scores_batch,
)
from groundling.games.hexagons.score import action_scores, board_scores, emitted_scores

BLANK = "0" * 180


def board(tiles: Mapping[Tile, str]) -> str:
    return Board.from_tiles(tiles).to_digits()


RED = {(1, 1): "red", (1, 2): "red", (1, 3): "red"}


def test_the_figure_of_the_paper() -> None:
    """Three of five gold and seven drawn tiles agree on the board; one of three and five actions."""
    before = {(1, 1): "red", (1, 2): "red"}
    gold = before | {(1, 3): "red", (5, 5): "blue", (5, 6): "blue"}
    drawn = before | {(1, 3): "red", (7, 1): "green", (7, 2): "green", (7, 3): "green", (7, 4): "green"}
    assert board_scores(board(gold), board(drawn)) == (3 / 7, 3 / 5, 0.5, 0)
    assert action_scores(board(before), board(gold), board(before), board(drawn)) == (1 / 5, 1 / 3, 0.25, 0)


def test_two_blank_boards_agree_and_a_blank_one_agrees_with_nothing_else() -> None:
    assert board_scores(BLANK, BLANK) == (1, 1, 1, 1)
    assert board_scores(BLANK, board(RED)) == (0, 0, 0, 0)
    assert board_scores(board(RED), BLANK) == (0, 0, 0, 0)


def test_a_tile_of_another_colour_is_wrong_on_both_sides() -> None:
    assert board_scores(board(RED), board(RED | {(1, 3): "blue"})) == (2 / 3, 2 / 3, 2 / 3, 0)


def test_a_step_without_a_change_is_right_if_nothing_is_changed() -> None:
    assert action_scores(board(RED), board(RED), BLANK, BLANK) == (1, 1, 1, 1)
    assert action_scores(board(RED), board(RED), BLANK, board(RED)) == (0, 0, 0, 0)
    assert action_scores(board(RED), BLANK, BLANK, BLANK) == (0, 0, 0, 0)
    assert emitted_scores(board(RED), board(RED), []) == (1, 1, 1, 1)
    assert emitted_scores(BLANK, board(RED), []) == (0, 0, 0, 0)


def test_a_change_to_white_is_an_action() -> None:
    fewer = {(1, 1): "red", (1, 2): "red"}
    assert action_scores(board(RED), board(fewer), board(RED), board(fewer)) == (1, 1, 1, 1)
    assert emitted_scores(board(RED), board(fewer), [(1, 3, "white")]) == (1, 1, 1, 1)


def test_each_side_is_held_against_its_own_board_before() -> None:
    more = RED | {(9, 9): "blue"}
    assert action_scores(board(RED), board(more), BLANK, board({(9, 9): "blue"})) == (1, 1, 1, 1)


def test_the_last_action_on_a_tile_counts() -> None:
    gold = board({(2, 3): "green"})
    assert emitted_scores(BLANK, gold, [(2, 3, "red"), (2, 3, "green")]) == (1, 1, 1, 1)
    assert emitted_scores(BLANK, gold, [(2, 3, "green"), (2, 3, "red")]) == (0, 0, 0, 0)


def test_painting_a_tile_in_the_colour_that_it_has_counts() -> None:
    more = RED | {(9, 9): "blue"}
    emitted = emitted_scores(board(RED), board(more), [(9, 9, "blue"), (1, 1, "red")])
    assert emitted == (1 / 2, 1, 2 / 3, 0)
    assert action_scores(board(RED), board(more), board(RED), board(more)) == (1, 1, 1, 1)
    assert emitted_scores(board(RED), board(RED), [(1, 1, "red")]) == (0, 0, 0, 0)


def test_boards_and_colours_may_be_given_in_any_form() -> None:
    digits = board(RED)
    for form in (
        digits,
        list(digits),
        [int(d) for d in digits],
        np.array([int(d) for d in digits]),
        Board(digits),
    ):
        assert board_scores(digits, form) == (1, 1, 1, 1)  # type: ignore[arg-type]
    assert emitted_scores(BLANK, digits, [(1, 1, 4), (1, 2, "red"), (1, 3, "4")]) == (1, 1, 1, 1)


@pytest.mark.parametrize(
    "bad", ["0" * 179, "0" * 181, "8" + "0" * 179, "x" + "0" * 179, [0] * 179, [-1] + [0] * 179, ""]
)
def test_what_is_not_a_board_is_a_value_error(bad: str | list[int]) -> None:
    calls: list[Callable[[], object]] = [
        lambda: board_scores(bad, BLANK),
        lambda: board_scores(BLANK, bad),
        lambda: action_scores(BLANK, BLANK, BLANK, bad),
        lambda: emitted_scores(bad, BLANK, []),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"a board has 180 digits|is no colour"):
            call()


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ((0, 1, "red"), "off the board"),
        ((11, 1, "red"), "off the board"),
        ((1, 19, "red"), "off the board"),
        ((1, 1, "pink"), "no colour 'pink'"),
        ((1, 1, 8), "8 is no colour"),
        ((1, 1, -1), "-1 is no colour"),
        ((1, 1, "9"), "9 is no colour"),
    ],
)
def test_an_action_that_cannot_be_is_a_value_error(action: tuple[int, int, int | str], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        emitted_scores(BLANK, BLANK, [action])


digits = st.lists(st.sampled_from([0, 0, 0, 1, 2, 7]), min_size=180, max_size=180) | st.just([0] * 180)


@given(st.lists(st.tuples(digits, digits, digits, digits), min_size=0, max_size=5))
def test_many_at_once_get_the_same_scores_as_one_by_one(rows: list[tuple[list[int], ...]]) -> None:
    a, b, c, d = np.array(rows, dtype=np.uint8).reshape(len(rows), 4, 180).transpose(1, 0, 2)
    assert board_scores_batch(a, b).tolist() == [list(board_scores(x, y)) for x, y, _, _ in rows]
    assert action_scores_batch(a, b, c, d).tolist() == [list(action_scores(*row)) for row in rows]
    painted = np.where(c == 0, UNPAINTED, d)
    actions = [
        [(t // 18 + 1, t % 18 + 1, int(k)) for t, k in enumerate(row) if k != UNPAINTED] for row in painted
    ]
    expected = [list(emitted_scores(x, y, acts)) for (x, y, _, _), acts in zip(rows, actions, strict=True)]
    assert emitted_scores_batch(a, b, painted).tolist() == expected


def test_boards_in_a_row_are_checked_too() -> None:
    good = np.zeros((2, 180), dtype=np.uint8)
    for bad in (
        np.zeros((2, 179)),
        np.zeros((1, 180)),
        np.zeros(180),
        np.full((2, 180), 8),
        np.full((2, 180), -1),
    ):
        with pytest.raises(ValueError, match=r"180 digits|0 to 7"):
            board_scores_batch(good, bad)
