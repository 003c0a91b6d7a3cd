"""The player `grammar`: it draws what follows from the whole talk, and asks about ambiguous words."""

from __future__ import annotations

from collections.abc import Sequence

from groundling.boards.scene import diff
from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Problem, Say
from groundling.games.codraw.moves import Agree, CodrawMove
from groundling.games.codraw.park import DRAWER, TELLER
from groundling.games.codraw.players.grammar.sketch import Sketch
from groundling.games.codraw.rules import OK, DrawerView, Spoken

READY = "ready"
"""The message of a Drawer that speaks first."""


class Grammar:
    name = "grammar"

    async def act(self, ask: Ask) -> Reply:
        view: DrawerView = ask.view
        return Reply(moves=answer(view))


def answer(view: DrawerView) -> tuple[CodrawMove, ...]:
    sketch = heard(view.talk, view.palette)
    changes = diff(view.canvas, sketch.scene())
    if view.asked:
        return (*changes, Agree())
    return (*changes, Say(_reply(view, sketch)))


def heard(talk: Sequence[Spoken], palette: Sequence[str]) -> Sketch:
    """Read all messages of the Teller, each as a possible answer to what the Drawer said before it."""
    sketch = Sketch(palette)
    for spoken in talk:
        if spoken.seat == TELLER:
            sketch.hear(spoken.text)
        else:
            sketch.say(spoken.text)
    return sketch


def _reply(view: DrawerView, sketch: Sketch) -> str:
    if view.silent:
        return OK
    question = sketch.question() if view.talk else READY
    return question if question and (not view.cap or len(question) <= view.cap) else OK[: view.cap or None]


def grammar(seat: Seat) -> Player:
    if seat.role != DRAWER:
        raise Problem(f"grammar is a Drawer: seat another player as {seat.role}")
    return Grammar()
