"""The statements of a drawing program, as frozen values.

`shapes.py` has their expressions, `formatting.py` writes them, `statement_parser.py` reads them and
`interpreter.py` runs them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from groundling.games.hexagons.program.shapes import (
    Amount,
    AnyCondition,
    Colour,
    LinearExpression,
    PathStep,
    ProgramError,
    Shape,
    Stop,
    TileReference,
    shape_kind_tag,
)


class ColourCycle(Struct, frozen=True):
    """A name whose value is the next colour for each copy."""

    name: str
    colours: tuple[Colour, ...]


def _require_body(body: tuple[AnyStatement, ...]) -> None:
    if not body:
        raise ProgramError("this statement needs others indented below it")


class BaseStatement(Struct, frozen=True, tag=shape_kind_tag, tag_field="kind", omit_defaults=True):
    pass


class PaintStatement(BaseStatement, frozen=True):
    """Paints a shape; several colours alternate along it."""

    colours: tuple[Colour, ...]
    shape: Shape


class AtStatement(BaseStatement, frozen=True):
    """Draws the body once for each tile of a shape, with `here` at that tile."""

    shape: Shape
    body: tuple[AnyStatement, ...]
    cycles: tuple[ColourCycle, ...] = ()

    def __post_init__(self) -> None:
        _require_body(self.body)


class RepeatAxis(Struct, frozen=True):
    """The number of copies, and the path from one to the next."""

    times: Amount | Stop
    path: tuple[PathStep, ...]


class RepeatStatement(BaseStatement, frozen=True):
    """Draws copies of the body, each shifted against the last, or over a lattice with several axes. `until`
    stops before the first copy that would leave the board or meet the stop condition. Cycles advance with
    every copy along any axis. The counter starts at `first` and grows by `grows` with every copy along any
    axis."""

    axes: tuple[RepeatAxis, ...]
    body: tuple[AnyStatement, ...]
    cycles: tuple[ColourCycle, ...] = ()
    counter: str = ""
    first: int = 1
    grows: int = 1

    def __post_init__(self) -> None:
        _require_body(self.body)


class TurnStatement(BaseStatement, frozen=True):
    """Draws the body turned about `here` by sixths, clockwise."""

    sixths: Amount
    body: tuple[AnyStatement, ...]

    def __post_init__(self) -> None:
        _require_body(self.body)


class MirrorStatement(BaseStatement, frozen=True):
    """Draws the body and its mirror image; without a body, the mirror image of what is painted (in
    `source`)."""

    axis: str
    about: tuple[TileReference, ...]
    body: tuple[AnyStatement, ...] = ()
    cycles: tuple[ColourCycle, ...] = ()
    source: Shape | None = None


class RotateStatement(BaseStatement, frozen=True):
    """Draws the body 2, 3 or 6 times around; without a body, what is painted (in `source`)."""

    times: int
    about: tuple[TileReference, ...]
    body: tuple[AnyStatement, ...] = ()
    cycles: tuple[ColourCycle, ...] = ()
    source: Shape | None = None

    def __post_init__(self) -> None:
        if self.times not in (2, 3, 6):
            raise ProgramError(f"a rotation has 2, 3 or 6 copies, not {self.times}")


class RecolourStatement(BaseStatement, frozen=True):
    """Draws the body in other colours; without a body, exchanges colours of what is painted (in `source`)."""

    colours: tuple[tuple[Colour, Colour], ...]
    body: tuple[AnyStatement, ...] = ()
    source: Shape | None = None


class GrowStatement(BaseStatement, frozen=True):
    """Paints the white neighbours of a shape (that satisfy a condition), then their neighbours, and so on;
    colours alternate."""

    times: Amount
    colours: tuple[Colour, ...]
    seed: Shape
    test: AnyCondition | None = None


class DefineStatement(BaseStatement, frozen=True):
    """Defines a name with parameters for its body."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[AnyStatement, ...]

    def __post_init__(self) -> None:
        _require_body(self.body)


class CallStatement(BaseStatement, frozen=True):
    """Draws a definition at `here`. Recursion is allowed."""

    name: str
    arguments: tuple[Amount | Colour, ...] = ()

    def __post_init__(self) -> None:
        if any(
            isinstance(argument, LinearExpression) and argument == LinearExpression(argument.name)
            for argument in self.arguments
        ):
            raise ProgramError("an argument that is only a name is written as that name")


class IfStatement(BaseStatement, frozen=True):
    """Draws the body if the comparison of two numbers holds."""

    left: Amount
    sign: Literal["<", ">", "="]
    right: Amount
    body: tuple[AnyStatement, ...]

    def __post_init__(self) -> None:
        _require_body(self.body)


AnyStatement: TypeAlias = (
    PaintStatement
    | AtStatement
    | RepeatStatement
    | TurnStatement
    | MirrorStatement
    | RotateStatement
    | RecolourStatement
    | GrowStatement
    | DefineStatement
    | CallStatement
    | IfStatement
)


class Program(Struct, frozen=True):
    statements: tuple[AnyStatement, ...] = ()
