"""The browser desks of both seats: the Teller's scene, the Drawer's canvas and clip art, and the talk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from groundling.boards import clipart
from groundling.boards.scene import EXPRESSIONS, HEIGHT, KINDS, PEOPLE, POSES, SCALES, SIZES, WIDTH
from groundling.boards.scene.draw import draw_scene_canvas
from groundling.core.desk import Box, Button, Desk, GameComparison, Line, Panel
from groundling.core.values import Role, Say
from groundling.games.codraw.draw import palette_shelves
from groundling.games.codraw.instance import CodrawInstance
from groundling.games.codraw.moves import Agree, Close, CodrawMove, Finish, Peek, Wait
from groundling.games.codraw.rules import (
    DRAWER,
    OK,
    TELLER,
    CodrawGame,
    CodrawView,
    DrawerView,
    State,
    TellerView,
)
from groundling.games.codraw.similarity import BEST, similarity

_TELLING = (
    "You see a park scene that your partner cannot see. Tell them what is where, how large it is and "
    "which way it faces, so that they can draw it with clip art."
)
_PEEKING = (
    "Once in the game you can look at your partner's canvas: while it is open you cannot write. Then tell "
    "them what to correct."
)
_DRAWING = (
    "Your partner sees a park scene and tells you what is in it. Draw it: drag clip art onto the canvas, "
    "then move, resize or flip it. You can draw whenever it is your turn."
)
_KEYS = (
    "By keyboard: Enter on a piece of clip art puts it on the canvas. Tab goes from piece to piece; the "
    "arrow keys move it, with Shift further; + and - change its size, F flips it, P and E change the "
    "pose and the face of Mike and Jenny, Delete removes it."
)
_EITHER_OPENS = "Either of you may write first."
_BOTH_END = (
    "When you think that the scene is complete, finish. The game ends when both of you have finished, in "
    "whichever order; until then you can still send messages."
)
_SCENE_COMPLETE = "When you think that the scene is complete, finish. Your partner then agrees"
_PARTNER_FINISHED = "When your partner has finished, agree"
FEW_ROUNDS = 10
"""The desk shows the number of messages left once it is below this."""
SMILE = EXPRESSIONS.index("smile")
LARGE = SIZES.index("large")
_SHELVES = {"large": "large things", "animal": "animals", "toy": "toys"}


def codraw_help(game: CodrawGame, park: CodrawInstance, role: Role) -> tuple[str, str, str]:
    rules = game.settings
    opens = f" {_EITHER_OPENS}" if rules.opens == "either" else ""
    if role == TELLER:
        ends = _SCENE_COMPLETE + ("." if rules.silent else " or sends a message.")
        return (
            f"{_TELLING} They {'cannot write' if rules.silent else 'may ask questions'}.",
            f"You speak in turns, in short messages.{opens}" + (f" {_PEEKING}" if rules.peeks else ""),
            _BOTH_END if rules.ends == "both" else ends,
        )
    answer = "press OK" if rules.silent else "say OK or ask a question"
    drawn = f"When you have drawn what your partner described, {answer}."
    ends = _PARTNER_FINISHED + ("." if rules.silent else ", or send a message if something is missing.")
    return _DRAWING, _KEYS, f"{drawn}{opens} {_BOTH_END if rules.ends == 'both' else ends}"


def yield_codraw_turn(view: CodrawView) -> tuple[CodrawMove, ...]:
    """Let the Drawer speak first, where either may open."""
    if not isinstance(view, TellerView) or not view.may_wait:
        return ()
    return (Wait(),) if view.canvas is None else (Close(), Wait())


def take_codraw_leave(view: CodrawView, moves: Sequence[CodrawMove], text: str) -> tuple[CodrawMove, ...]:
    """Let a Teller say something before it finishes, once."""
    if not isinstance(view, TellerView) or not any(isinstance(move, Finish) for move in moves):
        return ()
    said = any(spoken.seat == TELLER and spoken.text == text for spoken in view.talk)
    return () if said or view.finished or view.drawer_finished or view.rounds == 0 else (Say(text),)


def make_codraw_desk(view: CodrawView, active: bool) -> Desk:
    return _teller_desk(view, active) if isinstance(view, TellerView) else _drawer_desk(view, active)


def _teller_desk(view: TellerView, active: bool) -> Desk:
    panels = (Panel("scene", "The scene", draw_scene_canvas(view.target, "scene", "The scene")),)
    talk = _talk_lines(view, TELLER)
    if view.canvas is not None:
        peek = Panel(
            "peek", "Your partner's canvas", draw_scene_canvas(view.canvas, "peek", "Your partner's canvas")
        )
        buttons = (Button("Close", (Close(),), main=True),) if active else ()
        return Desk(
            "Compare your partner's drawing with the scene. Close it to continue.",
            (*panels, peek),
            talk,
            buttons=buttons,
        )
    if not active:
        now = (
            "Your partner decides whether the scene is complete."
            if view.finished
            else "Your partner is drawing."
        )
        return Desk(now, panels, talk)
    box = Box("Your message", most=view.cap)
    return Desk(_teller_instruction(view), panels, talk, say=box, buttons=tuple(_teller_buttons(view)))


def _teller_instruction(view: TellerView) -> str:
    more = "Describe the next part." if view.silent else "Describe the next part, or answer."
    now = more if view.talk else "Describe the scene."
    if view.may_wait:
        now = "Describe the scene. Your partner may also write first."
    if view.drawer_finished:
        now = "Your partner has finished. Finish too, or say what is missing."
    elif view.finished:
        now = "Your partner wants to continue. Answer, or finish " + (
            "again." if view.drawer_can_finish else "for good."
        )
    few = view.rounds is not None and view.rounds < FEW_ROUNDS
    return f"{now} {view.rounds} {'message is' if view.rounds == 1 else 'messages are'} left." if few else now


def _teller_buttons(view: TellerView) -> Iterator[Button]:
    if view.peeks:
        yield Button(
            "Peek", (Peek(),), "You can look at your partner's canvas once in this game. Look at it now?"
        )
    last = view.drawer_finished or (view.finished and not view.drawer_can_finish)
    ends = "This ends the game." if last else "Your partner is then asked to agree."
    yield Button("Finish", (Finish(),), f"Is the whole scene described? {ends}")


def _drawer_desk(view: DrawerView, active: bool) -> Desk:
    panels = (Panel("work", "The canvas", draw_scene_canvas(view.canvas, "piece", "The canvas")),)
    talk = _talk_lines(view, DRAWER)
    box = None if view.silent else Box("Or send a message" if view.asked else "Your message", most=view.cap)
    return Desk(
        _drawer_instruction(view, active),
        panels,
        talk,
        say=box if active or view.may_open else None,
        buttons=tuple(_drawer_buttons(view)) if active else (),
        tool="scene",
        facts=_palette_facts(view.palette),
    )


def _drawer_instruction(view: DrawerView, active: bool) -> str:
    if not active:
        if view.finished:
            return "You have finished. Your partner finishes too, or continues."
        if view.talk:
            return "Your partner is writing. You can draw when the message arrives."
        may_write = view.may_open and not view.silent
        return "Your partner begins, or you write first." if may_write else "Your partner begins."
    if view.asked:
        instead = "." if view.silent else ", or send a message."
        return f"Your partner thinks that the scene is complete. Draw what is missing and agree{instead}"
    if view.talk:
        return f"Draw what your partner described, then {'press OK' if view.silent else 'answer'}."
    return "You may begin: say something."


def _drawer_buttons(view: DrawerView) -> Iterator[Button]:
    if view.asked:
        yield Button("Agree", (Agree(),), "Is everything drawn? This ends the game.", main=True)
        return
    yield Button("OK", (Say(OK),), main=True)
    if view.may_finish and not view.finished:
        ends = (
            "This ends the game." if view.teller_finished else "The game ends when your partner finishes too."
        )
        yield Button("Finish", (Finish(),), f"Is everything drawn? {ends}")


def compare_codraw(game: CodrawGame, state: State) -> GameComparison:
    target, canvas = state.park.target, state.canvas
    meant, drawn = ({piece.kind for piece in scene.pieces} for scene in (target, canvas))
    extra = f" and {len(drawn - meant)} too many" if drawn - meant else ""
    alike = similarity(target, canvas)
    sentence = (
        f"{len(meant & drawn)} of {len(meant)} pieces are drawn{extra}, similarity {alike:.1f} of {BEST:g}."
    )
    titles = ("meant", "What was meant", target), ("drawn", "What was drawn", canvas)
    panels = tuple(Panel(name, title, draw_scene_canvas(scene, name, title)) for name, title, scene in titles)
    return GameComparison(sentence, panels)


def _talk_lines(view: CodrawView, role: Role) -> tuple[Line, ...]:
    return tuple([_make_line(spoken.seat == role, spoken.text) for spoken in view.talk])


@lru_cache(8192)  # the whole talk is shown again with every message
def _make_line(mine: bool, text: str) -> Line:
    return Line("me" if mine else "partner", text)


@lru_cache(256)  # as many games may run at once, and they share the drawings
def _palette_facts(palette: tuple[str, ...]) -> Mapping[str, Any]:
    """Return what stays the same during a game and is sent once: clip art drawn at full size around (0,
    0), with its dimensions. People are drawn smiling in all poses; the page replaces the smile by another
    face."""
    people, ordered = [kind for kind in palette if kind in PEOPLE], tuple(sorted(palette, key=KINDS.index))
    return {
        "size": [WIDTH, HEIGHT],
        "shelves": [
            {"name": _SHELVES.get(name, name), "kinds": kinds} for name, kinds in palette_shelves(ordered)
        ],
        "art": {kind: [_clipart_drawing(kind)] for kind in palette if kind not in PEOPLE}
        | {kind: [_clipart_drawing(kind, pose) for pose in range(len(POSES))] for kind in people},
        "heads": {kind: clipart.clipart_head_centre(kind) for kind in people},
        "faces": [clipart.draw_clipart_expression(expression) for expression in range(len(EXPRESSIONS))]
        if people
        else [],
        "smile": SMILE,
        "sizes": SIZES,
        "scales": SCALES,
        "start": LARGE,
        "poses": POSES,
        "expressions": EXPRESSIONS,
    }


@lru_cache(256)
def _clipart_drawing(kind: str, pose: int = 0) -> tuple[int, int, str]:
    return (
        *clipart.clipart_piece_size(kind, pose),
        clipart.draw_clipart_piece(kind, pose=pose, expression=SMILE if kind in PEOPLE else 0),
    )
