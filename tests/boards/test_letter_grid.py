import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.boards.letter_grid import Grid


def grids() -> st.SearchStrategy[Grid]:
    size = st.integers(1, 12)
    cells = st.sampled_from("ABXZ....")
    return size.flatmap(
        lambda n: st.lists(st.lists(cells, min_size=n, max_size=n).map("".join), min_size=n, max_size=n)
    ).map(lambda rows: Grid.from_rows(rows))


@given(grids())
def test_its_text_is_read_back(grid: Grid) -> None:
    assert Grid.parse(grid.text()) == grid


@pytest.mark.parametrize("text", ["X ▢\n▢ X", "X □\n□ X", "X .\n. X", "X.\n.X", "  X ▢  \n▢ X\n"])
def test_every_sign_for_an_empty_cell_is_read(text: str) -> None:
    assert Grid.parse(text) == Grid("X./.X")


@pytest.mark.parametrize("text", ["", "x ▢\n▢ x", "X ▢\n▢", "X ▢ ▢\n▢ X ▢", "X  ▢\n▢ X", "X1\n1X"])
def test_what_is_not_a_square_of_letters_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="row"):
        Grid.parse(text)


@given(grids(), st.data())
def test_putting_changes_one_cell(grid: Grid, data: st.DataObject) -> None:
    cell = data.draw(st.sampled_from(list(grid.iter_cells())))
    letter = data.draw(st.sampled_from("Q."))
    after = grid.with_cell(cell, letter)
    assert after.letters_by_cell.get(cell, ".") == letter
    assert after.count_differing(grid) == (grid.letters_by_cell.get(cell, ".") != letter)


def test_cells_are_counted_from_the_top_left() -> None:
    assert Grid("..A/.../B..").letters_by_cell == {(1, 3): "A", (3, 1): "B"}
    assert Grid.from_cells(3, [(1, 3)], "A") == Grid("..A/.../...")


@given(grids(), st.data())
def test_agreeing_cells_are_those_filled_alike_in_both(grid: Grid, data: st.DataObject) -> None:
    other = grid
    for cell in data.draw(st.lists(st.sampled_from(list(grid.iter_cells())), max_size=5)):
        other = other.with_cell(cell, data.draw(st.sampled_from("AQ.")))
    assert grid.count_matching(other) == len(grid.letters_by_cell.items() & other.letters_by_cell.items())
    assert grid.filled_count == len(grid.letters_by_cell)
