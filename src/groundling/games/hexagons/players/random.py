"""A player that says random words and paints random tiles."""

from __future__ import annotations

import re
from random import Random

from groundling.boards.hexes import COLOURS, TILES
from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Say
from groundling.games.hexagons.moves import (
    ExecutorView,
    HexagonsMove,
    InstructionsDone,
    InstructorView,
    Next,
    PaintTile,
    Undo,
)

_WORDS = re.findall(r"\S+", "paint the tile column row next to it red blue repeat flower until edge")


class HexagonsRandomPlayer:
    name = "random"

    async def act(self, ask: Ask) -> Reply:
        rng, view = Random(ask.seed), ask.view
        words = Say(" ".join(Random(ask.seed).choices(_WORDS, k=5)))
        if view.asked if isinstance(view, InstructorView) else view.questions and rng.random() < 0.2:
            return Reply(moves=(words,))
        if isinstance(view, ExecutorView) or view.due:
            tiles = rng.sample(TILES, rng.randint(0, 5))
            paints: list[HexagonsMove] = [
                PaintTile(row, column, rng.choice(COLOURS)) for row, column in tiles
            ]
            return Reply(moves=tuple(paints) if paints and rng.random() < 0.2 else (*paints, Next()))
        if rng.random() < 0.2:
            return Reply(moves=(InstructionsDone(),))
        if view.said and view.mode != "execute" and rng.random() < 0.1:
            return Reply(moves=(Undo(),))
        return Reply(moves=(Say(" ".join(rng.choices(_WORDS, k=rng.randint(2, 9)))),))


def make_hexagons_random(seat: Seat) -> Player:
    return HexagonsRandomPlayer()
