"""Parses the text of a program."""

from __future__ import annotations

import re
from collections.abc import Callable

from groundling.boards.hexes import AXES
from groundling.games.hexagons.program.shape_parser import (
    is_shape_place,
    parse_shape,
    parse_shape_condition,
    parse_shape_extent,
    parse_shape_operand,
    parse_shape_path,
    parse_shape_place,
)
from groundling.games.hexagons.program.shapes import Amount, Colour, ProgramError, Shape, TileReference
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
from groundling.games.hexagons.program.token_reader import TokenReader

Body = tuple[AnyStatement, ...]
_DEEPEST = 24
"""The limit for nested statements."""


def parse_statements(text: str) -> Program:
    """Parse a program; blank lines and comments after # are ignored. ProgramError names the line."""
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = re.sub("#.*", "", line).expandtabs(4).rstrip()
        if bare:
            lines.append((len(bare) - len(bare.lstrip()), TokenReader(bare, number)))
    statements, rest = _parse_block(lines, 0, lines[0][0] if lines else 0, 0)
    if rest < len(lines):
        raise lines[rest][1].syntax_error("this line is indented less than the first")
    return Program(statements)


def _parse_block(lines: list[tuple[int, TokenReader]], at: int, indent: int, depth: int) -> tuple[Body, int]:
    """Return the statements of one indentation, and the number of the line after them."""
    statements: list[AnyStatement] = []
    while at < len(lines) and lines[at][0] >= indent:
        own, words = lines[at]
        if own > indent:
            raise words.syntax_error(
                "this line is indented more than the one above, which does not end in a colon"
            )
        if depth > _DEEPEST:
            raise words.syntax_error(f"statements are nested more than {_DEEPEST} deep")
        finish, at = _parse_statement(words), at + 1
        body: Body = ()
        if words.take_words(":"):
            if words.next_word:  # a single statement on the same line
                inner = _parse_statement(words)
                body = (inner(()),)
            elif at < len(lines) and lines[at][0] > indent:
                body, at = _parse_block(lines, at, lines[at][0], depth + 1)
            else:
                raise words.syntax_error("a colon is followed by indented lines, or by a statement")
        if words.next_word:
            raise words.expected_error("the end of the line")
        try:
            statements.append(finish(body))
        except ProgramError as trouble:
            raise words.syntax_error(str(trouble)) from None
    return tuple(statements), at


def _parse_statement(words: TokenReader) -> Callable[[Body], AnyStatement]:
    """Read a statement up to its colon; the result takes the body."""
    kind = words.next_word
    if kind not in _STATEMENTS:
        if words.is_name() and words.peek_word() == "(":
            return _parse_call(words)
        raise words.expected_error("a statement (" + ", ".join([*_STATEMENTS, "or a defined name(…)"]) + ")")
    words.expect_word(kind)
    return _STATEMENTS[kind](words)


def _parse_paint(words: TokenReader) -> Callable[[Body], AnyStatement]:
    colours, shape = words.read_colours(), parse_shape(words)
    return _without_body(PaintStatement(colours, shape))


def _parse_at(words: TokenReader) -> Callable[[Body], AnyStatement]:
    shape, cycles = parse_shape(words), _parse_cycles(words)
    return lambda body: AtStatement(shape, body, cycles)


def _parse_repeat(words: TokenReader) -> Callable[[Body], AnyStatement]:
    def parse_axis() -> RepeatAxis:
        times = parse_shape_extent(words)
        return RepeatAxis(times, parse_shape_path(words))

    axes = words.read_many(parse_axis, lambda: words.take_words("by"))
    counter = words.read_name() if words.take_words("counting") else ""
    first = words.read_signed() if counter and words.take_words("from") else 1
    grows = words.read_signed() if counter and words.take_words("step") else 1
    cycles = _parse_cycles(words)
    return lambda body: RepeatStatement(axes, body, cycles, counter, first, grows)


