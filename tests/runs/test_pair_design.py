"""Designs of tournaments are balanced and connected, and grow by the pairs of new players only."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from groundling.core.values import Problem
from groundling.runs.pair_design import Pair, choose_pairs, is_connected

SIZES = st.integers(1, 7)


def all_pairs(givers: int, followers: int, shared: int) -> list[Pair]:
    """The first `shared` players take both seats."""
    names = [f"p{n}" if n < shared else f"g{n}" for n in range(givers)]
    others = [f"p{n}" if n < shared else f"f{n}" for n in range(followers)]
    return list(product(names, others))


def reachable(pairs: list[Pair]) -> set[tuple[str, str]]:
    """The seats that are reached from the first pair, by walking from pair to pair."""
    seen = {("giver", pairs[0][0])}
    while more := {
        seat
        for giver, follower in pairs
        for seat in (("giver", giver), ("follower", follower))
        if {("giver", giver), ("follower", follower)} & seen and seat not in seen
    }:
        seen |= more
    return seen


@given(SIZES, SIZES, SIZES, st.integers(1, 6))
def test_a_design_is_balanced_and_connected_with_as_many_partners_as_asked(
    givers: int, followers: int, shared: int, partners: int
) -> None:
    allowed = all_pairs(givers, followers, shared)
    others = [pair for pair in allowed if pair[0] != pair[1]]
    assume(others)
    try:
        found = choose_pairs(allowed, partners)
    except Problem:
        found = []
    least = min(partners, max(Counter(giver for giver, _ in others).values()))
    is_tight = givers * least <= givers + followers or min(givers, followers) <= 2
    assert found or is_tight, "there are pairs enough to connect everybody"
    if not found:
        return
    assert set(found) <= set(others), "nobody plays with itself"
    seats = {("giver", giver) for giver, _ in others} | {("follower", follower) for _, follower in others}
    assert reachable(found) == seats
    spoken = Counter(giver for giver, _ in found)
    theirs = Counter(giver for giver, _ in others)
    assert all(spoken[giver] == min(partners, theirs[giver]) for giver in theirs)
    heard = Counter(follower for _, follower in found)
    possible = Counter(follower for _, follower in others)
    full = {follower for follower in possible if heard[follower] == possible[follower]}
    free = [heard[follower] for follower in possible if follower not in full]
    assert max(free, default=0) - min(free, default=0) <= 1


@given(st.integers(3, 6), st.integers(2, 4))
def test_a_player_added_later_adds_only_its_own_pairs(size: int, partners: int) -> None:
    assume(partners < size - 1)
    before = choose_pairs(all_pairs(size, size, size), partners)
    after = choose_pairs(all_pairs(size + 1, size + 1, size + 1), partners, before)
    new = f"p{size}"
    assert set(before) <= set(after)
    assert all(new in pair for pair in set(after) - set(before))
    assert sum(giver == new for giver, _ in after) == partners
    assert sum(follower == new for _, follower in after) >= partners - 1
    assert is_connected(after)
    assert choose_pairs(all_pairs(size, size, size), partners, before) == before, "nothing is new"


def test_all_pairs_include_self_play_and_a_part_does_not() -> None:
    allowed = all_pairs(3, 3, 3)
    assert choose_pairs(allowed) == allowed
    assert not [pair for pair in choose_pairs(allowed, 2) if pair[0] == pair[1]]


def test_a_design_that_is_not_connected_is_a_problem_that_says_how_many_partners_are_enough() -> None:
    with pytest.raises(Problem, match="not connected, so that nobody compares: give --partners 2 or more"):
        choose_pairs(all_pairs(3, 3, 0), 1)
    with pytest.raises(Problem, match="add a player who can play with more of them"):
        choose_pairs(all_pairs(2, 2, 2), 1)
    with pytest.raises(Problem, match="not connected"):
        choose_pairs([("a", "b"), ("c", "d")], 1)


def test_two_players_who_only_play_each_other_are_not_connected() -> None:
    assert not is_connected(all_pairs(2, 2, 2))
    assert is_connected(all_pairs(3, 3, 3))
