import subprocess
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.boards.shelf import Item, Shelf, Side, parse_shelf_cell

SIDES: tuple[Side, ...] = ("participant", "director")


def book(name: str = "red book", size: int = 2) -> Item:
    return Item(name, frozenset({"book", "red", "stackable"}), size)


def shelves() -> st.SearchStrategy[Shelf]:
    @st.composite
    def make(draw: st.DrawFn) -> Shelf:
        columns, rows = draw(st.integers(1, 8)), draw(st.integers(1, 12))
        cells = Shelf(columns, rows).cells
        some = draw(st.lists(st.sampled_from(cells), unique=True))
        hidden = draw(st.frozensets(st.sampled_from(cells)))
        things = st.builds(
            Item,
            st.sampled_from(["ball", "cup"]),
            st.frozensets(st.sampled_from(["red", "hot"])),
            st.integers(0, 5),
        )
        return Shelf(columns, rows, {cell: draw(things) for cell in some}, hidden)

    return make()


def test_cells_are_named_by_column_from_the_participants_left_and_row_from_the_top() -> None:
    shelf = Shelf(3, 2)
    assert shelf.cells == ("A1", "B1", "C1", "A2", "B2", "C2")
    assert (shelf.column("C2"), shelf.row("C2")) == (3, 2)
    assert parse_shelf_cell("C2") == (2, 1)


def test_the_directors_left_is_the_participants_right() -> None:
    shelf = Shelf(3, 2)
    assert shelf.column("C1", "director") == 1
    assert shelf.cell(1, 2, "director") == "C2"
    assert shelf.from_left("director") == ("C1", "B1", "A1", "C2", "B2", "A2")


@given(shelves(), st.data())
def test_rows_are_shared_and_columns_are_counted_from_each_sides_left(
    shelf: Shelf, data: st.DataObject
) -> None:
    cell = data.draw(st.sampled_from(shelf.cells))
    for side in SIDES:
        assert shelf.cell(shelf.column(cell, side), shelf.row(cell), side) == cell
    assert shelf.column(cell) + shelf.column(cell, "director") == shelf.columns + 1


@given(shelves())
def test_the_director_sees_all_but_what_stands_in_hidden_cells(shelf: Shelf) -> None:
    seen = shelf.seen("director")
    assert set(seen) == set(shelf.items) - shelf.hidden
    known = shelf.as_seen("director")
    assert known.items == seen
    assert known.hidden == shelf.hidden
    assert shelf.as_seen("participant") == shelf
    assert set(shelf.open) | shelf.hidden == set(shelf.cells)


@given(shelves())
def test_what_is_hidden_leaves_no_trace_in_what_the_director_may_know(shelf: Shelf) -> None:
    other = shelf
    for cell in shelf.hidden:
        other = other.put(cell, None if cell in shelf.items else book())
    assert other.as_seen("director") == shelf.as_seen("director")
    assert other.text("director") == shelf.text("director")


@given(shelves())
def test_mirroring_twice_changes_nothing(shelf: Shelf) -> None:
    mirrored = shelf.mirrored()
    assert mirrored.mirrored() == shelf
    assert [shelf.items.get(cell) for cell in shelf.from_left("director")] == [
        mirrored.items.get(c) for c in mirrored.cells
    ]
    assert {mirrored.column(cell) for cell in mirrored.hidden} == {
        shelf.column(cell, "director") for cell in shelf.hidden
    }


@given(shelves())
def test_it_is_read_back_as_it_was_written(shelf: Shelf) -> None:
    back = msgspec.json.decode(msgspec.json.encode(shelf), type=Shelf)
    assert back == shelf
    assert hash(back) == hash(shelf)
    assert list(back.items) == list(shelf.items)


