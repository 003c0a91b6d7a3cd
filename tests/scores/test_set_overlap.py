import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.scores.set_overlap import set_overlap

SETS = st.frozensets(st.integers(0, 9))


@given(SETS)
def test_a_set_agrees_with_itself(one: frozenset[int]) -> None:
    assert set_overlap(one, one).f1 == 1


@given(SETS, SETS)
def test_f1_is_the_harmonic_mean_and_the_same_from_both_sides(
    one: frozenset[int], other: frozenset[int]
) -> None:
    here, there = set_overlap(one, other), set_overlap(other, one)
    assert (here.precision, here.recall, here.f1) == (there.recall, there.precision, there.f1)
    if here.f1:
        assert here.f1 == pytest.approx(2 * here.precision * here.recall / (here.precision + here.recall))


def test_nothing_agrees_with_something_not_at_all() -> None:
    assert set_overlap({1}, frozenset()) == set_overlap(frozenset(), {1})
    assert set_overlap({1}, frozenset()).f1 == 0
