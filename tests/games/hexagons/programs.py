"""Programs of every kind for properties to be tried on: correctly put together, not always possible to carry
out."""

from collections.abc import Callable
from typing import TypeVar

from hypothesis import strategies as st

from groundling.boards.hexes import AXES, COLOURS, HEADINGS, TILES
from groundling.games.hexagons.program.shapes import (
    AllCondition,
    Amount,
    AnyCondition,
    AroundShape,
    BesideCondition,
    BetweenShape,
    BorderShape,
    ColumnShape,
    CompareCondition,
    DiscShape,
    FlowerShape,
    InsideShape,
    IsCondition,
    JoinedShape,
    LinearExpression,
    LineShape,
    MovedShape,
    NotCondition,
    OutlineShape,
    ParityCondition,
    PathStep,
    RhombusShape,
    RingShape,
    RowShape,
    Shape,
    SomeCondition,
    StopAtColour,
    StopAtEdge,
    StopAtShape,
    TileReference,
    TilesShape,
    TouchingCondition,
    TriangleShape,
    WhereShape,
    WholeShape,
    WithinCondition,
)
from groundling.games.hexagons.program.statements import (
    AnyStatement,
    AtStatement,
    CallStatement,
    ColourCycle,
    DefineStatement,
    GrowStatement,
    IfStatement,
    MirrorStatement,
    PaintStatement,
    Program,
    RecolourStatement,
    RepeatAxis,
    RepeatStatement,
    RotateStatement,
    TurnStatement,
)

T = TypeVar("T")


@st.composite
def _drawn(draw: st.DrawFn, what: Callable[[], st.SearchStrategy[T]]) -> T:
    """A strategy that hides what it is made of, which would be long to print."""
    return draw(what())


names = st.sampled_from(["n", "k", "petal", "leaf_2"])
counts = st.builds(LinearExpression, names, st.integers(-2, 3), st.integers(-2, 3))
amounts: st.SearchStrategy[Amount] = st.integers(0, 6) | counts
colours = st.sampled_from([*COLOURS, "petal", "-"])
seen = st.sampled_from([*COLOURS, "painted", "petal"])
headings = st.sampled_from(HEADINGS)
ways = st.sampled_from([*HEADINGS, "right", "left"])
paths = st.lists(st.builds(PathStep, ways, amounts), min_size=1, max_size=2).map(tuple)
places = st.builds(TileReference, st.sampled_from(TILES) | st.none(), st.just(()) | paths)


