"""Reads free English as claims: what each clause says about which place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from groundling.boards.english.grid_places import GridPlace, Item, place_cross_cells, place_line_cells
from groundling.boards.english.lexicon import WordToken
from groundling.boards.english.place_phrases import fold_place_phrases
from groundling.boards.english.spelled_rows import fold_spelled_rows
from groundling.boards.english.tokenizer import LONGEST, tokenize_english
from groundling.boards.letter_grid import Cell
from groundling.games.reference.players.claims import (
    Claim,
    CountClaim,
    ExtremeClaim,
    LineAxis,
    ShapeClaim,
    SymmetryClaim,
)
from groundling.games.reference.players.clause_claims import ClauseClaims, has_clause_word

_SYMMETRY = re.compile(r"(\bnot\s+|\bno\s+|n['’]t\s+|\ba)?\s*symmetr\w*(?:[ -]\w+){0,7}", re.I)
_LONG = 80  # no clause has more words; without this, endless lists would be read over and over
_JOINTS = ("comma", "and", "break", "with", "which", "then")
_STATES = ("full", "empty", "letter", "drawn", "no", "not")


@lru_cache(maxsize=1024)
def read_clauses(text: str, size: int, letters: frozenset[str]) -> tuple[Claim, ...]:
    """Read what a text claims about a grid of this size, in a lineup with these letters. Texts come again in
    repeats, in tournaments and in controls."""
    text = re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", text[:LONGEST]))
    found: list[Claim] = [_symmetry_claim(match) for match in _SYMMETRY.finditer(text)]
    reader = _ClauseReader(size)
    items = fold_place_phrases(
        fold_spelled_rows(tokenize_english(_SYMMETRY.sub(" ", text), size, letters), size), size
    )
    for sentence in _split_items(items, ("stop",)):
        reader.read_sentence(sentence)
    return tuple(dict.fromkeys(found + reader.finish_claims()))


def reference_clauses(text: str) -> list[str]:
    """Return the clauses of a description, each as the words that the reader knows."""
    items = fold_place_phrases(tokenize_english(text[:LONGEST], 5, frozenset("X")), 5)
    found = []
    for sentence in _split_items(items, ("stop",)):
        for clause in _ClauseReader(5).split_clauses(sentence):
            while clause and isinstance(clause[0], WordToken) and clause[0].kind in ("stop", *_JOINTS):
                clause = clause[1:]
            found += [str(clause)] if clause else []
    return found


def _symmetry_claim(match: re.Match[str]) -> SymmetryClaim:
    text = match[0].lower()
    axis: LineAxis | None = None
    if re.search("left|right|vertical|side", text):
        axis = "column"
    elif re.search("top|bottom|horizontal|up", text):
        axis = "row"
    return SymmetryClaim(axis, not match[1])


def _split_items(items: Sequence[Item], kinds: tuple[str, ...]) -> Iterator[list[Item]]:
    """Split at words of these kinds; each part but the first starts with such a word."""
    start = 0
    for number, item in enumerate(items):
        if isinstance(item, WordToken) and item.kind in kinds:
            yield list(items[start:number])
            start = number
    yield list(items[start:])


def _select_places(items: Sequence[Item]) -> list[GridPlace]:
    return [item for item in items if isinstance(item, GridPlace)]


def _find_counts(items: Sequence[Item]) -> Iterator[tuple[int, WordToken]]:
    """Find numbers together with the noun that they count."""
    kept = [
        item for item in items if not (isinstance(item, WordToken) and item.kind in ("full", "of", "verb"))
    ]
    for one, two, three in zip(kept, kept[1:], [*kept[2:], WordToken("stop")], strict=False):
        if isinstance(one, WordToken) and isinstance(two, WordToken) and one.kind == "num":
            if two.kind in ("letter", "letters", "cell", "empty", "row", "column"):
                yield (
                    one.value,
                    three
                    if two.kind == "empty"
                    and isinstance(three, WordToken)
                    and three.kind in ("row", "column")
                    else two,
                )
            elif two.kind == "times":
                yield one.value, WordToken("letters")


class _ClauseReader(ClauseClaims):
    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.before: list[frozenset[Cell]] = []

    def read_sentence(self, items: list[Item]) -> None:
        self.line = None
        for clause in self.split_clauses(items):
            self.read_clause(clause)

    def split_clauses(self, items: list[Item]) -> Iterator[list[Item]]:
        """Join the chunks between commas and "and"s until each says something about some place."""
        chunks = [chunk for chunk in _split_items(items, _JOINTS) if chunk]
        current: list[Item] = []
        for number, chunk in enumerate(chunks):
            following = chunks[number + 1] if number + 1 < len(chunks) else []
            if len(current) > _LONG or (current and self.starts_clause(current, chunk, following)):
                yield current
                current = []
            current = current + chunk
        if current:
            yield current

    def starts_clause(self, current: list[Item], chunk: list[Item], following: list[Item]) -> bool:
        """Whether this chunk starts a clause of its own."""
        said = has_clause_word(current, *_STATES) or any(_find_counts(current))
        says = has_clause_word(chunk, *_STATES) or any(_find_counts(chunk))
        if has_clause_word(chunk, "which") or (has_clause_word(chunk, "other") and says):
            return True
        if any(place.kind == "other" for place in _select_places(chunk)):
            return said
        if not _select_places(current) and not has_clause_word(current, "corners"):
            return (
                said
                and says
                and (bool(_select_places(chunk)) or any(_find_counts(chunk)))
                and not has_clause_word(chunk[:1], "with")
            )
        if not said:
            return False
        if says:
            return bool(_select_places(chunk)) or any(_find_counts(chunk)) or has_clause_word(chunk, "break")
        if not _select_places(chunk) or has_clause_word(chunk, "same"):
            return False
        opening = [
            item
            for item in chunk
            if not (isinstance(item, WordToken) and item.kind in ("and", "comma", "all"))
        ]
        if opening and isinstance(opening[0], WordToken) and opening[0].kind in ("of", "only", "except"):
            return False
        return (
            has_clause_word(following, *_STATES)
            and opening[0] in _select_places(chunk)
            and not has_clause_word(following, "break", "which")
        )

    def read_clause(self, items: list[Item]) -> None:
        for item in items:
            if isinstance(item, WordToken) and item.kind == "shape":
                self.claims.append(ShapeClaim(item.text))
        if has_clause_word(items, "most", "fewest") and self.claim_extreme(items):
            return
        parts = list(_split_items(items, ("except",)))
        filled, sure = self.read_state(items)
        letter = next(
            (item.text for item in items if isinstance(item, WordToken) and item.kind == "letter"), None
        )
        targets, lines = self.find_targets(parts[0], has_clause_word(items, "same"))
        spared: list[frozenset[Cell]] = []
        for part in parts[1:]:
            spared += self.find_targets(part, True)[0]
        drawn = [item.text for item in items if isinstance(item, WordToken) and item.kind == "drawn"]
        counts = [] if has_clause_word(items, "more") else list(_find_counts(items))
        corners = next(
            (item.value for item in items if isinstance(item, WordToken) and item.kind == "corners"), None
        )
        if has_clause_word(items, "which") and not targets:
            targets = self.before
        rest = next((place for place in _select_places(items) if place.kind == "other"), None)
        if drawn:
            self.claim_drawn_rows(drawn, lines)
        elif rest is not None:
            self.claim_rest(rest, lines, filled)
        elif spared:
            self.claim_except(targets or [self.grid], spared, filled, letter)
        elif corners is not None:
            n = self.size
            self.claims.append(
                CountClaim(frozenset({(1, 1), (1, n), (n, 1), (n, n)}), corners, corners, filled)
            )
        else:
            exact = self.claim_counts(counts, targets, lines, filled, items)
            if exact and all(target in self.whole_lines(lines) for target in targets):
                targets = []
            if targets and (sure or not counts):
                self.claim_filled(targets, filled, letter, items, sure)
            elif (
                not targets
                and not counts
                and any(isinstance(item, WordToken) and item.text == "gapless" for item in items)
            ):
                self.claims.append(ExtremeClaim(True, 0.5))
        self.before = spared or targets or self.before

    def read_state(self, items: list[Item]) -> tuple[bool, bool]:
        """Return filled or empty, and whether that was said explicitly."""
        negated = has_clause_word(items, "not")
        if has_clause_word(items, "empty"):
            return negated or has_clause_word(items, "no"), True
        if has_clause_word(items, "no"):
            return False, True
        return not negated, negated or has_clause_word(items, "full", "letter", "letters", "only")

    def find_targets(self, items: list[Item], same: bool) -> tuple[list[frozenset[Cell]], list[GridPlace]]:
        """Find the cells that a clause is about, and the lines in which it places them."""
        found: list[frozenset[Cell]] = []
        lines: list[GridPlace] = []
        used = False
        loose: list[GridPlace] = []
        between: set[str] = set()
        for item in items:
            if isinstance(item, WordToken):
                between.add(item.kind)
                continue
            axis = self.line.kind if self.line else None
            if item.kind == "side" or (
                item.kind == "spot" and same and axis and item.text in ("", "top", "bottom", "left", "right")
            ):
                item = self.resolve_side(item, same, lines)
            if item.kind in ("row", "column"):
                across = next((line for line in reversed(lines) if line.kind != item.kind), None)
                stated = between & {"verb", "of", "full", "empty", "letter", "no", "only"}
                listed = between <= {"and", "comma", "of"} and between != {"comma", "of"}
                if across and stated and not listed:
                    found.append(place_cross_cells(across.kind, across.at, item.at))
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
                    found.append(place_cross_cells(line.kind, line.at, item.at))
                    lines = lines or [line]
                    used = True
            elif item.kind == "cells":
                inside = (
                    item.cells.intersection(*self.whole_lines(lines))
                    if item.text == "corner" and "of" in between
                    else frozenset()
                )
                used = used or bool(lines and inside)
                found.append(inside or item.cells)
                if item.line:
                    self.line = GridPlace(item.line[0], item.line[1])
            between = set()
        for spot in loose:
            found += self.resolve_spot(spot)
        if not used:
            found += [place_line_cells(line.kind, line.at, self.size) for line in lines]
        return [cells for cells in found if cells], lines

    def resolve_side(self, item: GridPlace, same: bool, lines: list[GridPlace]) -> GridPlace:
        """Resolve "on the left" to a cell of the current row, else to a column."""
        axis = "row" if item.text in ("top", "bottom") else "column"
        line = lines[-1] if lines else self.line
        if line and same and (not item.text or line.kind == axis):
            return GridPlace(line.kind, item.at)
        if not item.text or (line and line.kind != axis):
            return GridPlace("spot", item.at, text=item.text)
        return GridPlace(axis, item.at)

    def resolve_spot(self, spot: GridPlace) -> list[frozenset[Cell]]:
        """Resolve a spot without a line: the centre, the first cell of the grid, every cell."""
        if spot.text == "all":
            return [self.grid]
        if spot.text == "middle":
            return [place_cross_cells("row", spot.at, spot.at)]
        if self.line:
            return [place_cross_cells(self.line.kind, self.line.at, spot.at)]
        return [frozenset((i, i) for i in spot.at if i in (1, self.size))]

    def whole_lines(self, lines: list[GridPlace]) -> list[frozenset[Cell]]:
        return [place_line_cells(line.kind, line.at, self.size) for line in lines]
