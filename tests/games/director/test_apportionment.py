from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.games.director.apportionment import (
    apportion_cells,
    apportion_total,
    apportioned_share,
    round_half_up,
)

shares = st.dictionaries(st.integers(0, 5), st.floats(0.01, 1), min_size=1)


@given(st.integers(0, 1000), shares)
def test_everybody_gets_the_quota_rounded_up_or_down_and_all_is_given_out(
    total: int, given: dict[int, float]
) -> None:
    counts = apportion_total(total, given)
    whole = sum(map(apportioned_share, given.values()))
    assert sum(counts.values()) == total
    for key, share in given.items():
        assert abs(counts[key] - total * apportioned_share(share) / whole) < 1


def test_the_largest_remainder_goes_first() -> None:
    assert apportion_total(10, {"a": 0.66, "b": 0.34}) == {"a": 7, "b": 3}
    assert apportion_total(3, {"a": 0.5, "b": 0.5}) == {"a": 2, "b": 1}
    assert apportion_total(100, {"a": 0.1, "b": 0.2, "c": 0.7}) == {"a": 10, "b": 20, "c": 70}


@given(st.lists(st.integers(0, 60), min_size=1, max_size=8), shares)
def test_dealing_keeps_both_the_cells_and_the_shares(sizes: list[int], given: dict[int, float]) -> None:
    cells = [((number,), size) for number, size in enumerate(sizes)]
    dealt = apportion_cells(cells, given)
    for number, size in enumerate(sizes):
        assert sum(count for key, count in dealt if key[0] == number) == size
    for value, count in apportion_total(sum(sizes), given).items():
        assert sum(each for key, each in dealt if key[1] == value) == count


def test_halves_of_odd_cells_are_dealt_to_both_sides() -> None:
    dealt = apportion_cells([((name,), 125) for name in "abcdefgh"], {False: 0.5, True: 0.5})
    assert {value: sum(count for key, count in dealt if key[1] is value) for value in (False, True)} == {
        False: 500,
        True: 500,
    }
    assert {count for _, count in dealt} == {62, 63}


@pytest.mark.parametrize(
    ("number", "whole"), [(Fraction(1, 2), 1), (Fraction(3, 2), 2), (Fraction(8, 5), 2), (Fraction(7, 5), 1)]
)
def test_halves_are_rounded_up(number: Fraction, whole: int) -> None:
    assert round_half_up(number) == whole
