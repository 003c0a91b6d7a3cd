"""CoDraw: the Teller sees a park scene, and the Drawer rebuilds it from clip art while the two talk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal, TypeAlias, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from groundling.boards.scene import HEIGHT, KINDS, WIDTH, Put, Scene, Shift, apply_change
from groundling.boards.scene.descriptions import Places
from groundling.core.game import Game
from groundling.core.values import Illegal, Reading, Result, Role, Say, Settings, View
from groundling.games.codraw.instance import DRAWER, TELLER, CodrawInstance, hide
from groundling.games.codraw.moves import OK, Agree, Close, CodrawMove, Draw, Finish, Peek, Wait, one_line
from groundling.games.codraw.replies import read_drawer_reply, read_teller_reply, write_codraw_reply
from groundling.games.codraw.similarity import similarity

__all__ = [
    "DRAWER",
    "OK",
    "TELLER",
    "CodrawGame",
    "CodrawSettings",
    "DrawerView",
    "SpokenMessage",
    "State",
    "TellerView",
    "hide",
    "one_line",
]

MOST_CHANGES = 200
"""The limit for one turn; no scene needs as many."""
Opens: TypeAlias = Literal["teller", "drawer", "either"]
DRAWS = get_args(Draw)
_TELLS = (Wait, Peek, Close, Finish)


class CodrawSettings(Settings, frozen=True):
    opens: Annotated[Opens, Meta(description="who speaks first; either: the Teller may wait")] = "teller"
    ends: Annotated[
        Literal["teller", "both"],
        Meta(description="who can finish; both: the game ends when both have, in any order"),
    ] = "teller"
    palette: Annotated[
        Literal["full", "twenty"], Meta(description="the clip art to draw with: all 58 kinds, or 20")
    ] = "full"
    peeks: Annotated[
        int, Meta(ge=0, le=1, description="number of times the Teller may look at the canvas")
    ] = 1
    silent: Annotated[bool, Meta(description='the Drawer draws and says nothing but "ok"')] = False
    cap: Annotated[int, Meta(ge=0, description="maximum length of a message in characters; 0: no limit")] = (
        140
    )
    rounds: Annotated[
        int, Meta(ge=0, description="maximum number of messages of the Teller; 0: no limit")
    ] = 50
    empty: Annotated[bool, Meta(description="messages may be empty")] = False
    places: Annotated[
        Literal["auto", "numbers", "words"],
        Meta(
            description="how a scene in text gives positions to the Teller; auto: in words if both are "
            "language models, else in numbers"
        ),
    ] = "auto"


class SpokenMessage(Struct, frozen=True, gc=False):
    seat: Role
    text: str


class TellerView(View, frozen=True, gc=False):
    target: Scene
    talk: tuple[SpokenMessage, ...]
    canvas: Scene | None
    """The canvas while the Teller peeks at it."""
    peeks: int
    """The number of peeks left."""
    finished: bool
    """Whether the Teller has finished before. Where only the Teller can, its next Finish ends the game."""
    may_wait: bool
    rounds: int | None
    """The number of messages left; None if it is unlimited."""
    cap: int
    silent: bool
    places: Places = "numbers"
    drawer_can_finish: bool = False
    drawer_finished: bool = False
    """Whether the Drawer has finished: the Teller's Finish ends the game."""


class DrawerView(View, frozen=True, gc=False):
    palette: tuple[str, ...]
    canvas: Scene
    talk: tuple[SpokenMessage, ...]
    asked: bool
    """Whether the Teller has just finished: the Drawer agrees or continues with a message."""
    cap: int
    silent: bool
    may_open: bool = False
    """Whether the Drawer may speak first, although it is the Teller's turn, if the Teller has not spoken."""
    may_finish: bool = False
    finished: bool = False
    """Whether the Drawer has finished before."""
    teller_finished: bool = False
    """Whether the Teller has finished, also if the game continued: the Drawer's Finish ends it."""


CodrawView: TypeAlias = TellerView | DrawerView


