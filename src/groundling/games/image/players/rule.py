"""A giver that searches for the shortest instructions, and a follower that reads everyday English."""

from __future__ import annotations

from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Say
from groundling.games.image.players.follow import follow
from groundling.games.image.players.plan import plan
from groundling.games.image.rules import Done, Draw, FollowerView, GiverView


class Rule:
    name = "rule"

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        if isinstance(view, GiverView):
            said = plan(view.target, view.turns)
            return Reply(moves=(Say(said[len(view.said)]) if len(view.said) < len(said) else Done(),))
        assert isinstance(view, FollowerView)
        return Reply(moves=(Draw(follow(view.told, view.size, view.canvas)),))


def rule(seat: Seat) -> Player:
    return Rule()
