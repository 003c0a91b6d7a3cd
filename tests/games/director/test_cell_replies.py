import pytest
from tests.games.director.small import shelf_of

from groundling.core.values import Illegal
from groundling.games.director.cell_replies import find_cell_in_reply, parse_cell_reply

shelf = shelf_of("b . . .", ". . . .", ". . . .")


@pytest.mark.parametrize("text", ["C2", " C2\n", "\tC2 "])
def test_strictly_a_reply_is_a_cell(text: str) -> None:
    assert parse_cell_reply(text, shelf) == find_cell_in_reply(text, shelf) == "C2"


@pytest.mark.parametrize(
    "text", ["c2", "C2.", "the cell C2", "C2 C2", "", "C", "2", "Answer: C2", "C02", "C2\nC2"]
)
def test_strictly_a_reply_is_nothing_else(text: str) -> None:
    with pytest.raises(Illegal, match="nothing else"):
        parse_cell_reply(text, shelf)


@pytest.mark.parametrize(
    "text",
    [
        "c2",
        "C2.",
        "**C2**",
        "It must be C2, because C2 is open.",
        "Answer: C2",
        r"\boxed{C2}",
        "cell C-2",
        "C 2",
        "column C, row 2",
        "Row 2 of column C",
        'The item in column "C" and row 2.',
        "The books are in A1 and D3. The director cannot see A1. Answer: C2",
        "A1 is hidden, so not that one. My final answer is **C2**.",
        "The answer is C2",
        "I would take C2!",
        "(C2)",
        "I see 3 books, and a 2 on one of them: C2",
    ],
)
def test_tolerantly_one_cell_may_stand_in_prose(text: str) -> None:
    assert find_cell_in_reply(text, shelf) == "C2"


@pytest.mark.parametrize(
    "text",
    [
        "D2 or C1",
        "Answer: D2 or C1",
        "Answer: C2\nNo: D1",
        "C2, not D1",
        "not C2",
        "It isn't C2",
        "C2 is not it",
        "anything but C2",
        "Column C, row 2 or row 3, column C",
        "A1 to D3",
    ],
)
def test_two_cells_or_a_denial_are_not_clear(text: str) -> None:
    with pytest.raises(Illegal, match="not clear"):
        find_cell_in_reply(text, shelf)


@pytest.mark.parametrize("text", ["", "the red book", "42", "a 2", "AB2", "C2x", "C2.5", "xC2", "C", "row 2"])
def test_no_cell_is_asked_for_again(text: str) -> None:
    with pytest.raises(Illegal, match="name one cell"):
        find_cell_in_reply(text, shelf)


@pytest.mark.parametrize("text", ["E1", "A4", "Z9", "D99"])
def test_a_cell_that_is_not_there_is_told_so(text: str) -> None:
    for read in (parse_cell_reply, find_cell_in_reply):
        with pytest.raises(Illegal, match=f"there is no cell {text}: columns are A to D, rows 1 to 3"):
            read(text, shelf)
