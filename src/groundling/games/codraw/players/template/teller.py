"""The player: tells its plan message by message, answers on the way, peeks when all is told, and corrects."""

from __future__ import annotations

from random import Random

from .....core.pack import Seat
from .....core.player import Ask, Player, Reply
from .....core.values import Problem, Say
from ...moves import Close, CodrawMove, Finish, Peek
from ...park import DRAWER, TELLER
from ...rules import TellerView
from .answers import answer, is_question
from .corrections import corrections
from .plan import USUAL_CAP, messages
from .sentences import Words

TWICE = 2
"""So often the same answer is given; who asks again is told the next thing."""


class Template:
    name = "template"

    def __init__(self, seed: str) -> None:
        self.seed = seed

    async def act(self, ask: Ask) -> Reply:
        return Reply(moves=tell(ask, self.seed))


def tell(ask: Ask, seed: str) -> tuple[CodrawMove, ...]:
    view: TellerView = ask.view
    cap = view.cap or USUAL_CAP
    words = Words(view.target, Random(f"{seed}/{ask.episode}"))
    plan = messages(words, cap)
    said = [spoken.text for spoken in view.talk if spoken.seat == TELLER]
    told = _done(plan, said)
    if view.canvas is None:
        reply = _reply(words, view, said, cap)
        if reply:
            return (Say(reply),)
        if told < len(plan):
            return (Say(plan[told]),)
        if view.peeks:
            return (Peek(),)
    seen = next((turn.view.canvas for turn in reversed(ask.past) if turn.view.canvas is not None), view.canvas)
    mend = corrections(words, seen, cap) if seen is not None else []
    mended = _done(mend, said[told:])
    last = Say(mend[mended]) if mended < len(mend) else Finish()
    return (last,) if view.canvas is None else (Close(), last)


def _done(plan: list[str], said: list[str]) -> int:
    """How much of a plan has been said; there may have been answers between."""
    done = 0
    for text in said:
        if done < len(plan) and text == plan[done]:
            done += 1
    return done


def _reply(words: Words, view: TellerView, said: list[str], cap: int) -> str:
    """To the Drawer's last message, if that was a question."""
    if not view.talk or view.talk[-1].seat != DRAWER or not is_question(view.talk[-1].text):
        return ""
    last = said[-1].lower() if said else ""
    subjects = tuple(kind for kind in words.scene.kinds if words.name(kind).lower() in last)
    found = answer(words, view.talk[-1].text, subjects, cap)
    return found if said.count(found) < TWICE else ""


def template(seat: Seat) -> Player:
    """Its words depend on the episode, and on `seed=…`."""
    if seat.role != TELLER:
        raise Problem(f"template is a Teller: seat another player as {seat.role}")
    return Template(seat.option("seed", "0"))
