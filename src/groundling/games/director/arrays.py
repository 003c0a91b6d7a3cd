"""The shelf as arrays, and the participant's choice by number, for policies that learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundling.games.director.rules import AnyView, DirectorView, Pick


def choices(view: AnyView) -> Sequence[Pick]:
    """List every cell for a participant who can ask nothing more."""
    if isinstance(view, DirectorView) or view.questions:
        return ()
    return [Pick(cell) for cell in view.shelf.cells]


def boards(view: AnyView) -> Mapping[str, Sequence[Any]]:
    """Return the cells row by row as the seat sees them: the size of the item, 0 if none is seen, and whether
    a panel hides the cell from the director; for the director, also where the target is."""
    shelf = view.shelf
    cells = shelf.from_left("director" if isinstance(view, DirectorView) else "participant")
    found = {
        "sizes": [shelf.items[cell].size if cell in shelf.items else 0 for cell in cells],
        "hidden": [int(cell in shelf.hidden) for cell in cells],
    }
    if isinstance(view, DirectorView):
        found["target"] = [int(cell == view.target) for cell in cells]
    columns = shelf.columns
    return {
        name: [flat[row * columns :][:columns] for row in range(shelf.rows)] for name, flat in found.items()
    }
