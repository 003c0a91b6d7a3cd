"""How the follower's reply is read."""

import pytest

from groundling.core.values import Illegal
from groundling.games.reference.labels import LABELS, find_label, parse_only_label


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("second", 2),
        ("the second one", 2),
        ("**2**", 2),
        ("Answer: 2", 2),
        ("answer:third.", 3),
        ("I believe that the expression describes the first grid.", 1),
        ("Grid two", 2),
        ("2nd", 2),
        ("#3", 3),
        ("(1)", 1),
        ("The second grid, that is grid 2, fits best.", 2),
        ("It must be the third of the three grids.", 3),
        ("The second one, because it does not have a letter in the corner", 2),
        ("I am not sure, but: second", 2),
        ("Give me a second. Third!", 3),
        ("At first glance it is hard, so third", 3),
        ("On second thought, the first", 1),
        ("Answer: one", 1),
        ("_second_", 2),
        ("grid-2", 2),
    ],
)
def test_one_label_anywhere_is_understood(text: str, place: int) -> None:
    assert find_label(text, 3) == place


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the grid",
        "first or second",
        "2 of 3",
        "Answer: second\nThe first row is full.",
        "not the second",
        "It isn't the third one",
        "I don't think it is the first",
        "The first is not it",
        "anything but the second",
        "Answer: 12",
        "1.5",
        "-2",
        "12th",
        "fourth",
        "9",
        "Give me a second",
        "in the first place I cannot tell",
        "two",
        "the second one or the first one",
    ],
)
def test_what_is_not_exactly_one_label_is_refused(text: str) -> None:
    with pytest.raises(Illegal, match="name"):
        find_label(text, 3)


@pytest.mark.parametrize("text", ["Answer: second", "answer: 2", "  ANSWER:\n2nd ", "Answer:second"])
def test_the_strict_reading_takes_the_tag_and_one_label(text: str) -> None:
    assert parse_only_label(text, "Answer:", 3) == find_label(text, 3) == 2


@pytest.mark.parametrize(
    "text",
    ["second", "Answer: second.", "Answer: the second", "Answer: 4", "Answer: two", "Answer:", "Answer: 1 2"],
)
def test_the_strict_reading_takes_nothing_else(text: str) -> None:
    with pytest.raises(Illegal):
        parse_only_label(text, "Answer:", 3)


def test_every_label_is_understood_where_there_are_so_many_grids() -> None:
    assert [find_label(f"the {label} grid", 9) for label in LABELS] == list(range(1, 10))
    with pytest.raises(Illegal, match="no ninth grid"):
        find_label("ninth", 8)


@pytest.mark.parametrize(("text", "place"), [("1nd", 1), ("the 2th", 2), ("grid 3ſt", 3), ("the ſecond", 2)])
def test_misspelt_ordinals_count_by_their_digit_or_letters(text: str, place: int) -> None:
    assert find_label(text, 3) == place
