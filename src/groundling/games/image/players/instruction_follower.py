"""The rule follower, which carries out everyday English; what it does not understand changes nothing."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from groundling.boards.english.grid_places import LINES, GridPlace, Item, place_line_cells
from groundling.boards.english.lexicon import WordToken
from groundling.boards.letter_grid import Cell, Grid
from groundling.games.image.players.instruction_parser import (
    LetterPlacement,
    instruction_word_kinds,
    parse_instruction_places,
    parse_letter_placements,
    split_instruction_commands,
    split_instruction_exceptions,
    split_instruction_sentences,
)
from groundling.games.image.players.instruction_parser import instruction_cell_mark as mark_of
from groundling.games.image.players.instruction_phrases import Cells
from groundling.games.image.players.place_resolver import NamedPlace, PlaceResolver

_DEEDS = {"put", "clear", "leave", "same", "full"}


def follow_instructions(told: Sequence[str], size: int, canvas: Grid | None = None) -> Grid:
    """Return the canvas after the last instruction; without one, all are carried out from an empty grid."""
    hand = _InstructionFollower(size)
    for text in told[:-1]:
        hand.follow_instruction(text)
    if canvas is not None:
        hand.canvas = dict(canvas.letters_by_cell)
    if told:
        hand.follow_instruction(told[-1])
    span = range(1, size + 1)
    return Grid.from_rows("".join(hand.canvas.get((r, c), ".") for c in span) for r in span)


class _LastAction(Struct, frozen=True):
    """The last action, for "the same" and "it"."""

    letter: str
    cells: Cells


class _InstructionFollower:
    def __init__(self, size: int) -> None:
        self.size = size
        self.canvas: dict[Cell, str] = {}
        self.grid = place_line_cells("row", frozenset(range(1, size + 1)), size)
        self.letter: str | None = None
        self.deed: _LastAction | None = None
        self.line: GridPlace | None = None
        self.before: dict[Cell, str] = {}
        self.stated: set[Cell] = set()

    def follow_instruction(self, text: str) -> None:
        self.before = dict(self.canvas)
        self.stated = set()
        loose: list[str] = []
        for sentence in split_instruction_sentences(text, self.size):
            self.line = None
            for command in split_instruction_commands(sentence):
                loose += self.carry_out(command)
        if loose and len(loose) % self.size == 0:
            for number, row in enumerate(loose[: self.size], 1):
                self.write_line("row", number, row)

    def carry_out(self, items: list[Item]) -> list[str]:
        """Carry out a command; return the rows that it draws without saying which rows they are."""
        said = instruction_word_kinds(items)
        drawn = [item.text for item in items if isinstance(item, WordToken) and item.kind == "drawn"]
        if "untouched" in said:
            return []
        if drawn:
            return self.draw_lines(items, drawn)
        if "wipe" in said:
            self.set_cells(self.grid, ".")
            return []
        copied = bool(said & {"copy", "alike"}) and self.copy_line(items, "copy" in said)
        if not copied and not (said & {"replace", "into"} and self.replace_letters(items)):
            self.draw_command(items, said)
        return []

    def draw_lines(self, items: list[Item], drawn: list[str]) -> list[str]:
        lines = [item for item in items if isinstance(item, GridPlace) and item.kind in (*LINES, "side")]
        lines = [
            line for line in lines if line.kind != "side" or line.text in ("top", "bottom", "left", "right")
        ]
        axes = [
            ("row" if line.text in ("top", "bottom") else "column") if line.kind == "side" else line.kind
            for line in lines
        ]
        where = [(axis, i) for line, axis in zip(lines, axes, strict=True) for i in sorted(line.at)]
        if not where:
            return drawn
        for number, (axis, i) in enumerate(where):
            self.write_line(axis, i, drawn[min(number, len(drawn) - 1)])
        return []

    def write_line(self, axis: str, i: int, line: str) -> None:
        for j, mark in enumerate(line, 1):
            self.set_cells(frozenset({(i, j) if axis == "row" else (j, i)}), mark)

    def copy_line(self, items: list[Item], forwards: bool) -> bool:
        lines = [item for item in items if isinstance(item, GridPlace) and item.kind in LINES]
        if len(lines) != 2 or lines[0].kind != lines[1].kind:
            return False
        source, goal = lines if forwards else lines[::-1]
        if len(source.at) != 1:
            return False
        for j in range(1, self.size + 1):
            held = self.canvas.get((min(source.at), j) if source.kind == "row" else (j, min(source.at)), ".")
            self.set_cells(frozenset((i, j) if goal.kind == "row" else (j, i) for i in goal.at), held)
        return True

    def replace_letters(self, items: list[Item]) -> bool:
        """Carry out "replace A with B" or "change the X in row 1 to Y"; one letter alone goes everywhere."""
        marks = [mark_of(item) for item in items if mark_of(item)]
        cells = self.make_resolver(_spoken_words(items)).resolve_cells(list(parse_instruction_places(items)))
        if not marks or len(marks) > 2:
            return False
        swap = any(isinstance(item, WordToken) and item.text == "swap" for item in items)
        old, new = (marks[0], marks[1]) if len(marks) == 2 else (None, marks[0])
        if old is None:
            if not cells:
                return False
            self.set_cells(cells, new)
            return True
        scope = cells or self.grid
        held = frozenset(cell for cell in scope if self.canvas.get(cell, ".") == old)
        other = frozenset(cell for cell in scope if self.canvas.get(cell, ".") == new)
        self.set_cells(held or (cells if len(cells) == 1 else held), new)
        if swap:
            self.set_cells(other, old)
        return True

    def draw_command(self, items: list[Item], said: set[str]) -> None:
        parts = split_instruction_exceptions(items)
        main = parts[0] = self.shapes_to_letters(parts[0])
        clearing = "clear" in said
        found = list(parse_letter_placements(main))
        letters = [pair.letter for pair in found if pair.letter]
        if not clearing:
            self.letter = next((letter for letter in reversed(letters) if letter != "."), self.letter)
        if not (letters or len(parts) > 1 or said & _DEEDS or WordToken("and", "also") in main[:2]):
            lines = [item for item in main if isinstance(item, GridPlace) and item.kind in LINES]
            self.line = lines[0] if len(lines) == 1 else self.line
            return
        if (
            any(one.place.text == "alternate" for one in parse_instruction_places(main))
            and len({*letters} - {"."}) == 2
        ):
            self.draw_alternating(main, letters)
            return
        spoken = _spoken_words(main)
        for number, pair in enumerate(found):
            following = found[number + 1] if number + 1 < len(found) else None
            if (
                following
                and following.letter == "."
                and any(one.place.text == "checks" for one in pair.named)
            ):
                # "A checkerboard, top left empty" means the other half of the cells.
                pair = LetterPlacement(
                    pair.letter,
                    (*pair.named, NamedPlace(GridPlace("cells", cells=self.cell_beside(following)))),
                    pair.count,
                )
            self.draw_pair(pair, parts, said, spoken)

    def cell_beside(self, pair: LetterPlacement) -> Cells:
        """A cell next to the only cell of a placement."""
        cells = self.make_resolver(frozenset()).resolve_cells(pair.named)
        if len(cells) == 1:
            return frozenset((r, c + 1 if c < self.size else c - 1) for r, c in cells)
        return frozenset()

    def draw_alternating(self, items: list[Item], letters: list[str]) -> None:
        cells = self.make_resolver(_spoken_words(items)).resolve_cells(
            [one for one in parse_instruction_places(items) if one.place.text != "alternate"]
        )
        for number, cell in enumerate(sorted(cells)):
            self.set_cells(frozenset({cell}), letters[number % 2])

    def draw_pair(
        self, pair: LetterPlacement, parts: list[list[Item]], said: set[str], spoken: frozenset[str]
    ) -> None:
        where = self.make_resolver(spoken)
        clearing = "clear" in said
        mark = "." if clearing else pair.letter
        cells = self.placement_cells(pair, where, clearing)
        if not pair.named and len(parts) > 1 and mark:
            cells = self.grid
        if pair.count:
            cells = self.counted_cells(pair, cells)
        self.line = where.line or self.line
        if "not" in said or ("leave" in said and mark is None):
            if said & {"put", "leave"}:
                self.restore_cells(cells)
            return
        if mark is None:
            mark, cells = self.repeat_last_action(cells, where, said)
        spared: Cells = frozenset()
        others: list[tuple[Cells, str]] = []
        for part in parts[1:]:
            left = self.make_resolver(_spoken_words(part)).resolve_cells(list(parse_instruction_places(part)))
            spared |= left
            others += [(left, letter) for item in part if (letter := mark_of(item))]
        if mark is not None and (cells - spared):
            self.set_cells(cells - spared, mark)
            self.stated |= spared
            self.deed = _LastAction(mark, cells - spared)
        for left, instead in others:
            self.set_cells(left, instead)

    def placement_cells(self, pair: LetterPlacement, where: PlaceResolver, clearing: bool) -> Cells:
        rest = next((one.place for one in pair.named if one.place.kind == "other"), None)
        cells = where.resolve_cells([one for one in pair.named if one.place.kind not in ("other", "free")])
        scope = cells or self.grid
        if any(one.place.kind == "free" for one in pair.named):
            return frozenset(cell for cell in scope if cell not in self.canvas)
        if rest is not None:
            return self.rest_cells(rest, scope, "." if clearing else pair.letter, clearing)
        if clearing and pair.letter and pair.letter != ".":
            return frozenset(cell for cell in scope if self.canvas.get(cell) == pair.letter)
        return cells

    def rest_cells(self, place: GridPlace, scope: Cells, mark: str | None, clearing: bool) -> Cells:
        """The cells of "the rest": none in "leave the rest empty", which changes nothing."""
        if place.text in LINES:
            axis = LINES.index(place.text)
            touched = {cell[axis] for cell in self.stated}
            scope = frozenset(cell for cell in scope if cell[axis] not in touched)
        if mark == ".":
            return scope - self.stated if clearing else frozenset()
        return frozenset(cell for cell in scope if cell not in self.canvas and cell not in self.stated)

    def counted_cells(self, pair: LetterPlacement, cells: Cells) -> Cells:
        """Take as many cells of the line as were said: "three X's in the middle of row 2"."""
        lines = [one.place for one in pair.named if one.place.kind in LINES]
        if not lines or len(lines[-1].at) != 1 or not cells or pair.count > self.size:
            return cells
        axis = LINES.index(lines[-1].kind)
        along = sorted(cell[1 - axis] for cell in cells)
        if len({cell[axis] for cell in cells}) != 1 or len(cells) not in (1, self.size):
            return cells
        middle = any(one.place.text == "middle" for one in pair.named)
        low = along[0] - (pair.count - 1) // 2 if middle else min(along[0], self.size + 1 - pair.count)
        (line,) = {cell[axis] for cell in cells}
        return (
            frozenset((line, i) if axis == 0 else (i, line) for i in range(low, low + pair.count)) & self.grid
        )

    def repeat_last_action(
        self, cells: Cells, where: PlaceResolver, said: set[str]
    ) -> tuple[str | None, Cells]:
        """Use the last letter where none was said, and for "the same" also the last cells within a line."""
        deed = self.deed
        if "same" not in said or deed is None:
            return self.letter, cells
        line = where.line
        for axis, kind in enumerate(LINES):
            whole = (
                line is not None and line.kind == kind and cells == place_line_cells(kind, line.at, self.size)
            )
            old = {cell[axis] for cell in deed.cells}
            if whole and line is not None and len(old) == 1:
                across = {cell[1 - axis] for cell in deed.cells}
                cells = frozenset(cell for cell in cells if cell[1 - axis] in across)
        return deed.letter, cells

    def make_resolver(self, spoken: frozenset[str]) -> PlaceResolver:
        return PlaceResolver(self.size, self.line, spoken, self.deed.cells if self.deed else frozenset())

    def shapes_to_letters(self, items: list[Item]) -> list[Item]:
        """Read a shape as a letter where a place is named: "make an X in the corner"."""
        lettered = any(mark_of(item) for item in items)
        places = [item for item in items if isinstance(item, GridPlace)]
        shaped = [place for place in places if place.kind == "shape" and len(place.text) == 1]
        if lettered or len(shaped) != 1 or len(places) < 2:
            return items
        return [
            WordToken("letter", item.text) if item in shaped and isinstance(item, GridPlace) else item
            for item in items
        ]

    def set_cells(self, cells: Cells, mark: str) -> None:
        for cell in cells:
            if mark == ".":
                self.canvas.pop(cell, None)
            else:
                self.canvas[cell] = mark
        self.stated |= cells

    def restore_cells(self, cells: Cells) -> None:
        for cell in cells:
            self.set_cells(frozenset({cell}), self.before.get(cell, "."))


def _spoken_words(items: Sequence[Item]) -> frozenset[str]:
    """The words of a command that decide how its places are read."""
    said: set[str] = set()
    for number, item in enumerate(items):
        if isinstance(item, WordToken):
            said |= {item.kind, item.text, f"bare {item.kind}"}
        elif item.kind == "shape":
            said.add({"diagonal": "diagonal", "square": "block"}.get(item.text, f"shape {item.text}"))
        elif item.kind == "block" or (number and item.text in ("border", "corner")):
            said.add(item.text if item.text in ("border", "corner") else "block")
    return frozenset(said)