def _parse_turn(words: TokenReader) -> Callable[[Body], AnyStatement]:
    sixths = words.read_amount()
    return lambda body: TurnStatement(sixths, body)


def _parse_mirror(words: TokenReader) -> Callable[[Body], AnyStatement]:
    axis = words.read_one_of(AXES, f"an axis ({', '.join(AXES)})")
    about, source, cycles = _parse_about(words), _parse_source(words), _parse_cycles(words)
    return lambda body: MirrorStatement(axis, about, body, cycles, source)


def _parse_rotate(words: TokenReader) -> Callable[[Body], AnyStatement]:
    times = words.read_integer()
    about, source, cycles = _parse_about(words), _parse_source(words), _parse_cycles(words)
    return lambda body: RotateStatement(times, about, body, cycles, source)


def _parse_recolour(words: TokenReader) -> Callable[[Body], AnyStatement]:
    def parse_exchange() -> tuple[Colour, Colour]:
        old = words.read_colour()
        words.expect_word("to")
        return old, words.read_colour()

    colours, source = words.read_list(parse_exchange), _parse_source(words)
    return lambda body: RecolourStatement(colours, body, source)


def _parse_grow(words: TokenReader) -> Callable[[Body], AnyStatement]:
    times, colours = words.read_amount(), words.read_colours()
    words.expect_word("from")
    seed = parse_shape_operand(words)
    return _without_body(
        GrowStatement(
            times, colours, seed, parse_shape_condition(words) if words.take_words("where") else None
        )
    )


def _parse_define(words: TokenReader) -> Callable[[Body], AnyStatement]:
    name = words.read_name()
    words.expect_word("(")
    parameters = () if words.next_word == ")" else words.read_list(words.read_name)
    words.expect_word(")")
    return lambda body: DefineStatement(name, parameters, body)


def _parse_call(words: TokenReader) -> Callable[[Body], AnyStatement]:
    def parse_argument() -> Amount | Colour:
        if words.is_name() and words.peek_word() in (",", ")"):
            return words.read_name()
        return words.read_amount() if words.is_name() or words.next_word.isdecimal() else words.read_colour()

    name = words.read_name()
    words.expect_word("(")
    arguments = () if words.next_word == ")" else words.read_list(parse_argument)
    words.expect_word(")")
    return _without_body(CallStatement(name, arguments))


def _parse_if(words: TokenReader) -> Callable[[Body], AnyStatement]:
    left = words.read_amount()
    sign = words.read_one_of(("<", ">", "="), "<, > or =")
    right = words.read_amount()
    return lambda body: IfStatement(left, sign, right, body)  # type: ignore[arg-type]


_STATEMENTS: dict[str, Callable[[TokenReader], Callable[[Body], AnyStatement]]] = {
    "paint": _parse_paint,
    "at": _parse_at,
    "repeat": _parse_repeat,
    "turn": _parse_turn,
    "mirror": _parse_mirror,
    "rotate": _parse_rotate,
    "recolour": _parse_recolour,
    "grow": _parse_grow,
    "define": _parse_define,
    "if": _parse_if,
}


def _without_body(statement: AnyStatement) -> Callable[[Body], AnyStatement]:
    def finish_statement(body: Body) -> AnyStatement:
        if body:
            raise ProgramError("nothing can be indented below this statement")
        return statement

    return finish_statement


def _parse_about(words: TokenReader) -> tuple[TileReference, ...]:
    words.expect_word("about")
    return words.read_many(lambda: parse_shape_place(words), lambda: is_shape_place(words))


def _parse_source(words: TokenReader) -> Shape | None:
    return parse_shape_operand(words) if words.take_words("of") else None


def _parse_cycles(words: TokenReader) -> tuple[ColourCycle, ...]:
    def parse_cycle() -> ColourCycle:
        name = words.read_name()
        words.expect_word("=")
        return ColourCycle(name, words.read_colours())

    return words.read_list(parse_cycle) if words.take_words("with") else ()
