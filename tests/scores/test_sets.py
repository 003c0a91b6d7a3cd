import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.scores.sets import overlap

SETS = st.frozensets(st.integers(0, 9))


@given(SETS)
def test_a_set_agrees_with_itself(one: frozenset[int]) -> None:
    assert overlap(one, one).f1 == 1


@given(SETS, SETS)
def test_f1_is_the_harmonic_mean_and_the_same_from_both_sides(
    one: frozenset[int], other: frozenset[int]
) -> None:
    here, there = overlap(one, other), overlap(other, one)
    assert (here.precision, here.recall, here.f1) == (there.recall, there.precision, there.f1)
    if here.f1:
        assert here.f1 == pytest.approx(2 * here.precision * here.recall / (here.precision + here.recall))


def test_nothing_agrees_with_something_not_at_all() -> None:
    assert overlap({1}, frozenset()) == overlap(frozenset(), {1})
    assert overlap({1}, frozenset()).f1 == 0
