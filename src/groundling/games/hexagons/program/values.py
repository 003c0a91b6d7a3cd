"""The statements of a drawing program, as frozen values.

`shapes.py` has their expressions, `formatting.py` writes them, `statement_parser.py` reads them and
`interpreter.py` runs them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from groundling.games.hexagons.program.shapes import (
    Amount,
    AnyTest,
    Colour,
    Count,
    Go,
    Place,
    ProgramError,
    Shape,
    Stop,
    kind_tag,
)


class Cycle(Struct, frozen=True):
    """A name whose value is the next colour for each copy."""

    name: str
    colours: tuple[Colour, ...]


def _filled(body: tuple[AnyStatement, ...]) -> None:
    if not body:
        raise ProgramError("this statement needs others indented below it")


class Statement(Struct, frozen=True, tag=kind_tag, tag_field="kind", omit_defaults=True):
    pass


class Paint(Statement, frozen=True):
    """Paints a shape; several colours alternate along it."""

    colours: tuple[Colour, ...]
    shape: Shape


class At(Statement, frozen=True):
    """Draws the body once for each tile of a shape, with `here` at that tile."""

    shape: Shape
    body: tuple[AnyStatement, ...]
    cycles: tuple[Cycle, ...] = ()

    def __post_init__(self) -> None:
        _filled(self.body)


class Axis(Struct, frozen=True):
    """The number of copies, and the path from one to the next."""

    times: Amount | Stop
    path: tuple[Go, ...]


class Repeat(Statement, frozen=True):
    """Draws copies of the body, each shifted against the last, or over a lattice with several axes. `until`
    stops before the first copy that would leave the board or meet the stop condition. Cycles advance with
    every copy along any axis. The counter starts at `first` and grows by `grows` with every copy along any
    axis."""

    axes: tuple[Axis, ...]
    body: tuple[AnyStatement, ...]
    cycles: tuple[Cycle, ...] = ()
    counter: str = ""
    first: int = 1
    grows: int = 1

    def __post_init__(self) -> None:
        _filled(self.body)


class Turn(Statement, frozen=True):
    """Draws the body turned about `here` by sixths, clockwise."""

    sixths: Amount
    body: tuple[AnyStatement, ...]

    def __post_init__(self) -> None:
        _filled(self.body)


class Mirror(Statement, frozen=True):
    """Draws the body and its mirror image; without a body, the mirror image of what is painted (in
    `source`)."""

    axis: str
    about: tuple[Place, ...]
    body: tuple[AnyStatement, ...] = ()
    cycles: tuple[Cycle, ...] = ()
    source: Shape | None = None


class Rotate(Statement, frozen=True):
    """Draws the body 2, 3 or 6 times around; without a body, what is painted (in `source`)."""

    times: int
    about: tuple[Place, ...]
    body: tuple[AnyStatement, ...] = ()
    cycles: tuple[Cycle, ...] = ()
    source: Shape | None = None

    def __post_init__(self) -> None:
        if self.times not in (2, 3, 6):
            raise ProgramError(f"things are rotated 2, 3 or 6 times around, not {self.times}")


class Recolour(Statement, frozen=True):
    """Draws the body in other colours; without a body, exchanges colours of what is painted (in `source`)."""

    colours: tuple[tuple[Colour, Colour], ...]
    body: tuple[AnyStatement, ...] = ()
    source: Shape | None = None


class Grow(Statement, frozen=True):
    """Paints the white neighbours of a shape (that satisfy a condition), then their neighbours, and so on;
    colours alternate."""

    times: Amount
    colours: tuple[Colour, ...]
    seed: Shape
    test: AnyTest | None = None


class Define(Statement, frozen=True):
    """Defines a name with parameters for its body."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[AnyStatement, ...]

    def __post_init__(self) -> None:
        _filled(self.body)


class Call(Statement, frozen=True):
    """Draws a definition at `here`. Recursion is allowed."""

    name: str
    arguments: tuple[Amount | Colour, ...] = ()

    def __post_init__(self) -> None:
        if any(
            isinstance(argument, Count) and argument == Count(argument.name) for argument in self.arguments
        ):
            raise ProgramError("an argument that is only a name is written as that name")


class If(Statement, frozen=True):
    """Draws the body if the comparison of two numbers holds."""

    left: Amount
    sign: Literal["<", ">", "="]
    right: Amount
    body: tuple[AnyStatement, ...]

    def __post_init__(self) -> None:
        _filled(self.body)


AnyStatement: TypeAlias = Paint | At | Repeat | Turn | Mirror | Rotate | Recolour | Grow | Define | Call | If


class Program(Struct, frozen=True):
    statements: tuple[AnyStatement, ...] = ()
