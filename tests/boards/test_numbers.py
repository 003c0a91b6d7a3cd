"""The index of a number word is its number, and ordinals in digits have the right ending."""

from __future__ import annotations

import pytest

from groundling.boards.english.numbers import CARDINALS, ORDINALS, ordinal_number


@pytest.mark.parametrize(
    ("number", "cardinal", "ordinal"),
    [
        (0, "zero", "zeroth"),
        (8, "eight", "eighth"),
        (12, "twelve", "twelfth"),
        (19, "nineteen", "nineteenth"),
    ],
)
def test_the_index_of_a_word_is_its_number(number: int, cardinal: str, ordinal: str) -> None:
    assert (CARDINALS[number], ORDINALS[number]) == (cardinal, ordinal)


def test_ordinals_in_digits_have_the_ending_that_is_spoken() -> None:
    found = [ordinal_number(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111, 113)]
    assert found == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th", "113th"]