def test_the_same_shelf_is_the_same_bytes_in_every_process() -> None:
    program = (
        "import msgspec; from groundling.boards.shelf import *;"
        "item = Item('cup', frozenset({'cup', 'red', 'hot', 'holds water', 'small'}), 1);"
        "shelf = Shelf(3, 3, {'C2': item, 'A1': item}, frozenset({'C2', 'B1', 'A3'}));"
        "print(msgspec.json.encode(shelf).decode())"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        for seed in "123"
    ]
    tags = '"tags":["cup","holds water","hot","red","small"]'
    written = (
        f'{{"columns":3,"rows":3,"items":{{"A1":{{"name":"cup",{tags},"size":1}},"C2":{{"name":"cup",{tags},"size":1}}}},'
        '"hidden":["A3","B1","C2"]}\n'
    )
    assert [run.stdout for run in runs] == [written] * 3


@pytest.mark.parametrize("cell", ["D1", "A3", "a1", "A0", "A01", "1A", "", "A 1"])
def test_a_cell_off_the_grid_is_refused(cell: str) -> None:
    shelf = Shelf(3, 2)
    assert cell not in shelf
    with pytest.raises(ValueError, match="not a cell"):
        Shelf(3, 2, {cell: book()})
    with pytest.raises(ValueError, match="not a cell"):
        Shelf(3, 2, {}, frozenset({cell}))
    with pytest.raises(ValueError, match="not a cell"):
        shelf.row(cell)
    with pytest.raises(ValueError, match="not a cell"):
        shelf.put(cell, book())


@pytest.mark.parametrize(("columns", "rows"), [(0, 3), (3, 0), (-1, 3), (27, 3), (3, 100)])
def test_a_shelf_without_cells_or_names_for_them_is_refused(columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match="columns"):
        Shelf(columns, rows)


@pytest.mark.parametrize(("column", "row"), [(0, 1), (4, 1), (1, 0), (1, 3)])
def test_counting_beyond_the_shelf_is_refused(column: int, row: int) -> None:
    with pytest.raises(ValueError, match="off a shelf"):
        Shelf(3, 2).cell(column, row)


@pytest.mark.parametrize("text", ["", "2C", "c2", "C0", "C100", "CC2", "C²"])
def test_what_names_no_cell_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="such as C2"):
        parse_shelf_cell(text)


def test_an_item_has_a_name() -> None:
    with pytest.raises(ValueError, match="name"):
        Item("", frozenset(), 1)


def test_neighbours_share_an_edge() -> None:
    shelf = Shelf(3, 3)
    assert shelf.neighbours("B2") == ("B1", "A2", "C2", "B3")
    assert shelf.neighbours("A1") == ("B1", "A2")


def test_putting_and_taking_changes_one_cell() -> None:
    shelf = Shelf(2, 1).put("B1", book())
    assert shelf.items == {"B1": book()}
    assert shelf.empty == ("A1",)
    assert shelf.put("B1", None) == Shelf(2, 1)


def test_the_participants_table_names_every_cell_and_its_back() -> None:
    shelf = Shelf(2, 2, {"A1": book(), "B2": book("blue book", 3)}, frozenset({"B2", "A2"}))
    assert shelf.text(marks={"A1": "picked"}) == (
        "cell | item      | size | back\n"
        "A1   | red book  | 2    | open  ← picked\n"
        "B1   | (empty)   |      | open\n"
        "A2   | (empty)   |      | panel\n"
        "B2   | blue book | 3    | panel\n"
        "(size: 1 is the smallest, 5 the largest, for items of all kinds)"
    )


def test_the_directors_table_is_from_the_other_side_and_has_hidden_cells_as_closed() -> None:
    shelf = Shelf(2, 2, {"A1": book(), "B2": book("blue book", 3)}, frozenset({"B2"}))
    assert shelf.text("director") == (
        "cell | row from the top | column from your left | item     | size\n"
        "B1   | 1                | 1                     | (empty)  |\n"
        "A1   | 1                | 2                     | red book | 2\n"
        "B2   | 2                | 1                     | (closed) |\n"
        "A2   | 2                | 2                     | (empty)  |\n"
        "(size: 1 is the smallest, 5 the largest, for items of all kinds)"
    )
    assert (
        shelf.text("director", labels=False).splitlines()[2]
        == "1                | 2                     | red book | 2"
    )
