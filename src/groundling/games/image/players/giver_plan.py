"""The rule giver's plan: few and short instructions that draw a picture.

Each letter's cells are covered by the cheapest set of strokes that can be found: greedily at first, then by
branch and bound over the strokes that cover one open cell, up to a fixed number of nodes. A search that ends
earlier has found the cheapest cover with these strokes. A letter may paint over cells that a later one
repaints, and one large stroke may come first and be cleared in part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations

from msgspec import Struct

from groundling.boards.letter_grid import Grid
from groundling.games.image.players.grid_strokes import (
    GridStroke,
    Mask,
    grid_stroke_mask,
    ground_strokes,
    useful_strokes,
)

# of one cover: generated pictures of 5 by 5 never need as many, one in twenty covers at 12 by 12 stops here
_NODES = 1000
_BASES = 3  # strokes that are tried as a ground, to be cleared in part
_TOGETHER = 4  # places in one instruction; more are hard to follow


class _LetterStrokes(Struct, frozen=True):
    """Strokes of one letter, or of `.` for clearing."""

    letter: str
    strokes: tuple[GridStroke, ...]


def giver_plan_length(target: Grid) -> int:
    """The number of characters that the rule giver needs."""
    return sum(map(len, make_giver_plan(target, target.size**2)))


@lru_cache(256)
def make_giver_plan(target: Grid, turns: int) -> tuple[str, ...]:
    """The instructions, joined where there are fewer turns than instructions."""
    paints = min(_candidate_plans(target), key=_cost_of_plan)
    said = [text for paint in paints for text in _write_instructions(paint)]
    each = -(-len(said) // max(turns, 1))
    return tuple(". ".join(said[i : i + each]) for i in range(0, len(said), each or 1))


def _cost_of_plan(paints: Sequence[_LetterStrokes]) -> tuple[int, int]:
    texts = [text for paint in paints for text in _write_instructions(paint)]
    return sum(map(len, texts)), len(texts)


def _candidate_plans(target: Grid) -> Iterator[list[_LetterStrokes]]:
    """Yield plans that only paint, then some that paint a ground first."""
    size = target.size
    masks = {
        letter: grid_stroke_mask([c for c, held in target.letters_by_cell.items() if held == letter], size)
        for letter in _letters_by_frequency(target)
    }
    for order in _letter_orders(masks):
        yield _paint_letters(masks, order, size, 0)
    filled = sum(masks.values())
    empty = ((1 << size * size) - 1) & ~filled
    for letter, own in list(masks.items())[:2]:
        for ground in _best_grounds(own, empty, size):
            clear = _cover_cells(ground.mask & empty, empty | filled & ~own, size)
            rest = {**masks, letter: own & ~ground.mask}
            order = [letter, *(other for other in masks if other != letter)]
            yield [
                _LetterStrokes(letter, (ground,)),
                _LetterStrokes(".", clear),
                *_paint_letters(rest, order, size, own),
            ]


def _letters_by_frequency(target: Grid) -> list[str]:
    """The most frequent first, so that others are painted over it."""
    return [
        letter
        for letter, _ in sorted(
            Counter(target.letters_by_cell.values()).items(), key=lambda pair: (-pair[1], pair[0])
        )
    ]


def _letter_orders(masks: dict[str, Mask]) -> Iterator[list[str]]:
    names = list(masks)
    yield from (list(order) for order in permutations(names)) if len(names) < 3 else [names]


def _paint_letters(
    masks: dict[str, Mask], order: Sequence[str], size: int, drawn: Mask
) -> list[_LetterStrokes]:
    """Cover each letter in order; `drawn` are the cells that the first letter already holds."""
    found = []
    for number, letter in enumerate(order):
        later = sum(masks[other] for other in order[number + 1 :])
        found.append(
            _LetterStrokes(
                letter, _cover_cells(masks[letter], masks[letter] | later | (0 if number else drawn), size)
            )
        )
    return found


def _best_grounds(own: Mask, empty: Mask, size: int) -> list[GridStroke]:
    """The large strokes with the most correct cells."""

    def ground_score(stroke: GridStroke) -> tuple[int, str]:
        return -3 * (stroke.mask & own).bit_count() + 4 * (
            stroke.mask & empty
        ).bit_count() + stroke.phrase_cost, stroke.phrase

    fitting = [
        stroke for stroke in ground_strokes(size) if 0 < (stroke.mask & empty).bit_count() <= size * size // 2
    ]
    return sorted(fitting, key=ground_score)[:_BASES]


@lru_cache(4096)
def _cover_cells(needed: Mask, allowed: Mask, size: int) -> tuple[GridStroke, ...]:
    """Find cheap strokes that together cover all needed cells."""
    if not needed:
        return ()
    usable = useful_strokes(allowed, needed, size)
    return _CoverSearch(needed, usable).find_cover()


class _CoverSearch:
    def __init__(self, needed: Mask, usable: list[GridStroke]) -> None:
        self.needed, self.usable = needed, usable
        self.cells = [1 << i for i in range(needed.bit_length()) if needed >> i & 1]
        self.by_cell = {cell: [stroke for stroke in usable if stroke.mask & cell] for cell in self.cells}
        self.price = {
            cell: min(
                stroke.phrase_cost / (stroke.mask & needed).bit_count() for stroke in self.by_cell[cell]
            )
            for cell in self.cells
        }
        self.best = self.greedy_cover()
        self.cost = sum(stroke.phrase_cost for stroke in self.best)
        self.nodes = 0

    def greedy_cover(self) -> tuple[GridStroke, ...]:
        found: list[GridStroke] = []
        left = self.needed
        while left:
            stroke = min(
                (stroke for stroke in self.usable if stroke.mask & left),
                key=lambda stroke: (stroke.phrase_cost / (stroke.mask & left).bit_count(), stroke.phrase),
            )
            found.append(stroke)
            left &= ~stroke.mask
        return tuple(found)

    def find_cover(self) -> tuple[GridStroke, ...]:
        self.branch_and_bound(self.needed, (), 0)
        return self.best

    def branch_and_bound(self, left: Mask, chosen: tuple[GridStroke, ...], cost: int) -> None:
        if not left:
            self.best, self.cost = chosen, cost
            return
        self.nodes += 1
        if self.nodes > _NODES:
            return
        open_cells = [cell for cell in self.cells if cell & left]
        floor = cost + sum(self.price[cell] for cell in open_cells)
        if floor >= self.cost:
            return
        cell = min(open_cells, key=lambda one: (len(self.by_cell[one]), one))
        ways = sorted(
            self.by_cell[cell],
            key=lambda stroke: (stroke.phrase_cost / (stroke.mask & left).bit_count(), stroke.phrase),
        )
        for stroke in ways:
            if cost + stroke.phrase_cost < self.cost:
                self.branch_and_bound(left & ~stroke.mask, (*chosen, stroke), cost + stroke.phrase_cost)


def _write_instructions(paint: _LetterStrokes) -> Iterator[str]:
    """Write one instruction for two lines or shapes that cannot be misread, and for four blocks of cells."""
    ordered = sorted(paint.strokes, key=lambda stroke: (stroke.mask & -stroke.mask, stroke.phrase))
    simple = [stroke.phrase for stroke in ordered if stroke.whole and stroke.is_simple]
    groups = [" and ".join(simple[i : i + 2]) for i in range(0, len(simple), 2)]
    for places in groups + [stroke.phrase for stroke in ordered if stroke.whole and not stroke.is_simple]:
        yield _write_fill_instruction(places, paint.letter)
    parts = [stroke.phrase for stroke in ordered if not stroke.whole]
    for i in range(0, len(parts), _TOGETHER):
        places = "; ".join(parts[i : i + _TOGETHER])
        yield f"Clear {places}" if paint.letter == "." else f"Put {paint.letter} in {places}"


def _write_fill_instruction(places: str, letter: str) -> str:
    if letter == ".":
        return f"Clear {places}"
    board = "a checkerboard"
    if board in places:
        return f"Draw {places.replace(board, f'{board} of {letter}')}"
    return f"Fill {places} with {letter}"
