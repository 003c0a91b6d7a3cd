"""Parses places, shapes and conditions in a line of a program."""

from __future__ import annotations

from collections.abc import Callable

from groundling.boards.hexes import COLOURS, check_lattice_tile
from groundling.games.hexagons.program import shapes
from groundling.games.hexagons.program.shapes import Amount, PathStep, Shape, Stop, TileReference
from groundling.games.hexagons.program.token_reader import WAYS, TokenReader


def parse_shape(words: TokenReader) -> Shape:
    """Read a shape with its `plus`, `moved` and `where` parts."""
    first = _read_term(words)
    if isinstance(first, TileReference) and is_shape_place(words):
        first = shapes.TilesShape(
            (first, *words.read_many(lambda: parse_shape_place(words), lambda: is_shape_place(words)))
        )
    parts = [first]
    while words.take_words("plus"):
        parts.append(_read_term(words))
    shape = parts[0] if len(parts) == 1 else shapes.JoinedShape(tuple(parts))
    if words.take_words("moved"):
        shape = shapes.MovedShape(shape, parse_shape_path(words))
    return shapes.WhereShape(shape, parse_shape_condition(words)) if words.take_words("where") else shape


def parse_shape_operand(words: TokenReader) -> Shape:
    """Read a shape that is part of a longer expression."""
    return _read_term(words)


def parse_shape_place(words: TokenReader) -> TileReference:
    if words.take_words("("):
        place = parse_shape_place(words)
        path = parse_shape_path(words)
        words.expect_word(")")
        return TileReference(place.tile, place.path + path)
    if words.take_words("here"):
        return TileReference()
    if not words.next_word.isdecimal():
        raise words.expected_error("a place: row,column or here")
    row = words.read_integer()
    words.expect_word(",")
    try:
        return TileReference(check_lattice_tile((row, words.read_integer())))
    except ValueError as trouble:
        raise words.syntax_error(str(trouble)) from None


def parse_shape_path(words: TokenReader) -> tuple[PathStep, ...]:
    return words.read_many(
        lambda: PathStep(words.read_heading(), words.read_amount()), lambda: words.next_word in WAYS
    )


def is_shape_place(words: TokenReader) -> bool:
    inner = words.peek_word() if words.next_word == "(" else words.next_word
    return inner == "here" or inner.isdecimal()


def _read_term(words: TokenReader) -> Shape:
    if words.next_word == "(":
        if words.peek_word() == "here" or words.peek_word().isdecimal():
            return _read_bracketed_place(words)
        words.expect_word("(")
        shape = parse_shape(words)
        words.expect_word(")")
        return shape
    if is_shape_place(words):
        return parse_shape_place(words)
    kind = words.next_word
    if kind not in _FIGURES:
        raise words.expected_error("a shape (" + ", ".join(["row,column", "here", *_FIGURES]) + ")")
    words.expect_word(kind)
    return _FIGURES[kind](words)


def _read_bracketed_place(words: TokenReader) -> Shape:
    """`(here up 2)` is a place; `(here where red)` and `(2,2 2,5)` are shapes."""
    start = words.next
    words.expect_word("(")
    parse_shape_place(words)
    if words.next_word in WAYS:
        words.next = start
        return parse_shape_place(words)
    words.next = start + 1
    shape = parse_shape(words)
    words.expect_word(")")
    return shape


def _read_line(words: TokenReader) -> Shape:
    start = parse_shape_place(words)
    if words.take_words("to"):
        return shapes.BetweenShape(start, parse_shape_place(words))
    return shapes.LineShape(start, words.read_heading(), parse_shape_extent(words))


def _read_rhombus(words: TokenReader) -> Shape:
    corner, heading, side = parse_shape_place(words), words.read_heading(), words.read_amount()
    return shapes.RhombusShape(corner, heading, side, words.read_amount() if words.take_words("x") else None)


