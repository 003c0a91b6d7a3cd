"""Collects the claims that the clauses of a text make about a grid."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from groundling.boards.english.grid_places import GridPlace, Item, place_line_cells
from groundling.boards.english.lexicon import WordToken
from groundling.boards.letter_grid import Cell
from groundling.games.reference.players.claims import (
    Claim,
    CountClaim,
    DrawnRowClaim,
    ExtremeClaim,
    FilledClaim,
    LineCountClaim,
)

HINT = 0.1
"""The weight of what is likely but was not said: it only breaks ties."""
_WHOLLY = ("full", "complete", "completely", "entirely", "fully", "gapless", "intact")


def has_clause_word(items: Sequence[Item], *kinds: str) -> bool:
    return any(isinstance(item, WordToken) and item.kind in kinds for item in items)


class ClauseClaims:
    """The claims so far, and what later ones refer to: the line that is meant, the cells described."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.every = frozenset(range(1, size + 1))
        self.grid = place_line_cells("row", self.every, size)
        self.claims: list[Claim] = []
        self.stated: set[Cell] = set()
        """The cells that the text has described, so that "the rest" are the others."""
        self.named: dict[str, frozenset[int]] = {"row": frozenset(), "column": frozenset()}
        self.line: GridPlace | None = None
        """The rows or columns that the sentence is about."""
        self.rests: list[tuple[GridPlace, bool]] = []
        """What is said of "the rest", for the end."""
        self.loose: list[str] = []
        """Rows that are spelled out without a place."""

    def claim_extreme(self, items: list[Item]) -> bool:
        if has_clause_word(items, "num") or not has_clause_word(
            items, "letters", "letter", "full", "cell", "empty"
        ):
            return False
        self.claims.append(ExtremeClaim(has_clause_word(items, "most") != has_clause_word(items, "empty")))
        return True

    def claim_counts(
        self,
        counts: list[tuple[int, WordToken]],
        targets: list[frozenset[Cell]],
        lines: list[GridPlace],
        filled: bool,
        items: list[Item],
    ) -> bool:
        for number, noun in counts:
            if noun.kind == "row" or noun.kind == "column":
                if has_clause_word(items, "full", "empty", "letter"):
                    self.claims.append(
                        LineCountClaim("row" if noun.kind == "row" else "column", number, filled)
                    )
                continue
            letter = noun.text if noun.kind == "letter" else None
            counted = filled if noun.kind in ("cell", "num") else noun.kind != "empty"
            scopes = [
                place_line_cells(line.kind, frozenset({i}), self.size)
                for line in lines
                for i in sorted(line.at)
            ]
            if (
                not lines
                and not targets
                and self.line
                and not has_clause_word(items, "total")
                and not self.is_about_grid(items)
            ):
                scopes = [
                    place_line_cells(self.line.kind, frozenset({i}), self.size) for i in sorted(self.line.at)
                ]
            if has_clause_word(items, "total") and lines:
                scopes = [frozenset().union(*scopes)]
            for scope in scopes or targets or [self.grid]:
                if number > len(scope):
                    scope = self.grid
                low, high = self.count_bounds(items, number, len(scope))
                self.claims.append(CountClaim(scope, low, high, counted, letter))
                if scope != self.grid:
                    self.stated |= scope
        return bool(counts)

    def is_about_grid(self, items: list[Item]) -> bool:
        """Whether the clause is about the whole grid, as in "there are nine letters"."""
        return any(isinstance(item, WordToken) and item.text in ("there", "it") for item in items)

    def count_bounds(self, items: list[Item], number: int, most: int) -> tuple[int, int]:
        for one, two in pairwise(items):
            if isinstance(one, WordToken) and isinstance(two, WordToken) and one.text == "at":
                if two.text == "least":
                    return number, most
                if two.text == "most":
                    return 0, number
        return number, number

    def claim_filled(
        self, targets: list[frozenset[Cell]], filled: bool, letter: str | None, items: list[Item], sure: bool
    ) -> None:
        # In "the frame is broken at the third cell" the larger place only locates the smaller one.
        kept = [cells for cells in targets if not any(other < cells for other in targets)]
        negated = has_clause_word(items, "not") and not has_clause_word(items, "letter")
        for cells in kept:
            if negated and len(cells) >= self.size and sure:
                self.claims.append(CountClaim(cells, 0 if not filled else 1, len(cells) - (not filled)))
            else:
                self.claims.append(FilledClaim(cells, filled, letter, 1.0 if sure else 0.5))
            self.stated |= cells
        if filled and sure and has_clause_word(items, "letter", "verb") and self.line:
            # A text that lists some filled cells of a row usually lists them all.
            whole, cells = place_line_cells(self.line.kind, self.line.at, self.size), frozenset().union(*kept)
            if cells < whole:
                self.claims.append(FilledClaim(whole - cells, False, weight=HINT))
        if has_clause_word(items, "only") and not negated:
            cells = frozenset().union(*kept)
            scope = self.only_scope(cells)
            line = (
                self.line
                if self.line and cells == place_line_cells(self.line.kind, self.line.at, self.size)
                else None
            )
            if (
                filled
                and line
                and any(isinstance(item, WordToken) and item.text in _WHOLLY for item in items)
            ):
                # "Only the last row is complete": others may hold letters, but none is full.
                self.claims.append(
                    LineCountClaim("row" if line.kind == "row" else "column", len(line.at), True)
                )
            elif scope - cells:
                self.claims.append(FilledClaim(scope - cells, not filled, weight=1.0))
                self.stated |= scope

    def only_scope(self, cells: frozenset[Cell]) -> frozenset[Cell]:
        """The cells that "only" excludes: of the current line, or of the grid where whole lines are meant."""
        line = self.line
        if line:
            whole = place_line_cells(line.kind, line.at, self.size)
            if cells < whole:
                return whole
        return self.grid

    def claim_except(
        self, targets: list[frozenset[Cell]], spared: list[frozenset[Cell]], filled: bool, letter: str | None
    ) -> None:
        left = frozenset().union(*spared)
        base = frozenset().union(*targets) - left
        self.claims.append(FilledClaim(base, filled, letter))
        self.claims += [
            FilledClaim(cells, not filled, weight=1.0 if len(cells) == 1 or not filled else 0.5)
            for cells in spared
        ]
        self.stated |= base | left

    def claim_drawn_rows(self, patterns: list[str], lines: list[GridPlace]) -> None:
        if not lines:
            self.loose += patterns
            return
        where = [(line.kind, i) for line in lines for i in sorted(line.at)]
        for number, (axis, i) in enumerate(where):
            self.claim_drawn_line(axis, i, patterns[min(number, len(patterns) - 1)])

    def claim_drawn_line(self, axis: str, i: int, pattern: str) -> None:
        spots = {(i, j) if axis == "row" else (j, i): mark for j, mark in enumerate(pattern, 1)}
        for mark in sorted(set(pattern)):
            cells = frozenset(cell for cell, other in spots.items() if other == mark)
            self.claims.append(FilledClaim(cells, mark != ".", None if mark == "." else mark))
        self.stated |= set(spots)

    def claim_rest(self, place: GridPlace, lines: list[GridPlace], filled: bool) -> None:
        line = lines[-1] if lines else self.line
        if place.text in ("row", "column") and not (
            lines and lines[-1].kind == place.text and not self.named[place.text]
        ):
            at = self.every - self.named[place.text]
            self.claims.append(FilledClaim(place_line_cells(place.text, at, self.size), filled))
            return
        if line and (lines or place.at):
            cells = place_line_cells(line.kind, line.at, self.size) - self.stated
            if not place.at or len(cells) == len(line.at) * max(place.at):
                self.claims.append(FilledClaim(cells, filled))
                return
        self.rests.append((place, filled))

    def finish_claims(self) -> list[Claim]:
        if self.loose and len(self.loose) % self.size == 0:
            for i, pattern in enumerate(self.loose[: self.size], 1):
                self.claim_drawn_line("row", i, pattern)
        else:
            self.claims += [DrawnRowClaim(tuple(pattern)) for pattern in self.loose]
        for place, filled in self.rests:
            n = self.size
            scope = frozenset({(1, 1), (1, n), (n, 1), (n, n)}) if place.text == "corner" else self.grid
            if self.stated and scope - self.stated:
                self.claims.append(FilledClaim(scope - self.stated, filled))
        listed = [
            claim.cells
            for claim in self.claims
            if isinstance(claim, FilledClaim) and claim.filled and claim.weight == 1
        ]
        unlisted = self.grid.difference(*listed)
        if len(self.grid - unlisted) > self.size and unlisted:
            self.claims.append(FilledClaim(unlisted, False, weight=HINT))
        return self.claims
