"""The player `grammar`: it draws what follows from the whole talk, and asks about ambiguous words."""

from __future__ import annotations

from collections.abc import Sequence

from groundling.boards.scene import find_scene_changes
from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Problem, Say
from groundling.games.codraw.instance import DRAWER, TELLER
from groundling.games.codraw.moves import Agree, CodrawMove
from groundling.games.codraw.players.grammar.sketch import Sketch
from groundling.games.codraw.rules import OK, DrawerView, SpokenMessage

READY = "ready"
"""The message of a Drawer that speaks first."""


class GrammarDrawer:
    name = "grammar"

    async def act(self, ask: Ask) -> Reply:
        view: DrawerView = ask.view
        return Reply(moves=grammar_drawer_moves(view))


def grammar_drawer_moves(view: DrawerView) -> tuple[CodrawMove, ...]:
    sketch = make_drawer_sketch(view.talk, view.palette)
    changes = find_scene_changes(view.canvas, sketch.draw_scene())
    if view.asked:
        return (*changes, Agree())
    return (*changes, Say(_compose_reply(view, sketch)))


def make_drawer_sketch(talk: Sequence[SpokenMessage], palette: Sequence[str]) -> Sketch:
    """Read all messages of the Teller, each as a possible answer to what the Drawer said before it."""
    sketch = Sketch(palette)
    for spoken in talk:
        if spoken.seat == TELLER:
            sketch.read_message(spoken.text)
        else:
            sketch.note_reply(spoken.text)
    return sketch


def _compose_reply(view: DrawerView, sketch: Sketch) -> str:
    if view.silent:
        return OK
    question = sketch.open_question() if view.talk else READY
    return question if question and (not view.cap or len(question) <= view.cap) else OK[: view.cap or None]


def make_grammar_drawer(seat: Seat) -> Player:
    if seat.role != DRAWER:
        raise Problem(f"grammar is a Drawer: seat another player as {seat.role}")
    return GrammarDrawer()
