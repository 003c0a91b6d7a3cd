"""Free English, on a shelf that the speaker sees from behind."""

import pytest
from tests.games.director.small import shelf_of

from groundling.games.director.players.request_reader import (
    RequestMeaning,
    find_request_cells,
    join_request_meanings,
    read_request,
)

#                  A   B   C   D
shelf = shelf_of("  b  m   .   c  ",
                 "  g  .  [B]  .  ",
                 "  c [c]  B   m  ")  # fmt: skip


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("the green book", "A2"),
        ("Could you hand me the green one, please?", "A2"),
        ("Please pick the large red book.", "C3"),
        ("I'd like the big book", "C3"),
        ("the biggest book", "C3"),
        ("the tiniest book", "A1"),
        ("give me the smallest red book you can find", "A1"),
        ("the topmost book", "A1"),
        ("the highest book on the shelf", "A1"),
        ("the lowest car", "A3"),
        ("the bottommost mug", "D3"),
        ("the uppermost vehicle", "D1"),
        ("the mug at the top", "B1"),
        ("the mug on the bottom row", "D3"),
        ("the car in the third row", "A3"),
        ("the book in row 2", "A2"),
        ("the red thing in the bottom row that holds water", "D3"),
        ("the leftmost mug from your point of view", "B1"),
        ("the leftmost mug from my point of view", "D3"),
        ("from where I stand, the rightmost mug", "B1"),
        ("the right-most book from my side", "A1 A2"),
        ("the book furthest to your right", "C3"),
        ("the car on my left", "D1"),
        ("the car on your left", "A3"),
        ("the book on the far left as I see it", "C3"),
        ("as you see it, the car on the far right", "D1"),
        ("the item in row 1 from the top, column 1 from my left", "D1"),
        ("It is in the second row, fourth from my left.", "A2"),
        ("third from your left in row three", "C3"),
        ("something that can roll, at the very bottom", "A3"),
        ("the toppest green book", "A2"),
        ("the cup at the top", "B1"),
        ("a red mug near the top, the highest one", "B1"),
        ("the smallest item in the third row from my perspective", "D3"),
        ("the green novel", "A2"),
        ("Fetch the automobile? no: the blue car in row 3", "A3"),
        ("the stackable green item", "A2"),
        ("the largest stackable item", "C3"),
    ],
)
def test_what_is_meant_is_found_where_the_speaker_sees_it(text: str, cell: str) -> None:
    assert find_request_cells(read_request(text, shelf), shelf, shelf.open) == cell.split()


@pytest.mark.parametrize(
    "text",
    [
        "the red book that is not small",
        "the zebra",
        "the second item from my right",
        "anything but the mug",
        "the book next to the mug",
        "the frobnicated car",
    ],
)
def test_what_is_not_understood_is_told(text: str) -> None:
    assert read_request(text, shelf).unknown


@pytest.mark.parametrize("text", ["", "…", "please pick the item", "that one over there"])
def test_saying_nothing_means_nothing(text: str) -> None:
    assert read_request(text, shelf).is_empty


def test_hidden_things_are_found_only_where_one_may_look() -> None:
    meaning = read_request("the rightmost large book from your point of view", shelf)
    assert find_request_cells(meaning, shelf, shelf.cells) == ["C2", "C3"]
    assert find_request_cells(meaning, shelf, shelf.open) == ["C3"]


def test_left_and_right_can_be_taken_as_the_others() -> None:
    meaning = read_request("the leftmost mug from my point of view", shelf)
    assert find_request_cells(meaning, shelf, shelf.cells, who="you") == ["B1"]
    assert find_request_cells(meaning, shelf, shelf.cells, ways=False) == ["B1", "D3"]


def test_names_of_things_count_where_there_is_no_word_for_them() -> None:
    assert read_request("the small one", shelf).names == ()
    strange = shelf_of("b m")
    assert find_request_cells(read_request("the mug", strange), strange, strange.cells) == ["B1"]


def test_an_answer_is_added_to_the_request() -> None:
    first, second = read_request("the car", shelf), read_request("In the bottom row.", shelf)
    assert find_request_cells(first, shelf, shelf.open) == ["D1", "A3"]
    assert find_request_cells(join_request_meanings(first, second), shelf, shelf.open) == ["A3"]
    assert join_request_meanings(RequestMeaning(), first) == first


def test_two_superlatives_are_taken_in_either_order() -> None:
    meaning = read_request("the topmost leftmost book from your point of view", shelf)
    assert find_request_cells(meaning, shelf, shelf.open) == ["A1"]
    unclear = read_request("the largest topmost thing", shelf_of("b . B", "m . .", ". c ."))
    assert set(unclear.ways) == {"largest", "topmost"}


def test_other_peoples_properties_are_their_own_names() -> None:
    from groundling.boards.shelf import Item, Shelf

    things = {
        "A1": Item("red_drum", frozenset({"Music_instument", "red"}), 1),
        "B1": Item("tea_pot", frozenset({"holds_tea"}), 1),
    }
    strange = Shelf(2, 1, things)
    for text, cell in (
        ("the Music_instument", "A1"),
        ("the item that holds tea", "B1"),
        ("the drum", "A1"),
        ("the tea pot", "B1"),
    ):
        assert find_request_cells(read_request(text, strange), strange, strange.cells) == [cell]
