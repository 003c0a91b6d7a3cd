"""Parses the text of a program."""

from __future__ import annotations

import re
from collections.abc import Callable

from groundling.boards.hexes import AXES
from groundling.games.hexagons.program.nouns import (
    is_place,
    read_extent,
    read_operand,
    read_place,
    read_shape,
    read_test,
)
from groundling.games.hexagons.program.shapes import Amount, Colour, Go, Place, ProgramError, Shape
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
from groundling.games.hexagons.program.words import WAYS, Words

Body = tuple[AnyStatement, ...]
_DEEPEST = 24
"""The limit for nested statements."""


def parse(text: str) -> Program:
    """Parse a program; blank lines and comments after # are ignored. ProgramError names the line."""
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = re.sub("#.*", "", line).expandtabs(4).rstrip()
        if bare:
            lines.append((len(bare) - len(bare.lstrip()), Words(bare, number)))
    statements, rest = _block(lines, 0, lines[0][0] if lines else 0, 0)
    if rest < len(lines):
        raise lines[rest][1].error("this line is indented less than the first")
    return Program(statements)


def _block(lines: list[tuple[int, Words]], at: int, indent: int, depth: int) -> tuple[Body, int]:
    """Return the statements of one indentation, and the number of the line after them."""
    statements: list[AnyStatement] = []
    while at < len(lines) and lines[at][0] >= indent:
        own, words = lines[at]
        if own > indent:
            raise words.error("this line is indented more than the one above, which does not end in a colon")
        if depth > _DEEPEST:
            raise words.error(f"statements are nested more than {_DEEPEST} deep")
        finish, at = _statement(words), at + 1
        body: Body = ()
        if words.took(":"):
            if words.word:  # a single statement on the same line
                inner = _statement(words)
                body = (inner(()),)
            elif at < len(lines) and lines[at][0] > indent:
                body, at = _block(lines, at, lines[at][0], depth + 1)
            else:
                raise words.error("a colon is followed by indented lines, or by a statement")
        if words.word:
            raise words.wanted("the end of the line")
        try:
            statements.append(finish(body))
        except ProgramError as trouble:
            raise words.error(str(trouble)) from None
    return tuple(statements), at


def _statement(words: Words) -> Callable[[Body], AnyStatement]:
    """Read a statement up to its colon; the result takes the body."""
    kind = words.word
    if kind not in _STATEMENTS:
        if words.is_name() and words.ahead() == "(":
            return _call(words)
        raise words.wanted("a statement (" + ", ".join([*_STATEMENTS, "or a defined name(…)"]) + ")")
    words.need(kind)
    return _STATEMENTS[kind](words)


def _paint(words: Words) -> Callable[[Body], AnyStatement]:
    colours, shape = words.colours(), read_shape(words)
    return _alone(Paint(colours, shape))


def _at(words: Words) -> Callable[[Body], AnyStatement]:
    shape, cycles = read_shape(words), _cycles(words)
    return lambda body: At(shape, body, cycles)


def _repeat(words: Words) -> Callable[[Body], AnyStatement]:
    def axis() -> Axis:
        times = read_extent(words)
        return Axis(
            times, words.many(lambda: Go(words.heading(), words.amount()), lambda: words.word in WAYS)
        )

    axes = words.many(axis, lambda: words.took("by"))
    counter = words.name() if words.took("counting") else ""
    first = words.signed() if counter and words.took("from") else 1
    grows = words.signed() if counter and words.took("step") else 1
    cycles = _cycles(words)
    return lambda body: Repeat(axes, body, cycles, counter, first, grows)


def _turn(words: Words) -> Callable[[Body], AnyStatement]:
    sixths = words.amount()
    return lambda body: Turn(sixths, body)


def _mirror(words: Words) -> Callable[[Body], AnyStatement]:
    axis = words.one_of(AXES, f"an axis ({', '.join(AXES)})")
    about, source, cycles = _about(words), _of(words), _cycles(words)
    return lambda body: Mirror(axis, about, body, cycles, source)


def _rotate(words: Words) -> Callable[[Body], AnyStatement]:
    times = words.integer()
    about, source, cycles = _about(words), _of(words), _cycles(words)
    return lambda body: Rotate(times, about, body, cycles, source)


def _recolour(words: Words) -> Callable[[Body], AnyStatement]:
    def exchange() -> tuple[Colour, Colour]:
        old = words.colour()
        words.need("to")
        return old, words.colour()

    colours, source = words.listed(exchange), _of(words)
    return lambda body: Recolour(colours, body, source)


def _grow(words: Words) -> Callable[[Body], AnyStatement]:
    times, colours = words.amount(), words.colours()
    words.need("from")
    seed = read_operand(words)
    return _alone(Grow(times, colours, seed, read_test(words) if words.took("where") else None))


def _define(words: Words) -> Callable[[Body], AnyStatement]:
    name = words.name()
    words.need("(")
    parameters = () if words.word == ")" else words.listed(words.name)
    words.need(")")
    return lambda body: Define(name, parameters, body)


def _call(words: Words) -> Callable[[Body], AnyStatement]:
    def argument() -> Amount | Colour:
        if words.is_name() and words.ahead() in (",", ")"):
            return words.name()
        return words.amount() if words.is_name() or words.word.isdecimal() else words.colour()

    name = words.name()
    words.need("(")
    arguments = () if words.word == ")" else words.listed(argument)
    words.need(")")
    return _alone(Call(name, arguments))


def _if(words: Words) -> Callable[[Body], AnyStatement]:
    left = words.amount()
    sign = words.one_of(("<", ">", "="), "<, > or =")
    right = words.amount()
    return lambda body: If(left, sign, right, body)  # type: ignore[arg-type]


_STATEMENTS: dict[str, Callable[[Words], Callable[[Body], AnyStatement]]] = {
    "paint": _paint,
    "at": _at,
    "repeat": _repeat,
    "turn": _turn,
    "mirror": _mirror,
    "rotate": _rotate,
    "recolour": _recolour,
    "grow": _grow,
    "define": _define,
    "if": _if,
}


def _alone(statement: AnyStatement) -> Callable[[Body], AnyStatement]:
    def finish(body: Body) -> AnyStatement:
        if body:
            raise ProgramError("nothing can be indented below this statement")
        return statement

    return finish


def _about(words: Words) -> tuple[Place, ...]:
    words.need("about")
    return words.many(lambda: read_place(words), lambda: is_place(words))


def _of(words: Words) -> Shape | None:
    return read_operand(words) if words.took("of") else None


def _cycles(words: Words) -> tuple[Cycle, ...]:
    def cycle() -> Cycle:
        name = words.name()
        words.need("=")
        return Cycle(name, words.colours())

    return words.listed(cycle) if words.took("with") else ()
