"""A giver that searches for the shortest instructions, and a follower that reads everyday English."""

from __future__ import annotations

from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Say
from groundling.games.image.players.giver_plan import make_giver_plan
from groundling.games.image.players.instruction_follower import follow_instructions
from groundling.games.image.rules import Done, Draw, FollowerView, GiverView


class ImageRulePlayer:
    name = "rule"

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        if isinstance(view, GiverView):
            said = make_giver_plan(view.target, view.turns)
            return Reply(moves=(Say(said[len(view.said)]) if len(view.said) < len(said) else Done(),))
        assert isinstance(view, FollowerView)
        return Reply(moves=(Draw(follow_instructions(view.told, view.size, view.canvas)),))


def make_image_rule(seat: Seat) -> Player:
    return ImageRulePlayer()
