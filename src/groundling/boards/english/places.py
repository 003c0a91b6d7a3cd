"""Phrases that name places in a grid: "the last two rows", "columns 2-4", "the third cell of row 1"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from groundling.boards.english.lexicon import Word
from groundling.boards.letters import Cell


class Place(Struct, frozen=True):
    kind: str
    """row, column: whole lines; spot: positions along a line not known yet; side: a direction; cells; other:
    the rest."""
    at: frozenset[int] = frozenset()
    cells: frozenset[Cell] = frozenset()
    text: str = ""
    line: tuple[str, frozenset[int]] | None = None
    """The rows or columns in which the text placed the cells."""
    numbered: bool = False
    """Whether it is "row 2", not "the second row": then "row 2, column 3" is one cell."""


Item: TypeAlias = Word | Place
LINES = ("row", "column")
_STOP = Word("stop")
_SIDES = {"row": ("top", "bottom", "middle"), "column": ("left", "right", "middle")}
FIRST, LAST = ("top", "left"), ("bottom", "right")


def places(words: list[Word], size: int) -> list[Item]:
    """Replace every phrase that names a place by one GridPlace."""
    return _bound(Phrases(words, size).read(), size)


def line_cells(axis: str, at: frozenset[int], size: int) -> frozenset[Cell]:
    span = range(1, size + 1)
    return frozenset((i, j) if axis == "row" else (j, i) for i in at for j in span)


def crossed(axis: str, at: frozenset[int], across: frozenset[int]) -> frozenset[Cell]:
    return frozenset((i, j) if axis == "row" else (j, i) for i in at for j in across)


class Selector(Struct, frozen=True):
    at: frozenset[int]
    sides: tuple[str, ...] = ()


class Phrases:
    def __init__(self, words: list[Word], size: int) -> None:
        self.words, self.size, self.i = words, size, 0
        self.alternating = False
        self.every = frozenset(range(1, size + 1))
        self.middle = frozenset({(size + 1) // 2, size // 2 + 1})
        self.grid = line_cells("row", self.every, size)
        self.which = any(word.kind in ("falling", "rising", "bothdiagonals") for word in words)

    def word(self, ahead: int = 0) -> Word:
        return self.words[self.i + ahead] if self.i + ahead < len(self.words) else _STOP

    def kind(self, ahead: int = 0) -> str:
        return self.word(ahead).kind

    def read(self) -> list[Item]:
        found: list[Item] = []
        while self.i < len(self.words):
            start = self.i
            for phrase in self.kinds():
                read = phrase()
                if read is not None:
                    found += read
                    break
                self.i = start
            else:
                found.append(self.words[start])
                self.i += 1
        return found

    def kinds(self) -> Sequence[Callable[[], list[Item] | None]]:
        """The phrase readers, in the order in which they are tried."""
        return self.numbered, self.general, self.selected

    def numbered(self) -> list[Item] | None:
        """Read "rows 1, 3 and 5", "position 4"."""
        noun = "cell" if self.word() == Word("of", "at") else self.kind()
        if noun not in ("row", "column", "cell") or self.kind(1) not in ("num", "ord"):
            return None
        if self.kind(1) == "ord" and self.kind(2) in ("row", "column", "cell"):
            return None
        if self.kind() == "of" and (
            self.kind(1) == "ord" or self.kind(2) in ("letter", "letters", "cell", "corner", "side", "full")
        ):
            return None
        self.i += 1
        at: set[int] = set()
        while True:
            low = high = self.index(self.word().value)
            self.i += 1
            again = 1 + (self.kind(1) == noun)
            if self.kind() == "to" and self.kind(again) in ("num", "ord"):
                high = self.index(self.word(again).value)
                self.i += again + 1
            at |= set(range(low, high + 1)) if low else set()
            skip = self.joined()
            if (
                not skip
                or self.kind(skip) != "num"
                or self.kind(skip + 1) in ("letter", "letters", "full", "empty", "more", "cell", "times")
            ):
                break
            if self.word(skip).text == "one" and self.kind(skip + 1) in ("of", *LINES):
                break
            self.i += skip
        kind = "spot" if noun == "cell" else noun
        return [Place(kind, self.turned(frozenset(at)), numbered=True)]

    def joined(self) -> int:
        """Count the words that join this item to the next of a list."""
        skip = 1 if self.kind() == "comma" and self.word().text != ":" else 0
        return skip + (self.kind(skip) == "and")

    def index(self, value: int) -> int:
        """Convert a number from either end to one from 1; 0 where the grid has no such line."""
        value = value if value > 0 else self.size + 1 + value
        return value if 1 <= value <= self.size else 0

    def turned(self, at: frozenset[int]) -> frozenset[int]:
        """Read "from the bottom" and count from that end."""
        if self.kind() == "of" and self.word().text == "from" and self.kind(1) in ("side", "ends", "ord"):
            backwards = self.word(1).text in LAST or self.kind(1) == "ends" or self.word(1).value == -1
            if self.word(1).text in (*LAST, *FIRST) or backwards:
                self.i += 2
                return frozenset(self.size + 1 - i for i in at) if backwards else at
        return at

    def general(self) -> list[Item] | None:
        """Read places that need no number: corners, diagonals, the border, everything, the rest."""
        start, kind, size = self.i, self.kind(), self.size
        corners = frozenset({(1, 1), (1, size), (size, 1), (size, size)})
        if kind in ("all", "everything") and self.kind(1) == "other":
            self.i += 1
            kind = "other"
        if kind == "other":
            self.i += 1
            self.i += self.kind() == "of"
            number = self.word().value if self.kind() == "num" else 0
            self.i += self.kind() == "num"
            noun = self.kind() if self.kind() in ("row", "column", "cell", "letters", "corner") else ""
            self.i += bool(noun)
            return [Place("other", frozenset({number} if number else ()), text=noun)]
        if kind == "everything":
            self.i += 1
            return [Place("cells", cells=self.grid, text="everything")]
        if kind in ("everyother", "odd", "even"):
            return self.alternate()
        if kind in ("falling", "rising", "bothdiagonals"):
            self.i += 1
            falling = frozenset((i, i) for i in self.every)
            rising = frozenset((size + 1 - i, i) for i in self.every)
            return [Place("cells", cells={"falling": falling, "rising": rising}.get(kind, falling | rising))]
        if kind == "diagonal":
            self.i += 1
            return [] if self.which else [Word("shape", "diagonal")]
        if kind == "pair" and self.word().text.replace(",", "").isdecimal():
            row, column = (int(part) for part in self.word().text.split(","))
            self.i += 1
            return [Place("cells", cells=frozenset({(row, column)}) & self.grid)]
        if kind == "border":
            self.i += 1
            return [Place("cells", cells=frozenset(cell for cell in self.grid if {*cell} & {1, size}))]
        if kind == "starting" and self.alternating and self.kind(1) in ("ord", "side"):
            self.i += 2
            return []
        if kind in ("ends", "end", "starting", "ending"):
            self.i += 1
            return [
                Place(
                    "spot", frozenset({"starting": {1}, "ending": {size}, "end": {size}}.get(kind, {1, size}))
                )
            ]
        if kind == "num" and self.kind(1 + (self.kind(1) == "of")) == "corner" and self.word().value < 4:
            number = self.word().value
            self.i += 2 + (self.kind(1) == "of")
            return [Word("corners", value=number)]
        self.i += kind == "all"
        self.i += self.kind() == "num" and self.kind(1) in ("row", "column", "corner") and kind == "all"
        self.i += self.kind() == "of" and kind == "all"
        self.i += self.kind() == "num" and self.word().value == 4 and self.kind(1) == "corner"
        noun = self.kind()
        if noun == "corner":
            self.i += 1
            return [Place("cells", cells=corners, text="corner")]
        if kind == "all" and noun in ("row", "column", "cell") and self.kind(1) not in ("num", "ord"):
            self.i += 1
            return [Place("spot" if noun == "cell" else noun, self.every, text="all")]
        self.i = start
        return None

    def alternate(self) -> list[Item] | None:
        kind = self.kind()
        noun = self.kind(1)
        if noun not in ("row", "column"):
            self.i += 1
            if kind == "everyother" and noun == "cell":
                self.i += 1
                return [Place("other", text="cell")]
            return []
        self.i += 2
        self.alternating = True
        odd = kind != "even"
        for ahead in range(8):
            if self.kind(ahead) in ("starting", "of") and self.word(ahead + 1) == Word("ord", value=2):
                odd = False
        return [Place(noun, frozenset(i for i in self.every if i % 2 == odd))]

    def selected(self) -> list[Item] | None:
        """Read "the first and the last column", "top two cells", "bottom left corner", "the 2nd and the
        last"."""
        first = self.selector()
        if first is None:
            return None
        chosen = [first]
        while True:
            start = self.i
            skip = self.joined() or (1 if self.kind() == "to" else 0)
            ranged = self.kind() == "to"
            self.i += skip
            another = self.selector() if skip else None
            if another is None:
                self.i = start
                break
            if ranged and first.at and another.at:
                another = Selector(frozenset(range(min(chosen[-1].at), max(another.at) + 1)))
            chosen.append(another)
        noun = self.kind()
        if noun == "half":
            self.i += 1
            return [self.half(selector) for selector in chosen]
        if noun in ("row", "column", "cell", "letters", "letter", "corner", "edge", "border", "end"):
            self.i += 1
        else:
            self.i += self.word().text in ("one", "ones")
            noun = ""
        found: list[Item] = []
        for place in (self.place(selector, noun) for selector in chosen):
            last = found[-1] if found else None
            if (
                isinstance(last, Place)
                and last.kind == place.kind
                and place.kind in ("row", "column", "spot")
            ):
                found[-1] = Place(place.kind, last.at | place.at, text=place.text)
            else:
                found.append(place)
        return found

    def half(self, selector: Selector) -> Place:
        side = selector.sides[0] if selector.sides else "left"
        return Place(
            "side",
            frozenset(
                i for i in self.every if (2 * i < self.size + 1) == (side in FIRST) and 2 * i != self.size + 1
            ),
            text=side,
        )

    def selector(self) -> Selector | None:
        word, after = self.word(), self.word(1)
        if word.kind == "num" and (
            (after.kind == "side" and after.text != "middle")
            or (after.kind == "ord" and abs(after.value) == 1)
        ):
            self.i += 2
            return self.block(after, word.value)
        if word.kind not in ("side", "ord"):
            return None
        self.i += 1
        if (
            after.kind == "num"
            and self.kind(1) in ("row", "column", "cell", "letters", "corner")
            and word.text != "middle"
        ):
            self.i += 1
            return self.block(word, after.value) if self.kind() != "corner" else self.one(word)
        if word.kind == "side" and after.kind == "side" and after.text != word.text:
            self.i += 1
            return Selector(frozenset(), (word.text, after.text))
        return self.one(word)

    def one(self, word: Word) -> Selector:
        if word.kind == "side":
            index = {"top": 1, "left": 1, "bottom": self.size, "right": self.size}
            return Selector(
                frozenset({index[word.text]}) if word.text in index else self.middle, (word.text,)
            )
        index_ = self.index(word.value)
        return Selector(self.turned(frozenset({index_} if index_ else ())))

    def block(self, word: Word, count: int) -> Selector:
        count = min(count, self.size)
        last = word.text in LAST or word.value == -1
        start = self.size + 1 - count if last else max(word.value, 1)
        sides = (word.text,) if word.kind == "side" else ()
        return Selector(frozenset(range(start, min(start + count, self.size + 1))), sides)

    def place(self, selector: Selector, noun: str) -> Place:
        size = self.size
        if len(selector.sides) == 2:
            rows = self.lines(selector.sides, "row")
            columns = self.lines(selector.sides, "column")
            return Place("cells", cells=frozenset((r, c) for r in rows for c in columns), text="corner")
        side = selector.sides[0] if selector.sides else ""
        if noun == "corner" and side not in ("", "middle"):
            axis = "row" if side in FIRST[:1] + LAST[:1] else "column"
            return Place("cells", cells=crossed(axis, selector.at, frozenset({1, size})), text="corner")
        if noun in ("row", "column") and (not side or side in _SIDES[noun]):
            return Place(noun, self.turned(selector.at))
        if noun in ("edge", "border") and side in ("top", "bottom", "left", "right"):
            return Place("row" if side in _SIDES["row"] else "column", selector.at)
        if noun in ("cell", "letters", "letter", "end") or not side or side == "middle":
            return Place("spot", self.turned(selector.at), text=side)
        return Place("side", selector.at, text=side)

    def lines(self, sides: tuple[str, ...], axis: str) -> frozenset[int]:
        index = {"top": 1, "left": 1, "bottom": self.size, "right": self.size}
        return next(
            (frozenset({index[side]}) for side in sides if side in _SIDES[axis] and side in index),
            self.middle,
        )


