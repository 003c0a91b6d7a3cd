"""A participant that reads free English, considers only what the director sees, and asks when in doubt."""

from __future__ import annotations

from random import Random

from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Say
from groundling.games.director.players.phrase_table import HARD
from groundling.games.director.players.policies import (
    pick_perfect,
    policy_candidate_cells,
    policy_meaning,
    require_policy_role,
)
from groundling.games.director.players.request_reader import RequestMeaning, find_request_cells
from groundling.games.director.rules import PARTICIPANT, ParticipantView, Pick


def rule_clarifying_question(meaning: RequestMeaning, view: ParticipantView) -> str | None:
    """The question to ask back; None if the request is clear."""
    shelf = view.shelf
    cells = shelf.cells if view.alone else shelf.open
    if meaning.is_sideways and meaning.who is None and not view.alone:
        sides = [find_request_cells(meaning, shelf, cells, who=who) for who in ("me", "you")]
        if sides[0] != sides[1]:
            return "From your point of view, or from mine?"
    found = find_request_cells(meaning, shelf, cells)
    hard = next((word for word in meaning.unknown if word in HARD), None)
    if hard:
        return f"I am not sure what you mean by {hard!r}. Can you say where it is?"
    if not found or meaning.is_empty:
        return "I see nothing like that where you can see it too. Can you say it in other words?"
    if len(found) > 1:
        return f"There are {len(found)} that it could be. Which row is it in, and how far from your left?"
    return None


class RuleParticipant:
    name = "rule"

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, ParticipantView)
        meaning = policy_meaning(view)
        question = rule_clarifying_question(meaning, view) if view.questions else None
        if question:
            return Reply(moves=(Say(question),))
        return Reply(
            moves=(Pick(Random(ask.seed).choice(policy_candidate_cells(pick_perfect, meaning, view))),)
        )


def make_director_rule(seat: Seat) -> Player:
    require_policy_role(seat, PARTICIPANT)
    return RuleParticipant()
