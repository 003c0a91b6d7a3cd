"""Baselines that ignore the words: what they reach needs no communication."""

from __future__ import annotations

import re
from random import Random

from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Problem, Say
from groundling.games.reference.rules import FOLLOWER, GIVER, Pick

_WORDS = re.findall(r"\S+", "the a row column corner letter cell top bottom left right empty is has two")


class RandomReferencePlayer:
    """Says random words and picks a random grid."""

    name = "random"

    async def act(self, ask: Ask) -> Reply:
        rng = Random(ask.seed)
        if ask.role == GIVER:
            return Reply(moves=(Say(" ".join(rng.choices(_WORDS, k=rng.randint(3, 12)))),))
        return Reply(moves=(Pick(rng.randint(1, len(ask.view.grids))),))


class FullestPlayer:
    """Picks the grid with the most letters: the target, where distractors are made only by emptying cells."""

    name = "fullest"

    async def act(self, ask: Ask) -> Reply:
        counts = [grid.filled_count for grid in ask.view.grids]
        fullest = [place for place, count in enumerate(counts, 1) if count == max(counts)]
        return Reply(moves=(Pick(Random(ask.seed).choice(fullest)),))


def make_blind_random(seat: Seat) -> Player:
    return RandomReferencePlayer()


def make_blind_fullest(seat: Seat) -> Player:
    if seat.role != FOLLOWER:
        raise Problem(f"fullest can only follow: seat it as {FOLLOWER}={seat.name}")
    return FullestPlayer()
