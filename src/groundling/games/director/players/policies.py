"""Participants that read the director's words in the same way and differ in what they take into account: the
panels, the point of view, the superlative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from random import Random
from typing import TypeAlias

from groundling.boards.shelf import Shelf
from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Problem, Say
from groundling.games.director.players.reader import Meaning, find, joined, understand
from groundling.games.director.rules import DIRECTOR, PARTICIPANT, ParticipantView, Pick

Choose: TypeAlias = Callable[[Meaning, Shelf, Sequence[str]], list[str]]
"""Maps a meaning, a shelf and the cells that the director sees into to the cells to pick from at random."""


def perfect(meaning: Meaning, shelf: Shelf, open_cells: Sequence[str]) -> list[str]:
    """Consider only what the director sees, with left and right as they were said."""
    return find(meaning, shelf, open_cells)


def egocentric(meaning: Meaning, shelf: Shelf, open_cells: Sequence[str]) -> list[str]:
    """Ignore the panels."""
    return find(meaning, shelf, shelf.cells)


def frame_blind(meaning: Meaning, shelf: Shelf, open_cells: Sequence[str]) -> list[str]:
    """Take left and right as the participant's own."""
    return find(meaning, shelf, open_cells, who="you")


def superlative_blind(meaning: Meaning, shelf: Shelf, open_cells: Sequence[str]) -> list[str]:
    """Ignore the superlative."""
    return find(meaning, shelf, open_cells, ways=False)


def random_visible(meaning: Meaning, shelf: Shelf, open_cells: Sequence[str]) -> list[str]:
    """Consider anything that the director sees."""
    return [cell for cell in shelf.items if cell in open_cells]


POLICIES: dict[str, Choose] = {
    "perfect": perfect,
    "egocentric": egocentric,
    "frame-blind": frame_blind,
    "superlative-blind": superlative_blind,
    "random": random_visible,
}


def heard(view: ParticipantView) -> Meaning:
    """Read all that the director said as one meaning."""
    said = [understand(line.text, view.shelf, view.terms) for line in view.said if line.role != PARTICIPANT]
    return reduce(joined, said, Meaning())


def picks(choose: Choose, meaning: Meaning, view: ParticipantView) -> list[str]:
    """The cells to pick from: where nothing fits, all visible items; on an empty shelf, any cell."""
    shelf = view.shelf
    open_cells = shelf.cells if view.alone else shelf.open
    seen = [cell for cell in shelf.items if cell in open_cells]
    return choose(meaning, shelf, open_cells) or seen or list(shelf.cells)


class Policy:
    def __init__(self, name: str) -> None:
        self.name, self._choose = name, POLICIES[name]

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        if not isinstance(view, ParticipantView):
            return Reply(moves=(Say("…"),))
        return Reply(moves=(Pick(Random(ask.seed).choice(picks(self._choose, heard(view), view))),))


def policy(seat: Seat) -> Player:
    only(seat, PARTICIPANT)
    return Policy(seat.name)


def random(seat: Seat) -> Player:
    """Make a random player; as director it says nothing meaningful."""
    return Policy("random")


def only(seat: Seat, role: str) -> None:
    if seat.role != role:
        other = "template" if seat.role == DIRECTOR else "rule"
        raise Problem(f"{seat.name!r} plays the {role}, not the {seat.role}: put {other} there")
