"""A giver that looks for the shortest way to say a picture, and a follower that reads everyday English."""

from __future__ import annotations

from ....core.pack import Seat
from ....core.player import Ask, Player, Reply
from ....core.values import Say
from ..rules import Done, Draw, FollowerView, GiverView
from .follow import follow
from .plan import plan


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
