"""The phrases of an instruction."""

from __future__ import annotations

from msgspec import Struct

Pick = tuple[str, int, int]
"""How some items of a sequence are chosen: ("at", n, 0), ("range", a, b), ("first", n, 0), ("last", n, 0),
("all", 0, 0), ("every", step, first), ("middle", n, 0). Negative numbers count from the end."""


class Axis(Struct, frozen=True):
    """A selection of columns, rows, or tiles of a column, counted from a side."""

    picks: tuple[Pick, ...]
    side: str | None = None
    """top, bottom, left or right: where counting starts, if stated."""

    def resolve(self, size: int, side: str | None = None) -> list[int]:
        """Return the selected numbers in the stated order."""
        chosen: list[int] = []
        for pick in self.picks:
            chosen += [n for n in _numbers(pick, size) if 1 <= n <= size and n not in chosen]
        return [size + 1 - n for n in chosen] if (self.side or side) in ("bottom", "right") else chosen


def _numbers(pick: Pick, size: int) -> list[int]:
    kind, a, b = pick
    if kind == "at":
        return [a if a > 0 else size + 1 + a]
    if kind == "range":
        a, b = (a if a > 0 else size + 1 + a), (b if b > 0 else size + 1 + b)
        return list(range(a, b + 1)) if a <= b else list(range(a, b - 1, -1))
    if kind == "first":
        return list(range(1, a + 1))
    if kind == "last":
        return list(range(size - a + 1, size + 1))
    if kind == "every":
        return list(range(b or (1 if a == 2 else a), size + 1, a))
    if kind == "middle":
        low = (size - a) // 2 + 1
        return list(range(low, low + a))
    return list(range(1, size + 1))


class Columns(Struct, frozen=True):
    axis: Axis | None = None
    relative: str | None = None
    """next, same, previous, left, right or sides: relative to the current columns, if there is no axis."""
    count: int = 1
    more: tuple[Columns, ...] = ()
    """Further columns of the same list."""
    colour: str | None = None
    """The colour of the columns that they are next to, if stated."""
    jump: bool = False
    """Whether only the last of the count is meant."""


class Rows(Struct, frozen=True):
    axis: Axis


class Tiles(Struct, frozen=True):
    axis: Axis | None = None
    """Which tiles of a column."""
    count: int | None = None
    colours: tuple[str, ...] = ()
    """Stated colours: those that definite tiles have, or that indefinite ones get."""
    definite: bool = False
    each: bool = False
    all: bool = False
    next: bool = False
    plural: bool = False
    order: str | None = None
    """topmost, bottommost, leftmost, rightmost or last: which of several painted tiles."""
    steps: tuple[int, ...] = ()
    """The steps that painted them, if stated."""


class Colour(Struct, frozen=True):
    name: str
    sticky: bool = False
    """Whether it is chosen for what follows: "using red, …"."""


class Sequence(Struct, frozen=True):
    """Colours along a line, each with a number of tiles."""

    runs: tuple[tuple[int, str], ...]


class Heading(Struct, frozen=True):
    name: str
    """One of the six headings of the lattice, or left, right, diagonal, diagonal-up, diagonal-down."""


class Relation(Struct, frozen=True):
    name: str
    """above, below, left, right, one of the headings, touching, around, between, inside, outside, sides."""
    other: bool = False


class Pronoun(Struct, frozen=True):
    word: str
    plural: bool = False


class Verb(Struct, frozen=True):
    name: str


class Shape(Struct, frozen=True):
    name: str
    plural: bool = False
    definite: bool = False
    colours: tuple[str, ...] = ()
    count: int | None = None
    size: int | None = None
    order: str | None = None
    each: bool = False
    vertical: bool = False
    words: tuple[str, ...] = ()


class Middle(Struct, frozen=True):
    """The colour of the middle of a shape."""

    colour: str


class Corner(Struct, frozen=True):
    """A corner of the board."""

    vertical: str
    horizontal: str


class Step(Struct, frozen=True):
    """A reference to numbered steps, or (0) to the previous step."""

    numbers: tuple[int, ...]


class Word(Struct, frozen=True):
    text: str


Chunk = (
    Columns
    | Rows
    | Tiles
    | Colour
    | Sequence
    | Heading
    | Relation
    | Pronoun
    | Verb
    | Shape
    | Middle
    | Corner
    | Step
    | Word
)
