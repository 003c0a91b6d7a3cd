"""Reads free English as claims: what each clause says about which place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from groundling.boards.english.drawn import drawings
from groundling.boards.english.lexicon import Word
from groundling.boards.english.places import Item, Place, crossed, line_cells, places
from groundling.boards.english.words import LONGEST, words
from groundling.boards.letters import Cell
from groundling.games.reference.players.claims import (
    Axis,
    Claim,
    Count,
    Drawn,
    Extreme,
    Holds,
    Like,
    Lines,
    Symmetric,
)

_SYMMETRY = re.compile(r"(\bnot\s+|\bno\s+|n['’]t\s+|\ba)?\s*symmetr\w*(?:[ -]\w+){0,7}", re.I)
_HINT = 0.1  # the weight of what is likely but was not said: it only breaks ties
_LONG = 80  # no clause has more words; without this, endless lists would be read over and over
_JOINTS = ("comma", "and", "break", "with", "which", "then")
_WHOLLY = ("full", "complete", "completely", "entirely", "fully", "gapless", "intact")
_STATES = ("full", "empty", "letter", "drawn", "no", "not")


def understand(text: str, size: int, letters: frozenset[str]) -> list[Claim]:
    """Read what a text claims about a grid of this size, in a lineup with these letters."""
    text = re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", text[:LONGEST]))
    found: list[Claim] = [_symmetric(match) for match in _SYMMETRY.finditer(text)]
    reader = _Reader(size)
    items = places(drawings(words(_SYMMETRY.sub(" ", text), size, letters), size), size)
    for sentence in _split(items, ("stop",)):
        reader.sentence(sentence)
    return list(dict.fromkeys(found + reader.finish()))


def _symmetric(match: re.Match[str]) -> Symmetric:
    text = match[0].lower()
    axis: Axis | None = None
    if re.search("left|right|vertical|side", text):
        axis = "column"
    elif re.search("top|bottom|horizontal|up", text):
        axis = "row"
    return Symmetric(axis, not match[1])


def _split(items: Sequence[Item], kinds: tuple[str, ...]) -> Iterator[list[Item]]:
    """Split at words of these kinds; each part but the first starts with such a word."""
    start = 0
    for number, item in enumerate(items):
        if isinstance(item, Word) and item.kind in kinds:
            yield list(items[start:number])
            start = number
    yield list(items[start:])


def _has(items: Sequence[Item], *kinds: str) -> bool:
    return any(isinstance(item, Word) and item.kind in kinds for item in items)


def _places(items: Sequence[Item]) -> list[Place]:
    return [item for item in items if isinstance(item, Place)]


def _counts(items: Sequence[Item]) -> Iterator[tuple[int, Word]]:
    """Find numbers together with the noun that they count."""
    kept = [item for item in items if not (isinstance(item, Word) and item.kind in ("full", "of", "verb"))]
    for one, two, three in zip(kept, kept[1:], [*kept[2:], Word("stop")], strict=False):
        if isinstance(one, Word) and isinstance(two, Word) and one.kind == "num":
            if two.kind in ("letter", "letters", "cell", "empty", "row", "column"):
                yield (
                    one.value,
                    three
                    if two.kind == "empty" and isinstance(three, Word) and three.kind in ("row", "column")
                    else two,
                )
            elif two.kind == "times":
                yield one.value, Word("letters")


class _Reader:
    def __init__(self, size: int) -> None:
        self.size = size
        self.every = frozenset(range(1, size + 1))
        self.grid = line_cells("row", self.every, size)
        self.claims: list[Claim] = []
        self.stated: set[Cell] = set()
        """The cells that the text has described, so that "the rest" are the others."""
        self.named: dict[str, frozenset[int]] = {"row": frozenset(), "column": frozenset()}
        self.line: Place | None = None
        self.before: list[frozenset[Cell]] = []
        self.rests: list[tuple[Place, bool]] = []
        self.loose: list[str] = []

    def sentence(self, items: list[Item]) -> None:
        self.line = None
        for clause in self.clauses(items):
            self.clause(clause)

    def clauses(self, items: list[Item]) -> Iterator[list[Item]]:
        """Join the chunks between commas and "and"s until each says something about some place."""
        chunks = [chunk for chunk in _split(items, _JOINTS) if chunk]
        current: list[Item] = []
        for number, chunk in enumerate(chunks):
            following = chunks[number + 1] if number + 1 < len(chunks) else []
            if len(current) > _LONG or (current and self.parted(current, chunk, following)):
                yield current
                current = []
            current = current + chunk
        if current:
            yield current

    def parted(self, current: list[Item], chunk: list[Item], following: list[Item]) -> bool:
        """Whether this chunk starts a clause of its own."""
        said = _has(current, *_STATES) or any(_counts(current))
        says = _has(chunk, *_STATES) or any(_counts(chunk))
        if _has(chunk, "which") or (_has(chunk, "other") and says):
            return True
        if any(place.kind == "other" for place in _places(chunk)):
            return said
        if not _places(current) and not _has(current, "corners"):
            return (
                said
                and says
                and (bool(_places(chunk)) or any(_counts(chunk)))
                and not _has(chunk[:1], "with")
            )
        if not said:
            return False
        if says:
            return bool(_places(chunk)) or any(_counts(chunk)) or _has(chunk, "break")
        if not _places(chunk) or _has(chunk, "same"):
            return False
        opening = [
            item for item in chunk if not (isinstance(item, Word) and item.kind in ("and", "comma", "all"))
        ]
        if opening and isinstance(opening[0], Word) and opening[0].kind in ("of", "only", "except"):
            return False
        return (
            _has(following, *_STATES)
            and opening[0] in _places(chunk)
            and not _has(following, "break", "which")
        )

    def clause(self, items: list[Item]) -> None:
        for item in items:
            if isinstance(item, Word) and item.kind == "shape":
                self.claims.append(Like(item.text))
        if _has(items, "most", "fewest") and self.extreme(items):
            return
        parts = list(_split(items, ("except",)))
        filled, sure = self.state(items)
        letter = next((item.text for item in items if isinstance(item, Word) and item.kind == "letter"), None)
        targets, lines = self.targets(parts[0], _has(items, "same"))
        spared: list[frozenset[Cell]] = []
        for part in parts[1:]:
            spared += self.targets(part, True)[0]
        drawn = [item.text for item in items if isinstance(item, Word) and item.kind == "drawn"]
        counts = [] if _has(items, "more") else list(_counts(items))
        corners = next(
            (item.value for item in items if isinstance(item, Word) and item.kind == "corners"), None
        )
        if _has(items, "which") and not targets:
            targets = self.before
        rest = next((place for place in _places(items) if place.kind == "other"), None)
        if drawn:
            self.drawn(drawn, lines)
        elif rest is not None:
            self.rest(rest, lines, filled)
        elif spared:
            self.spare(targets or [self.grid], spared, filled, letter)
        elif corners is not None:
            n = self.size
            self.claims.append(Count(frozenset({(1, 1), (1, n), (n, 1), (n, n)}), corners, corners, filled))
        else:
            exact = self.count(counts, targets, lines, filled, items)
            if exact and all(target in self.whole(lines) for target in targets):
                targets = []
            if targets and (sure or not counts):
                self.hold(targets, filled, letter, items, sure)
            elif (
                not targets
                and not counts
                and any(isinstance(item, Word) and item.text == "gapless" for item in items)
            ):
                self.claims.append(Extreme(True, 0.5))
        self.before = spared or targets or self.before

    def state(self, items: list[Item]) -> tuple[bool, bool]:
        """Return filled or empty, and whether that was said explicitly."""
        negated = _has(items, "not")
        if _has(items, "empty"):
            return negated or _has(items, "no"), True
        if _has(items, "no"):
            return False, True
        return not negated, negated or _has(items, "full", "letter", "letters", "only")

    def targets(self, items: list[Item], same: bool) -> tuple[list[frozenset[Cell]], list[Place]]:
        """Find the cells that a clause is about, and the lines in which it places them."""
        found: list[frozenset[Cell]] = []
        lines: list[Place] = []
        used = False
        loose: list[Place] = []
        between: set[str] = set()
        for item in items:
            if isinstance(item, Word):
                between.add(item.kind)
                continue
            axis = self.line.kind if self.line else None
            if item.kind == "side" or (
                item.kind == "spot" and same and axis and item.text in ("", "top", "bottom", "left", "right")
            ):
                item = self.sided(item, same, lines)
            if item.kind in ("row", "column"):
                across = next((line for line in reversed(lines) if line.kind != item.kind), None)
                inherited = (
                    self.line
                    if not lines and self.line and self.line.kind != item.kind and "verb" not in between
                    else None
                )
                if (
                    across
                    and between & {"verb", "of", "full", "empty", "letter", "no", "only"}
                    and not between <= {"and", "comma", "of"}
                ):
                    found.append(crossed(across.kind, across.at, item.at))
                    used = True
                elif inherited and "of" in between and between & {"letter", "comma", "and"}:
                    found.append(crossed(inherited.kind, inherited.at, item.at))
                    lines.append(inherited)
                    used = True
                elif across and "comma" in between and "and" not in between and "of" in between:
                    found.append(crossed(across.kind, across.at, item.at))
                    used = True
                else:
                    lines.append(item)
                    self.line = item
                    self.named[item.kind] |= item.at
            elif item.kind == "spot":
                line = lines[-1] if lines else (None if item.text in ("middle", "all") else self.line)
                if line is None:
                    loose.append(item)
                else:
                    found.append(crossed(line.kind, line.at, item.at))
                    lines = lines or [line]
                    used = True
            elif item.kind == "cells":
                inside = (
                    item.cells.intersection(*self.whole(lines))
                    if item.text == "corner" and "of" in between
                    else frozenset()
                )
                used = used or bool(lines and inside)
                found.append(inside or item.cells)
                if item.line:
                    self.line = Place(item.line[0], item.line[1])
            between = set()
        for spot in loose:
            found += self.anywhere(spot)
        if not used:
            found += [line_cells(line.kind, line.at, self.size) for line in lines]
        return [cells for cells in found if cells], lines

    def sided(self, item: Place, same: bool, lines: list[Place]) -> Place:
        """Resolve "on the left" to a cell of the current row, else to a column."""
        axis = "row" if item.text in ("top", "bottom") else "column"
        line = lines[-1] if lines else self.line
        if line and same and (not item.text or line.kind == axis):
            return Place(line.kind, item.at)
        if not item.text or (line and line.kind != axis):
            return Place("spot", item.at, text=item.text)
        return Place(axis, item.at)

    def anywhere(self, spot: Place) -> list[frozenset[Cell]]:
        """Resolve a spot without a line: the centre, the first cell of the grid, every cell."""
        if spot.text == "all":
            return [self.grid]
        if spot.text == "middle":
            return [crossed("row", spot.at, spot.at)]
        if self.line:
            return [crossed(self.line.kind, self.line.at, spot.at)]
        return [frozenset((i, i) for i in spot.at if i in (1, self.size))]

    def whole(self, lines: list[Place]) -> list[frozenset[Cell]]:
        return [line_cells(line.kind, line.at, self.size) for line in lines]

    def extreme(self, items: list[Item]) -> bool:
        if _has(items, "num") or not _has(items, "letters", "letter", "full", "cell", "empty"):
            return False
        self.claims.append(Extreme(_has(items, "most") != _has(items, "empty")))
        return True

    def count(
        self,
        counts: list[tuple[int, Word]],
        targets: list[frozenset[Cell]],
        lines: list[Place],
        filled: bool,
        items: list[Item],
    ) -> bool:
        for number, noun in counts:
            if noun.kind == "row" or noun.kind == "column":
                if _has(items, "full", "empty", "letter"):
                    self.claims.append(Lines("row" if noun.kind == "row" else "column", number, filled))
                continue
            if not number and noun.kind != "empty":
                filled = True
            letter = noun.text if noun.kind == "letter" else None
            counted = filled if noun.kind in ("cell", "num") else noun.kind != "empty"
            scopes = [
                line_cells(line.kind, frozenset({i}), self.size) for line in lines for i in sorted(line.at)
            ]
            if not lines and not targets and self.line and not _has(items, "total") and not self.there(items):
                scopes = [line_cells(self.line.kind, frozenset({i}), self.size) for i in sorted(self.line.at)]
            if _has(items, "total") and lines:
                scopes = [frozenset().union(*scopes)]
            for scope in scopes or targets or [self.grid]:
                if number > len(scope):
                    scope = self.grid
                low, high = self.bounds(items, number, len(scope))
                self.claims.append(Count(scope, low, high, counted, letter))
                if scope != self.grid:
                    self.stated |= scope
        return bool(counts)

    def there(self, items: list[Item]) -> bool:
        """Whether the clause is about the whole grid, as in "there are nine letters"."""
        return any(isinstance(item, Word) and item.text in ("there", "it") for item in items)

    def bounds(self, items: list[Item], number: int, most: int) -> tuple[int, int]:
        for one, two in pairwise(items):
            if isinstance(one, Word) and isinstance(two, Word) and one.text == "at":
                if two.text == "least":
                    return number, most
                if two.text == "most":
                    return 0, number
        return number, number

    def hold(
        self, targets: list[frozenset[Cell]], filled: bool, letter: str | None, items: list[Item], sure: bool
    ) -> None:
        # In "the frame is broken at the third cell" the larger place only locates the smaller one.
        kept = [cells for cells in targets if not any(other < cells for other in targets)]
        negated = _has(items, "not") and not _has(items, "letter")
        for cells in kept:
            if negated and len(cells) >= self.size and sure:
                self.claims.append(Count(cells, 0 if not filled else 1, len(cells) - (not filled)))
            else:
                self.claims.append(Holds(cells, filled, letter, 1.0 if sure else 0.5))
            self.stated |= cells
        if filled and sure and _has(items, "letter", "verb") and self.line:
            # A text that lists some filled cells of a row usually lists them all.
            whole, cells = line_cells(self.line.kind, self.line.at, self.size), frozenset().union(*kept)
            if cells < whole:
                self.claims.append(Holds(whole - cells, False, weight=_HINT))
        if _has(items, "only") and not negated:
            cells = frozenset().union(*kept)
            scope = self.scope(cells)
            line = (
                self.line
                if self.line and cells == line_cells(self.line.kind, self.line.at, self.size)
                else None
            )
            if filled and line and any(isinstance(item, Word) and item.text in _WHOLLY for item in items):
                # "Only the last row is complete": others may hold letters, but none is full.
                self.claims.append(Lines("row" if line.kind == "row" else "column", len(line.at), True))
            elif scope - cells:
                self.claims.append(Holds(scope - cells, not filled, weight=1.0))
                self.stated |= scope

    def scope(self, cells: frozenset[Cell]) -> frozenset[Cell]:
        """The cells that "only" excludes: of the current line, or of the grid where whole lines are meant."""
        line = self.line
        if line:
            whole = line_cells(line.kind, line.at, self.size)
            if cells < whole:
                return whole
        return self.grid

    def spare(
        self, targets: list[frozenset[Cell]], spared: list[frozenset[Cell]], filled: bool, letter: str | None
    ) -> None:
        left = frozenset().union(*spared)
        base = frozenset().union(*targets) - left
        self.claims.append(Holds(base, filled, letter))
        self.claims += [
            Holds(cells, not filled, weight=1.0 if len(cells) == 1 or not filled else 0.5) for cells in spared
        ]
        self.stated |= base | left

    def drawn(self, patterns: list[str], lines: list[Place]) -> None:
        if not lines:
            self.loose += patterns
            return
        where = [(line.kind, i) for line in lines for i in sorted(line.at)]
        for number, (axis, i) in enumerate(where):
            self.picture(axis, i, patterns[min(number, len(patterns) - 1)])

    def picture(self, axis: str, i: int, pattern: str) -> None:
        spots = {(i, j) if axis == "row" else (j, i): mark for j, mark in enumerate(pattern, 1)}
        for mark in sorted(set(pattern)):
            cells = frozenset(cell for cell, other in spots.items() if other == mark)
            self.claims.append(Holds(cells, mark != ".", None if mark == "." else mark))
        self.stated |= set(spots)

    def rest(self, place: Place, lines: list[Place], filled: bool) -> None:
        line = lines[-1] if lines else self.line
        if place.text in ("row", "column") and not (
            lines and lines[-1].kind == place.text and not self.named[place.text]
        ):
            at = self.every - self.named[place.text]
            self.claims.append(Holds(line_cells(place.text, at, self.size), filled))
            return
        if line and (lines or place.at):
            cells = line_cells(line.kind, line.at, self.size) - self.stated
            if not place.at or len(cells) == len(line.at) * max(place.at):
                self.claims.append(Holds(cells, filled))
                return
        self.rests.append((place, filled))

    def finish(self) -> list[Claim]:
        if self.loose and len(self.loose) % self.size == 0:
            for i, pattern in enumerate(self.loose[: self.size], 1):
                self.picture("row", i, pattern)
        else:
            self.claims += [Drawn(tuple(pattern)) for pattern in self.loose]
        for place, filled in self.rests:
            n = self.size
            scope = frozenset({(1, 1), (1, n), (n, 1), (n, n)}) if place.text == "corner" else self.grid
            if self.stated and scope - self.stated:
                self.claims.append(Holds(scope - self.stated, filled))
        listed = [
            claim.cells
            for claim in self.claims
            if isinstance(claim, Holds) and claim.filled and claim.weight == 1
        ]
        unlisted = self.grid.difference(*listed)
        if len(self.grid - unlisted) > self.size and unlisted:
            self.claims.append(Holds(unlisted, False, weight=_HINT))
        return self.claims
