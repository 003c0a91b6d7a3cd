"""The player `template`: it tells its plan message by message, answers questions, peeks, and corrects."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Problem, Say
from groundling.games.codraw.instance import DRAWER, TELLER
from groundling.games.codraw.moves import Close, CodrawMove, Finish, Peek
from groundling.games.codraw.players.grammar.mention_finder import find_mentions
from groundling.games.codraw.players.grammar.tokenizer import tokenize_message
from groundling.games.codraw.players.template.answers import (
    asks_to_check,
    needs_template_answer,
    write_template_answer,
)
from groundling.games.codraw.players.template.corrections import plan_corrections
from groundling.games.codraw.players.template.message_plan import USUAL_CAP, message_plan_texts
from groundling.games.codraw.players.template.question_reader import mentioned_context
from groundling.games.codraw.players.template.scene_describer import SceneDescriber
from groundling.games.codraw.rules import TellerView

MAX_REPEATS = 2
"""How often the same answer is given before the Teller continues with its plan."""
NEVER, AT_END = 0, -1


class PeekPolicy(Struct, frozen=True):
    """When a Teller peeks and how it corrects."""

    peek: int = AT_END
    """The number of messages before the peek, or AT_END or NEVER."""
    anew: bool = False
    """Whether it describes wrong pieces again instead of saying what to do with them."""

    @classmethod
    def from_seat(cls, seat: Seat, usual: str) -> PeekPolicy:
        """Read `peek=end|no|N` and `mend=steps|anew`."""
        peek, mend = seat.option("peek", usual), seat.option("mend", "steps")
        known = {"end": AT_END, "no": NEVER}
        if peek not in known and not (peek.isdecimal() and int(peek)):
            raise Problem(f"{seat.name} cannot have peek={peek}: use end, no, or a number of messages")
        if mend not in ("steps", "anew"):
            raise Problem(
                f"{seat.name} cannot have mend={mend}: use steps (what to do) or anew (how it should be)"
            )
        return cls(known[peek] if peek in known else int(peek), mend == "anew")


class TemplateTeller:
    name = "template"

    def __init__(self, seed: str, manner: PeekPolicy = PeekPolicy()) -> None:  # noqa: B008 - frozen
        self.seed, self.manner = seed, manner

    async def act(self, ask: Ask) -> Reply:
        words = SceneDescriber(ask.view.target, Random(f"{self.seed}/{ask.episode}"))
        return Reply(
            moves=choose_template_moves(
                ask, words, message_plan_texts(words, ask.view.cap or USUAL_CAP), self.manner
            )
        )


def choose_template_moves(
    ask: Ask, words: SceneDescriber, plan: Sequence[str], manner: PeekPolicy
) -> tuple[CodrawMove, ...]:
    """Choose the next moves for a planned talk: answer a pending question, else continue the plan, peek
    when it is due, and correct what the peek shows before the rest of the plan."""
    view: TellerView = ask.view
    cap = view.cap or USUAL_CAP
    said = [spoken.text for spoken in view.talk if spoken.seat == TELLER]
    views: list[TellerView] = [*(turn.view for turn in ask.past), view]
    peeked, seen = next(((one, one.canvas) for one in views if one.canvas is not None), (view, None))
    asked = view.talk[-1].text if view.talk and view.talk[-1].seat == DRAWER else ""
    if view.canvas is None and (reply := _answer_drawer(words, view, asked, cap, peeked=seen is not None)):
        return (Say(reply),)
    if seen is None:
        told = _count_said(plan, said)
        due = min(manner.peek, len(plan)) if manner.peek > NEVER else len(plan)
        wanted = manner.peek != NEVER or asks_to_check(words, asked)
        if wanted and view.peeks and told >= due:
            return (Peek(),)
        return (Say(plan[told]) if told < len(plan) else Finish(),)
    before = sum(spoken.seat == TELLER for spoken in peeked.talk)
    told = _count_said(plan, said[:before])
    known = None if told == len(plan) else {kind for text in said[:before] for kind in _named_kinds(text)}
    rest = [*plan_corrections(words, seen, cap, told=known, anew=manner.anew), *plan[told:]]
    number = _count_said(rest, said[before:])
    last = Say(rest[number]) if number < len(rest) else Finish()
    return (last,) if view.canvas is None else (Close(), last)


def _named_kinds(text: str) -> list[str]:
    _, found = find_mentions(tokenize_message(text))
    return [kind for mention in found for kind in mention.kinds]


def _count_said(plan: Sequence[str], said: Sequence[str]) -> int:
    """Count the messages of the plan that were said; answers may stand between them."""
    done = 0
    for text in said:
        if done < len(plan) and text == plan[done]:
            done += 1
    return done


def _answer_drawer(words: SceneDescriber, view: TellerView, asked: str, cap: int, *, peeked: bool) -> str:
    """Answer the Drawer's last message if it was a question."""
    if not needs_template_answer(asked):
        return ""
    said = [spoken.text for spoken in view.talk if spoken.seat == TELLER]
    context = mentioned_context([spoken.text for spoken in view.talk[:-1]], words.scene)
    last = said[-1] if said else ""
    found = write_template_answer(words, asked, context, cap, message=last, peeked=peeked)
    return found if said.count(found) < MAX_REPEATS else ""


def make_template_teller(seat: Seat) -> Player:
    """Make the player. Its words depend on the episode and on `seed=…`."""
    if seat.role != TELLER:
        raise Problem(f"template is a Teller: seat another player as {seat.role}")
    return TemplateTeller(seat.option("seed", "0"), PeekPolicy.from_seat(seat, "end"))
