"""The expressions of the drawing language: numbers, places, shapes (ordered tiles) and conditions on a
tile."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from msgspec import Struct

from groundling.boards.hexes import Tile


class ProgramError(ValueError):
    """The program cannot be parsed or run; the message says where and why."""


class Count(Struct, frozen=True, tag="count", tag_field="kind", omit_defaults=True):
    """A number that depends on a counter or a parameter: `times` × name + `plus`."""

    name: str
    times: int = 1
    plus: int = 0


Amount: TypeAlias = int | Count
Colour: TypeAlias = str
"""The name of a colour, or of a parameter or cycle with a colour as value, or `-` to leave the tile
unchanged."""

LEAVE = "-"


def kind_tag(name: str) -> str:
    """Return the tag of a class in JSON: its name without the suffix of its family."""
    return re.sub(r"(?<=\w)(?:Shape|Condition|Statement)$", "", name).lower()


def _several(parts: tuple[object, ...]) -> None:
    if len(parts) < 2:
        raise ProgramError("only two or more can be joined")


# Places


class Go(Struct, frozen=True):
    """Some steps along one heading. `right` and `left` keep the row, so they zigzag."""

    heading: str
    steps: Amount = 1


class Place(Struct, frozen=True, omit_defaults=True, tag="place", tag_field="kind"):
    """A fixed tile or `here`, and a path from it."""

    tile: Tile | None = None
    path: tuple[Go, ...] = ()


# Where something stops


class Edge(Struct, frozen=True, tag="edge", tag_field="kind"):
    """Stop at the edge of the board."""


class Met(Struct, frozen=True, tag="met", tag_field="kind"):
    """Stop before a tile of that colour; `painted` is any colour but white."""

    colour: str


class Reached(Struct, frozen=True, tag="reached", tag_field="kind"):
    """Stop before a tile of that shape."""

    shape: Shape


Stop: TypeAlias = Edge | Met | Reached


# Conditions on a tile


class Test(Struct, frozen=True, tag=kind_tag, tag_field="kind", omit_defaults=True):
    """A condition on a tile."""

    __test__ = False  # pytest must not collect it


class Is(Test, frozen=True):
    """The tile has that colour; `painted` is any colour but white."""

    colour: str


class Touching(Test, frozen=True):
    """At least `low`, and at most `high` if given, neighbours have that colour."""

    colour: str
    low: int = 1
    high: int | None = None


class Beside(Test, frozen=True):
    """The neighbour in that direction has that colour."""

    heading: str
    colour: str


class Within(Test, frozen=True):
    """The tile belongs to that shape."""

    shape: Shape


class Compare(Test, frozen=True):
    """Compares the row or column of the tile with a number."""

    what: Literal["row", "column"]
    sign: Literal["<", ">", "="]
    number: Amount


class Parity(Test, frozen=True):
    """The row or column of the tile is odd or even."""

    what: Literal["row", "column"]
    odd: bool


class Not(Test, frozen=True):
    test: AnyTest


class All(Test, frozen=True):
    tests: tuple[AnyTest, ...]

    def __post_init__(self) -> None:
        _several(self.tests)


class Some(Test, frozen=True):
    tests: tuple[AnyTest, ...]

    def __post_init__(self) -> None:
        _several(self.tests)


AnyTest: TypeAlias = Is | Touching | Beside | Within | Compare | Parity | Not | All | Some


# Shapes


class Figure(Struct, frozen=True, tag=kind_tag, tag_field="kind", omit_defaults=True):
    """Tiles in an order. Painting clips those off the board."""


class Tiles(Figure, frozen=True):
    places: tuple[Place, ...]

    def __post_init__(self) -> None:
        if not self.places:
            raise ProgramError("a list of tiles has at least one")


class Line(Figure, frozen=True):
    """A straight line (a zigzag for `right` and `left`) with a number of tiles or an `until`; it always
    includes the first tile."""

    start: Place
    heading: str
    length: Amount | Stop


class Between(Figure, frozen=True):
    """The straight line between two tiles."""

    start: Place
    end: Place


class Ring(Figure, frozen=True):
    centre: Place
    radius: Amount


class Disc(Figure, frozen=True):
    centre: Place
    radius: Amount


class Flower(Figure, frozen=True):
    """The six tiles around a tile."""

    centre: Place


class Triangle(Figure, frozen=True):
    """Its sides run from the corner along the heading and 60° clockwise from it."""

    corner: Place
    heading: str
    side: Amount


class Rhombus(Figure, frozen=True):
    """Its sides run from the corner along the heading (`side` tiles) and 60° clockwise from it (`other`
    tiles, or as many)."""

    corner: Place
    heading: str
    side: Amount
    other: Amount | None = None


class Column(Figure, frozen=True):
    number: Amount


class Row(Figure, frozen=True):
    number: Amount


class Whole(Figure, frozen=True):
    """The whole board."""


class Border(Figure, frozen=True):
    """All tiles along the edge of the board."""


class Outline(Figure, frozen=True):
    """The tiles of a shape that have a neighbour outside it."""

    shape: Shape


class Around(Figure, frozen=True):
    """All neighbours of a shape that are not part of it."""

    shape: Shape


class Joined(Figure, frozen=True):
    """The union of several shapes."""

    shapes: tuple[Shape, ...]

    def __post_init__(self) -> None:
        _several(self.shapes)


class Where(Figure, frozen=True):
    """The tiles of a shape that satisfy a condition."""

    shape: Shape
    test: AnyTest


Shape: TypeAlias = (
    Place
    | Tiles
    | Line
    | Between
    | Ring
    | Disc
    | Flower
    | Triangle
    | Rhombus
    | Column
    | Row
    | Whole
    | Border
    | Outline
    | Around
    | Joined
    | Where
)