def _tests(shapes: st.SearchStrategy[Shape]) -> st.SearchStrategy[AnyCondition]:
    plain: st.SearchStrategy[AnyCondition] = st.one_of(
        st.builds(IsCondition, seen),
        st.builds(TouchingCondition, seen, st.integers(0, 3), st.none() | st.integers(3, 6)),
        st.builds(BesideCondition, ways, seen),
        st.builds(WithinCondition, shapes),
        st.builds(CompareCondition, st.sampled_from(["row", "column"]), st.sampled_from("<>="), amounts),
        st.builds(ParityCondition, st.sampled_from(["row", "column"]), st.booleans()),
    )
    return st.recursive(
        plain,
        lambda inner: st.one_of(
            st.builds(NotCondition, inner),
            st.builds(AllCondition, st.lists(inner, min_size=2, max_size=3).map(tuple)),
            st.builds(SomeCondition, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        ),
        max_leaves=4,
    )


_plain_shapes: st.SearchStrategy[Shape] = _drawn(lambda: _all_plain_shapes)
_all_plain_shapes: st.SearchStrategy[Shape] = st.one_of(
    places,
    st.builds(TilesShape, st.lists(places, min_size=1, max_size=3).map(tuple)),
    st.builds(
        LineShape,
        places,
        ways,
        amounts
        | st.builds(StopAtEdge)
        | st.builds(StopAtColour, seen)
        | st.builds(StopAtShape, st.builds(ColumnShape, amounts)),
    ),
    st.builds(BetweenShape, places, places),
    st.builds(RingShape, places, amounts),
    st.builds(DiscShape, places, amounts),
    st.builds(FlowerShape, places),
    st.builds(TriangleShape, places, headings, amounts),
    st.builds(RhombusShape, places, headings, amounts, st.none() | amounts),
    st.builds(ColumnShape, amounts),
    st.builds(RowShape, amounts),
    st.builds(WholeShape),
    st.builds(BorderShape),
)
_plain_tests = _tests(_plain_shapes)
tests: st.SearchStrategy[AnyCondition] = _drawn(lambda: _plain_tests)
shapes: st.SearchStrategy[Shape] = _drawn(lambda: _shapes)
_shapes: st.SearchStrategy[Shape] = st.recursive(
    _plain_shapes,
    lambda inner: st.one_of(
        st.builds(OutlineShape, inner),
        st.builds(AroundShape, inner),
        st.builds(InsideShape, inner),
        st.builds(MovedShape, inner, paths),
        st.builds(JoinedShape, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(WhereShape, inner, tests),
    ),
    max_leaves=3,
)
cycles = st.lists(
    st.builds(ColourCycle, names, st.lists(colours, min_size=1, max_size=3).map(tuple)), max_size=2
).map(tuple)
stops = st.builds(StopAtEdge) | st.builds(StopAtColour, seen) | st.builds(StopAtShape, shapes)
axes = st.lists(st.builds(RepeatAxis, amounts | stops, paths), min_size=1, max_size=2).map(tuple)
about = st.lists(places, min_size=1, max_size=3).map(tuple)
painted = st.lists(colours, min_size=1, max_size=3).map(tuple)
exchanges = st.lists(st.tuples(colours, colours), min_size=1, max_size=2).map(tuple)
arguments = st.lists(
    st.integers(0, 5) | colours | st.builds(LinearExpression, names, st.just(1), st.integers(1, 3)),
    max_size=3,
).map(tuple)

_plain: st.SearchStrategy[AnyStatement] = _drawn(lambda: _all_plain)
_all_plain: st.SearchStrategy[AnyStatement] = st.one_of(
    st.builds(PaintStatement, painted, shapes),
    st.builds(GrowStatement, amounts, painted, shapes, st.none() | tests),
    st.builds(MirrorStatement, st.sampled_from(AXES), about, source=st.none() | shapes, cycles=cycles),
    st.builds(RotateStatement, st.sampled_from([2, 3, 6]), about, source=st.none() | shapes, cycles=cycles),
    st.builds(RecolourStatement, exchanges, source=st.none() | shapes),
    st.builds(CallStatement, names, arguments),
)


def _nested(inner: st.SearchStrategy[AnyStatement]) -> st.SearchStrategy[AnyStatement]:
    body = st.lists(inner, min_size=1, max_size=3).map(tuple)
    counted = st.builds(RepeatStatement, axes, body, cycles, names, st.integers(-2, 3), st.integers(-1, 2))
    return st.one_of(
        st.builds(AtStatement, shapes, body, cycles),
        st.builds(RepeatStatement, axes, body, cycles),
        counted,
        st.builds(TurnStatement, amounts, body),
        st.builds(MirrorStatement, st.sampled_from(AXES), about, body, cycles),
        st.builds(RotateStatement, st.sampled_from([2, 3, 6]), about, body, cycles),
        st.builds(RecolourStatement, exchanges, body),
        st.builds(DefineStatement, names, st.lists(names, max_size=2, unique=True).map(tuple), body),
        st.builds(IfStatement, amounts, st.sampled_from("<>="), amounts, body),
    )


_statements: st.SearchStrategy[AnyStatement] = st.recursive(_plain, _nested, max_leaves=4)
statements: st.SearchStrategy[AnyStatement] = _drawn(lambda: _statements)
programs = st.builds(Program, st.lists(statements, max_size=4).map(tuple))