_FIGURES: dict[str, Callable[[TokenReader], Shape]] = {
    "tiles": lambda words: shapes.TilesShape(
        words.read_many(lambda: parse_shape_place(words), lambda: is_shape_place(words))
    ),
    "line": _read_line,
    "ring": lambda words: shapes.RingShape(parse_shape_place(words), words.read_amount()),
    "disc": lambda words: shapes.DiscShape(parse_shape_place(words), words.read_amount()),
    "flower": lambda words: shapes.FlowerShape(parse_shape_place(words)),
    "triangle": lambda words: shapes.TriangleShape(
        parse_shape_place(words), words.read_heading(), words.read_amount()
    ),
    "rhombus": _read_rhombus,
    "column": lambda words: shapes.ColumnShape(words.read_amount()),
    "row": lambda words: shapes.RowShape(words.read_amount()),
    "board": lambda words: shapes.WholeShape(),
    "border": lambda words: shapes.BorderShape(),
    "outline": lambda words: shapes.OutlineShape(_read_term(words)),
    "around": lambda words: shapes.AroundShape(_read_term(words)),
    "inside": lambda words: shapes.InsideShape(_read_term(words)),
}


def parse_shape_extent(words: TokenReader) -> Amount | Stop:
    """Read a length or an `until`."""
    if not words.take_words("until"):
        return words.read_amount()
    if words.take_words("edge"):
        return shapes.StopAtEdge()
    if words.next_word in COLOURS or words.next_word == "painted" or words.is_name():
        return shapes.StopAtColour(_read_seen_colour(words))
    return shapes.StopAtShape(parse_shape_operand(words))


def parse_shape_condition(words: TokenReader) -> shapes.AnyCondition:
    tests = words.read_many(lambda: _read_conjunction(words), lambda: words.take_words("or"))
    return tests[0] if len(tests) == 1 else shapes.SomeCondition(tests)


def _read_conjunction(words: TokenReader) -> shapes.AnyCondition:
    tests = words.read_many(lambda: _read_atom(words), lambda: words.take_words("and"))
    return tests[0] if len(tests) == 1 else shapes.AllCondition(tests)


def _read_atom(words: TokenReader) -> shapes.AnyCondition:
    if words.take_words("not"):
        return shapes.NotCondition(_read_atom(words))
    if words.take_words("("):
        test = parse_shape_condition(words)
        words.expect_word(")")
        return test
    if words.take_words("touching"):
        return _read_touching(words)
    if words.take_words("in"):
        return shapes.WithinCondition(parse_shape_operand(words))
    if words.next_word in WAYS:
        heading = words.read_heading()
        words.expect_word("is")
        return shapes.BesideCondition(heading, _read_seen_colour(words))
    if words.next_word in ("row", "column"):
        what: str = words.read_one_of(("row", "column"), "row or column")
        if words.next_word in ("odd", "even"):
            return shapes.ParityCondition(what, words.read_one_of(("odd", "even"), "odd or even") == "odd")  # type: ignore[arg-type]
        sign = words.read_one_of(("<", ">", "="), "odd, even, <, > or =")
        return shapes.CompareCondition(what, sign, words.read_amount())  # type: ignore[arg-type]
    return shapes.IsCondition(_read_seen_colour(words))


def _read_touching(words: TokenReader) -> shapes.AnyCondition:
    if not words.next_word.isdecimal():
        return shapes.TouchingCondition(_read_seen_colour(words))
    low = words.read_integer()
    high: int | None = low
    if words.take_words("or", "more"):
        high = None
    elif words.take_words("to"):
        high = words.read_integer()
    return shapes.TouchingCondition(_read_seen_colour(words), low, high)


def _read_seen_colour(words: TokenReader) -> str:
    """Read a colour that a condition looks for."""
    if words.next_word in COLOURS or words.next_word == "painted" or words.is_name():
        words.next += 1
        return words.words[words.next - 1]
    raise words.expected_error(f"a colour ({', '.join(COLOURS)}) or painted")
