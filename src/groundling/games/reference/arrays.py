"""The letter grids as arrays, for policies that learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundling.games.reference.rules import FollowerView, GiverView, Pick, ReferenceView


def choices(view: ReferenceView) -> Sequence[Pick]:
    return [Pick(place) for place in range(1, len(view.grids) + 1)] if isinstance(view, FollowerView) else ()


def boards(view: ReferenceView) -> Mapping[str, Sequence[Any]]:
    """Return the grids as seen, 0 for an empty cell and 1 to 26 for a letter, and which one is the target."""
    found: dict[str, Sequence[Any]] = {"grids": [grid.letter_numbers for grid in view.grids]}
    return found | {"target": [view.target - 1]} if isinstance(view, GiverView) else found
