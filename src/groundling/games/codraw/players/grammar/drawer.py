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
from groundling.games.codraw.players.questions import (
    AskingSettings,
    PieceQuestion,
    asked_teller_finished,
    complete_answer,
    parse_own_question,
    word_question,
)
from groundling.games.codraw.rules import OK, DrawerView, SpokenMessage

READY = "ready"
"""The message of a Drawer that speaks first."""


class GrammarDrawer:
    name = "grammar"

    def __init__(self, asking: AskingSettings | None = None) -> None:
        self.asking = asking
        if asking is not None:
            self.name = f"grammar asking {asking.written_topics}"

    async def act(self, ask: Ask) -> Reply:
        view: DrawerView = ask.view
        return Reply(moves=grammar_drawer_moves(view, self.asking))


def grammar_drawer_moves(view: DrawerView, asking: AskingSettings | None = None) -> tuple[CodrawMove, ...]:
    sketch = make_drawer_sketch(view.talk, view.palette)
    changes = find_scene_changes(view.canvas, sketch.draw_scene())
    doubt = _word_doubt(view, sketch, asking) if asking else ""
    if view.asked:
        return (*changes, Say(doubt) if doubt else Agree())
    return (*changes, Say(_compose_reply(view, sketch, doubt)))


def make_drawer_sketch(talk: Sequence[SpokenMessage], palette: Sequence[str]) -> Sketch:
    """Read all messages of the Teller, each as a possible answer to what the Drawer said before it."""
    sketch = Sketch(palette)
    asked: PieceQuestion | None = None
    for spoken in talk:
        if spoken.seat == TELLER:
            sketch.read_message(complete_answer(asked, spoken.text) if asked else spoken.text)
        else:
            sketch.note_reply(spoken.text)
        asked = parse_own_question(spoken.text) if spoken.seat == DRAWER else None
    return sketch


def _word_doubt(view: DrawerView, sketch: Sketch, asking: AskingSettings) -> str:
    """Word the first doubt that was not asked about yet; "" if there is none or it is too early."""
    asked = [found for spoken in view.talk if (found := parse_own_question(spoken.text))]
    early = asking.late and not asked_teller_finished(view)
    if view.silent or len(asked) >= asking.most or early:
        return ""
    left = [doubt for doubt in sketch.list_doubts() if doubt.topic in asking.topics and doubt not in asked]
    texts = (word_question(doubt) for doubt in left)
    return next((text for text in texts if not view.cap or len(text) <= view.cap), "")


def _compose_reply(view: DrawerView, sketch: Sketch, doubt: str) -> str:
    if view.silent:
        return OK
    question = (sketch.open_question() or doubt) if view.talk else READY
    return question if question and (not view.cap or len(question) <= view.cap) else OK[: view.cap or None]


def make_grammar_drawer(seat: Seat) -> Player:
    if seat.role != DRAWER:
        raise Problem(f"grammar is a Drawer: seat another player as {seat.role}")
    return GrammarDrawer(AskingSettings.from_seat(seat))