class State(Struct, frozen=True, gc=False):
    park: CodrawInstance
    seat: Role | None
    """The seat whose turn it is."""
    canvas: Scene = Scene()
    talk: tuple[SpokenMessage, ...] = ()
    changes: int = 0
    """The number of changes in this turn."""
    rounds: int = 0
    """The number of messages of the Teller so far."""
    peeks: int = 0
    peeking: bool = False
    finished: bool = False
    """Whether the Teller has finished."""
    asked: bool = False
    """Whether the Teller has finished and the Drawer has not answered yet."""
    drawer_finished: bool = False


class CodrawGame(Game[CodrawInstance, State, CodrawMove, CodrawView]):
    name: ClassVar[str] = "codraw"
    Settings = CodrawSettings
    Instance = CodrawInstance
    Move = CodrawMove
    settings: CodrawSettings

    def seats(self, instance: CodrawInstance) -> tuple[Role, ...]:
        return TELLER, DRAWER

    def start(self, instance: CodrawInstance) -> State:
        return State(instance, DRAWER if self.settings.opens == "drawer" else TELLER)

    def turn(self, state: State) -> Role | None:
        return state.seat

    def available_kinds(self, state: State) -> tuple[str, ...]:
        return KINDS if self.settings.palette == "full" else state.park.palette

    def view(self, state: State, role: Role) -> CodrawView:
        settings = self.settings
        if role == DRAWER:
            return DrawerView(
                self.available_kinds(state),
                state.canvas,
                state.talk,
                state.asked,
                settings.cap,
                settings.silent,
                may_open=state.seat == TELLER and self._may_wait(state),
                may_finish=settings.ends == "both" and bool(state.talk),
                finished=state.drawer_finished,
                teller_finished=settings.ends == "both" and state.finished,
            )
        return TellerView(
            target=state.park.target,
            talk=state.talk,
            canvas=state.canvas if state.peeking else None,
            peeks=settings.peeks - state.peeks,
            finished=state.finished,
            may_wait=self._may_wait(state),
            rounds=settings.rounds - state.rounds if settings.rounds else None,
            cap=settings.cap,
            silent=settings.silent,
            places="words" if settings.places == "words" else "numbers",
            drawer_can_finish=settings.ends == "both",
            drawer_finished=state.drawer_finished,
        )

    def _may_wait(self, state: State) -> bool:
        return self.settings.opens == "either" and not state.talk

    def read(self, state: State, role: Role, text: str, *, strict: bool = False) -> Reading[CodrawMove]:
        if role == TELLER:
            return read_teller_reply(text, peeking=state.peeking, empty=self.settings.empty, strict=strict)
        return read_drawer_reply(
            text,
            asked=state.asked,
            silent=self.settings.silent,
            empty=self.settings.empty,
            finishes=self.settings.ends == "both",
            strict=strict,
        )

    def write(self, moves: Sequence[CodrawMove]) -> str:
        return write_codraw_reply(moves)

    def play(self, state: State, role: Role, move: CodrawMove) -> State:
        if role != state.seat:
            raise Illegal("it is not your turn")
        if isinstance(move, Say):
            self._check_message(state, role, move.text)
        return self._play_teller(state, move) if role == TELLER else self._play_drawer(state, move)

    def _check_message(self, state: State, role: Role, text: str) -> None:
        """Check a message against the settings. Recorded messages of this scene are always allowed:
        tokenisation made them longer than they were when people typed them."""
        cap = self.settings.cap
        if not text and not self.settings.empty:
            raise Illegal("a message cannot be empty: say something")
        if text != one_line(text):
            raise Illegal("a message is one line of text, without blanks around it")
        if cap and len(text) > cap and not state.park.was_said(role, text):
            raise Illegal(
                f"a message has at most {cap} characters, and this one has {len(text)}: say it in several"
            )

    def _play_teller(self, state: State, move: CodrawMove) -> State:
        match move:
            case Peek():
                if state.peeking:
                    raise Illegal("you are looking at the canvas already: close it, then speak")
                if state.peeks == self.settings.peeks:
                    raise Illegal(
                        "you have no peek left" if state.peeks else "there is no peeking in this game"
                    )
                return replace(state, peeking=True, peeks=state.peeks + 1)
            case Close():
                if not state.peeking:
                    raise Illegal("there is nothing to close: you are not looking at the canvas")
                return replace(state, peeking=False)
            case Wait():
                if not self._may_wait(state):
                    raise Illegal(
                        "only before the first message can you wait for the Drawer, and only where either "
                        "may open"
                    )
                return replace(state, seat=DRAWER)
        if state.peeking:
            raise Illegal("you are looking at the canvas: close it before you speak or finish")
        if isinstance(move, Finish):
            if state.drawer_finished or (state.finished and self.settings.ends == "teller"):
                return replace(state, seat=None)
            # a repeated Finish counts as a message, so that the game ends although the Drawer never finishes
            rounds = state.rounds + state.finished
            return replace(state, seat=DRAWER, finished=True, asked=True, rounds=rounds)
        if not isinstance(move, Say):
            raise Illegal("only the Drawer draws and agrees: say what it should do, peek, or finish")
        return replace(
            state, seat=DRAWER, rounds=state.rounds + 1, talk=(*state.talk, SpokenMessage(TELLER, move.text))
        )

    def _play_drawer(self, state: State, move: CodrawMove) -> State:
        if isinstance(move, DRAWS):
            return self._change_canvas(state, move)
        if isinstance(move, Finish) and self.settings.ends == "both":
            return self._finish_drawing(state)
        if isinstance(move, _TELLS):
            raise Illegal(f"only the Teller can {type(move).__name__.lower()}: draw, and answer")
        if isinstance(move, Agree):
            if not state.asked:
                raise Illegal("the Teller has not finished yet: there is nothing to agree to")
            return replace(state, seat=None)
        assert isinstance(move, Say)
        if self.settings.silent and (state.asked or move.text != OK):
            raise Illegal(
                "a silent Drawer agrees when the Teller has finished"
                if state.asked
                else f'you can only say "{OK}"'
            )
        talk = (*state.talk, SpokenMessage(DRAWER, move.text))
        return replace(self._end_drawer_turn(state), talk=talk)

    def _finish_drawing(self, state: State) -> State:
        if not state.talk:
            raise Illegal("nothing has been said yet: say something, then draw what the Teller describes")
        if state.finished:
            return replace(state, seat=None)
        return replace(self._end_drawer_turn(state), drawer_finished=True)

    def _end_drawer_turn(self, state: State) -> State:
        over = 0 < self.settings.rounds <= state.rounds
        return replace(state, seat=None if over else TELLER, changes=0, asked=False)

    def _change_canvas(self, state: State, move: Draw) -> State:
        if move.kind not in self.available_kinds(state):
            raise Illegal(
                f"{move.kind} is not in the palette: take one of {', '.join(self.available_kinds(state))}"
            )
        if state.changes == MOST_CHANGES:
            raise Illegal(f"{MOST_CHANGES} changes are enough for one turn: answer now")
        if isinstance(move, Put | Shift):
            _check_place(*((move.piece.x, move.piece.y) if isinstance(move, Put) else (move.x, move.y)))
        try:
            canvas = apply_change(state.canvas, move)
        except ValueError as trouble:
            raise Illegal(str(trouble)) from None
        return replace(state, canvas=canvas, changes=state.changes + 1)

    def result(self, state: State) -> Result | None:
        return None if state.seat else Result(similarity(state.park.target, state.canvas))


def resolve_codraw_settings(settings: CodrawSettings, models: frozenset[Role]) -> CodrawSettings:
    """Choose how positions are given: a language model would dictate numbers to another one."""
    if settings.places != "auto":
        return settings
    return replace(settings, places="words" if models == {TELLER, DRAWER} else "numbers")


def _check_place(x: int, y: int) -> None:
    """Allow pieces that are partly or fully cut off, as people place them, up to one canvas away."""
    if not (-WIDTH <= x <= 2 * WIDTH and -HEIGHT <= y <= 2 * HEIGHT):
        raise Illegal(
            f"({x}, {y}) is too far off: x is 0 to {WIDTH} from the left, y is 0 to {HEIGHT} from the top"
        )