def _bound(items: list[Item], size: int) -> list[Item]:
    """Join two phrases that name one place: "columns 1 and 2 of the third row", "row 2, column 3", "row 3's
    last cell"."""
    found: list[Item] = []
    for item in items:
        if isinstance(item, Place) and item.kind in ("row", "column", "spot"):
            gap = len(found) - 1
            while (
                gap >= 0
                and gap >= len(found) - 2
                and isinstance(found[gap], Word)
                and found[gap].kind in ("of", "comma")
            ):
                gap -= 1
            before = found[gap] if gap >= 0 else None
            between = [word.kind for word in found[gap + 1 :]]
            bound = _pair(before, item, between) if isinstance(before, Place) else None
            if bound is not None:
                del found[gap:]
                item = bound
        found.append(item)
    return found


def _pair(one: Place, two: Place, between: list[str]) -> Place | None:
    if one.kind in ("spot", "side") and two.kind in LINES and between == ["of"]:
        return Place("cells", cells=crossed(two.kind, two.at, one.at), line=(two.kind, two.at))
    if one.kind == "side" and two.kind == "spot" and two.text == "middle" and between == ["of"]:
        step = -1 if one.text in FIRST else 1
        return Place("spot", frozenset(i + step for i in two.at) - two.at)
    if one.kind in LINES and two.kind in LINES and one.kind != two.kind:
        if between == ["of"]:
            return Place("cells", cells=crossed(two.kind, two.at, one.at), line=(two.kind, two.at))
        if between in ([], ["comma"], ["comma", "of"]) and one.numbered and two.numbered:
            return Place("cells", cells=crossed(one.kind, one.at, two.at), line=(one.kind, one.at))
    if one.kind in LINES and two.kind == "spot" and not between:
        return Place("cells", cells=crossed(one.kind, one.at, two.at), line=(one.kind, one.at))
    return None
