"""The kinds of phrases in an instruction, and the building blocks of the patterns that find them."""

from __future__ import annotations

import re

from msgspec import Struct


class UnreadableInstruction(Exception):  # noqa: N818 - a verdict on a text, not an error of ours
    """The parser cannot read this instruction, and says why."""


Pick = tuple[str, int, int]
"""How some items of a sequence are chosen: ("at", n, 0), ("range", a, b), ("first", n, 0), ("last", n, 0),
("all", 0, 0), ("every", step, first), ("middle", n, 0). Negative numbers count from the end."""


class AxisSelection(Struct, frozen=True):
    """A selection of columns, rows, or tiles of a column, counted from a side."""

    picks: tuple[Pick, ...]
    side: str | None = None
    """top, bottom, left or right: where counting starts, if stated."""

    def resolve_numbers(self, size: int, side: str | None = None) -> list[int]:
        """Return the selected numbers in the stated order."""
        chosen: list[int] = []
        for pick in self.picks:
            chosen += [n for n in _picked_numbers(pick, size) if 1 <= n <= size and n not in chosen]
        return [size + 1 - n for n in chosen] if (self.side or side) in ("bottom", "right") else chosen


def _picked_numbers(pick: Pick, size: int) -> list[int]:
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


class ColumnsPhrase(Struct, frozen=True):
    axis: AxisSelection | None = None
    relative: str | None = None
    """next, same, previous, left, right or sides: relative to the current columns, if there is no axis."""
    count: int = 1
    more: tuple[ColumnsPhrase, ...] = ()
    """Further columns of the same list."""
    colour: str | None = None
    """The colour of the columns that they are next to, if stated."""
    jump: bool = False
    """Whether only the last of the count is meant."""


class RowsPhrase(Struct, frozen=True):
    axis: AxisSelection


class TilesPhrase(Struct, frozen=True):
    axis: AxisSelection | None = None
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


class ColourPhrase(Struct, frozen=True):
    name: str


class ColourSequencePhrase(Struct, frozen=True):
    """Colours along a line, each with a number of tiles."""

    runs: tuple[tuple[int, str], ...]


class HeadingPhrase(Struct, frozen=True):
    name: str
    """One of the six headings of the lattice, or left, right, diagonal, diagonal-up, diagonal-down."""


class RelationPhrase(Struct, frozen=True):
    name: str
    """above, below, left, right, one of the headings, touching, around, between, inside, outside, sides."""
    other: bool = False


class PronounPhrase(Struct, frozen=True):
    word: str
    plural: bool = False


class VerbPhrase(Struct, frozen=True):
    name: str


class ShapePhrase(Struct, frozen=True):
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


class MiddlePhrase(Struct, frozen=True):
    """The colour of the middle of a shape."""

    colour: str


class CornerPhrase(Struct, frozen=True):
    """A corner of the board."""

    vertical: str
    horizontal: str


class StepPhrase(Struct, frozen=True):
    """A reference to numbered steps, or (0) to the previous step."""

    numbers: tuple[int, ...]


class WordPhrase(Struct, frozen=True):
    text: str


Phrase = (
    ColumnsPhrase
    | RowsPhrase
    | TilesPhrase
    | ColourPhrase
    | ColourSequencePhrase
    | HeadingPhrase
    | RelationPhrase
    | PronounPhrase
    | VerbPhrase
    | ShapePhrase
    | MiddlePhrase
    | CornerPhrase
    | StepPhrase
    | WordPhrase
)

COL = "(?:white|blank|black|yellow|green|red|blue|purple|orange)"
NUMBER = r"#?-?\d+"


def parse_phrase_picks(text: str) -> tuple[Pick, ...]:
    picks: list[Pick] = []
    for match in re.finditer(rf"({NUMBER})(?: tiles?| columns?)? to (?:the )?({NUMBER})|({NUMBER})", text):
        a, b, one = match.groups()
        if one is None:
            low, high = parse_phrase_number(a), parse_phrase_number(b)
            picks.append(("range", low, high))
        else:
            picks.append(("at", parse_phrase_number(one), 0))
    return tuple(picks)


def parse_phrase_number(text: str) -> int:
    return int(text.lstrip("#"))


def parse_phrase_stride(text: str) -> int:
    """Return the n of "every n-th"."""
    stride = parse_phrase_number(text)
    if stride < 1:
        raise UnreadableInstruction(f"a distance of {stride} between tiles or columns")
    return stride


def normalise_phrase_side(text: str | None) -> str | None:
    if not text:
        return None
    return {"topmost": "top", "bottommost": "bottom", "leftmost": "left", "rightmost": "right"}.get(
        text, text
    )


def edge_phrase_axis(edge: str, count: int) -> AxisSelection:
    side = "bottom" if edge.startswith(("bottom", "low")) else "top"
    return AxisSelection((("first", count, 0),), side)
