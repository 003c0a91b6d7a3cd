"""The oracle pair: a giver that names every filled cell, and a follower that reads just that or guesses."""

from __future__ import annotations

import re
from random import Random

from groundling.boards.letter_grid import Cell, Grid
from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Say
from groundling.games.reference.rules import FollowerView, GiverView, Pick

_ROW = re.compile(r"[Rr]ow (\d+) has (\w+) in (?:column|columns) ([\d, and]+)")


def describe_gold_grid(grid: Grid) -> str:
    """Write a sentence that is true of this grid only."""
    rows: dict[tuple[int, str], list[int]] = {}
    for (row, column), letter in grid.letters_by_cell.items():
        rows.setdefault((row, letter), []).append(column)
    parts = [f"row {row} has {letter} in {_list_columns(columns)}" for (row, letter), columns in rows.items()]
    if not parts:
        return "All cells are empty."
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}; all other cells are empty."


def parse_gold_description(text: str) -> dict[Cell, str]:
    """Read the cells that a text of `describe_grid` names."""
    return {
        (int(row), int(column)): letter
        for row, letter, columns in _ROW.findall(text)
        for column in re.findall(r"\d+", columns)
    }


def _list_columns(columns: list[int]) -> str:
    if len(columns) == 1:
        return f"column {columns[0]}"
    return f"columns {', '.join(map(str, columns[:-1]))} and {columns[-1]}"


class ReferenceGoldPlayer:
    name = "gold"

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        if isinstance(view, GiverView):
            return Reply(moves=(Say(describe_gold_grid(view.grids[view.target - 1])),))
        assert isinstance(view, FollowerView)
        meant = parse_gold_description(view.expression or "")
        places = [place for place, grid in enumerate(view.grids, 1) if grid.letters_by_cell == meant]
        return Reply(moves=(Pick(Random(ask.seed).choice(places or range(1, len(view.grids) + 1))),))


def make_reference_gold(seat: Seat) -> Player:
    return ReferenceGoldPlayer()
