"""Expands definitions: each call is replaced by its body with the arguments inserted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import fields, replace

from groundling.games.hexagons.program.evaluation import evaluate_comparison
from groundling.games.hexagons.program.interpreter import DEEPEST
from groundling.games.hexagons.program.shapes import LinearExpression, ProgramError
from groundling.games.hexagons.program.statements import (
    AnyStatement,
    CallStatement,
    DefineStatement,
    IfStatement,
    Program,
    RepeatStatement,
)

T = TypeVar("T")
Names = Mapping[str, int | str]


def expand_program(program: Program) -> Program:
    """Return the same drawing without definitions, calls and ifs. Values that depend on the counter of a
    repeat stay. A call or an if that depends on it raises ProgramError."""
    return Program(_expand_block(program.statements, {}, {}, 0))


def _expand_block(
    statements: Iterable[AnyStatement], names: Names, defined: Mapping[str, DefineStatement], depth: int
) -> tuple[AnyStatement, ...]:
    found: list[AnyStatement] = []
    for statement in statements:
        match statement:
            case DefineStatement(name):
                defined = {**defined, name: statement}
            case CallStatement(name, arguments):
                called = defined.get(name)
                if not called or len(arguments) != len(called.parameters) or depth >= DEEPEST:
                    raise ProgramError(f"{name} cannot be written out")
                given = dict(
                    zip(
                        called.parameters,
                        (_argument_value(argument, names) for argument in arguments),
                        strict=True,
                    )
                )
                found += _expand_block(called.body, given, defined, depth + 1)
            case IfStatement(left, sign, right, body):
                if evaluate_comparison(_known_number(left, names), sign, _known_number(right, names)):
                    found += _expand_block(body, names, defined, depth)
            case _:
                inner = {name: value for name, value in names.items() if name not in _bound_names(statement)}
                body = getattr(statement, "body", ())
                own: dict[str, Any] = {"body": _expand_block(body, inner, defined, depth)} if body else {}
                own |= {
                    f.name: _substitute_names(getattr(statement, f.name), inner)
                    for f in fields(statement)
                    if f.name != "body"
                }
                if own.get("body", True):
                    found.append(type(statement)(**own))
    return tuple(found)


def _bound_names(statement: AnyStatement) -> set[str]:
    """Return the names that a statement binds."""
    cycles = {cycle.name for cycle in getattr(statement, "cycles", ())}
    return cycles | (
        {statement.counter} if isinstance(statement, RepeatStatement) and statement.counter else set()
    )


def _argument_value(argument: int | LinearExpression | str, names: Names) -> int | str:
    return names.get(argument, argument) if isinstance(argument, str) else _known_number(argument, names)


def _known_number(amount: int | LinearExpression, names: Names) -> int:
    number = _substitute_names(amount, names)
    if not isinstance(number, int):
        raise ProgramError(f"{amount} is not known before the program runs")
    return number


def _substitute_names(value: T, names: Names) -> T:
    """Return a value with numbers and colours in place of names."""
    if isinstance(value, LinearExpression):
        known = names.get(value.name)
        return value.times * known + value.plus if isinstance(known, int) else value  # type: ignore[return-value]
    if isinstance(value, tuple):
        return tuple(_substitute_names(part, names) for part in value)  # type: ignore[return-value]
    if isinstance(value, Struct):
        return replace(
            value,
            **{field.name: _substitute_names(getattr(value, field.name), names) for field in fields(value)},
        )
    return names.get(value, value) if isinstance(value, str) else value  # type: ignore[return-value]
