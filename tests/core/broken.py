"""A small whole game that keeps every law, and copies of it that each break one. The teller knows a number
and says it, the guesser has two tries."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from itertools import count
from random import Random
from typing import Annotated, Any, ClassVar, TypeAlias
from xml.sax.saxutils import escape

from msgspec import Meta, Struct
from msgspec.structs import replace

from groundling.core.drawing import Drawing
from groundling.core.events import Transcript
from groundling.core.game import Game
from groundling.core.pack import DERIVED, Measure, Pack, Scores, Seat
from groundling.core.player import Ask, Player, Reply, Unable
from groundling.core.values import Illegal, Instance, Move, Problem, Reading, Recipe, Result, Role, Say, View

TELLER, GUESSER = "teller", "guesser"
_GUESS, _SAY = re.compile(r"Guess: ([1-9])"), re.compile(r"Say: (\S(?:.*\S)?)", re.DOTALL)


class Secret(Instance, frozen=True, kw_only=True):
    number: int
    limit: int = 9


class Guess(Move, frozen=True, gc=False):
    number: int


class TellerView(View, frozen=True, gc=False):
    number: int
    limit: int
    heard: tuple[str | int, ...]


class GuesserView(View, frozen=True, gc=False):
    limit: int
    heard: tuple[str | int, ...]


class State(Struct, frozen=True, gc=False):
    secret: Secret
    heard: tuple[str | int, ...] = ()


GuessMove: TypeAlias = Say | Guess
GuessView: TypeAlias = TellerView | GuesserView


class GuessGame(Game[Secret, Any, GuessMove, GuessView]):
    name: ClassVar[str] = "guess"
    Instance = Secret
    Move = GuessMove

    def seats(self, instance: Secret) -> tuple[Role, ...]:
        return TELLER, GUESSER

    def start(self, instance: Secret) -> Any:
        return State(instance)

    def turn(self, state: Any) -> Role | None:
        if len(state.heard) == 4 or state.secret.number in state.heard:
            return None
        return GUESSER if len(state.heard) % 2 else TELLER

    def view(self, state: Any, role: Role) -> GuessView:
        limit, heard = state.secret.limit, state.heard
        return TellerView(state.secret.number, limit, heard) if role == TELLER else GuesserView(limit, heard)

    def read(self, state: Any, role: Role, text: str, *, strict: bool = False) -> Reading[GuessMove]:
        if role == TELLER:
            said = _SAY.fullmatch(
                text.strip() if strict else f"Say: {text.strip().removeprefix('Say:').strip()}"
            )
            if not said:
                raise Illegal("start with the tag Say: and say something")
            return Reading((Say(said[1]),))
        found = _GUESS.fullmatch(text.strip())
        digits = ({found[1]} if found else set()) if strict else set(re.findall(r"[1-9]", text))
        if len(digits) != 1:
            raise Illegal("guess one number: Guess: 1 to 9")
        return Reading((Guess(int(digits.pop())),))

    def write(self, moves: Sequence[GuessMove]) -> str:
        return "\n".join(
            f"Say: {move.text}" if isinstance(move, Say) else f"Guess: {move.number}" for move in moves
        )

    def play(self, state: Any, role: Role, move: GuessMove) -> Any:
        if role != self.turn(state) or isinstance(move, Say) != (role == TELLER):
            raise Illegal("the teller says something, the guesser guesses")
        if isinstance(move, Guess) and not 1 <= move.number <= state.secret.limit:
            raise Illegal(f"guess from 1 to {state.secret.limit}")
        return State(state.secret, (*state.heard, move.text if isinstance(move, Say) else move.number))

    def result(self, state: Any) -> Result | None:
        return None if self.turn(state) is not None else Result(float(state.secret.number in state.heard))


def make(recipe: Recipe) -> list[Secret]:
    rng = Random(recipe.seed)
    return [
        Secret(id=f"{number}", origin=str(recipe.seed), number=rng.randint(1, 9))
        for number in range(recipe.n)
    ]


def builtin() -> list[Secret]:
    return [Secret(id=f"built-in-{number}", number=number) for number in range(1, 10)]


def hide(secret: Secret, role: Role, rng: Random) -> Secret | None:
    others = [number for number in range(1, 10) if number != secret.number]
    return replace(secret, number=rng.choice(others)) if role == GUESSER else None


MEASURES = (Measure("success", "1 if guessed", 0, 1), Measure("guesses", "how many it took", 0, 2))


def score(game: GuessGame, transcript: Transcript) -> Scores:
    guesses = sum(isinstance(move, Guess) for _, move in transcript.event_moves())
    return Scores({"success": transcript.result.score if transcript.result else 0.0, "guesses": guesses})


def draw(view: GuessView) -> Drawing:
    text = repr(view)  # which spells out whatever XML cannot hold
    return Drawing(text, f"<svg><text>{escape(text)}</text></svg>")


class Gold:
    name = "gold"

    async def act(self, ask: Ask) -> Reply:
        if ask.role == TELLER:
            return Reply(moves=(Say(f"it is {ask.view.number}"),))
        return Reply(moves=(Guess(int(ask.view.heard[-1][-1])),))


class Chance:
    name = "random"

    async def act(self, ask: Ask) -> Reply:
        number = Random(ask.seed).randint(1, 9)
        return Reply(moves=(Say(f"perhaps {number}") if ask.role == TELLER else Guess(number),))


good = Pack(
    name="guess",
    about="guess a number",
    board="none",
    shape="choose",
    roles=(TELLER, GUESSER),
    speaker=TELLER,
    measures=MEASURES,
    game=GuessGame,
    recipe=Recipe,
    make=make,
    builtin=builtin,
    score=score,
    top=lambda instance: 1.0,
    chance=lambda instance: 2 / 9,
    cluster=lambda instance: str(instance.number),
    draw=draw,
    hide=hide,
    players={"gold": lambda seat: Gold(), "random": lambda seat: Chance()},
)


def with_game(**methods: Any) -> Pack:
    return replace(good, game=type("Broken", (GuessGame,), methods))


def with_players(**players: Callable[[Seat], Player]) -> Pack:
    return replace(good, players={**good.players, **players})


class Noted(Secret, frozen=True, kw_only=True):
    notes: Any = ()


class Heap(Struct):
    """A state that can be changed."""

    secret: Secret
    heard: tuple[str | int, ...] = ()
    nonce: int = 0


class Acting:
    """A player made from a function."""

    def __init__(self, act: Callable[[Ask], Reply]) -> None:
        self.name, self._act = "acting", act

    async def act(self, ask: Ask) -> Reply:
        return self._act(ask)


_counter = count()


def same_again(ask: Ask) -> Reply:
    return Reply(moves=(Say("x") if ask.role == TELLER else Guess(1),))


def global_random(recipe: Recipe) -> list[Secret]:
    return [Secret(id=str(number), number=random.randint(1, 9)) for number in range(recipe.n)]


def global_seed(recipe: Recipe) -> list[Secret]:
    random.seed(recipe.seed)
    return global_random(recipe)


def impossible(*args: Any) -> Any:
    raise ZeroDivisionError("one cannot\ndo that")


def push(self: GuessGame, state: Any, role: Role, move: GuessMove) -> Any:
    state.heard = GuessGame.play(self, state, role, move).heard
    return state


def drift(self: GuessGame, state: Any, role: Role, move: GuessMove) -> Any:
    return Heap(state.secret, GuessGame.play(self, state, role, move).heard, next(_counter))


def heap(self: GuessGame, state: Any, role: Role, move: GuessMove) -> Any:
    return Heap(state.secret, GuessGame.play(self, state, role, move).heard, state.nonce)


def peep(self: GuessGame, state: Any, role: Role) -> GuessView:
    state.nonce += 1
    return GuessGame.view(self, state, role)


def early_result(self: GuessGame, state: Any) -> Result | None:
    return Result(0.0) if len(state.heard) == 1 else GuessGame.result(self, state)


def no_result(self: GuessGame, state: Any) -> Result | None:
    return None


def stray_turn(self: GuessGame, state: Any) -> Role | None:
    return "nobody" if len(state.heard) == 1 else GuessGame.turn(self, state)


def dull_write(self: GuessGame, moves: Sequence[GuessMove]) -> str:
    return "Say: something" if isinstance(moves[0], Say) else GuessGame.write(self, moves)


def loose_read(
    self: GuessGame, state: Any, role: Role, text: str, *, strict: bool = False
) -> Reading[GuessMove]:
    reading = GuessGame.read(self, state, role, text, strict=strict)
    return Reading((Guess(1),)) if role == GUESSER and not strict else reading


def fussy_read(
    self: GuessGame, state: Any, role: Role, text: str, *, strict: bool = False
) -> Reading[GuessMove]:
    if not strict and text != text.lower():
        raise Illegal("no capital letters")
    return GuessGame.read(self, state, role, text, strict=strict)


def hasty_read(
    self: GuessGame, state: Any, role: Role, text: str, *, strict: bool = False
) -> Reading[GuessMove]:
    if role == GUESSER and not strict:
        return Reading((Guess(int(text.strip()[-1])),))
    return GuessGame.read(self, state, role, text, strict=strict)


def mute_read(
    self: GuessGame, state: Any, role: Role, text: str, *, strict: bool = False
) -> Reading[GuessMove]:
    try:
        return GuessGame.read(self, state, role, text, strict=strict)
    except Illegal:
        raise Illegal from None


def ascii_play(self: GuessGame, state: Any, role: Role, move: GuessMove) -> Any:
    if isinstance(move, Say):
        move.text.encode("latin-1")
    return GuessGame.play(self, state, role, move)


def telling_read(
    self: GuessGame, state: Any, role: Role, text: str, *, strict: bool = False
) -> Reading[GuessMove]:
    try:
        return GuessGame.read(self, state, role, text, strict=strict)
    except Illegal:
        raise Illegal(f"guess something near {state.secret.number}") from None


def open_view(self: GuessGame, state: Any, role: Role) -> GuessView:
    return GuessGame.view(self, state, TELLER)


def late_view(self: GuessGame, state: Any, role: Role) -> GuessView:
    return GuessGame.view(self, state, TELLER if len(state.heard) == 3 else role)


def endless_play(self: GuessGame, state: Any, role: Role, move: GuessMove) -> Any:
    after = GuessGame.play(self, state, role, move)
    return State(state.secret) if isinstance(move, Guess) and move.number != state.secret.number else after


def hide_limit(secret: Secret, role: Role, rng: Random) -> Secret | None:
    return replace(secret, limit=8) if role == GUESSER else None


def gold_but(act: Callable[[Ask], Reply]) -> Pack:
    return with_players(gold=lambda seat: Acting(act) if seat.role == GUESSER else Gold())


def unable(ask: Ask) -> Reply:
    raise Unable("timeout", "fell asleep")


def forgetful(seat: Seat) -> Player:
    rng = Random(0)
    return Acting(lambda ask: Reply(moves=(Say("x") if ask.role == TELLER else Guess(rng.randint(1, 9)),)))


def scored(change: Callable[[Transcript, dict[str, float | None]], dict[str, float | None]]) -> Pack:
    return replace(
        good, score=lambda game, transcript: Scores(change(transcript, score(game, transcript).episode))
    )


def drawn(change: Callable[[Drawing], Drawing]) -> Pack:
    return replace(good, draw=lambda view: change(draw(view)))


def draw_raw(view: GuessView) -> Drawing:
    return Drawing("something", f"<svg><text>{escape(' '.join(map(str, view.heard)))}</text></svg>")


class Limited(Recipe, frozen=True, kw_only=True):
    most: Annotated[int | None, Meta(ge=1)] = None
    """Only a number can have limits, and this may be none."""


def chosen_from(*numbers: int) -> Pack:
    moves = [Guess(number) for number in numbers]
    return replace(good, choices=lambda view: moves if isinstance(view, GuesserView) else ())


BROKEN: dict[str, tuple[str, Pack]] = {
    "score is nowhere": ("pack", replace(good, score="nowhere.at.all:score")),
    "the game has another name": ("pack", with_game(name="gess")),
    "the speaker has no seat": ("pack", replace(good, speaker="narrator")),
    "the speaker is the one who guesses": ("speaker", replace(good, speaker=GUESSER)),
    "make draws from the global state": ("seed", replace(good, make=global_random)),
    "make seeds the global state": ("seed", replace(good, make=global_seed)),
    "make forgets the seed": ("seed", replace(good, make=lambda recipe: make(Recipe(n=recipe.n)))),
    "make repeats an id": (
        "seed",
        replace(good, make=lambda recipe: [replace(one, id="1") for one in make(recipe)]),
    ),
    "make raises": ("seed", replace(good, make=impossible)),
    "nothing is built in": ("seed", replace(good, builtin=list)),
    "builtin is new each time": ("seed", replace(good, builtin=lambda: make(Recipe(seed=next(_counter))))),
    "builtin raises": ("seed", replace(good, builtin=impossible)),
    "a move is not declared": ("json", with_game(Move=Say)),
    "an instance comes back as something else": (
        "json",
        replace(with_game(Instance=Noted), builtin=lambda: [Noted(id="x", number=2, notes=(1, 2))]),
    ),
    "a recipe cannot be read": ("json", replace(good, recipe=Limited)),
    "an instance cannot be encoded": (
        "json",
        replace(with_game(Instance=Noted), builtin=lambda: [Noted(id="x", number=2, notes=3j)]),
    ),
    "play changes the state": ("replay", with_game(start=lambda self, secret: Heap(secret), play=push)),
    "play does not repeat": ("replay", with_game(start=lambda self, secret: Heap(secret), play=drift)),
    "start does not repeat": (
        "replay",
        with_game(start=lambda self, secret: Heap(secret, (), next(_counter))),
    ),
    "view changes the state": (
        "replay",
        with_game(start=lambda self, secret: Heap(secret), play=heap, view=peep),
    ),
    "a result before the end": ("turns", with_game(result=early_result)),
    "no result at the end": ("turns", with_game(result=no_result)),
    "the turn is nobody's": ("turns", with_game(turn=stray_turn)),
    "a seat is no role of the pack": ("turns", replace(good, roles=(TELLER, "listener"))),
    "over before it begins": (
        "turns",
        with_game(turn=lambda self, state: None, result=lambda self, state: Result(1.0)),
    ),
    "write loses the words": ("words", with_game(write=dull_write)),
    "write raises": ("words", with_game(write=impossible)),
    "tolerant reads something else": ("readings", with_game(read=loose_read)),
    "tolerant is less so": ("readings", with_game(read=fussy_read)),
    "read raises": ("text", with_game(read=hasty_read)),
    "play raises at rare words": ("text", with_game(play=ascii_play)),
    "Illegal says nothing": ("text", with_game(read=mute_read)),
    "a choice cannot be played": ("choices", chosen_from(10, 1, 2, 3, 4, 5, 6, 7, 8, 9)),
    "a choice is missing": ("choices", chosen_from(1)),
    "two choices are one": ("choices", chosen_from(1, 1, 2, 3, 4, 5, 6, 7, 8, 9)),
    "there is no hide": ("hiding", replace(good, hide=f"{DERIVED}:hide")),
    "hide hides nothing": ("hiding", replace(good, hide=lambda secret, role, rng: secret)),
    "nobody has a secret": ("hiding", replace(good, hide=lambda secret, role, rng: None)),
    "hide gives no instance": ("hiding", replace(good, hide=lambda secret, role, rng: 7)),
    "hide raises": ("hiding", replace(good, hide=impossible)),
    "the view shows the number": ("secrecy", with_game(view=open_view)),
    "the view shows the number later on": ("secrecy", with_game(view=late_view)),
    "hide changes what may be seen": ("secrecy", replace(good, hide=hide_limit)),
    "the complaint tells the number": ("secrecy", with_game(read=telling_read)),
    "gold misses": ("gold", gold_but(lambda ask: Reply(moves=(Guess(1),)))),
    "gold gives up": ("gold", gold_but(unable)),
    "gold is refused": ("gold", gold_but(lambda ask: Reply(text="pardon?"))),
    "there is no gold": ("gold", replace(good, players={"random": good.players["random"]})),
    "gold cannot be seated": ("gold", with_players(gold=impossible)),
    "top raises": ("gold", replace(good, top=impossible)),
    "there is no random": ("end", replace(good, players={"gold": good.players["gold"]})),
    "random goes on for ever": (
        "end",
        replace(
            with_game(play=endless_play), players={**good.players, "random": lambda seat: Acting(same_again)}
        ),
    ),
    "random keeps its own dice": ("resume", with_players(random=forgetful)),
    "there is no measure": ("scores", replace(good, measures=())),
    "a measure is missing": ("scores", scored(lambda transcript, numbers: {"success": numbers["success"]})),
    "a measure is out of bounds": ("scores", scored(lambda transcript, numbers: {**numbers, "guesses": 2.5})),
    "a measure is no number": (
        "scores",
        scored(lambda transcript, numbers: {**numbers, "guesses": float("nan")}),
    ),
    "the score is not the result's": (
        "scores",
        scored(lambda transcript, numbers: {**numbers, "success": 0.5}),
    ),
    "a finished game has no score": (
        "scores",
        scored(lambda transcript, numbers: {**numbers, "success": None}),
    ),
    "a cut transcript cannot be scored": (
        "scores",
        scored(lambda transcript, numbers: numbers if transcript.result else impossible()),
    ),
    "chance beats the top": ("scores", replace(good, chance=lambda instance: 2.0)),
    "a cluster is a number": ("scores", replace(good, cluster=lambda instance: instance.number)),
    "a drawing without text": ("drawing", drawn(lambda drawing: replace(drawing, text=" "))),
    "a drawing that is no XML": ("drawing", drawn(lambda drawing: replace(drawing, svg="<svg>"))),
    "a drawing that is no SVG": ("drawing", drawn(lambda drawing: replace(drawing, svg="<p/>"))),
    "a drawing that changes": ("drawing", drawn(lambda drawing: replace(drawing, text=str(next(_counter))))),
    "a drawing of raw words": ("drawing", replace(good, draw=draw_raw)),
}
"""What is wrong: the one law it breaks, and the game."""


def reluctant(recipe: Recipe) -> list[Secret]:
    """A generator that makes no small sets."""
    if recipe.n < 20:
        raise Problem("at least 20")
    return make(recipe)
