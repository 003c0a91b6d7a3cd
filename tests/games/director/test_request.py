import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.director.small import THINGS, book, shelf_of

from groundling.boards.shelf import Item, Shelf, shelf_cell_positions
from groundling.games.director import Request, answers
from groundling.games.director.request import SELECTS, mirror_request_select

tags = st.frozensets(st.sampled_from(["red", "book", "hot"]))
things = st.builds(Item, st.sampled_from(["a", "b"]), tags, st.integers(0, 3))


@st.composite
def shelves(draw: st.DrawFn) -> Shelf:
    columns, rows = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    cells = st.sampled_from(list(shelf_cell_positions(columns, rows)))
    return Shelf(columns, rows, draw(st.dictionaries(cells, things)), draw(st.frozensets(cells)))


requests = st.builds(
    Request, tags, st.none() | st.sampled_from(SELECTS), st.sampled_from(["participant", "director"])
)
sides = st.sampled_from(["participant", "director"])


@given(shelves(), requests, sides)
def test_an_answer_fits_and_nothing_that_fits_is_more_extreme(
    shelf: Shelf, request: Request, sees: str
) -> None:
    found = answers(shelf, request, sees)  # type: ignore[arg-type]
    closed = shelf.hidden if sees == "director" else frozenset()
    fitting = [cell for cell, item in shelf.items.items() if request.tags <= item.tags and cell not in closed]
    assert found <= set(fitting)
    assert bool(found) == bool(fitting)

    def along(cell: str) -> int:
        column, row = ord(cell[0]), int(cell[1:])
        side = -column if request.frame == "director" else column
        size = shelf.items[cell].size
        select = request.select or "none"
        return {
            "left": side,
            "righ": -side,
            "topm": row,
            "bott": -row,
            "smal": size,
            "larg": -size,
            "none": 0,
        }[select[:4]]

    best = min(map(along, fitting), default=0)
    assert found == {cell for cell in fitting if along(cell) == best}


@given(shelves(), requests, sides)
def test_the_other_frame_is_the_other_side_of_the_mirror(shelf: Shelf, request: Request, sees: str) -> None:
    """Exchanging left and right in the shelf does what exchanging the frame does."""
    other = Request(
        request.tags, request.select, "director" if request.frame == "participant" else "participant"
    )
    mirrored = answers(shelf.mirrored(), request, sees)  # type: ignore[arg-type]
    back = {shelf.cell(shelf.column(cell, "director"), shelf.row(cell)) for cell in mirrored}
    assert back == answers(shelf, other, sees)  # type: ignore[arg-type]


@given(shelves(), requests)
def test_only_left_and_right_depend_on_the_frame(shelf: Shelf, request: Request) -> None:
    other = Request(
        request.tags, request.select, "director" if request.frame == "participant" else "participant"
    )
    assert answers(shelf, request) == answers(
        shelf, Request(other.tags, mirror_request_select(other.select), other.frame)
    )


@given(shelves(), requests)
def test_what_is_hidden_is_left_out_in_both_frames(shelf: Shelf, request: Request) -> None:
    assert not answers(shelf, request, "director") & shelf.hidden
    seen = shelf.as_seen("director")
    assert answers(shelf, request, "director") == answers(seen, request, "participant")


def test_ties_return_all_and_nothing_returns_nothing() -> None:
    shelf = shelf_of("b . B", "b m [g]")
    assert answers(shelf, book()) == {"A1", "A2"}
    assert answers(shelf, book(frame="director")) == {"C1"}
    assert answers(shelf, book("leftmost", "director"), sees="participant") == {"C1", "C2"}
    assert answers(shelf, Request(frozenset({"car"}))) == frozenset()
    assert answers(shelf, Request(frozenset())) == {"A1", "C1", "A2", "B2"}


def test_sizes_are_compared_across_unlike_things() -> None:
    shelf = shelf_of("m g B")
    assert answers(shelf, Request(frozenset(), "smallest")) == {"A1"}
    assert answers(shelf, Request(frozenset({"red"}), "largest")) == {"C1"}


@pytest.mark.parametrize("wrong", [{"select": "nearest"}, {"frame": "mine"}])
def test_what_is_no_request_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="is no"):
        Request(frozenset({"red"}), **wrong)  # type: ignore[arg-type]


def test_nobody_else_sees() -> None:
    with pytest.raises(ValueError, match="who sees"):
        answers(shelf_of("b"), book(), sees="nobody")  # type: ignore[arg-type]


def test_the_same_tags_are_written_in_the_same_order() -> None:
    assert list(Request(frozenset(THINGS["b"].tags)).tags) == sorted(THINGS["b"].tags)
