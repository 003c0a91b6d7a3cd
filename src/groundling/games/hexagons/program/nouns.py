"""Parses places, shapes and conditions in a line of a program."""

from __future__ import annotations

from collections.abc import Callable

from groundling.boards.hexes import COLOURS, check
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
    Stop,
    Tiles,
    Touching,
    Triangle,
    Where,
    Whole,
    Within,
)
from groundling.games.hexagons.program.words import WAYS, Words


def read_shape(words: Words) -> Shape:
    """Read a shape with its `plus` and `where` parts."""
    first = _term(words)
    if isinstance(first, Place) and is_place(words):
        first = Tiles((first, *words.many(lambda: read_place(words), lambda: is_place(words))))
    parts = [first]
    while words.took("plus"):
        parts.append(_term(words))
    shape = parts[0] if len(parts) == 1 else Joined(tuple(parts))
    return Where(shape, read_test(words)) if words.took("where") else shape


def read_operand(words: Words) -> Shape:
    """Read a shape that is part of a longer expression."""
    return _term(words)


def read_place(words: Words) -> Place:
    if words.took("("):
        place = read_place(words)
        path = words.many(lambda: Go(words.heading(), words.amount()), lambda: words.word in WAYS)
        words.need(")")
        return Place(place.tile, place.path + path)
    if words.took("here"):
        return Place()
    if not words.word.isdecimal():
        raise words.wanted("a place: row,column or here")
    row = words.integer()
    words.need(",")
    try:
        return Place(check((row, words.integer())))
    except ValueError as trouble:
        raise words.error(str(trouble)) from None


def is_place(words: Words) -> bool:
    inner = words.ahead() if words.word == "(" else words.word
    return inner == "here" or inner.isdecimal()


def _term(words: Words) -> Shape:
    if words.word == "(":
        if words.ahead() == "here" or words.ahead().isdecimal():
            return _bracketed_place(words)
        words.need("(")
        shape = read_shape(words)
        words.need(")")
        return shape
    if is_place(words):
        return read_place(words)
    kind = words.word
    if kind not in _FIGURES:
        raise words.wanted("a shape (" + ", ".join(["row,column", "here", *_FIGURES]) + ")")
    words.need(kind)
    return _FIGURES[kind](words)


def _bracketed_place(words: Words) -> Shape:
    """`(here up 2)` is a place; `(here where red)` and `(2,2 2,5)` are shapes."""
    start = words.next
    words.need("(")
    read_place(words)
    if words.word in WAYS:
        words.next = start
        return read_place(words)
    words.next = start + 1
    shape = read_shape(words)
    words.need(")")
    return shape


def _line(words: Words) -> Shape:
    start = read_place(words)
    if words.took("to"):
        return Between(start, read_place(words))
    return Line(start, words.heading(), read_extent(words))


def _rhombus(words: Words) -> Shape:
    corner, heading, side = read_place(words), words.heading(), words.amount()
    return Rhombus(corner, heading, side, words.amount() if words.took("x") else None)


_FIGURES: dict[str, Callable[[Words], Shape]] = {
    "tiles": lambda words: Tiles(words.many(lambda: read_place(words), lambda: is_place(words))),
    "line": _line,
    "ring": lambda words: Ring(read_place(words), words.amount()),
    "disc": lambda words: Disc(read_place(words), words.amount()),
    "flower": lambda words: Flower(read_place(words)),
    "triangle": lambda words: Triangle(read_place(words), words.heading(), words.amount()),
    "rhombus": _rhombus,
    "column": lambda words: Column(words.amount()),
    "row": lambda words: Row(words.amount()),
    "board": lambda words: Whole(),
    "border": lambda words: Border(),
    "outline": lambda words: Outline(_term(words)),
    "around": lambda words: Around(_term(words)),
}


def read_extent(words: Words) -> Amount | Stop:
    """Read a length or an `until`."""
    if not words.took("until"):
        return words.amount()
    if words.took("edge"):
        return Edge()
    if words.word in COLOURS or words.word == "painted" or words.is_name():
        return Met(_seen(words))
    return Reached(read_operand(words))


def read_test(words: Words) -> AnyTest:
    tests = words.many(lambda: _conjunction(words), lambda: words.took("or"))
    return tests[0] if len(tests) == 1 else Some(tests)


def _conjunction(words: Words) -> AnyTest:
    tests = words.many(lambda: _atom(words), lambda: words.took("and"))
    return tests[0] if len(tests) == 1 else All(tests)


def _atom(words: Words) -> AnyTest:
    if words.took("not"):
        return Not(_atom(words))
    if words.took("("):
        test = read_test(words)
        words.need(")")
        return test
    if words.took("touching"):
        return _touching(words)
    if words.took("in"):
        return Within(read_operand(words))
    if words.word in WAYS:
        heading = words.heading()
        words.need("is")
        return Beside(heading, _seen(words))
    if words.word in ("row", "column"):
        what: str = words.one_of(("row", "column"), "row or column")
        if words.word in ("odd", "even"):
            return Parity(what, words.one_of(("odd", "even"), "odd or even") == "odd")  # type: ignore[arg-type]
        sign = words.one_of(("<", ">", "="), "odd, even, <, > or =")
        return Compare(what, sign, words.amount())  # type: ignore[arg-type]
    return Is(_seen(words))


def _touching(words: Words) -> AnyTest:
    if not words.word.isdecimal():
        return Touching(_seen(words))
    low = words.integer()
    high: int | None = low
    if words.took("or", "more"):
        high = None
    elif words.took("to"):
        high = words.integer()
    return Touching(_seen(words), low, high)


def _seen(words: Words) -> str:
    """Read a colour that a condition looks for."""
    if words.word in COLOURS or words.word == "painted" or words.is_name():
        words.next += 1
        return words.words[words.next - 1]
    raise words.wanted(f"a colour ({', '.join(COLOURS)}) or painted")
