"""Phrases that name places in a grid: "the last two rows", "columns 2-4", "the third cell of row 1"."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from groundling.boards.english.grid_places import (
    FIRST,
    LAST,
    LINES,
    GridPlace,
    Item,
    join_grid_places,
    place_cross_cells,
    place_line_cells,
)
from groundling.boards.english.lexicon import WordToken

_STOP = WordToken("stop")
_SIDES = {"row": ("top", "bottom", "middle"), "column": ("left", "right", "middle")}


def fold_place_phrases(words: list[WordToken], size: int) -> list[Item]:
    """Replace every phrase that names a place by one GridPlace."""
    return join_grid_places(PlacePhraseReader(words, size).read_items(), size)


class LineSelector(Struct, frozen=True):
    at: frozenset[int]
    sides: tuple[str, ...] = ()


class PlacePhraseReader:
    def __init__(self, words: list[WordToken], size: int) -> None:
        self.words, self.size, self.i = words, size, 0
        self.alternating = False
        self.every = frozenset(range(1, size + 1))
        self.middle = frozenset({(size + 1) // 2, size // 2 + 1})
        self.grid = place_line_cells("row", self.every, size)
        self.which = any(word.kind in ("falling", "rising", "bothdiagonals") for word in words)

    def peek_word(self, ahead: int = 0) -> WordToken:
        return self.words[self.i + ahead] if self.i + ahead < len(self.words) else _STOP

    def peek_kind(self, ahead: int = 0) -> str:
        return self.peek_word(ahead).kind

    def read_items(self) -> list[Item]:
        found: list[Item] = []
        while self.i < len(self.words):
            start = self.i
            for phrase in self.phrase_readers():
                read = phrase()
                if read is not None:
                    found += read
                    break
                self.i = start
            else:
                found.append(self.words[start])
                self.i += 1
        return found

    def phrase_readers(self) -> Sequence[Callable[[], list[Item] | None]]:
        """The phrase readers, in the order in which they are tried."""
        return self.read_numbered, self.read_unnumbered, self.read_selected

    def read_numbered(self) -> list[Item] | None:
        """Read "rows 1, 3 and 5", "position 4"."""
        noun = "cell" if self.peek_word() == WordToken("of", "at") else self.peek_kind()
        if noun not in ("row", "column", "cell") or self.peek_kind(1) not in ("num", "ord"):
            return None
        if self.peek_kind(1) == "ord" and self.peek_kind(2) in ("row", "column", "cell"):
            return None
        if self.peek_kind() == "of" and (
            self.peek_kind(1) == "ord"
            or self.peek_kind(2) in ("letter", "letters", "cell", "corner", "side", "full")
        ):
            return None
        self.i += 1
        at: set[int] = set()
        while True:
            low = high = self.line_index(self.peek_word().value)
            self.i += 1
            again = 1 + (self.peek_kind(1) == noun)
            if self.peek_kind() == "to" and self.peek_kind(again) in ("num", "ord"):
                high = self.line_index(self.peek_word(again).value)
                self.i += again + 1
            at |= set(range(low, high + 1)) if low else set()
            skip = self.count_joining_words()
            if (
                not skip
                or self.peek_kind(skip) != "num"
                or self.peek_kind(skip + 1) in ("letter", "letters", "full", "empty", "more", "cell", "times")
            ):
                break
            if self.peek_word(skip).text == "one" and self.peek_kind(skip + 1) in ("of", *LINES):
                break
            self.i += skip
        kind = "spot" if noun == "cell" else noun
        return [GridPlace(kind, self.read_counting_end(frozenset(at)), numbered=True)]

    def count_joining_words(self) -> int:
        """Count the words that join this item to the next of a list."""
        skip = 1 if self.peek_kind() == "comma" and self.peek_word().text != ":" else 0
        return skip + (self.peek_kind(skip) == "and")

    def line_index(self, value: int) -> int:
        """Convert a number from either end to one from 1; 0 where the grid has no such line."""
        value = value if value > 0 else self.size + 1 + value
        return value if 1 <= value <= self.size else 0

    def read_counting_end(self, at: frozenset[int]) -> frozenset[int]:
        """Read "from the bottom" and count from that end."""
        if (
            self.peek_kind() == "of"
            and self.peek_word().text == "from"
            and self.peek_kind(1) in ("side", "ends", "ord")
        ):
            backwards = (
                self.peek_word(1).text in LAST or self.peek_kind(1) == "ends" or self.peek_word(1).value == -1
            )
            if self.peek_word(1).text in (*LAST, *FIRST) or backwards:
                self.i += 2
                return frozenset(self.size + 1 - i for i in at) if backwards else at
        return at

    def read_unnumbered(self) -> list[Item] | None:
        """Read places that need no number: corners, diagonals, the border, everything, the rest."""
        start, kind, size = self.i, self.peek_kind(), self.size
        corners = frozenset({(1, 1), (1, size), (size, 1), (size, size)})
        if kind in ("all", "everything") and self.peek_kind(1) == "other":
            self.i += 1
            kind = "other"
        if kind == "other":
            self.i += 1
            self.i += self.peek_kind() == "of"
            number = self.peek_word().value if self.peek_kind() == "num" else 0
            self.i += self.peek_kind() == "num"
            noun = (
                self.peek_kind() if self.peek_kind() in ("row", "column", "cell", "letters", "corner") else ""
            )
            self.i += bool(noun)
            return [GridPlace("other", frozenset({number} if number else ()), text=noun)]
        if kind == "everything":
            self.i += 1
            return [GridPlace("cells", cells=self.grid, text="everything")]
        if kind in ("everyother", "odd", "even"):
            return self.read_alternating()
        if kind in ("falling", "rising", "bothdiagonals"):
            self.i += 1
            falling = frozenset((i, i) for i in self.every)
            rising = frozenset((size + 1 - i, i) for i in self.every)
            return [
                GridPlace("cells", cells={"falling": falling, "rising": rising}.get(kind, falling | rising))
            ]
        if kind == "diagonal":
            self.i += 1
            return [] if self.which else [WordToken("shape", "diagonal")]
        if kind == "pair" and self.peek_word().text.replace(",", "").isdecimal():
            row, column = (int(part) for part in self.peek_word().text.split(","))
            self.i += 1
            return [GridPlace("cells", cells=frozenset({(row, column)}) & self.grid)]
        if kind == "border":
            self.i += 1
            return [GridPlace("cells", cells=frozenset(cell for cell in self.grid if {*cell} & {1, size}))]
        if kind == "starting" and self.alternating and self.peek_kind(1) in ("ord", "side"):
            self.i += 2
            return []
        if kind in ("ends", "end", "starting", "ending"):
            self.i += 1
            return [
                GridPlace(
                    "spot", frozenset({"starting": {1}, "ending": {size}, "end": {size}}.get(kind, {1, size}))
                )
            ]
        if (
            kind == "num"
            and self.peek_kind(1 + (self.peek_kind(1) == "of")) == "corner"
            and self.peek_word().value < 4
        ):
            number = self.peek_word().value
            self.i += 2 + (self.peek_kind(1) == "of")
            return [WordToken("corners", value=number)]
        self.i += kind == "all"
        self.i += (
            self.peek_kind() == "num" and self.peek_kind(1) in ("row", "column", "corner") and kind == "all"
        )
        self.i += self.peek_kind() == "of" and kind == "all"
        self.i += self.peek_kind() == "num" and self.peek_word().value == 4 and self.peek_kind(1) == "corner"
        noun = self.peek_kind()
        if noun == "corner":
            self.i += 1
            return [GridPlace("cells", cells=corners, text="corner")]
        if kind == "all" and noun in ("row", "column", "cell") and self.peek_kind(1) not in ("num", "ord"):
            self.i += 1
            return [GridPlace("spot" if noun == "cell" else noun, self.every, text="all")]
        self.i = start
        return None

    def read_alternating(self) -> list[Item] | None:
        kind = self.peek_kind()
        noun = self.peek_kind(1)
        if noun not in ("row", "column"):
            self.i += 1
            if kind == "everyother" and noun == "cell":
                self.i += 1
                return [GridPlace("other", text="cell")]
            return []
        self.i += 2
        self.alternating = True
        odd = kind != "even"
        for ahead in range(8):
            if self.peek_kind(ahead) in ("starting", "of") and self.peek_word(ahead + 1) == WordToken(
                "ord", value=2
            ):
                odd = False
        return [GridPlace(noun, frozenset(i for i in self.every if i % 2 == odd))]

    def read_selected(self) -> list[Item] | None:
        """Read "the first and the last column", "top two cells", "bottom left corner"."""
        first = self.read_selector()
        if first is None:
            return None
        chosen = [first]
        while True:
            start = self.i
            skip = self.count_joining_words() or (1 if self.peek_kind() == "to" else 0)
            ranged = self.peek_kind() == "to"
            self.i += skip
            another = self.read_selector() if skip else None
            if another is None:
                self.i = start
                break
            if ranged and first.at and another.at:
                another = LineSelector(frozenset(range(min(chosen[-1].at), max(another.at) + 1)))
            chosen.append(another)
        noun = self.peek_kind()
        if noun == "half":
            self.i += 1
            return [self.half_grid(selector) for selector in chosen]
        if noun in ("row", "column", "cell", "letters", "letter", "corner", "edge", "border", "end"):
            self.i += 1
        else:
            self.i += self.peek_word().text in ("one", "ones")
            noun = ""
        found: list[Item] = []
        for place in (self.make_place(selector, noun) for selector in chosen):
            last = found[-1] if found else None
            if (
                isinstance(last, GridPlace)
                and last.kind == place.kind
                and place.kind in ("row", "column", "spot")
            ):
                found[-1] = GridPlace(place.kind, last.at | place.at, text=place.text)
            else:
                found.append(place)
        return found

    def half_grid(self, selector: LineSelector) -> GridPlace:
        side = selector.sides[0] if selector.sides else "left"
        return GridPlace(
            "side",
            frozenset(
                i for i in self.every if (2 * i < self.size + 1) == (side in FIRST) and 2 * i != self.size + 1
            ),
            text=side,
        )

    def read_selector(self) -> LineSelector | None:
        word, after = self.peek_word(), self.peek_word(1)
        if word.kind == "num" and (
            (after.kind == "side" and after.text != "middle")
            or (after.kind == "ord" and abs(after.value) == 1)
        ):
            self.i += 2
            return self.select_block(after, word.value)
        if word.kind not in ("side", "ord"):
            return None
        self.i += 1
        if (
            after.kind == "num"
            and self.peek_kind(1) in ("row", "column", "cell", "letters", "corner")
            and word.text != "middle"
        ):
            self.i += 1
            if self.peek_kind() != "corner":
                return self.select_block(word, after.value)
            return self.select_one(word)
        if word.kind == "side" and after.kind == "side" and after.text != word.text:
            self.i += 1
            return LineSelector(frozenset(), (word.text, after.text))
        return self.select_one(word)

    def select_one(self, word: WordToken) -> LineSelector:
        if word.kind == "side":
            index = {"top": 1, "left": 1, "bottom": self.size, "right": self.size}
            return LineSelector(
                frozenset({index[word.text]}) if word.text in index else self.middle, (word.text,)
            )
        index_ = self.line_index(word.value)
        return LineSelector(self.read_counting_end(frozenset({index_} if index_ else ())))

    def select_block(self, word: WordToken, count: int) -> LineSelector:
        count = min(count, self.size)
        last = word.text in LAST or word.value == -1
        start = self.size + 1 - count if last else max(word.value, 1)
        sides = (word.text,) if word.kind == "side" else ()
        return LineSelector(frozenset(range(start, min(start + count, self.size + 1))), sides)

    def make_place(self, selector: LineSelector, noun: str) -> GridPlace:
        size = self.size
        if len(selector.sides) == 2:
            rows = self.side_lines(selector.sides, "row")
            columns = self.side_lines(selector.sides, "column")
            return GridPlace("cells", cells=frozenset((r, c) for r in rows for c in columns), text="corner")
        side = selector.sides[0] if selector.sides else ""
        if noun == "corner" and side not in ("", "middle"):
            axis = "row" if side in FIRST[:1] + LAST[:1] else "column"
            return GridPlace(
                "cells", cells=place_cross_cells(axis, selector.at, frozenset({1, size})), text="corner"
            )
        if noun in ("row", "column") and (not side or side in _SIDES[noun]):
            return GridPlace(noun, self.read_counting_end(selector.at))
        if noun in ("edge", "border") and side in ("top", "bottom", "left", "right"):
            return GridPlace("row" if side in _SIDES["row"] else "column", selector.at)
        if noun in ("cell", "letters", "letter", "end") or not side or side == "middle":
            return GridPlace("spot", self.read_counting_end(selector.at), text=side)
        return GridPlace("side", selector.at, text=side)

    def side_lines(self, sides: tuple[str, ...], axis: str) -> frozenset[int]:
        index = {"top": 1, "left": 1, "bottom": self.size, "right": self.size}
        return next(
            (frozenset({index[side]}) for side in sides if side in _SIDES[axis] and side in index),
            self.middle,
        )
