"""Phrases that name places in instructions: besides those that describe a grid, blocks, shapes, alternating
cells and steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from groundling.boards.english.lexicon import Word
from groundling.boards.english.places import LINES, Item, Phrases, Place
from groundling.boards.letters import Cell

Cells: TypeAlias = frozenset[Cell]


def named_places(words: list[Word], size: int) -> list[Item]:
    return _Phrases(words, size).read()


class _Phrases(Phrases):
    def kinds(self) -> Sequence[Callable[[], list[Item] | None]]:
        return self.drawing, *super().kinds()

    def drawing(self) -> list[Item] | None:
        word, size = self.word(), self.size
        self.i += 1
        if word.kind == "block":
            whole = word.text == f"{size}x{size}" and self.kind() in ("grid", "stop")
            self.i += self.word() in (Word("shape", "square"), Word("cell", "square"))
            return [] if whole else [Place("block", text=word.text)]
        if word.kind == "empty" and self.kind() == "cell" and self.free():
            self.i += 1
            return [Place("free")]
        if word.kind == "starting" and self.kind() == "letter":
            self.i += 1
            return []
        if word.kind == "shape":
            return [Place("shape", text=word.text)]
        if word.kind == "diagonal" and not self.which:
            return [Place("shape", text="diagonal")]
        if word.kind == "interior":
            return [Place("cells", cells=frozenset(cell for cell in self.grid if not {*cell} & {1, size}))]
        if word.kind == "innerring":
            return [
                Place("cells", cells=rim(frozenset(cell for cell in self.grid if not {*cell} & {1, size})))
            ]
        if word.kind in ("edge", "border"):
            return [Place("cells", cells=rim(self.grid), text="border")]
        if word.kind == "grid":
            return [Place("cells", cells=self.grid, text="grid")]
        if word == Word("verb", "it") and self.word().text in ("all", "completely", "entirely", "fully"):
            return [Place("cells", cells=self.grid, text="everything")]
        middle = {word.text, self.word().text} & {"middle"} and {word.kind, self.kind()} == {"side", "num"}
        if middle and self.kind(1) in (*LINES, "cell"):
            count, noun = max(word.value, self.word().value), self.kind(1)
            self.i += 2
            low = (size - min(count, size)) // 2 + 1
            at = frozenset(range(low, low + min(count, size)))
            return [Place("spot" if noun == "cell" else noun, at)]
        if word == Word("verb", "it") and self.i > 1 and self.words[self.i - 2].kind in ("shift", "of"):
            return [Place("it")]
        if word.kind in ("shift", "side"):
            self.i -= 1
            return self.steps()
        return None

    def free(self) -> bool:
        """Whether empty cells are a place, as in "fill the empty cells with X", unlike "leave an empty
        cell"."""
        before = self.words[self.i - 2].kind if self.i > 1 else "put"
        lettered = any(word.kind == "letter" for word in self.words)
        return (
            lettered
            and before in ("put", "all", "other", "of")
            and not any(word.kind == "leave" for word in self.words)
        )

    def steps(self) -> list[Item] | None:
        """Read steps from a place: "above (2,2)", "to the left and right of the centre"."""
        towards = self.i > 0 and self.words[self.i - 1].kind == "to"
        said: list[Word] = []
        while self.kind() in ("shift", "side") and self.word().text != "middle":
            said.append(self.word())
            self.i += 1
            skip = self.joined()
            if not skip or self.kind(skip) not in ("shift", "side"):
                break
            self.i += skip
        if not (any(word.kind == "shift" for word in said) or (towards and said and self.kind() == "of")):
            return None
        return [Place("shift", text=" ".join(word.text for word in said))]

    def alternate(self) -> list[Item] | None:
        kind, noun = self.kind(), self.kind(1)
        self.i += 1 + (noun in (*LINES, "cell", "square", "letters"))
        starts = next((word.value for word in self.words[self.i :] if word.kind == "starts"), 0)
        starts = starts or next((word.value for word in self.words[: self.i] if word.kind == "starts"), 1)
        if kind != "everyother":
            starts = 1 if kind == "odd" else 2
        at = frozenset(range(starts, self.size + 1, 2))
        if noun in LINES:
            return [Place(noun, at)]
        return [Place("spot", at, text="alternate")]

    def selected(self) -> list[Item] | None:
        found = super().selected()
        if found and self.kind() == "quadrant":
            self.i += 1
            return [self.quadrant(item) for item in found]
        if found and self.words[self.i - 1].kind == "ord":
            return [_bare(item) for item in found]
        return found

    def quadrant(self, item: Item) -> Item:
        if not isinstance(item, Place) or len(item.cells) != 1:
            return item
        ((row, column),) = item.cells
        half = self.size // 2
        near = [
            range(1, half + 1) if i == 1 else range(self.size + 1 - half, self.size + 1)
            for i in (row, column)
        ]
        return Place("cells", cells=frozenset((r, c) for r in near[0] for c in near[1]))


def _bare(item: Item) -> Item:
    """Mark "the second" without a noun: mostly a cell, but a row in "every row except the second"."""
    bare = isinstance(item, Place) and item.kind == "spot" and not item.text
    return Place("spot", item.at, text="bare") if bare and isinstance(item, Place) else item


def rim(block: Cells) -> Cells:
    if not block:
        return block
    rows, columns = {r for r, _ in block}, {c for _, c in block}
    return frozenset(
        (r, c) for r, c in block if r in (min(rows), max(rows)) or c in (min(columns), max(columns))
    )
