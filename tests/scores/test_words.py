from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.scores.words import tokens


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        (" \n\t ", 0),
        ("\x1c\x1d\x1e\x1f", 0),
        ("first", 1),
        ("Expression: the cross.", 5),
        ("it's", 3),
        ("two-by-two", 5),
        ("...", 3),
        ("row 12, column 3", 5),
        ("▢ ▢ X", 3),
        ("▢▢X", 3),
        ("schräg über das Kreuz", 4),
        ("左上角", 1),
        ("snake_case", 1),
    ],
)
def test_words_and_punctuation_marks_count_one_each(text: str, count: int) -> None:
    assert tokens(text) == count


@given(st.text(), st.text())
def test_a_space_joins_without_adding(one: str, other: str) -> None:
    assert tokens(f"{one} {other}") == tokens(one) + tokens(other)


@given(st.text())
def test_white_space_counts_for_nothing(text: str) -> None:
    assert tokens(" ".join(text.split())) == tokens(text)
    assert tokens(text) <= len("".join(text.split()))
