"""A player that says random words and draws random letters."""

from __future__ import annotations

import re
from random import Random

from groundling.boards.letter_grid import Grid
from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Say
from groundling.games.image.rules import Done, Draw, GiverView

_WORDS = re.findall(r"\S+", "put fill the a row column corner cell top left last every clear with")


class RandomImagePlayer:
    name = "random"

    async def act(self, ask: Ask) -> Reply:
        rng, view = Random(ask.seed), ask.view
        if isinstance(view, GiverView):
            if rng.random() < 0.2:
                return Reply(moves=(Done(),))
            return Reply(moves=(Say(" ".join(rng.choices(_WORDS, k=rng.randint(2, 9)))),))
        rows = ["".join(rng.choice("XO...") for _ in range(view.size)) for _ in range(view.size)]
        return Reply(moves=(Draw(Grid.from_rows(rows)),))


def make_image_random(seat: Seat) -> Player:
    return RandomImagePlayer()
