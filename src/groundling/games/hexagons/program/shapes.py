"""The nouns of a drawing program: numbers, places, shapes (tiles in an order) and conditions on a tile."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from groundling.boards.hexes import Tile


class ProgramError(ValueError):
    """A program that cannot be read or carried out; the message says where and why."""


class Count(Struct, frozen=True, tag="count", tag_field="kind", omit_defaults=True):
    """A number that depends on a counter or a parameter: `times` × name + `plus`."""

    name: str
    times: int = 1
    plus: int = 0


Amount: TypeAlias = int | Count
Colour: TypeAlias = str
"""A colour's name, the name of a parameter or of a cycle that stands for one, or `-`: leave the tile as it is."""

LEAVE = "-"


def _several(parts: tuple[object, ...]) -> None:
    if len(parts) < 2:
        raise ProgramError("only two or more can be joined")


# Places


class Go(Struct, frozen=True):
    """Some steps of one heading. `right` and `left` keep the row: they zigzag."""

    heading: str
    steps: Amount = 1


class Place(Struct, frozen=True, omit_defaults=True, tag="place", tag_field="kind"):
    """A tile: a fixed one, or `here`, and steps from it."""

    tile: Tile | None = None
    path: tuple[Go, ...] = ()


# Where something stops


class Edge(Struct, frozen=True, tag="edge", tag_field="kind"):
    """The end of the board."""


class Met(Struct, frozen=True, tag="met", tag_field="kind"):
    """Before a tile of that colour; `painted` is any but white."""

    colour: str


class Reached(Struct, frozen=True, tag="reached", tag_field="kind"):
    """Before a tile of that shape."""

    shape: Shape


Stop: TypeAlias = Edge | Met | Reached


# Conditions on a tile


class Test(Struct, frozen=True, tag=str.lower, tag_field="kind", omit_defaults=True):
    """Holds of a tile, or does not."""

    __test__ = False  # what pytest would like to know


class Is(Test, frozen=True):
    """It has that colour; `painted` is any but white."""

    colour: str


class Touching(Test, frozen=True):
    """So many of its neighbours have that colour: at least `low`, and at most `high` if that is given."""

    colour: str
    low: int = 1
    high: int | None = None


class Beside(Test, frozen=True):
    """The neighbour that way has that colour."""

    heading: str
    colour: str


class Within(Test, frozen=True):
    """It belongs to that shape."""

    shape: Shape


class Compare(Test, frozen=True):
    """Where its row or column lies."""

    what: Literal["row", "column"]
    sign: Literal["<", ">", "="]
    number: Amount


class Parity(Test, frozen=True):
    """Whether its row or column is odd or even."""

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


class Figure(Struct, frozen=True, tag=str.lower, tag_field="kind", omit_defaults=True):
    """Tiles in an order. What lies off the board is clipped when it is painted."""


class Tiles(Figure, frozen=True):
    places: tuple[Place, ...]

    def __post_init__(self) -> None:
        if not self.places:
            raise ProgramError("a list of tiles has at least one")


class Line(Figure, frozen=True):
    """Straight on (zigzag for `right` and `left`), so many tiles or until it must stop; the first tile is
    always part of it."""

    start: Place
    heading: str
    length: Amount | Stop


class Between(Figure, frozen=True):
    """The straight line that joins two tiles."""

    start: Place
    end: Place


class Ring(Figure, frozen=True):
    centre: Place
    radius: Amount


class Disc(Figure, frozen=True):
    centre: Place
    radius: Amount


class Flower(Figure, frozen=True):
    """The six petals around a tile."""

    centre: Place


class Triangle(Figure, frozen=True):
    """Its sides leave the corner along the heading and 60° clockwise from it."""

    corner: Place
    heading: str
    side: Amount


class Rhombus(Figure, frozen=True):
    """Its sides leave the corner along the heading (`side` tiles) and 60° clockwise from it (`other`, or as
    many)."""

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
    """Those tiles of a shape that have a neighbour outside it."""

    shape: Shape


class Around(Figure, frozen=True):
    """All neighbours of a shape that are not part of it."""

    shape: Shape


class Joined(Figure, frozen=True):
    """Several shapes taken together."""

    shapes: tuple[Shape, ...]

    def __post_init__(self) -> None:
        _several(self.shapes)


class Where(Figure, frozen=True):
    """Those tiles of a shape for which something holds."""

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
