import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.boards.letters import Grid


def grids() -> st.SearchStrategy[Grid]:
    size = st.integers(1, 12)
    cells = st.sampled_from("ABXZ....")
    return size.flatmap(
        lambda n: st.lists(st.lists(cells, min_size=n, max_size=n).map("".join), min_size=n, max_size=n)
    ).map(lambda rows: Grid.of_rows(rows))


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
    cell = data.draw(st.sampled_from(list(grid.places())))
    letter = data.draw(st.sampled_from("Q."))
    after = grid.put(cell, letter)
    assert after.filled.get(cell, ".") == letter
    assert after.distance(grid) == (grid.filled.get(cell, ".") != letter)


def test_cells_are_counted_from_the_top_left() -> None:
    assert Grid("..A/.../B..").filled == {(1, 3): "A", (3, 1): "B"}
    assert Grid.of(3, [(1, 3)], "A") == Grid("..A/.../...")


@given(grids(), st.data())
def test_agreeing_cells_are_those_filled_alike_in_both(grid: Grid, data: st.DataObject) -> None:
    other = grid
    for cell in data.draw(st.lists(st.sampled_from(list(grid.places())), max_size=5)):
        other = other.put(cell, data.draw(st.sampled_from("AQ.")))
    assert grid.agreeing(other) == len(grid.filled.items() & other.filled.items())
    assert grid.count == len(grid.filled)
