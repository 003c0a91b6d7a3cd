from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.scores.token_count import count_tokens


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
    assert count_tokens(text) == count


@given(st.text(), st.text())
def test_a_space_joins_without_adding(one: str, other: str) -> None:
    assert count_tokens(f"{one} {other}") == count_tokens(one) + count_tokens(other)


@given(st.text())
def test_white_space_counts_for_nothing(text: str) -> None:
    assert count_tokens(" ".join(text.split())) == count_tokens(text)
    assert count_tokens(text) <= len("".join(text.split()))
