"""The oracle pair: a giver that names cell after cell, and a follower that fills exactly those cells."""

from __future__ import annotations

import re

from groundling.boards.letter_grid import Cell, Grid
from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Say
from groundling.games.image.rules import Done, Draw, FollowerView, GiverView

_PUT = re.compile(r"put (\w) in row (\d+), column (\d+)")


def gold_cell_instructions(target: Grid, turns: int) -> list[str]:
    """Name one cell per instruction, or as many as it takes to finish within the turns."""
    cells = list(target.letters_by_cell.items())
    each = -(-len(cells) // turns)
    return [
        "; ".join(_put_sentence(cell, letter) for cell, letter in cells[i : i + each])
        for i in range(0, len(cells), each or 1)
    ]


def _put_sentence(cell: Cell, letter: str) -> str:
    return f"put {letter} in row {cell[0]}, column {cell[1]}"


def draw_gold_instructions(told: tuple[str, ...], size: int) -> Grid:
    canvas = Grid.empty(size)
    for letter, row, column in _PUT.findall("; ".join(told)):
        if int(row) <= size and int(column) <= size:
            canvas = canvas.with_cell((int(row), int(column)), letter)
    return canvas


class ImageGoldPlayer:
    name = "gold"

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        if isinstance(view, GiverView):
            plan = gold_cell_instructions(view.target, view.turns)
            return Reply(moves=(Say(plan[len(view.said)]) if len(view.said) < len(plan) else Done(),))
        assert isinstance(view, FollowerView)
        return Reply(moves=(Draw(draw_gold_instructions(view.told, view.size)),))


def make_image_gold(seat: Seat) -> Player:
    return ImageGoldPlayer()
