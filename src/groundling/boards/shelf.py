"""A shelf between two people: items in cells, some hidden from the person behind by a panel."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from string import ascii_uppercase
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr, replace

Side: TypeAlias = Literal["participant", "director"]
"""The participant stands in front of the shelf, the director behind it."""

MOST_COLUMNS, MOST_ROWS = 26, 99
_NOTHING: Mapping[str, str] = {}
USUAL_SIZES = (1, 5)


class SortedSet(frozenset[str]):
    """A set of strings that iterates in sorted order, so that it is always written the same way."""

    __slots__ = ()

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(super().__iter__()))

    def __repr__(self) -> str:
        return f"frozenset({{{', '.join(map(repr, self))}}})" if self else "frozenset()"


class Item(Struct, frozen=True):
    """An object on a shelf."""

    name: str
    tags: frozenset[str]
    """The properties by which it can be asked for."""
    size: int
    """A larger number is a larger item; sizes of different kinds compare."""

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("an item needs a name")
        force_setattr(self, "tags", SortedSet(self.tags))


class Shelf(Struct, frozen=True, dict=True):
    """Cells have one name on both sides, such as "C2": column from the participant's left, and row."""

    columns: int
    rows: int
    items: Mapping[str, Item] = {}
    """The items by cell; other cells are empty."""
    hidden: frozenset[str] = frozenset()
    """The cells with a panel at the back: the director sees neither into them nor through them."""

    def __post_init__(self) -> None:
        if not (1 <= self.columns <= MOST_COLUMNS and 1 <= self.rows <= MOST_ROWS):
            raise ValueError(
                f"a shelf has 1 to {MOST_COLUMNS} columns and 1 to {MOST_ROWS} rows: {self.columns} by "
                f"{self.rows} is none"
            )
        places = shelf_cell_positions(self.columns, self.rows)
        for cell in (*self.items, *self.hidden):
            if cell not in places:
                raise ValueError(
                    f"{cell!r} is not a cell of a shelf of {self.columns} by {self.rows} (A1 to "
                    f"{[*places][-1]})"
                )
        force_setattr(
            self, "items", {cell: self.items[cell] for cell in sorted(self.items, key=places.__getitem__)}
        )
        force_setattr(self, "hidden", SortedSet(self.hidden))

    def __hash__(self) -> int:
        return hash((self.columns, self.rows, tuple(self.items.items()), self.hidden))

    @property
    def cells(self) -> tuple[str, ...]:
        """Every cell, row by row from the top, each from the participant's left."""
        return tuple(shelf_cell_positions(self.columns, self.rows))

    def __contains__(self, cell: object) -> bool:
        return cell in shelf_cell_positions(self.columns, self.rows)

    def row(self, cell: str) -> int:
        """Counted from 1 at the top, for both sides."""
        return self._cell_position(cell)[0] + 1

    def column(self, cell: str, side: Side = "participant") -> int:
        """Counted from 1 at that side's left."""
        across = self._cell_position(cell)[1]
        return self.columns - across if side == "director" else across + 1

    def _cell_position(self, cell: str) -> tuple[int, int]:
        places = shelf_cell_positions(self.columns, self.rows)
        if cell not in places:
            raise ValueError(f"{cell!r} is not a cell of a shelf of {self.columns} by {self.rows}")
        return places[cell]

    def cell(self, column: int, row: int, side: Side = "participant") -> str:
        """The cell at a column, counted from 1 at that side's left, and a row, counted from 1 at the top."""
        if not (1 <= column <= self.columns and 1 <= row <= self.rows):
            raise ValueError(f"column {column}, row {row} is off a shelf of {self.columns} by {self.rows}")
        return shelf_cell_name(self.columns - column if side == "director" else column - 1, row - 1)

    def from_left(self, side: Side) -> tuple[str, ...]:
        """Every cell, row by row from the top, each from that side's left."""
        if side == "participant":
            return self.cells
        return tuple(
            self.cell(column, row, side)
            for row in range(1, self.rows + 1)
            for column in range(1, self.columns + 1)
        )

    def neighbours(self, cell: str) -> tuple[str, ...]:
        """The cells directly above, below and beside it."""
        down, across = self._cell_position(cell)
        near = ((down - 1, across), (down, across - 1), (down, across + 1), (down + 1, across))
        return tuple(shelf_cell_name(c, r) for r, c in near if 0 <= r < self.rows and 0 <= c < self.columns)

    @cached_property
    def empty(self) -> tuple[str, ...]:
        return tuple(cell for cell in self.cells if cell not in self.items)

    @cached_property
    def open(self) -> tuple[str, ...]:
        """The cells that the director sees into."""
        return tuple(cell for cell in self.cells if cell not in self.hidden)

    def seen(self, side: Side) -> dict[str, Item]:
        """The items that the side sees, by cell, row by row from the top and each row from its left."""
        closed = self.hidden if side == "director" else ()
        return {
            cell: self.items[cell]
            for cell in self.from_left(side)
            if cell in self.items and cell not in closed
        }

    def as_seen(self, side: Side) -> Shelf:
        """The shelf as far as this side may know it: for the director the hidden cells have no items."""
        return self if side == "participant" else Shelf(self.columns, self.rows, self.seen(side), self.hidden)

    def put(self, cell: str, item: Item | None) -> Shelf:
        """Return the shelf with another item, or none, in one cell."""
        others = {place: thing for place, thing in self.items.items() if place != cell}
        return replace(self, items={**others, cell: item} if item else others)

    def mirrored(self) -> Shelf:
        """Return the shelf with left and right exchanged, panels too."""

        def mirror_cell(cell: str) -> str:
            return self.cell(self.column(cell, "director"), self.row(cell))

        items = {mirror_cell(cell): item for cell, item in self.items.items()}
        return Shelf(self.columns, self.rows, items, frozenset(map(mirror_cell, self.hidden)))

    def text(
        self, side: Side = "participant", marks: Mapping[str, str] = _NOTHING, *, labels: bool = True
    ) -> str:
        """A table of what that side sees, row by row from the top and each row from its left: for the
        participant every cell and its back, for the director cells with a panel as closed. `marks` adds words
        to the line of a cell; without `labels` the cells are not named."""
        closed = self.hidden if side == "director" else ()
        counted = side == "director" or not labels
        head = [
            *_parts_if(labels, "cell"),
            *_parts_if(counted, "row from the top", "column from your left"),
            "item",
            "size",
        ]
        table = [[*head, *_parts_if(side == "participant", "back")]]
        for cell in self.from_left(side):
            item = None if cell in closed else self.items.get(cell)
            nothing = "(closed)" if cell in closed else "(empty)"
            name, size = (item.name, str(item.size)) if item else (nothing, "")
            place = _parts_if(counted, str(self.row(cell)), str(self.column(cell, side)))
            back = _parts_if(side == "participant", "panel" if cell in self.hidden else "open")
            table.append([*_parts_if(labels, cell), *place, name, size, *back])
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [
            " | ".join(part.ljust(width) for part, width in zip(line, widths, strict=True)) for line in table
        ]
        for number, cell in enumerate(self.from_left(side), 1):
            if cell in marks:
                lines[number] += f" ← {marks[cell]}"
        sizes = [*USUAL_SIZES, *(item.size for item in self.seen(side).values())]
        note = f"(size: {min(sizes)} is the smallest, {max(sizes)} the largest, for items of all kinds)"
        return "\n".join([*(line.rstrip() for line in lines), note])


def shelf_cell_name(across: int, down: int) -> str:
    """The name of the cell `across` columns right of A1 and `down` rows below it."""
    return f"{ascii_uppercase[across]}{down + 1}"


def parse_shelf_cell(text: str) -> tuple[int, int]:
    """How many columns right of A1, and how many rows below it, a cell lies."""
    if not re.fullmatch(r"[A-Z][1-9]\d?", text, re.ASCII):
        raise ValueError(f"a cell is a column's letter and a row's number, such as C2: {text!r}")
    return ascii_uppercase.index(text[0]), int(text[1:]) - 1


def _parts_if(wanted: bool, *parts: str) -> tuple[str, ...]:
    return parts if wanted else ()


@cache
def shelf_cell_positions(columns: int, rows: int) -> Mapping[str, tuple[int, int]]:
    """Row and column of every cell, counted from 0, in order."""
    return {
        shelf_cell_name(across, down): (down, across) for down in range(rows) for across in range(columns)
    }
