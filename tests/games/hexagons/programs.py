"""Programs of every kind for properties to be tried on: correctly put together, not always possible to carry
out."""

from collections.abc import Callable
from typing import TypeVar

from hypothesis import strategies as st

from groundling.boards.hexes import AXES, COLOURS, HEADINGS, TILES
from groundling.games.hexagons.program.shapes import (
    All,
    Amount,
    AnyTest,
    Around,
    Beside,
    Between,
    Border,
    Column,
    Compare,
    Count,
    Disc,
    Edge,
    Flower,
    Go,
    Is,
    Joined,
    Line,
    Met,
    Not,
    Outline,
    Parity,
    Place,
    Reached,
    Rhombus,
    Ring,
    Row,
    Shape,
    Some,
    Tiles,
    Touching,
    Triangle,
    Where,
    Whole,
    Within,
)
from groundling.games.hexagons.program.values import (
    AnyStatement,
    At,
    Axis,
    Call,
    Cycle,
    Define,
    Grow,
    If,
    Mirror,
    Paint,
    Program,
    Recolour,
    Repeat,
    Rotate,
    Turn,
)

T = TypeVar("T")


@st.composite
def _drawn(draw: st.DrawFn, what: Callable[[], st.SearchStrategy[T]]) -> T:
    """A strategy that hides what it is made of, which would be long to print."""
    return draw(what())


names = st.sampled_from(["n", "k", "petal", "leaf_2"])
counts = st.builds(Count, names, st.integers(-2, 3), st.integers(-2, 3))
amounts: st.SearchStrategy[Amount] = st.integers(0, 6) | counts
colours = st.sampled_from([*COLOURS, "petal", "-"])
seen = st.sampled_from([*COLOURS, "painted", "petal"])
headings = st.sampled_from(HEADINGS)
ways = st.sampled_from([*HEADINGS, "right", "left"])
paths = st.lists(st.builds(Go, ways, amounts), min_size=1, max_size=2).map(tuple)
places = st.builds(Place, st.sampled_from(TILES) | st.none(), st.just(()) | paths)


def _tests(shapes: st.SearchStrategy[Shape]) -> st.SearchStrategy[AnyTest]:
    plain: st.SearchStrategy[AnyTest] = st.one_of(
        st.builds(Is, seen),
        st.builds(Touching, seen, st.integers(0, 3), st.none() | st.integers(3, 6)),
        st.builds(Beside, ways, seen),
        st.builds(Within, shapes),
        st.builds(Compare, st.sampled_from(["row", "column"]), st.sampled_from("<>="), amounts),
        st.builds(Parity, st.sampled_from(["row", "column"]), st.booleans()),
    )
    return st.recursive(
        plain,
        lambda inner: st.one_of(
            st.builds(Not, inner),
            st.builds(All, st.lists(inner, min_size=2, max_size=3).map(tuple)),
            st.builds(Some, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        ),
        max_leaves=4,
    )


_plain_shapes: st.SearchStrategy[Shape] = _drawn(lambda: _all_plain_shapes)
_all_plain_shapes: st.SearchStrategy[Shape] = st.one_of(
    places,
    st.builds(Tiles, st.lists(places, min_size=1, max_size=3).map(tuple)),
    st.builds(
        Line,
        places,
        ways,
        amounts | st.builds(Edge) | st.builds(Met, seen) | st.builds(Reached, st.builds(Column, amounts)),
    ),
    st.builds(Between, places, places),
    st.builds(Ring, places, amounts),
    st.builds(Disc, places, amounts),
    st.builds(Flower, places),
    st.builds(Triangle, places, headings, amounts),
    st.builds(Rhombus, places, headings, amounts, st.none() | amounts),
    st.builds(Column, amounts),
    st.builds(Row, amounts),
    st.builds(Whole),
    st.builds(Border),
)
_plain_tests = _tests(_plain_shapes)
tests: st.SearchStrategy[AnyTest] = _drawn(lambda: _plain_tests)
shapes: st.SearchStrategy[Shape] = _drawn(lambda: _shapes)
_shapes: st.SearchStrategy[Shape] = st.recursive(
    _plain_shapes,
    lambda inner: st.one_of(
        st.builds(Outline, inner),
        st.builds(Around, inner),
        st.builds(Joined, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(Where, inner, tests),
    ),
    max_leaves=3,
)
cycles = st.lists(
    st.builds(Cycle, names, st.lists(colours, min_size=1, max_size=3).map(tuple)), max_size=2
).map(tuple)
stops = st.builds(Edge) | st.builds(Met, seen) | st.builds(Reached, shapes)
axes = st.lists(st.builds(Axis, amounts | stops, paths), min_size=1, max_size=2).map(tuple)
about = st.lists(places, min_size=1, max_size=3).map(tuple)
painted = st.lists(colours, min_size=1, max_size=3).map(tuple)
exchanges = st.lists(st.tuples(colours, colours), min_size=1, max_size=2).map(tuple)
arguments = st.lists(
    st.integers(0, 5) | colours | st.builds(Count, names, st.just(1), st.integers(1, 3)), max_size=3
).map(tuple)

_plain: st.SearchStrategy[AnyStatement] = _drawn(lambda: _all_plain)
_all_plain: st.SearchStrategy[AnyStatement] = st.one_of(
    st.builds(Paint, painted, shapes),
    st.builds(Grow, amounts, painted, shapes, st.none() | tests),
    st.builds(Mirror, st.sampled_from(AXES), about, source=st.none() | shapes, cycles=cycles),
    st.builds(Rotate, st.sampled_from([2, 3, 6]), about, source=st.none() | shapes, cycles=cycles),
    st.builds(Recolour, exchanges, source=st.none() | shapes),
    st.builds(Call, names, arguments),
)


def _nested(inner: st.SearchStrategy[AnyStatement]) -> st.SearchStrategy[AnyStatement]:
    body = st.lists(inner, min_size=1, max_size=3).map(tuple)
    counted = st.builds(Repeat, axes, body, cycles, names, st.integers(-2, 3), st.integers(-1, 2))
    return st.one_of(
        st.builds(At, shapes, body, cycles),
        st.builds(Repeat, axes, body, cycles),
        counted,
        st.builds(Turn, amounts, body),
        st.builds(Mirror, st.sampled_from(AXES), about, body, cycles),
        st.builds(Rotate, st.sampled_from([2, 3, 6]), about, body, cycles),
        st.builds(Recolour, exchanges, body),
        st.builds(Define, names, st.lists(names, max_size=2, unique=True).map(tuple), body),
        st.builds(If, amounts, st.sampled_from("<>="), amounts, body),
    )


_statements: st.SearchStrategy[AnyStatement] = st.recursive(_plain, _nested, max_leaves=4)
statements: st.SearchStrategy[AnyStatement] = _drawn(lambda: _statements)
programs = st.builds(Program, st.lists(statements, max_size=4).map(tuple))
