"""Shelves that tests draw by hand: a line a row, cells parted by blanks, `[…]` behind a panel, `.`
nothing."""

from __future__ import annotations

from groundling.boards.shelf import Item, Shelf, shelf_cell_name
from groundling.games.director.request import Request, Select, answers
from groundling.games.director.rules import Kind, Sample, SelectionRule

THINGS = {
    "b": Item("small red book", frozenset({"book", "red", "small", "paper", "stackable"}), 1),
    "B": Item("large red book", frozenset({"book", "red", "large", "paper", "stackable"}), 5),
    "g": Item("green book", frozenset({"book", "green", "paper", "stackable"}), 3),
    "m": Item("small red mug", frozenset({"mug", "crockery", "red", "small", "china", "holds water"}), 1),
    "c": Item("blue car", frozenset({"car", "vehicle", "blue", "metal", "rolls"}), 3),
}


def shelf_of(*lines: str) -> Shelf:
    items, hidden = {}, set()
    for down, line in enumerate(lines):
        for across, word in enumerate(line.split()):
            cell = shelf_cell_name(across, down)
            if word.startswith("["):
                hidden.add(cell)
            if (name := word.strip("[]")) in THINGS:
                items[cell] = THINGS[name]
    return Shelf(len(lines[0].split()), len(lines), items, frozenset(hidden))


RULES: dict[Select | None, SelectionRule] = {
    None: "none",
    "smallest": "size_related",
    "largest": "size_related",
    "topmost": "spatial_same_perspective",
    "bottommost": "spatial_same_perspective",
    "leftmost": "spatial_different_perspective",
    "rightmost": "spatial_different_perspective",
}


def sample_of(shelf: Shelf, request: Request, words: str, plain: str = "", id: str = "s") -> Sample:  # noqa: A002
    (target,) = answers(shelf, request)
    everything = answers(shelf, request, "participant")
    kind: Kind = "control" if everything == {target} else "test"
    return Sample(
        id=id,
        set=kind,
        shelf=shelf,
        request=request,
        words=words,
        plain=plain or words,
        target=target,
        kind=kind,
        rule=RULES[request.select],
        rivals=tuple(sorted(everything & shelf.hidden)),
    )


def book(select: Select | None = "leftmost", frame: str = "participant") -> Request:
    return Request(frozenset({"book"}), select, frame)  # type: ignore[arg-type]
