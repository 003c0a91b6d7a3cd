"""The grammar Drawer at the table: legal under every setting, whatever it is told, and a partner for
Tellers."""

from __future__ import annotations

import asyncio
from itertools import islice
from random import Random
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.boards.scenes import PARK, released

from groundling.boards.scene import KINDS, Flip, Piece, Put, Remove, Resize, Scene, Shift
from groundling.core.events import AnyEvent, Moved, Transcript
from groundling.core.pack import Seat, find, load
from groundling.core.player import Ask, Player, Reply
from groundling.core.replay import replay_transcript
from groundling.core.table import play
from groundling.core.values import Problem, Say
from groundling.games.codraw.instance import DRAWER, TELLER, CodrawInstance, choose_instance_palette
from groundling.games.codraw.make import builtin
from groundling.games.codraw.moves import Agree, CodrawMove, Finish, one_line
from groundling.games.codraw.players.grammar.drawer import READY, grammar_drawer_moves
from groundling.games.codraw.players.grammar.sketch import Sketch
from groundling.games.codraw.recorded.dialogs import WHOLE
from groundling.games.codraw.recorded.transcripts import load_transcript_instances
from groundling.games.codraw.rules import OK, CodrawGame, CodrawSettings, DrawerView, SpokenMessage, State
from groundling.games.codraw.similarity import similarity

PACK = find("codraw")
NOTHING = Scene()
TREES = CodrawInstance(id="t", target=Scene.of([Piece("pine tree", 90, 110, 1)]), palette=KINDS)


def seat(name: str, role: str) -> Player:
    player: Player = load(PACK.players[name])(Seat(PACK, PACK.new(), role, name))
    return player


def view(
    *talk: str, canvas: Scene = NOTHING, palette: tuple[str, ...] = KINDS, cap: int = 140, **fields: bool
) -> DrawerView:
    """After what the two have said, in turns, the Teller last."""
    roles = (TELLER, DRAWER) if len(talk) % 2 else (DRAWER, TELLER)
    spoken = tuple(SpokenMessage(roles[n % 2], text) for n, text in enumerate(talk))
    return DrawerView(palette, canvas, spoken, fields.get("asked", False), cap, fields.get("silent", False))


class Tells:
    """A Teller with these messages, which then finishes."""

    name = "tells"

    def __init__(self, *messages: str) -> None:
        self.messages = messages

    async def act(self, ask: Ask) -> Reply:
        said = len(ask.past)
        return Reply(moves=(Say(self.messages[said]) if said < len(self.messages) else Finish(),))


def played(teller: Player, park: CodrawInstance, game_settings: CodrawSettings | None = None) -> Transcript:
    async def all_of_it() -> Transcript:
        players = {TELLER: teller, DRAWER: seat("grammar", DRAWER)}
        game = PACK.new(game_settings)
        events: list[AnyEvent] = [
            event async for event in play(game, park, players, seed=0, clock=lambda: 0.0)
        ]
        return Transcript(tuple(events))

    found = asyncio.run(all_of_it())
    assert found.status == "played"
    assert not [event for event in found.events if type(event).__name__ == "Refused"]
    return found


def drawer_moves(transcript: Transcript) -> list[tuple[CodrawMove, ...]]:
    return [event.moves for event in transcript.events if isinstance(event, Moved) and event.role == DRAWER]


def test_it_only_draws() -> None:
    with pytest.raises(Problem, match="grammar is a Drawer"):
        seat("grammar", TELLER)


def test_it_puts_what_is_new_and_changes_what_is_said_again() -> None:
    first = "a large dog on the left facing right"
    (put, said) = grammar_drawer_moves(view(first))
    assert isinstance(put, Put)
    assert said == Say(OK)
    canvas = Scene.of([put.piece])
    assert grammar_drawer_moves(view(first, OK, "nothing more", canvas=canvas)) == (Say(OK),)
    (move, _) = grammar_drawer_moves(view(first, OK, "move the dog up an inch", canvas=canvas))
    assert isinstance(move, Shift)
    assert move.y < put.piece.y
    assert grammar_drawer_moves(view(first, OK, "flip the dog", canvas=canvas)) == (
        Flip("dog", True),
        Say(OK),
    )
    changes = grammar_drawer_moves(view(first, OK, "make the dog smaller", canvas=canvas))
    assert Resize("dog", 1) in changes
    assert grammar_drawer_moves(view(first, OK, "remove the dog", canvas=canvas)) == (Remove("dog"), Say(OK))


def test_it_asks_one_short_question() -> None:
    told = "a boy with a hat under a tree"
    assert grammar_drawer_moves(view(told))[-1] == Say("Which hat is it?")
    assert grammar_drawer_moves(view(told, silent=True))[-1] == Say(OK)
    assert grammar_drawer_moves(view(told, cap=10))[-1] == Say(OK)
    assert grammar_drawer_moves(view(told, cap=1))[-1] == Say("o")


