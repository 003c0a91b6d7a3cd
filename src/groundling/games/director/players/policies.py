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
from groundling.games.director.players.request_reader import (
    RequestMeaning,
    find_request_cells,
    join_request_meanings,
    read_request,
)
from groundling.games.director.rules import DIRECTOR, PARTICIPANT, ParticipantView, Pick

Choose: TypeAlias = Callable[[RequestMeaning, Shelf, Sequence[str]], list[str]]
"""Maps a meaning, a shelf and the cells that the director sees into to the cells to pick from at random."""


def pick_perfect(meaning: RequestMeaning, shelf: Shelf, open_cells: Sequence[str]) -> list[str]:
    """Consider only what the director sees, with left and right as they were said."""
    return find_request_cells(meaning, shelf, open_cells)


def pick_egocentric(meaning: RequestMeaning, shelf: Shelf, open_cells: Sequence[str]) -> list[str]:
    """Ignore the panels."""
    return find_request_cells(meaning, shelf, shelf.cells)


def pick_frame_blind(meaning: RequestMeaning, shelf: Shelf, open_cells: Sequence[str]) -> list[str]:
    """Take left and right as the participant's own."""
    return find_request_cells(meaning, shelf, open_cells, who="you")


def pick_superlative_blind(meaning: RequestMeaning, shelf: Shelf, open_cells: Sequence[str]) -> list[str]:
    """Ignore the superlative."""
    return find_request_cells(meaning, shelf, open_cells, ways=False)


def pick_random_visible(meaning: RequestMeaning, shelf: Shelf, open_cells: Sequence[str]) -> list[str]:
    """Consider anything that the director sees."""
    return [cell for cell in shelf.items if cell in open_cells]


POLICIES: dict[str, Choose] = {
    "perfect": pick_perfect,
    "egocentric": pick_egocentric,
    "frame-blind": pick_frame_blind,
    "superlative-blind": pick_superlative_blind,
    "random": pick_random_visible,
}


def policy_meaning(view: ParticipantView) -> RequestMeaning:
    """Read all that the director said as one meaning."""
    said = [read_request(line.text, view.shelf, view.terms) for line in view.said if line.role != PARTICIPANT]
    return reduce(join_request_meanings, said, RequestMeaning())


def policy_candidate_cells(choose: Choose, meaning: RequestMeaning, view: ParticipantView) -> list[str]:
    """The cells to pick from: where nothing fits, all visible items; on an empty shelf, any cell."""
    shelf = view.shelf
    open_cells = shelf.cells if view.alone else shelf.open
    seen = [cell for cell in shelf.items if cell in open_cells]
    return choose(meaning, shelf, open_cells) or seen or list(shelf.cells)


class PolicyPlayer:
    def __init__(self, name: str) -> None:
        self.name, self._choose = name, POLICIES[name]

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        if not isinstance(view, ParticipantView):
            return Reply(moves=(Say("…"),))
        return Reply(
            moves=(
                Pick(
                    Random(ask.seed).choice(policy_candidate_cells(self._choose, policy_meaning(view), view))
                ),
            )
        )


def make_policy_player(seat: Seat) -> Player:
    require_policy_role(seat, PARTICIPANT)
    return PolicyPlayer(seat.name)


def make_random_policy(seat: Seat) -> Player:
    """Make a random player; as director it says nothing meaningful."""
    return PolicyPlayer("random")


def require_policy_role(seat: Seat, role: str) -> None:
    if seat.role != role:
        other = "template" if seat.role == DIRECTOR else "rule"
        raise Problem(f"{seat.name!r} plays the {role}, not the {seat.role}: put {other} there")
