"""Resolves the place phrases of an instruction to one set of cells."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from groundling.boards.english.grid_places import LINES, GridPlace, place_cross_cells, place_line_cells
from groundling.boards.english.named_shapes import shape_templates
from groundling.boards.letter_grid import Cell
from groundling.games.image.players.instruction_phrases import Cells, instruction_block_border

_DRAWN = ("shape", "block")
_WHOLE = ("everything", "grid")
_STEPS = {
    "above": (-1, 0),
    "below": (1, 0),
    "top": (-1, 0),
    "bottom": (1, 0),
    "left": (0, -1),
    "right": (0, 1),
}


class NamedPlace(Struct, frozen=True):
    """A place, and the kinds of the words that join it to the place before."""

    place: GridPlace
    joint: frozenset[str] = frozenset()


class PlaceResolver:
    """Combines the places of one command."""

    def __init__(
        self, size: int, line: GridPlace | None, words: frozenset[str], it: Cells = frozenset()
    ) -> None:
        self.size, self.line, self.words, self.it = size, line, words, it
        self.every = frozenset(range(1, size + 1))
        self.grid = place_line_cells("row", self.every, size)
        self.middle = frozenset({(size + 1) // 2, size // 2 + 1})

    def resolve_cells(self, named: Sequence[NamedPlace]) -> Cells:
        if not self.words & {"fill", "filled", "full", "clear", "cover"}:
            named = [one for one in named if one.place.text != "grid"]
        # In "a cross: row 3 and column 3" the colon introduces the parts.
        colon = next((i for i, one in enumerate(named) if "colon" in one.joint), 0)
        if any(one.place.kind in _DRAWN for one in named[:colon]):
            named = named[colon:]
        groups = self.cross_places(
            [NamedPlace(self.resolve_line_kind(one.place), one.joint) for one in named]
        )
        if any(group.place.kind in LINES for group in groups):
            # In "row 1 and the middle row except its last cell" the last row is meant.
            self.line = next(
                place for one in reversed(named) if (place := self.resolve_line_kind(one.place)).kind in LINES
            )
        groups = self.resolve_borders(self.resolve_spans(groups))
        found: Cells = frozenset()
        for number, group in enumerate(groups):
            cells = self.resolve_group(groups, number)
            if cells is None:
                continue
            if number and "of" in group.joint and not group.joint & {"and", "comma"} and found & cells:
                found &= cells
            elif group.place.text not in _WHOLE or not found:
                found = (
                    cells
                    if found == self.grid and groups[0].place.text in (*_WHOLE, "all")
                    else found | cells
                )
        return found

    def resolve_line_kind(self, place: GridPlace) -> GridPlace:
        if place.kind == "side":
            return GridPlace("row" if place.text in ("top", "bottom") else "column", place.at)
        if place.kind == "spot" and place.text == "middle" and "bare row" in self.words:
            return GridPlace("row", place.at)
        if place.kind == "spot" and place.text == "middle" and "bare column" in self.words:
            return GridPlace("column", place.at)
        return place

    def cross_places(self, named: list[NamedPlace]) -> list[NamedPlace]:
        """Cross rows with columns, and spots with their lines."""
        named = self.merge_lines(named)
        found: list[NamedPlace] = []
        for number, one in enumerate(named):
            last = found[-1] if found else None
            cells = self.cross_pair(last.place, one, named, number) if last else None
            if last and cells is not None:
                line = (
                    last.place
                    if last.place.kind in LINES and one.place.kind != last.place.kind
                    else one.place
                )
                line = one.place if one.place.kind in LINES and last.place.kind == "spot" else line
                found[-1] = NamedPlace(GridPlace("cells", cells=cells, line=(line.kind, line.at)), last.joint)
            else:
                found.append(one)
        return found

    def merge_lines(self, named: list[NamedPlace]) -> list[NamedPlace]:
        """Merge "row 2 and row 4" into one place, so that a column is crossed with both."""
        found: list[NamedPlace] = []
        for number, one in enumerate(named):
            last = found[-1] if found else None
            following = named[number + 1].place.kind if number + 1 < len(named) else ""
            alike = last and last.place.kind == one.place.kind and one.place.kind in (*LINES, "spot")
            pairs = following in LINES and following != one.place.kind and len(found) > 1
            if last and alike and one.joint & {"and", "comma"} and "of" not in one.joint and not pairs:
                at = last.place.at | one.place.at
                both = last.place.numbered and one.place.numbered
                found[-1] = NamedPlace(
                    GridPlace(one.place.kind, at, text=one.place.text or "list", numbered=both), last.joint
                )
            else:
                found.append(one)
        return found

    def cross_pair(
        self, last: GridPlace, one: NamedPlace, named: list[NamedPlace], number: int
    ) -> Cells | None:
        place, joint = one.place, one.joint
        after = named[number + 1] if number + 1 < len(named) else None
        if "to" in joint:
            return None
        if {last.kind, place.kind} == {"row", "column"}:
            if ("of" not in joint or "and" in joint) and "intersection" not in self.words:
                blocked = "block" in self.words
                single = "cell" in self.words and len(last.at) == len(place.at) == 1
                if "and" in joint and not blocked and not single:
                    return None
                loose = not (last.numbered and place.numbered)
                more = after is not None and "and" in after.joint and after.place.kind != last.kind
                if (
                    "comma" in joint
                    and loose
                    and ("list" in (last.text, place.text) or (more and "fill" in self.words))
                ):
                    return None
                lone = after is not None and after.place.kind == last.kind and number + 2 >= len(named)
                if "comma" in joint and lone:
                    return None
            return place_cross_cells(last.kind, last.at, place.at)
        if (
            place.kind == "spot"
            and joint & {"and", "comma"}
            and after
            and after.place.kind in LINES
            and after.joint == {"of"}
        ):
            return None
        if last.kind in LINES and place.kind == "spot" and not (place.text == "middle" and "and" in joint):
            return place_cross_cells(last.kind, last.at, place.at)
        if last.kind == "spot" and place.kind in LINES and "and" not in joint:
            return place_cross_cells(place.kind, place.at, last.at)
        return None

    def resolve_spans(self, groups: list[NamedPlace]) -> list[NamedPlace]:
        """Resolve "from (1,1) to (3,3)": a line where it is one, else the block between."""
        found: list[NamedPlace] = []
        for one in groups:
            last = found[-1] if found else None
            if last and "to" in one.joint:
                start, end = self.single_cell(last.place), self.single_cell(one.place)
                if start and end:
                    found[-1] = NamedPlace(
                        GridPlace("cells", cells=self.cells_between(start, end)), last.joint
                    )
                    continue
            found.append(one)
        return found

    def resolve_borders(self, groups: list[NamedPlace]) -> list[NamedPlace]:
        """Resolve "the border of rows 2 to 4, columns 2 to 4"."""
        found: list[NamedPlace] = []
        for one in groups:
            if found and found[-1].place.text == "border" and "of" in one.joint:
                cells = self.plain_cells(one.place)
                if one.place.kind in _DRAWN or (cells and one.place.kind == "cells" and len(cells) > 4):
                    found[-1] = NamedPlace(
                        GridPlace("cells", cells=instruction_block_border(cells)) if cells else one.place,
                        found[-1].joint,
                    )
                    continue
            found.append(one)
        return found

    def single_cell(self, place: GridPlace) -> Cell | None:
        cells = self.plain_cells(place)
        return next(iter(cells)) if cells and len(cells) == 1 else None

    def cells_between(self, start: Cell, end: Cell) -> Cells:
        (top, bottom), (left, right) = (sorted(pair) for pair in zip(start, end, strict=True))
        if self.words & {"diagonal", "bare row"} and bottom - top == right - left:
            down, across = (1 if b >= a else -1 for a, b in zip(start, end, strict=True))
            return frozenset((start[0] + down * i, start[1] + across * i) for i in range(bottom - top + 1))
        block = place_cross_cells("row", frozenset(range(top, bottom + 1)), frozenset(range(left, right + 1)))
        return frozenset(instruction_block_border(block)) if self.words & {"hollow", "border"} else block

    def plain_cells(self, place: GridPlace) -> Cells | None:
        if place.kind in LINES:
            return place_line_cells(place.kind, place.at, self.size)
        if place.kind == "cells":
            return place.cells
        if place.kind == "it":
            return self.it
        if place.kind == "spot":
            return self.spot_cells(place)
        return None

    def spot_cells(self, place: GridPlace) -> Cells | None:
        if place.text == "middle":
            return place_cross_cells("row", self.middle, self.middle)
        if place.text == "all":
            return self.grid
        if place.text == "bare" and self.line and len(self.line.at) > 1:
            return place_line_cells(self.line.kind, place.at, self.size)
        if self.line:
            return place_cross_cells(self.line.kind, self.line.at, place.at)
        if place.text == "alternate":
            return frozenset(cell for cell in self.grid if (sum(cell) % 2 == 0) == (1 in place.at))
        if place.numbered and len(place.at) == 1:
            return None
        corner = frozenset((i, i) for i in place.at if i in (1, self.size))
        return corner or None

    def resolve_group(self, groups: list[NamedPlace], number: int) -> Cells | None:
        """The cells of a group; a neighbouring place says where a block or a shape is."""
        place = groups[number].place
        before = groups[number - 1].place.kind if number else ""
        after = groups[number + 1] if number + 1 < len(groups) else None
        if before in _DRAWN and not groups[number].joint & {"and"}:
            return None
        if after and after.place.kind in _DRAWN and not after.joint & {"and", "comma", "of"}:
            return None
        if before == "shift":
            cells = self.plain_cells(place)
            self.it = cells or self.it
            if cells and len(cells) == self.size and cells in shape_templates("diagonal", self.size):
                return self.cells_beside_diagonal(cells, groups[number - 1].place.text)
            steps = [_STEPS.get(side, (1, 0)) for side in groups[number - 1].place.text.split()]
            return (
                frozenset((r + down, c + across) for r, c in cells or () for down, across in steps)
                & self.grid
            )
        if place.kind not in _DRAWN:
            cells = self.plain_cells(place)
            self.it = cells if cells and place.text not in _WHOLE else self.it
            return cells
        where = after.place if after and "and" not in after.joint else None
        if where is None and number and not groups[number].joint & {"and", "comma", "of"}:
            where = groups[number - 1].place
        return self.shape_cells(place, where)

    def cells_beside_diagonal(self, diagonal: Cells, side: str) -> Cells:
        """All cells on one side of a diagonal."""
        low = {c: r for r, c in diagonal}
        return frozenset((r, c) for r, c in self.grid if (r < low[c] if side == "above" else r > low[c]))

    def shape_cells(self, place: GridPlace, where: GridPlace | None) -> Cells | None:
        spot = self.plain_cells(where) if where else None
        if where and where.text in (*_WHOLE, "border"):
            where = spot = None
        if place.kind == "shape" and place.text == "diagonal":
            if spot and len(spot) > 2:
                return spot
            ends = spot or frozenset({(1, 1)})
            return next((shape for shape in shape_templates("diagonal", self.size) if ends & shape), None)
        if place.kind == "shape" and place.text == "stairs":
            corner = next(iter(spot), (self.size, 1)) if spot and len(spot) == 1 else (self.size, 1)
            opposite = (self.size + 1 - corner[0], self.size + 1 - corner[1])
            return next(
                (
                    one
                    for one in shape_templates("stairs", self.size)
                    if corner in one and opposite not in one
                ),
                None,
            )
        if place.kind == "shape" and place.text == "checks":
            start = next(iter(spot), (1, 1)) if spot and len(spot) == 1 else (1, 1)
            return frozenset(cell for cell in self.grid if sum(cell) % 2 == sum(start) % 2)
        if place.kind == "block":
            height, width = (min(int(side), self.size) for side in place.text.split("x"))
        elif spot and where and where.kind == "cells" and len(spot) > (1 if place.text == "square" else 4):
            return spot
        elif "small" in self.words or (
            "big" not in self.words and spot and where and where.kind in ("spot", "cells")
        ):
            height = width = 3
        else:
            height = width = self.size
        if height < 1 or width < 1:
            return None
        top, left = self.block_corner(height, width, spot, where)
        name = (
            place.text
            if place.kind == "shape"
            else next((word for word in self.words if word.startswith("shape ")), "")[6:]
        )
        block = place_cross_cells(
            "row", frozenset(range(top, top + height)), frozenset(range(left, left + width))
        )
        if name and name != "square" and height == width:
            drawn = shape_templates(name, height)
            return frozenset((r + top - 1, c + left - 1) for r, c in drawn[0]) & self.grid if drawn else None
        return (instruction_block_border(block) if self.words & {"hollow", "border"} else block) & self.grid

    def block_corner(self, height: int, width: int, spot: Cells | None, where: GridPlace | None) -> Cell:
        """The top left cell of a block of that size at a place."""
        centred = ((self.size - height) // 2 + 1, (self.size - width) // 2 + 1)
        if not spot or not where:
            return centred
        rows, columns = {r for r, _ in spot}, {c for _, c in spot}
        if len(spot) > 1 and rows != self.every and columns != self.every:
            return min(rows), min(columns)
        top, left = centred
        if len(spot) == 1 and where.kind == "cells" and where.text != "corner" and "corner" not in self.words:
            return min(rows) - (height - 1) // 2, min(columns) - (width - 1) // 2
        if rows != self.every and where.kind != "spot":
            top = min(rows) if 2 * min(rows) <= self.size else max(rows) - height + 1
        if columns != self.every and where.kind != "spot":
            left = min(columns) if 2 * min(columns) <= self.size else max(columns) - width + 1
        return top, left
