"""Phrases that name places in instructions: those of grids, blocks, shapes, alternating cells and steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from groundling.boards.english.grid_places import LINES, GridPlace, Item
from groundling.boards.english.lexicon import WordToken
from groundling.boards.english.place_phrases import PlacePhraseReader
from groundling.boards.letter_grid import Cell

Cells: TypeAlias = frozenset[Cell]


def read_instruction_phrases(words: list[WordToken], size: int) -> list[Item]:
    return _InstructionPhraseReader(words, size).read_items()


class _InstructionPhraseReader(PlacePhraseReader):
    def phrase_readers(self) -> Sequence[Callable[[], list[Item] | None]]:
        return self.read_drawing_place, *super().phrase_readers()

    def read_drawing_place(self) -> list[Item] | None:
        word, size = self.peek_word(), self.size
        self.i += 1
        if word.kind == "block":
            whole = word.text == f"{size}x{size}" and self.peek_kind() in ("grid", "stop")
            self.i += self.peek_word() in (WordToken("shape", "square"), WordToken("cell", "square"))
            return [] if whole else [GridPlace("block", text=word.text)]
        if word.kind == "empty" and self.peek_kind() == "cell" and self.fills_empty_cells():
            self.i += 1
            return [GridPlace("free")]
        if word.kind == "starting" and self.peek_kind() == "letter":
            self.i += 1
            return []
        if word.kind == "shape":
            return [GridPlace("shape", text=word.text)]
        if word.kind == "diagonal" and not self.which:
            return [GridPlace("shape", text="diagonal")]
        if word.kind == "interior":
            return [
                GridPlace("cells", cells=frozenset(cell for cell in self.grid if not {*cell} & {1, size}))
            ]
        if word.kind == "innerring":
            return [
                GridPlace(
                    "cells",
                    cells=instruction_block_border(
                        frozenset(cell for cell in self.grid if not {*cell} & {1, size})
                    ),
                )
            ]
        if word.kind in ("edge", "border"):
            return [GridPlace("cells", cells=instruction_block_border(self.grid), text="border")]
        if word.kind == "grid":
            return [GridPlace("cells", cells=self.grid, text="grid")]
        if word == WordToken("verb", "it") and self.peek_word().text in (
            "all",
            "completely",
            "entirely",
            "fully",
        ):
            return [GridPlace("cells", cells=self.grid, text="everything")]
        middle = {word.text, self.peek_word().text} & {"middle"} and {word.kind, self.peek_kind()} == {
            "side",
            "num",
        }
        if middle and self.peek_kind(1) in (*LINES, "cell"):
            count, noun = max(word.value, self.peek_word().value), self.peek_kind(1)
            self.i += 2
            low = (size - min(count, size)) // 2 + 1
            at = frozenset(range(low, low + min(count, size)))
            return [GridPlace("spot" if noun == "cell" else noun, at)]
        if word == WordToken("verb", "it") and self.i > 1 and self.words[self.i - 2].kind in ("shift", "of"):
            return [GridPlace("it")]
        if word.kind in ("shift", "side"):
            self.i -= 1
            return self.read_steps()
        return None

    def fills_empty_cells(self) -> bool:
        """Whether empty cells are a place: "fill the empty cells with X", not "leave an empty cell"."""
        before = self.words[self.i - 2].kind if self.i > 1 else "put"
        lettered = any(word.kind == "letter" for word in self.words)
        return (
            lettered
            and before in ("put", "all", "other", "of")
            and not any(word.kind == "leave" for word in self.words)
        )

    def read_steps(self) -> list[Item] | None:
        """Read steps from a place: "above (2,2)", "to the left and right of the centre"."""
        towards = self.i > 0 and self.words[self.i - 1].kind == "to"
        said: list[WordToken] = []
        while self.peek_kind() in ("shift", "side") and self.peek_word().text != "middle":
            said.append(self.peek_word())
            self.i += 1
            skip = self.count_joining_words()
            if not skip or self.peek_kind(skip) not in ("shift", "side"):
                break
            self.i += skip
        if not (
            any(word.kind == "shift" for word in said) or (towards and said and self.peek_kind() == "of")
        ):
            return None
        return [GridPlace("shift", text=" ".join(word.text for word in said))]

    def read_alternating(self) -> list[Item] | None:
        kind, noun = self.peek_kind(), self.peek_kind(1)
        self.i += 1 + (noun in (*LINES, "cell", "square", "letters"))
        starts = next((word.value for word in self.words[self.i :] if word.kind == "starts"), 0)
        starts = starts or next((word.value for word in self.words[: self.i] if word.kind == "starts"), 1)
        if kind != "everyother":
            starts = 1 if kind == "odd" else 2
        at = frozenset(range(starts, self.size + 1, 2))
        if noun in LINES:
            return [GridPlace(noun, at)]
        return [GridPlace("spot", at, text="alternate")]

    def read_selected(self) -> list[Item] | None:
        found = super().read_selected()
        if found and self.peek_kind() == "quadrant":
            self.i += 1
            return [self.quadrant_place(item) for item in found]
        if found and self.words[self.i - 1].kind == "ord":
            return [_mark_bare_ordinal(item) for item in found]
        return found

    def quadrant_place(self, item: Item) -> Item:
        if not isinstance(item, GridPlace) or len(item.cells) != 1:
            return item
        ((row, column),) = item.cells
        half = self.size // 2
        near = [
            range(1, half + 1) if i == 1 else range(self.size + 1 - half, self.size + 1)
            for i in (row, column)
        ]
        return GridPlace("cells", cells=frozenset((r, c) for r in near[0] for c in near[1]))


def _mark_bare_ordinal(item: Item) -> Item:
    """Mark "the second" without a noun: mostly a cell, but a row in "every row except the second"."""
    bare = isinstance(item, GridPlace) and item.kind == "spot" and not item.text
    return GridPlace("spot", item.at, text="bare") if bare and isinstance(item, GridPlace) else item


def instruction_block_border(block: Cells) -> Cells:
    if not block:
        return block
    rows, columns = {r for r, _ in block}, {c for _, c in block}
    return frozenset(
        (r, c) for r, c in block if r in (min(rows), max(rows)) or c in (min(columns), max(columns))
    )
