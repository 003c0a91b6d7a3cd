"""The oracle pair: a director that says row and column, and a participant with perfect perspective taking."""

from __future__ import annotations

from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Say
from groundling.games.director.players.policies import PolicyPlayer
from groundling.games.director.players.template import template_position
from groundling.games.director.rules import DIRECTOR, DirectorView


class GoldDirector:
    name = "gold"

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, DirectorView)
        return Reply(moves=(Say(f"Please pick the item in {template_position(view)}."),))


class GoldParticipant(PolicyPlayer):
    def __init__(self) -> None:
        super().__init__("perfect")
        self.name = "gold"


def make_director_gold(seat: Seat) -> Player:
    return GoldDirector() if seat.role == DIRECTOR else GoldParticipant()
