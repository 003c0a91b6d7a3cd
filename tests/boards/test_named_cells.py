import pytest

from groundling.boards.english.named_cells import named_cells, recited_share
from groundling.boards.letter_grid import Grid

GRID = Grid("XX.XX/...../X...X/...../.....")


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("Put X in row 2, column 3", {(2, 3)}),
        ("row 1 has X in columns 1, 2 and 5; row 2 in column 4.", {(1, 1), (1, 2), (1, 5), (2, 4)}),
        ("the third column of the second row", {(2, 3)}),
        ("column 3, row 2; column 4, row 1", {(2, 3), (1, 4)}),
        ("row 1, column 2, column 4", {(1, 2), (1, 4)}),
        ("the first and third cell of row 2", {(2, 1), (2, 3)}),
        ("in the 2nd column, tiles 1 and 3 are red", {(1, 2), (3, 2)}),
        ("(2, 3), then R4C5", {(2, 3), (4, 5)}),
    ],
)
def test_cells_are_named_by_row_and_column(text: str, cells: set[tuple[int, int]]) -> None:
    assert named_cells(text) == cells


@pytest.mark.parametrize(
    "text",
    [
        "The top row is full, and so is column 3",
        "Row 1 is full, column 3 is empty",
        "fill the first row with X and the third column with Y",
        "columns 2 to 4 of row 1",
        "a heart with two bumps",
        "row 2. column 3.",
        "",
    ],
)
def test_lines_ranges_and_shapes_name_no_single_cell(text: str) -> None:
    assert named_cells(text) == set()


def test_the_share_is_of_the_letters_that_the_target_has() -> None:
    assert recited_share(GRID, ["two full corners"]) == 0
    assert recited_share(GRID, ["X X ▢ X X\n▢ ▢ ▢ ▢ ▢\nX ▢ ▢ ▢ X"]) == 1
    assert recited_share(GRID, ["row 1, column 1", "row 3: columns 1 and 2"]) == pytest.approx(2 / 6)
    assert recited_share(Grid("../.."), ["row 1, column 1"]) is None
