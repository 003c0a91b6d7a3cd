"""The grid as an array, and the follower's canvas as an action, for policies that learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from groundling.boards.letter_grid import Grid
from groundling.games.image.rules import Draw, FollowerView, GiverView, ImageMove, ImageView

_LETTERS = "." + ascii_uppercase


def boards(view: ImageView) -> Mapping[str, Sequence[Any]]:
    """Return the target, or the canvas if it is shown: 0 for an empty cell, 1 to 26 for a letter."""
    grid = view.target if isinstance(view, GiverView) else view.canvas
    return {"grid": grid.letter_numbers} if grid else {}


def sizes(view: ImageView) -> Sequence[int]:
    """The follower says of each cell, row by row, what it holds after the instruction."""
    return [len(_LETTERS)] * view.size**2 if isinstance(view, FollowerView) else ()


def moves(view: FollowerView, numbers: Sequence[int]) -> tuple[ImageMove, ...]:
    cells = "".join(_LETTERS[number] for number in numbers)
    return (Draw(Grid.from_rows(cells[row * view.size :][: view.size] for row in range(view.size))),)
