"""Formats a program as text: one statement per line, with its body indented below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
    Stop,
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

_INDENT = "    "


def write(program: Program) -> str:
    """Return the text of a program, which `parse_program` reads back."""
    return "\n".join(_block(program.statements, ""))


def _block(statements: Iterable[AnyStatement], indent: str) -> Iterator[str]:
    for statement in statements:
        body: tuple[AnyStatement, ...] = getattr(statement, "body", ())
        yield indent + statement_text(statement) + (":" if body else "")
        yield from _block(body, indent + _INDENT)


def statement_text(statement: AnyStatement) -> str:
    """Return its first line, without a colon."""
    match statement:
        case Paint(colours, shape):
            return f"paint {' '.join(colours)} {shape_text(shape)}"
        case At(shape, _, cycles):
            return f"at {shape_text(shape)}{_cycles(cycles)}"
        case Repeat(axes, _, cycles, counter, first, grows):
            told = " by ".join(f"{_extent(axis.times)} {_path(axis.path)}" for axis in axes)
            count = f" counting {counter}" if counter else ""
            count += (f" from {first}" if first != 1 else "") + (f" step {grows}" if grows != 1 else "")
            return f"repeat {told}{count}{_cycles(cycles)}"
        case Turn(sixths):
            return f"turn {amount_text(sixths)}"
        case Mirror(axis, about, _, cycles, source):
            return f"mirror {axis} about {_places(about)}{_of(source)}{_cycles(cycles)}"
        case Rotate(times, about, _, cycles, source):
            return f"rotate {times} about {_places(about)}{_of(source)}{_cycles(cycles)}"
        case Recolour(colours, _, source):
            return f"recolour {', '.join(f'{old} to {new}' for old, new in colours)}{_of(source)}"
        case Grow(times, colours, seed, test):
            told = f"grow {amount_text(times)} {' '.join(colours)} from {operand_text(seed)}"
            return told + (f" where {test_text(test)}" if test else "")
        case Define(name, parameters):
            return f"define {name}({', '.join(parameters)})"
        case Call(name, arguments):
            return f"{name}({', '.join(a if isinstance(a, str) else amount_text(a) for a in arguments)})"
        case If(left, sign, right):
            return f"if {amount_text(left)} {sign} {amount_text(right)}"


def amount_text(amount: Amount) -> str:
    if isinstance(amount, int):
        return str(amount)
    times = f"{amount.times}*" if amount.times != 1 else ""
    return f"{times}{amount.name}" + (f"{amount.plus:+}" if amount.plus else "")


def place_text(place: Place) -> str:
    base = f"{place.tile[0]},{place.tile[1]}" if place.tile else "here"
    return f"({base} {_path(place.path)})" if place.path else base


def shape_text(shape: Shape) -> str:
    match shape:
        case Place():
            return place_text(shape)
        case Tiles(places):
            return _places(places) if len(places) > 1 else f"tiles {_places(places)}".rstrip()
        case Line(start, heading, length):
            return f"line {place_text(start)} {heading} {_extent(length)}"
        case Between(start, end):
            return f"line {place_text(start)} to {place_text(end)}"
        case Ring(centre, radius):
            return f"ring {place_text(centre)} {amount_text(radius)}"
        case Disc(centre, radius):
            return f"disc {place_text(centre)} {amount_text(radius)}"
        case Flower(centre):
            return f"flower {place_text(centre)}"
        case Triangle(corner, heading, side):
            return f"triangle {place_text(corner)} {heading} {amount_text(side)}"
        case Rhombus(corner, heading, side, other):
            told = f"rhombus {place_text(corner)} {heading} {amount_text(side)}"
            return told if other is None else f"{told} x {amount_text(other)}"
        case Column(number):
            return f"column {amount_text(number)}"
        case Row(number):
            return f"row {amount_text(number)}"
        case Whole():
            return "board"
        case Border():
            return "border"
        case Outline(inner):
            return f"outline {operand_text(inner)}"
        case Around(inner):
            return f"around {operand_text(inner)}"
        case Joined(shapes):
            return " plus ".join(operand_text(part) for part in shapes)
        case Where(inner, test):
            return f"{operand_text(inner)} where {test_text(test)}"


def operand_text(shape: Shape) -> str:
    """Return the text of a shape that is part of a longer expression."""
    if isinstance(shape, Place | Column | Row | Whole | Border):
        return shape_text(shape)
    return f"({shape_text(shape)})"


def test_text(test: AnyTest) -> str:
    match test:
        case Is(colour):
            return colour
        case Touching(colour, low, high):
            if (low, high) == (1, None):
                return f"touching {colour}"
            upper = "" if high == low else " or more" if high is None else f" to {high}"
            return f"touching {low}{upper} {colour}"
        case Beside(heading, colour):
            return f"{heading} is {colour}"
        case Within(shape):
            return f"in {operand_text(shape)}"
        case Compare(what, sign, number):
            return f"{what} {sign} {amount_text(number)}"
        case Parity(what, odd):
            return f"{what} {'odd' if odd else 'even'}"
        case Not(inner):
            return f"not {_grouped(inner)}"
        case All(tests):
            return " and ".join(map(_grouped, tests))
        case Some(tests):
            return " or ".join(map(_grouped, tests))


test_text.__test__ = False  # type: ignore[attr-defined]  # pytest must not collect it


def _grouped(test: AnyTest) -> str:
    return f"({test_text(test)})" if isinstance(test, All | Some) else test_text(test)


def _extent(amount: Amount | Stop) -> str:
    match amount:
        case Edge():
            return "until edge"
        case Met(colour):
            return f"until {colour}"
        case Reached(shape):
            return f"until {operand_text(shape)}"
        case int() | Count():
            return amount_text(amount)


def _path(path: tuple[Go, ...]) -> str:
    return " ".join(f"{go.heading} {amount_text(go.steps)}" for go in path)


def _places(places: tuple[Place, ...]) -> str:
    return " ".join(map(place_text, places))


def _of(source: Shape | None) -> str:
    return f" of {operand_text(source)}" if source else ""


def _cycles(cycles: tuple[Cycle, ...]) -> str:
    return (
        " with " + ", ".join(f"{cycle.name} = {' '.join(cycle.colours)}" for cycle in cycles)
        if cycles
        else ""
    )
