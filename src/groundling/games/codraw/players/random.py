"""A player that says random words and draws random pieces."""

from __future__ import annotations

import re
from random import Random

from groundling.boards.scene import HEIGHT, PEOPLE, WIDTH, Flip, Piece, Put, Remove, Resize, Shift
from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Say
from groundling.games.codraw.moves import Agree, Close, CodrawMove, Draw, Finish, Peek, Wait
from groundling.games.codraw.rules import OK, DrawerView, TellerView

_WORDS = re.findall(r"\S+", "put the a tree boy left right big small near sky on under facing happy")


class RandomCodrawPlayer:
    name = "random"

    async def act(self, ask: Ask) -> Reply:
        rng = Random(ask.seed)
        return Reply(
            moves=_choose_teller_moves(rng, ask.view)
            if isinstance(ask.view, TellerView)
            else _choose_drawer_moves(rng, ask.view)
        )


def _choose_teller_moves(rng: Random, view: TellerView) -> tuple[CodrawMove, ...]:
    if view.may_wait and rng.random() < 0.3:
        return (Wait(),)
    if view.canvas is None and view.peeks and rng.random() < 0.2:
        return (Peek(),)
    last = Finish() if rng.random() < 0.15 else Say(_random_words(rng, view.cap))
    return (last,) if view.canvas is None else (Close(), last)


def _choose_drawer_moves(rng: Random, view: DrawerView) -> tuple[CodrawMove, ...]:
    kinds = rng.sample(view.palette, rng.randint(0, 3))
    changes = tuple(_random_change(rng, view, kind) for kind in kinds)
    if view.asked and (view.silent or rng.random() < 0.7):
        return (*changes, Agree())
    return (*changes, Say(OK if view.silent else _random_words(rng, view.cap)))


def _random_change(rng: Random, view: DrawerView, kind: str) -> Draw:
    x, y, size, flip = rng.randint(0, WIDTH), rng.randint(0, HEIGHT), rng.randrange(3), rng.random() < 0.5
    if view.canvas.get(kind) is None:
        pose, expression = (rng.randrange(7), rng.randrange(5)) if kind in PEOPLE else (None, None)
        return Put(Piece(kind, x, y, size, flip, pose, expression))
    return rng.choice((Shift(kind, x, y), Flip(kind, flip), Resize(kind, size), Remove(kind)))


def _random_words(rng: Random, cap: int) -> str:
    words = " ".join(rng.choices(_WORDS, k=rng.randint(1, 9)))
    return words[: cap or None].strip() or "a"


def make_codraw_random(seat: Seat) -> Player:
    return RandomCodrawPlayer()
