"""A follower that reads an expression by rules and picks the grid for which most of it is true."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from groundling.boards.letter_grid import Grid
from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Problem
from groundling.games.reference.players.claims import Claim
from groundling.games.reference.players.clause_reader import read_clauses
from groundling.games.reference.rules import FOLLOWER, FollowerView, Pick

_CLOSE = 1e-9  # floating-point sums of the same degrees count as equal


class RuleFollower:
    name = "rule"

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, FollowerView)
        return Reply(
            moves=(Pick(Random(ask.seed).choice(best_grids_by_rule(view.grids, view.expression or ""))),)
        )


def make_reference_rule(seat: Seat) -> Player:
    if seat.role != FOLLOWER:
        raise Problem(f"rule can only follow: seat it as {FOLLOWER}={seat.name}")
    return RuleFollower()


def best_grids_by_rule(grids: Sequence[Grid], text: str) -> list[int]:
    """The places, counted from 1, of the grids that fit the text best; all if nothing was understood."""
    letters = frozenset(letter for grid in grids for letter in grid.letters_by_cell.values())
    claims = read_clauses(text, grids[0].size, letters)
    scores = [score_grid_by_rule(claims, grid, grids) for grid in grids]
    return [place for place, points in enumerate(scores, 1) if points > max(scores) - _CLOSE]


def score_grid_by_rule(claims: Sequence[Claim], grid: Grid, lineup: Sequence[Grid]) -> float:
    return sum(claim.weight * claim.truth_degree(grid, lineup) for claim in claims)
