"""Formats a program as text: one statement per line, with its body indented below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from groundling.games.hexagons.program import shapes
from groundling.games.hexagons.program.shapes import Amount, PathStep, Shape, Stop, TileReference
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
    RepeatStatement,
    RotateStatement,
    TurnStatement,
)

_INDENT = "    "


def format_program(program: Program) -> str:
    """Return the text of a program, which `parse_program` reads back."""
    return "\n".join(_block_lines(program.statements, ""))


def _block_lines(statements: Iterable[AnyStatement], indent: str) -> Iterator[str]:
    for statement in statements:
        body: tuple[AnyStatement, ...] = getattr(statement, "body", ())
        yield indent + format_statement(statement) + (":" if body else "")
        yield from _block_lines(body, indent + _INDENT)


def format_statement(statement: AnyStatement) -> str:
    """Return its first line, without a colon."""
    match statement:
        case PaintStatement(colours, shape):
            return f"paint {' '.join(colours)} {format_shape(shape)}"
        case AtStatement(shape, _, cycles):
            return f"at {format_shape(shape)}{_cycles_text(cycles)}"
        case RepeatStatement(axes, _, cycles, counter, first, grows):
            told = " by ".join(f"{_extent_text(axis.times)} {_path_text(axis.path)}" for axis in axes)
            count = f" counting {counter}" if counter else ""
            count += (f" from {first}" if first != 1 else "") + (f" step {grows}" if grows != 1 else "")
            return f"repeat {told}{count}{_cycles_text(cycles)}"
        case TurnStatement(sixths):
            return f"turn {format_amount(sixths)}"
        case MirrorStatement(axis, about, _, cycles, source):
            return f"mirror {axis} about {_places_text(about)}{_source_text(source)}{_cycles_text(cycles)}"
        case RotateStatement(times, about, _, cycles, source):
            return f"rotate {times} about {_places_text(about)}{_source_text(source)}{_cycles_text(cycles)}"
        case RecolourStatement(colours, _, source):
            return f"recolour {', '.join(f'{old} to {new}' for old, new in colours)}{_source_text(source)}"
        case GrowStatement(times, colours, seed, test):
            told = f"grow {format_amount(times)} {' '.join(colours)} from {format_operand(seed)}"
            return told + (f" where {format_condition(test)}" if test else "")
        case DefineStatement(name, parameters):
            return f"define {name}({', '.join(parameters)})"
        case CallStatement(name, arguments):
            return f"{name}({', '.join(a if isinstance(a, str) else format_amount(a) for a in arguments)})"
        case IfStatement(left, sign, right):
            return f"if {format_amount(left)} {sign} {format_amount(right)}"


def format_amount(amount: Amount) -> str:
    if isinstance(amount, int):
        return str(amount)
    times = f"{amount.times}*" if amount.times != 1 else ""
    return f"{times}{amount.name}" + (f"{amount.plus:+}" if amount.plus else "")


def format_place(place: TileReference) -> str:
    base = f"{place.tile[0]},{place.tile[1]}" if place.tile else "here"
    return f"({base} {_path_text(place.path)})" if place.path else base


def format_shape(shape: Shape) -> str:
    match shape:
        case TileReference():
            return format_place(shape)
        case shapes.TilesShape(places):
            return _places_text(places) if len(places) > 1 else f"tiles {_places_text(places)}".rstrip()
        case shapes.LineShape(start, heading, length):
            return f"line {format_place(start)} {heading} {_extent_text(length)}"
        case shapes.BetweenShape(start, end):
            return f"line {format_place(start)} to {format_place(end)}"
        case shapes.RingShape(centre, radius):
            return f"ring {format_place(centre)} {format_amount(radius)}"
        case shapes.DiscShape(centre, radius):
            return f"disc {format_place(centre)} {format_amount(radius)}"
        case shapes.FlowerShape(centre):
            return f"flower {format_place(centre)}"
        case shapes.TriangleShape(corner, heading, side):
            return f"triangle {format_place(corner)} {heading} {format_amount(side)}"
        case shapes.RhombusShape(corner, heading, side, other):
            told = f"rhombus {format_place(corner)} {heading} {format_amount(side)}"
            return told if other is None else f"{told} x {format_amount(other)}"
        case shapes.ColumnShape(number):
            return f"column {format_amount(number)}"
        case shapes.RowShape(number):
            return f"row {format_amount(number)}"
        case shapes.WholeShape():
            return "board"
        case shapes.BorderShape():
            return "border"
        case shapes.OutlineShape(inner):
            return f"outline {format_operand(inner)}"
        case shapes.AroundShape(inner):
            return f"around {format_operand(inner)}"
        case shapes.InsideShape(inner):
            return f"inside {format_operand(inner)}"
        case shapes.MovedShape(inner, path):
            return f"{format_operand(inner)} moved {_path_text(path)}"
        case shapes.JoinedShape(parts):
            return " plus ".join(format_operand(part) for part in parts)
        case shapes.WhereShape(inner, test):
            return f"{format_operand(inner)} where {format_condition(test)}"


def format_operand(shape: Shape) -> str:
    """Return the text of a shape that is part of a longer expression."""
    if isinstance(
        shape, TileReference | shapes.ColumnShape | shapes.RowShape | shapes.WholeShape | shapes.BorderShape
    ):
        return format_shape(shape)
    return f"({format_shape(shape)})"


def format_condition(test: shapes.AnyCondition) -> str:
    match test:
        case shapes.IsCondition(colour):
            return colour
        case shapes.TouchingCondition(colour, low, high):
            if (low, high) == (1, None):
                return f"touching {colour}"
            upper = "" if high == low else " or more" if high is None else f" to {high}"
            return f"touching {low}{upper} {colour}"
        case shapes.BesideCondition(heading, colour):
            return f"{heading} is {colour}"
        case shapes.WithinCondition(shape):
            return f"in {format_operand(shape)}"
        case shapes.CompareCondition(what, sign, number):
            return f"{what} {sign} {format_amount(number)}"
        case shapes.ParityCondition(what, odd):
            return f"{what} {'odd' if odd else 'even'}"
        case shapes.NotCondition(inner):
            return f"not {_grouped_condition(inner)}"
        case shapes.AllCondition(tests):
            return " and ".join(map(_grouped_condition, tests))
        case shapes.SomeCondition(tests):
            return " or ".join(map(_grouped_condition, tests))


format_condition.__test__ = False  # type: ignore[attr-defined]  # pytest must not collect it


def _grouped_condition(test: shapes.AnyCondition) -> str:
    return (
        f"({format_condition(test)})"
        if isinstance(test, shapes.AllCondition | shapes.SomeCondition)
        else format_condition(test)
    )


def _extent_text(amount: Amount | Stop) -> str:
    match amount:
        case shapes.StopAtEdge():
            return "until edge"
        case shapes.StopAtColour(colour):
            return f"until {colour}"
        case shapes.StopAtShape(shape):
            return f"until {format_operand(shape)}"
        case int() | shapes.LinearExpression():
            return format_amount(amount)


def _path_text(path: tuple[PathStep, ...]) -> str:
    return " ".join(f"{go.heading} {format_amount(go.steps)}" for go in path)


def _places_text(places: tuple[TileReference, ...]) -> str:
    return " ".join(map(format_place, places))


def _source_text(source: Shape | None) -> str:
    return f" of {format_operand(source)}" if source else ""


def _cycles_text(cycles: tuple[ColourCycle, ...]) -> str:
    return (
        " with " + ", ".join(f"{cycle.name} = {' '.join(cycle.colours)}" for cycle in cycles)
        if cycles
        else ""
    )
