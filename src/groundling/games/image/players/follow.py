"""The rule follower: instructions in everyday English, carried out on a canvas. What is not understood changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from string import ascii_uppercase

from msgspec import Struct

from ....boards.english.drawn import drawings
from ....boards.english.lexicon import Word
from ....boards.english.places import Item, Place, line_cells
from ....boards.english.words import LONGEST, words
from ....boards.letters import Grid
from .where import Cells, Named, Where, named_places

_LETTERS = frozenset(ascii_uppercase)
_VERBS = ("put", "clear", "replace", "leave", "copy", "wipe")
_JOINTS = ("of", "comma", "and", "to")
_LINES = ("row", "column")
_LONG = 120  # no command has more words; without this, endless lists would be read over and over


def follow(told: Sequence[str], size: int, canvas: Grid | None = None) -> Grid:
    """The canvas after the last instruction; without one, all are carried out from an empty grid on."""
    hand = _Hand(size)
    for text in told[:-1]:
        hand.hear(text)
    if canvas is not None:
        hand.canvas = dict(canvas.filled)
    if told:
        hand.hear(told[-1])
    span = range(1, size + 1)
    return Grid.of_rows("".join(hand.canvas.get((r, c), ".") for c in span) for r in span)


@lru_cache(2048)
def _sentences(text: str, size: int) -> tuple[tuple[Item, ...], ...]:
    text = re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", text[:LONGEST]))
    found: list[list[Item]] = []
    sentence: list[Word] = []
    listed = False
    for word in [*drawings(words(text, size, _LETTERS, commands=True), size), Word("stop")]:
        if word.kind != "stop":
            sentence.append(word)
            continue
        items = named_places(sentence, size)
        # "Put X in row 1, column 2; row 3, column 4": what says only where goes on with what was said before.
        if listed and found and all(isinstance(item, Place) or item.kind in _JOINTS for item in items):
            found[-1] += [Word("and"), *items]
        else:
            found.append(items)
        sentence, listed = [], word.text == ";"
    return tuple(tuple(items) for items in found if items)


def _kinds(items: Sequence[Item]) -> set[str]:
    return {item.kind for item in items if isinstance(item, Word)}


def _commands(items: Sequence[Item]) -> Iterator[list[Item]]:
    """A sentence parted where a new verb begins; a place right before a verb belongs to that verb."""
    current: list[Item] = []
    for item in items:
        verb = isinstance(item, Word) and (item.kind in (*_VERBS, "then", "break") or len(current) > _LONG)
        if verb and _kinds(current) & {*_VERBS, "letter", "empty", "drawn", "except", "same"}:
            kept: list[Item] = []
            while isinstance(item, Word) and item.kind in _VERBS and current and isinstance(current[-1], Place):
                kept.insert(0, current.pop())
            if kept and not _kinds(current) & {"letter", "empty", "drawn"}:
                current, kept = current + kept, []
            if kept and not any(isinstance(one, Place) for one in current):
                current, kept = current + kept, []
            yield current
            current = kept
        current.append(item)
    yield current


class _Deed(Struct, frozen=True):
    """What was done last, for "the same"."""

    letter: str
    cells: Cells
    line: Place | None


class _Pair(Struct, frozen=True):
    letter: str | None
    named: tuple[Named, ...]
    count: int = 0


class _Hand:
    def __init__(self, size: int) -> None:
        self.size = size
        self.canvas: dict[tuple[int, int], str] = {}
        self.grid = line_cells("row", frozenset(range(1, size + 1)), size)
        self.letter: str | None = None
        self.deed: _Deed | None = None
        self.line: Place | None = None
        self.before: dict[tuple[int, int], str] = {}
        self.stated: set[tuple[int, int]] = set()

    def hear(self, text: str) -> None:
        self.before = dict(self.canvas)
        self.stated = set()
        loose: list[str] = []
        for sentence in _sentences(text, self.size):
            self.line = None
            for command in _commands(sentence):
                loose += self.carry_out(command)
        if loose and len(loose) % self.size == 0:
            for number, row in enumerate(loose[: self.size], 1):
                self.write_line("row", number, row)

    def carry_out(self, items: list[Item]) -> list[str]:
        """Do what a command says; gives back the rows it draws without saying which they are."""
        kinds = _kinds(items)
        drawn = [item.text for item in items if isinstance(item, Word) and item.kind == "drawn"]
        if kinds & {"untouched"}:
            return []
        if drawn:
            return self.draw_lines(items, drawn)
        if "wipe" in kinds:
            self.apply(self.grid, ".")
        elif kinds & {"copy", "alike"} and self.copy(items, "copy" in kinds):
            pass
        elif kinds & {"replace", "into"} and self.replace(items):
            pass
        else:
            self.draw(items, kinds)
        return []

    def draw_lines(self, items: list[Item], drawn: list[str]) -> list[str]:
        lines = [item for item in items if isinstance(item, Place) and item.kind in (*_LINES, "side")]
        lines = [line for line in lines if line.kind != "side" or line.text in ("top", "bottom", "left", "right")]
        axes = [("row" if line.text in ("top", "bottom") else "column") if line.kind == "side" else line.kind for line in lines]
        where = [(axis, i) for line, axis in zip(lines, axes, strict=True) for i in sorted(line.at)]
        if not where:
            return drawn
        for number, (axis, i) in enumerate(where):
            self.write_line(axis, i, drawn[min(number, len(drawn) - 1)])
        return []

    def write_line(self, axis: str, i: int, line: str) -> None:
        for j, mark in enumerate(line, 1):
            self.apply(frozenset({(i, j) if axis == "row" else (j, i)}), mark)

    def copy(self, items: list[Item], forwards: bool) -> bool:
        lines = [item for item in items if isinstance(item, Place) and item.kind in _LINES]
        if len(lines) != 2 or lines[0].kind != lines[1].kind:
            return False
        source, goal = lines if forwards else lines[::-1]
        if len(source.at) != 1:
            return False
        for j in range(1, self.size + 1):
            held = self.canvas.get((min(source.at), j) if source.kind == "row" else (j, min(source.at)), ".")
            self.apply(frozenset((i, j) if goal.kind == "row" else (j, i) for i in goal.at), held)
        return True

    def replace(self, items: list[Item]) -> bool:
        """ "Replace A with B", "change the X in row 1 to Y"; with one letter, whatever the places hold becomes that."""
        marks = [_mark(item) for item in items if _mark(item)]
        cells = self.where(items).cells(list(_named(items)))
        if not marks or len(marks) > 2:
            return False
        swap = any(isinstance(item, Word) and item.text == "swap" for item in items)
        old, new = (marks[0], marks[1]) if len(marks) == 2 else (None, marks[0])
        if old is None:
            if not cells:
                return False
            self.apply(cells, new)
            return True
        scope = cells or self.grid
        held = frozenset(cell for cell in scope if self.canvas.get(cell, ".") == old)
        other = frozenset(cell for cell in scope if self.canvas.get(cell, ".") == new)
        self.apply(held or (cells if len(cells) == 1 else held), new)
        if swap:
            self.apply(other, old)
        return True

    def draw(self, items: list[Item], kinds: set[str]) -> None:
        parts = _split(items)
        main = self.relettered(parts[0])
        named = list(_named(main))
        clearing = "clear" in kinds
        pairs = list(_pairs(main, clearing))
        spoken = bool(kinds & {"put", "clear", "leave", "same", "full"}) or any(pair.letter for pair in pairs) or len(parts) > 1
        for item in main:
            if isinstance(item, Word) and item.kind == "letter" and not clearing:
                self.letter = item.text
        if not spoken and not any(item == Word("and", "also") for item in main[:2]):
            self.where(main).cells(named)
            self.remember(main, named)
            return
        if any(one.place.text == "alternate" for one in named) and len({pair.letter for pair in pairs} - {None, "."}) == 2:
            self.alternate(main, [pair.letter for pair in pairs if pair.letter])
            return
        for number, pair in enumerate(pairs):
            following = pairs[number + 1] if number + 1 < len(pairs) else None
            if following and following.letter == "." and any(one.place.text == "checks" for one in pair.named):
                # "A checkerboard, top left empty": the other half of the cells is meant.
                pair = _Pair(pair.letter, (*pair.named, Named(Place("cells", cells=self.beside(following)))), pair.count)
            self.draw_pair(pair, parts, kinds, clearing)

    def beside(self, pair: _Pair) -> Cells:
        """A cell next to the only one of a pair."""
        cells = self.where([]).cells(pair.named)
        return frozenset((r, c + 1 if c < self.size else c - 1) for r, c in cells) if len(cells) == 1 else frozenset()

    def alternate(self, items: list[Item], letters: list[str]) -> None:
        cells = self.where(items).cells([one for one in _named(items) if one.place.text != "alternate"])
        for number, cell in enumerate(sorted(cells)):
            self.apply(frozenset({cell}), letters[number % 2])

    def draw_pair(self, pair: _Pair, parts: list[list[Item]], kinds: set[str], clearing: bool) -> None:
        where = self.where(parts[0])
        rest = next((one.place for one in pair.named if one.place.kind == "other"), None)
        cells = where.cells([one for one in pair.named if one.place.kind not in ("other", "free")])
        mark = "." if clearing else pair.letter
        if any(one.place.kind == "free" for one in pair.named):
            scope = cells or self.grid
            cells = frozenset(cell for cell in scope if cell not in self.canvas)
        elif rest is not None:
            cells = self.rest(rest, cells, mark, clearing)
        elif clearing and pair.letter and pair.letter != ".":
            scope = cells or self.grid
            cells = frozenset(cell for cell in scope if self.canvas.get(cell) == pair.letter)
        if not cells and len(parts) > 1 and not pair.named:
            cells = self.grid if mark else frozenset()
        if pair.count > 1 and len(cells) == 1:
            cells = self.run(pair, cells, where)
        if where.line is not None:
            self.line = where.line
        if kinds & {"not"} or ("leave" in kinds and mark is None):
            if kinds & {"put", "leave"}:
                self.restore(cells)
            return
        if mark is None:
            mark, cells = self.same(cells, where, kinds)
        spared: Cells = frozenset()
        others: list[tuple[Cells, str]] = []
        for part in parts[1:]:
            left = self.where(part).cells(list(_named(part)))
            spared |= left
            others += [(left, _mark(item)) for item in part if _mark(item)]
        if mark is not None and (cells - spared):
            self.apply(cells - spared, mark)
            self.stated |= spared
            self.deed = _Deed(mark, cells - spared, where.line)
        for left, instead in others:
            self.apply(left, instead)

    def rest(self, place: Place, scope: Cells, mark: str | None, clearing: bool) -> Cells:
        """ "Leave the rest empty" is no change; "clear the rest" and "fill the rest with X" are."""
        scope = scope or self.grid
        if place.text in _LINES:
            axis = _LINES.index(place.text)
            touched = {cell[axis] for cell in self.stated}
            scope = frozenset(cell for cell in scope if cell[axis] not in touched)
        if mark == ".":
            return scope - self.stated if clearing else frozenset()
        return frozenset(cell for cell in scope if cell not in self.canvas and cell not in self.stated)

    def run(self, pair: _Pair, cells: Cells, where: Where) -> Cells:
        """ "Three X's in the middle of row 2": as many cells of that line as were said."""
        row, column = next(iter(cells))
        axis = next((one.place.kind for one in pair.named if one.place.kind in _LINES), None)
        if axis is None or pair.count > self.size:
            return cells
        at = column if axis == "row" else row
        middle = any(one.place.text == "middle" for one in pair.named)
        low = at - (pair.count - 1) // 2 if middle else min(at, self.size + 1 - pair.count)
        span = range(low, low + pair.count)
        return frozenset((row, i) if axis == "row" else (i, column) for i in span) & self.grid

    def same(self, cells: Cells, where: Where, kinds: set[str]) -> tuple[str | None, Cells]:
        """No letter was said: the last one, and for "the same" also the cells of the line that were meant then."""
        deed = self.deed
        if "same" not in kinds or deed is None:
            return self.letter, cells
        line = where.line
        for axis, kind in enumerate(_LINES):
            whole = line is not None and line.kind == kind and cells == line_cells(kind, line.at, self.size)
            old = {cell[axis] for cell in deed.cells}
            if whole and line is not None and len(old) == 1:
                across = {cell[1 - axis] for cell in deed.cells}
                cells = frozenset(cell for cell in cells if cell[1 - axis] in across)
        return deed.letter, cells

    def where(self, items: Sequence[Item]) -> Where:
        said = set()
        for number, item in enumerate(items):
            if isinstance(item, Word):
                said |= {item.kind, item.text}
                if item.kind in _LINES:
                    said.add(f"bare {item.kind}")
            elif item.kind == "block":
                said.add("block")
            elif item.kind == "shape":
                said |= {"diagonal"} if item.text == "diagonal" else {"block"} if item.text == "square" else {f"shape {item.text}"}
            elif item.text in ("border", "corner"):
                said |= {item.text} if number else set()
        return Where(self.size, self.line, frozenset(said), self.deed.cells if self.deed else frozenset())

    def relettered(self, items: list[Item]) -> list[Item]:
        """ "Make an X in the corner" draws no X shape."""
        lettered = any(_mark(item) for item in items)
        places = [item for item in items if isinstance(item, Place)]
        shaped = [place for place in places if place.kind == "shape" and len(place.text) == 1]
        if lettered or len(shaped) != 1 or len(places) < 2:
            return items
        return [Word("letter", item.text) if item in shaped and isinstance(item, Place) else item for item in items]

    def remember(self, items: Sequence[Item], named: Sequence[Named]) -> None:
        lines = [one.place for one in named if one.place.kind in _LINES]
        if len(lines) == 1:
            self.line = lines[0]

    def apply(self, cells: Cells, mark: str) -> None:
        for cell in cells:
            if mark == ".":
                self.canvas.pop(cell, None)
            else:
                self.canvas[cell] = mark
        self.stated |= cells

    def restore(self, cells: Cells) -> None:
        for cell in cells:
            self.apply(frozenset({cell}), self.before.get(cell, "."))


def _mark(item: Item) -> str:
    if isinstance(item, Word) and item.kind == "letter":
        return item.text
    return "." if isinstance(item, Word) and item.kind in ("empty", "void", "no") else ""


def _split(items: Sequence[Item]) -> list[list[Item]]:
    """What is meant, and what is spared; "all but the centre with X" says the letter late."""
    parts: list[list[Item]] = [[]]
    for item in items:
        if isinstance(item, Word) and item.kind == "except":
            parts.append([])
        elif _mark(item) and len(parts) > 1 and not any(map(_mark, parts[0])):
            parts[0].append(item)
        else:
            parts[-1].append(item)
    return parts


def _named(items: Sequence[Item]) -> Iterator[Named]:
    joint: set[str] = set()
    for item in items:
        if isinstance(item, Place):
            yield Named(item, frozenset(joint))
            joint = set()
        elif item.kind in _JOINTS:
            joint |= {item.kind, "colon"} if item.text == ":" else {item.kind}


def _pairs(items: Sequence[Item], clearing: bool) -> Iterator[_Pair]:
    """Which letter goes where: "X in …, Y in …", "… with X and … with Y", or "row 1 has X in …, Y in …"."""
    marks: list[tuple[int, str, int]] = []
    for number, item in enumerate(items):
        mark = _mark(item)
        if mark and not (marks and mark == marks[-1][1] == "."):
            before = items[number - 1] if number else None
            count = before.value if isinstance(before, Word) and before.kind == "num" else 0
            marks.append((number, mark, count))
    if len(marks) < 2:
        yield _Pair(marks[0][1] if marks else None, tuple(_named(items)), marks[0][2] if marks else 0)
        return
    lead = list(_named(items[: marks[0][0]]))
    tails = [list(_named(items[start[0] : end])) for start, end in zip(marks, [*(m[0] for m in marks[1:]), len(items)], strict=True)]
    if not lead:
        for (_, mark, count), tail in zip(marks, tails, strict=True):
            yield _Pair(mark, tuple(tail), count)
    elif tails[-1] and tails[0] and "of" in tails[0][0].joint:
        for (_, mark, count), tail in zip(marks, tails, strict=True):
            yield _Pair(mark, (*lead, *(Named(one.place, one.joint - {"and"}) for one in tail[:1]), *tail[1:]), count)
    else:
        heads = [lead, *tails[:-1]]
        for number, ((_, mark, count), head) in enumerate(zip(marks, heads, strict=True)):
            yield _Pair(mark, tuple(head + (tails[-1] if number == len(marks) - 1 else [])), count)