def test_it_agrees_when_the_teller_has_finished() -> None:
    assert grammar_drawer_moves(view("a tree", asked=True))[-1] == Agree()
    assert grammar_drawer_moves(view(asked=True)) == (Agree(),)


def test_it_is_ready_where_it_speaks_first() -> None:
    assert grammar_drawer_moves(view()) == (Say(READY),)
    assert grammar_drawer_moves(view(silent=True)) == (Say(OK),)


def test_it_uses_the_palette_that_it_has() -> None:
    palette = choose_instance_palette(PARK, Random(1))
    moves = grammar_drawer_moves(view(" ".join(f"a {kind}." for kind in KINDS), palette=palette, cap=0))
    assert {move.kind for move in moves if isinstance(move, Put)} <= set(palette)


def after_reply(game: CodrawGame, state: State) -> State:
    """Whatever it replies must be legal."""
    if game.turn(state) != DRAWER:
        return state
    seen = game.view(state, DRAWER)
    assert isinstance(seen, DrawerView)
    for move in grammar_drawer_moves(seen):
        state = game.play(state, DRAWER, move)
    return state


@given(
    st.builds(
        CodrawSettings,
        opens=st.sampled_from(["teller", "drawer", "either"]),
        palette=st.sampled_from(["full", "twenty"]),
        peeks=st.integers(0, 1),
        silent=st.booleans(),
        cap=st.sampled_from([0, 2, 20, 140]),
        rounds=st.sampled_from([0, 2]),
        empty=st.booleans(),
    ),
    st.sampled_from(builtin()[:20]),
    st.lists(st.one_of(st.text(), st.text().map(lambda text: text * 1000), st.just("")), max_size=4),
)
def test_any_text_gets_a_legal_reply(chosen: CodrawSettings, park: CodrawInstance, texts: list[str]) -> None:
    game = CodrawGame(chosen)
    state = game.start(park)
    for text in texts:
        state = after_reply(game, state)
        if game.turn(state) is None:
            return
        line = one_line(text[:10_000])
        line = one_line(line[: chosen.cap]) if chosen.cap else line
        state = game.play(state, TELLER, Say(line) if line or chosen.empty else Finish())
    assert game.turn(after_reply(game, state)) != DRAWER


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "chosen",
    [
        CodrawSettings(),
        CodrawSettings(silent=True, peeks=0),
        CodrawSettings(palette="twenty", opens="either"),
        CodrawSettings(opens="drawer", cap=60),
        CodrawSettings(rounds=3),
    ],
)
def test_it_draws_what_the_template_teller_says(chosen: CodrawSettings) -> None:
    similar = []
    for park in builtin()[:12]:
        found = played(seat("template", TELLER), park, chosen)
        state = replay_transcript(PACK.new(chosen), found)
        similar.append(similarity(park.target, state.canvas))
    assert mean(similar) > (2.0 if chosen.rounds == 3 else 4.2)


def test_the_template_teller_answers_its_question() -> None:
    found = played(TellsThenTemplate("a tree on the left"), TREES)
    said = [move.text for moves in drawer_moves(found) for move in moves if isinstance(move, Say)]
    assert said[0] == "Which tree is it?"
    state = replay_transcript(PACK.new(), found)
    assert state.canvas.kinds == ("pine tree",)
    assert "pine tree" in state.talk[2].text.lower()


class TellsThenTemplate(Tells):
    """Begins in words of its own and goes on as the template Teller."""

    async def act(self, ask: Ask) -> Reply:
        return (
            await super().act(ask)
            if len(ask.past) < len(self.messages)
            else await seat("template", TELLER).act(ask)
        )


def test_the_same_conversation_gives_the_same_canvas_whatever_was_drawn_before() -> None:
    talk = ("a girl on the left", OK, "a dog to the right of her", OK, "move the dog up a bit")
    from_nothing = grammar_drawer_moves(view(*talk))
    put = {move.kind: move.piece for move in from_nothing if isinstance(move, Put)}
    assert grammar_drawer_moves(view(*talk, canvas=Scene.of(put.values()))) == (Say(OK),)


@pytest.mark.slow
def test_people_are_understood() -> None:
    """All that the first hundred recorded Tellers said."""
    similar = []
    for park in islice(load_transcript_instances(released(), "train", WHOLE), 100):
        sketch = Sketch(park.palette)
        for turn in park.recorded:
            if turn.seat == TELLER and turn.text:
                sketch.read_message(turn.text)
        similar.append(similarity(park.target, sketch.draw_scene()))
    assert mean(similar) > 3.5
