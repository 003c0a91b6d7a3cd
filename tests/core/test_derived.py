"""What a pack leaves out is derived from the rest of it, and works."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace
from tests.core.broken import (
    GUESSER,
    TELLER,
    Guess,
    GuesserView,
    GuessGame,
    GuessView,
    Secret,
    good,
    hide,
    make,
)

from groundling.core.check import check_game
from groundling.core.derived import (
    derive_choice_labels,
    derive_comparison,
    derive_hints,
    derive_prompt,
    list_derived,
)
from groundling.core.drawing import Drawing
from groundling.core.events import Transcript
from groundling.core.game import Game
from groundling.core.pack import Pack, Seat, load
from groundling.core.player import Ask
from groundling.core.replay import replay_transcript
from groundling.core.table import play
from groundling.core.values import Recipe, Role, Say


def draw(view: GuessView) -> Drawing:
    said = [word for word in view.heard if isinstance(word, str)]
    return Drawing(f"a number up to {view.limit}", words="\n".join(map(repr, said)))


def choices(view: GuessView) -> list[Guess]:
    return [Guess(number) for number in range(1, view.limit + 1)] if isinstance(view, GuesserView) else []


small = Pack(
    name="guess",
    about="guess a number",
    roles=(TELLER, GUESSER),
    game=GuessGame,
    make=make,
    draw=draw,
    choices=choices,
    hide=hide,
)
FIRST = make(Recipe())[0]


async def play_with(name: str, instance: Secret, pack: Pack = small) -> Transcript:
    game = pack.new()
    players = {
        role: load(pack.players[name])(Seat(pack, game, role, name, instances=[instance]))
        for role in game.seats(instance)
    }
    return Transcript(
        tuple([event async for event in play(game, instance, players, seed=1, clock=lambda: 0.0)])
    )


def test_a_pack_of_eight_fields_keeps_every_law() -> None:
    assert check_game(small, texts=30) == []


def test_what_is_derived_is_listed_until_the_pack_says_it() -> None:
    names = ["help", "builtin", "score", "top", "chance", "cluster", "outcome"]
    names += ["gold", "random", "prompts", "live"]
    assert list(list_derived(small)) == names
    assert list(list_derived(good)) == ["choices", "help", "outcome", "prompts", "live"]
    assert "top" not in list_derived(replace(small, top=lambda instance: 1.0))


def test_what_is_derived_follows_the_field_that_it_is_derived_from() -> None:
    other = replace(small, make=lambda recipe: make(Recipe(seed=7, n=3)), name="other")
    assert load(other.builtin)() == make(Recipe(seed=7, n=3))
    assert other.live.title == "Other"


def test_gold_names_the_choice_that_it_found_and_takes_the_one_that_was_named() -> None:
    transcript = asyncio.run(play_with("gold", FIRST))
    assert [move for _, move in transcript.event_moves()] == [
        Say(f"Guess: {FIRST.number}"),
        Guess(FIRST.number),
    ]


def test_gold_does_not_know_what_nobody_said() -> None:
    seat = Seat(small, small.new(), GUESSER, "gold", instances=[FIRST])
    player, view = load(small.players["gold"])(seat), GuesserView(9, ("…",))
    guesses = {asyncio.run(player.act(Ask("0", GUESSER, view, (), None, seed))).moves for seed in range(60)}
    assert len(guesses) == 9


def test_gold_gives_up_where_no_choice_reaches_the_top() -> None:
    unreachable = replace(small, top=lambda instance: 2.0)
    transcript = asyncio.run(play_with("gold", FIRST, unreachable))
    assert "no way to the top score" in transcript.events[-1].message  # type: ignore[union-attr]


def test_chance_is_the_mean_over_all_choices() -> None:
    one_try = type("OneTry", (GuessGame,), {"turn": lambda self, state: _one_turn(state)})
    assert load(replace(small, game=one_try).chance)(FIRST) == pytest.approx(1 / 9)
    assert load(small.chance)(FIRST) == pytest.approx(1 / 9 + 8 / 9 * 1 / 9)
    assert load(replace(good, chance=None).chance)(FIRST) == 0.0


def _one_turn(state: Any) -> Role | None:
    return (TELLER, GUESSER, None)[len(state.heard)]


def test_prompts_show_what_write_prints_for_legal_moves() -> None:
    game = small.new()
    state = game.start(FIRST)
    assert "guess a number. You are the teller." in derive_prompt(small, TELLER)
    said = derive_hints(small, game, game.view(state, TELLER))
    assert (said.section, said.terms) == ("say", {"examples": "Say: your words"})
    chosen = derive_hints(small, game, game.view(state, GUESSER))
    assert chosen.section == "list"
    assert chosen.terms["examples"].splitlines() == [f"Guess: {number}" for number in range(1, 10)]
    many = derive_hints(small, game, GuesserView(20, ()))
    assert (many.section, many.terms) == ("choose", {"examples": '"Guess: 1" or "Guess: 20"'})
    helped = replace(small, help={TELLER: "Say {it}."})
    assert "Say {{it}}." in derive_prompt(helped, TELLER)


def test_the_desk_has_a_button_for_each_choice_and_else_a_box() -> None:
    game = small.new()
    desk = load(small.live.desk)
    writing = desk(game.view(game.start(FIRST), TELLER), True)
    assert writing.say is not None
    assert writing.buttons == ()
    view = GuesserView(9, ("it is <5>",))
    choosing = desk(view, True)
    assert choosing.say is None
    assert [button.label for button in choosing.buttons] == [str(number) for number in range(1, 10)]
    assert [line.text for line in choosing.talk] == ["'it is <5>'"]
    assert "a number up to 9" in choosing.panels[0].svg
    waiting = desk(view, False)
    assert (waiting.say, waiting.buttons) == (None, ())


def test_the_end_tells_the_score_and_shows_what_each_seat_sees() -> None:
    game = small.new()
    transcript = asyncio.run(play_with("gold", FIRST))
    start, end = game.start(FIRST), replay_transcript(game, transcript)
    found = derive_comparison(small, game, FIRST, end)
    assert found.sentence == "Everything is right."
    assert [panel.title for panel in found.panels] == [
        f"{role.capitalize()}: The board" for role in small.roles
    ]
    assert derive_comparison(small, game, FIRST, start).sentence == ""
    harder = replace(small, top=lambda instance: 2.0)
    assert derive_comparison(harder, game, FIRST, end).sentence == "Score 1 of 2."


@pytest.mark.parametrize(
    ("texts", "labels"),
    [
        (["Dig: A1", "Dig: A2"], ["A1", "A2"]),
        (["Go far left", "Go far right"], ["left", "right"]),
        (["Yes", "No"], ["Yes", "No"]),
        (["Go", "Go on"], ["Go", "Go on"]),
        (["Only one"], ["Only one"]),
        ([], []),
    ],
)
def test_labels_leave_out_the_words_that_all_choices_begin_with(texts: list[str], labels: list[str]) -> None:
    class Writer(GuessGame):
        def write(self, moves: Any) -> str:
            return str(moves[0])

    game: Game[Any, Any, Any, Any] = Writer(small.new().settings)
    assert derive_choice_labels(game, texts) == labels


def test_games_on_one_instance_agree_as_far_as_their_outcomes_have_lines_in_common() -> None:
    told = {"one": "red\nblue", "two": "red\nblue", "three": "red\ngreen"}
    played = asyncio.run(play_with("gold", FIRST))
    games = [Transcript((replace(played.opened, episode=name), *played.events[1:])) for name in told]
    names = iter(told)
    pack = replace(small, outcome=lambda game, state: ("", told[next(names)]))
    found = load(pack.agreement)(games)
    assert found is not None
    assert found.games == (0.75, 0.75, 0.5)
    assert load(small.agreement)(games[:1]) is None
    assert load(small.agreement)(games).games == (1.0, 1.0, 1.0)  # type: ignore[union-attr]
