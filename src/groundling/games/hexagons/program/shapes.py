"""The expressions of the drawing language: numbers, places, shapes (ordered tiles) and conditions on a
tile."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from msgspec import Struct

from groundling.boards.hexes import Tile


class ProgramError(ValueError):
    """The program cannot be parsed or run; the message says where and why."""


class LinearExpression(Struct, frozen=True, tag="count", tag_field="kind", omit_defaults=True):
    """A number that depends on a counter or a parameter: `times` × name + `plus`."""

    name: str
    times: int = 1
    plus: int = 0


Amount: TypeAlias = int | LinearExpression
Colour: TypeAlias = str
"""The name of a colour, or of a parameter or cycle with a colour as value, or `-` to leave the tile
unchanged."""

LEAVE = "-"


def shape_kind_tag(name: str) -> str:
    """Return the tag of a class in JSON: its name without the suffix of its family."""
    return re.sub(r"(?<=\w)(?:Shape|Condition|Statement)$", "", name).lower()


def _require_several(parts: tuple[object, ...]) -> None:
    if len(parts) < 2:
        raise ProgramError("only two or more can be joined")


# Places


class PathStep(Struct, frozen=True):
    """Some steps along one heading. `right` and `left` keep the row, so they zigzag."""

    heading: str
    steps: Amount = 1


class TileReference(Struct, frozen=True, omit_defaults=True, tag="place", tag_field="kind"):
    """A fixed tile or `here`, and a path from it."""

    tile: Tile | None = None
    path: tuple[PathStep, ...] = ()


# Where something stops


class StopAtEdge(Struct, frozen=True, tag="edge", tag_field="kind"):
    """Stop at the edge of the board."""


class StopAtColour(Struct, frozen=True, tag="met", tag_field="kind"):
    """Stop before a tile of that colour; `painted` is any colour but white."""

    colour: str


class StopAtShape(Struct, frozen=True, tag="reached", tag_field="kind"):
    """Stop before a tile of that shape."""

    shape: Shape


Stop: TypeAlias = StopAtEdge | StopAtColour | StopAtShape


# Conditions on a tile


class BaseCondition(Struct, frozen=True, tag=shape_kind_tag, tag_field="kind", omit_defaults=True):
    """A condition on a tile."""

    __test__ = False  # pytest must not collect it


class IsCondition(BaseCondition, frozen=True):
    """The tile has that colour; `painted` is any colour but white."""

    colour: str


class TouchingCondition(BaseCondition, frozen=True):
    """At least `low`, and at most `high` if given, neighbours have that colour."""

    colour: str
    low: int = 1
    high: int | None = None


class BesideCondition(BaseCondition, frozen=True):
    """The neighbour in that direction has that colour."""

    heading: str
    colour: str


class WithinCondition(BaseCondition, frozen=True):
    """The tile belongs to that shape."""

    shape: Shape


class CompareCondition(BaseCondition, frozen=True):
    """Compares the row or column of the tile with a number."""

    what: Literal["row", "column"]
    sign: Literal["<", ">", "="]
    number: Amount


class ParityCondition(BaseCondition, frozen=True):
    """The row or column of the tile is odd or even."""

    what: Literal["row", "column"]
    odd: bool


class NotCondition(BaseCondition, frozen=True):
    test: AnyCondition


class AllCondition(BaseCondition, frozen=True):
    tests: tuple[AnyCondition, ...]

    def __post_init__(self) -> None:
        _require_several(self.tests)


class SomeCondition(BaseCondition, frozen=True):
    tests: tuple[AnyCondition, ...]

    def __post_init__(self) -> None:
        _require_several(self.tests)


AnyCondition: TypeAlias = (
    IsCondition
    | TouchingCondition
    | BesideCondition
    | WithinCondition
    | CompareCondition
    | ParityCondition
    | NotCondition
    | AllCondition
    | SomeCondition
)


# Shapes


class BaseShape(Struct, frozen=True, tag=shape_kind_tag, tag_field="kind", omit_defaults=True):
    """Tiles in an order. Painting clips those off the board."""


class TilesShape(BaseShape, frozen=True):
    places: tuple[TileReference, ...]

    def __post_init__(self) -> None:
        if not self.places:
            raise ProgramError("a list of tiles has at least one")


class LineShape(BaseShape, frozen=True):
    """A straight line (a zigzag for `right` and `left`) with a number of tiles or an `until`; it always
    includes the first tile."""

    start: TileReference
    heading: str
    length: Amount | Stop


class BetweenShape(BaseShape, frozen=True):
    """The straight line between two tiles."""

    start: TileReference
    end: TileReference


class RingShape(BaseShape, frozen=True):
    centre: TileReference
    radius: Amount


class DiscShape(BaseShape, frozen=True):
    centre: TileReference
    radius: Amount


class FlowerShape(BaseShape, frozen=True):
    """The six tiles around a tile."""

    centre: TileReference


class TriangleShape(BaseShape, frozen=True):
    """Its sides run from the corner along the heading and 60° clockwise from it."""

    corner: TileReference
    heading: str
    side: Amount


class RhombusShape(BaseShape, frozen=True):
    """Its sides run from the corner along the heading (`side` tiles) and 60° clockwise from it (`other`
    tiles, or as many)."""

    corner: TileReference
    heading: str
    side: Amount
    other: Amount | None = None


class ColumnShape(BaseShape, frozen=True):
    number: Amount


class RowShape(BaseShape, frozen=True):
    number: Amount


class WholeShape(BaseShape, frozen=True):
    """Every tile of the board."""


class BorderShape(BaseShape, frozen=True):
    """All tiles along the edge of the board."""


class OutlineShape(BaseShape, frozen=True):
    """The tiles of a shape that have a neighbour outside it."""

    shape: Shape


class AroundShape(BaseShape, frozen=True):
    """All neighbours of a shape that are not part of it."""

    shape: Shape


class InsideShape(BaseShape, frozen=True):
    """The tiles that a shape cuts off from the edge of the board."""

    shape: Shape


class MovedShape(BaseShape, frozen=True):
    """A shape at another place: its first tile goes along the path, and all others as far."""

    shape: Shape
    path: tuple[PathStep, ...]


class JoinedShape(BaseShape, frozen=True):
    """The union of several shapes."""

    shapes: tuple[Shape, ...]

    def __post_init__(self) -> None:
        _require_several(self.shapes)


class WhereShape(BaseShape, frozen=True):
    """The tiles of a shape that satisfy a condition."""

    shape: Shape
    test: AnyCondition


Shape: TypeAlias = (
    TileReference
    | TilesShape
    | LineShape
    | BetweenShape
    | RingShape
    | DiscShape
    | FlowerShape
    | TriangleShape
    | RhombusShape
    | ColumnShape
    | RowShape
    | WholeShape
    | BorderShape
    | OutlineShape
    | AroundShape
    | InsideShape
    | MovedShape
    | JoinedShape
    | WhereShape
)
