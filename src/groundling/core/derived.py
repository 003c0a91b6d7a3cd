"""What a pack leaves out, derived from the rest of it: scores, a built-in set, prompts, a desk, players.

The functions `builtin`, `score`, `chance`, `agreement` and `desk` need the pack, which comes first; `top`,
`cluster`, `outcome`, `category`, `hide` and MEASURES stand for themselves. All of them work for any game; a
game that says more replaces them one by one, and `groundling check` lists those that it has not."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from itertools import count
from math import isclose
from random import Random
from statistics import fmean
from typing import Any, get_args

from groundling.core.desk import Box, Button, Desk, GameComparison, Line, Panel
from groundling.core.events import Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import (
    DERIVED,
    DerivedHook,
    GameAgreement,
    Measure,
    Pack,
    Scores,
    Seat,
    find_episode_instance,
    load,
)
from groundling.core.player import Ask, Reply, Unable
from groundling.core.prompt_hints import PromptHints
from groundling.core.replay import replay_transcript
from groundling.core.text_svg import text_svg
from groundling.core.values import Illegal, Instance, Role, Say

MEASURES = (Measure("score", "the result of the game; 0 if it was not finished", 0, 1),)
MOST_STATES = 20_000
"""The most states that are searched in one instance."""
LISTED = 12
"""The most choices that a prompt lists; of more it shows the first and the last."""


# Hooks
# --------------------------------------------------------------------------------------------------------


def builtin(pack: Pack) -> list[Any]:
    return load(pack.make)(load(pack.recipe)())


def score(pack: Pack, game: AnyGame, transcript: Transcript) -> Scores:
    return Scores({load(pack.measures)[0].name: transcript.result.score if transcript.result else 0.0})


def top(instance: Instance) -> float:
    return 1.0


def chance(pack: Pack, instance: Instance) -> float:
    """The mean result over all choices; 0 where the game is no choice or has too many states."""
    game = pack.new()
    try:
        return _mean_result(pack, game, game.start(instance), count()) if pack.choices else 0.0
    except (Illegal, _TooManyStates):
        return 0.0


def cluster(instance: Instance) -> str:
    return instance.id


def outcome(game: AnyGame, state: Any) -> tuple[str, str]:
    result = game.result(state)
    return "the top score", f"score {result.score:g}" if result else "no result"


def agreement(pack: Pack, transcripts: Sequence[Transcript]) -> GameAgreement | None:
    """The share of the lines that the outcomes of two games have in common, mean over the other games."""
    if len(transcripts) < 2:
        return None
    tell = load(pack.outcome)
    lines = []
    for transcript in transcripts:
        game = pack.new(transcript.opened.settings)
        lines.append(Counter(tell(game, replay_transcript(game, transcript))[1].splitlines()))
    return GameAgreement(
        tuple(
            fmean(_shared_lines(one, other) for place, other in enumerate(lines) if place != number)
            for number, one in enumerate(lines)
        )
    )


def _shared_lines(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def category(instance: Instance) -> str:
    return ""


def hide(instance: Instance, role: Role, rng: Random) -> None:
    return None


def desk(pack: Pack, view: Any, active: bool) -> Desk:
    """Show the drawing, and a button for every choice or else a box to write in."""
    drawing, options = load(pack.draw)(view), derive_choices(pack, view) if active else ()
    labels = derive_choice_labels(pack.new(), options)
    writes = active and not options
    return Desk(
        "Choose one." if options else "Write your message." if writes else "Your partner is thinking.",
        (Panel("work", "The board", drawing.svg or text_svg(drawing.board)),),
        tuple(Line("", line) for line in drawing.words.splitlines()),
        say=Box("Your message") if writes else None,
        buttons=tuple(Button(label, (move,)) for label, move in zip(labels, options, strict=True)),
    )


def derive_comparison(pack: Pack, game: AnyGame, instance: Instance, state: Any) -> GameComparison:
    """Give the score, and show what each seat sees at the end."""
    result, best, desk = game.result(state), load(pack.top)(instance), load(pack.live.desk)
    panels = tuple(
        Panel(f"{role}-{panel.name}", f"{role.capitalize()}: {panel.title}", panel.svg)
        for role in game.seats(instance)
        for panel in desk(game.view(state, role), False).panels
    )
    if result is None:
        return GameComparison("", panels)
    is_best = isclose(result.score, best, abs_tol=1e-9)
    sentence = "Everything is right." if is_best else f"Score {result.score:g} of {best:g}."
    return GameComparison(sentence, panels)


def derive_prompt(pack: Pack, role: Role) -> str:
    """Return the text of a prompt file for language models in that seat."""
    players = f"a game for {len(pack.roles)} players" if len(pack.roles) > 1 else "a game"
    told = f"This is {players}: {pack.about}. You are the {role}. {pack.help.get(role, '')}".strip()
    return _PROMPT.replace("TOLD", told.replace("{", "{{").replace("}", "}}"))


_PROMPT = """# open
TOLD

{view}

{reply}

# turn
{view}

{reply}

# refused
That reply could not be used: {complaint}. Reply again, in the form that you were asked for.

# reply list
Reply with one of these lines, and nothing else:
{examples}

# reply choose
Reply with one line such as {examples}, and nothing else.

# reply say
Reply with your message in this form, and nothing else:
{examples}

# reply free
Reply with your move, and nothing else.
"""


def derive_hints(pack: Pack, game: AnyGame, view: Any) -> PromptHints:
    """Return the section of `derive_prompt` for a view, and what `write` prints for legal moves there."""
    options = derive_choices(pack, view)
    if options:
        if len(options) <= LISTED:
            return PromptHints("list", {"examples": "\n".join(game.write((move,)) for move in options)})
        first, last = (game.write((move,)) for move in (options[0], options[-1]))
        return PromptHints("choose", {"examples": f'"{first}" or "{last}"'})
    if Say in (get_args(game.Move) or (game.Move,)):
        return PromptHints("say", {"examples": game.write((Say("your words"),))})
    return PromptHints("free")


# Choices
# --------------------------------------------------------------------------------------------------------


def derive_choices(pack: Pack, view: Any) -> Sequence[Any]:
    return load(pack.choices)(view) if pack.choices else ()


def derive_choice_labels(game: AnyGame, options: Sequence[Any]) -> list[str]:
    """Return what `write` prints for each choice, without the first words that all of them share."""
    texts = [game.write((move,)).split(" ") for move in options]
    shared = 0
    while len(texts) > 1 and all(
        len(text) > shared + 1 and text[shared] == texts[0][shared] for text in texts
    ):
        shared += 1
    return [" ".join(text[shared:]) for text in texts]


class _TooManyStates(Exception):  # noqa: N818
    """The search was given up."""


def _next_states(
    pack: Pack, game: AnyGame, state: Any, seen: Iterator[int]
) -> Iterator[tuple[Role, Any, Any]]:
    """Yield the seat, the move and the state after it, for each choice or for a message of no meaning."""
    role = game.turn(state)
    assert role is not None
    for move in derive_choices(pack, game.view(state, role)) or (Say("…"),):
        if next(seen) == MOST_STATES:
            raise _TooManyStates
        yield role, move, game.play(state, role, move)


def _mean_result(pack: Pack, game: AnyGame, state: Any, seen: Iterator[int]) -> float:
    result = game.result(state)
    if result is not None:
        return result.score
    found = [_mean_result(pack, game, after, seen) for _, _, after in _next_states(pack, game, state, seen)]
    return sum(found) / len(found)


def derive_best_moves(pack: Pack, game: AnyGame, instance: Instance) -> list[tuple[Role, Any]]:
    """Search for the fewest moves to the top score; none if there is no way. Words name the next choice."""
    aim, seen = load(pack.top)(instance), count()
    waiting: deque[tuple[Any, list[tuple[Role, Any]]]] = deque([(game.start(instance), [])])
    while waiting:
        state, moves = waiting.popleft()
        result = game.result(state)
        if result is None:
            waiting += [
                (after, [*moves, (role, move)]) for role, move, after in _next_states(pack, game, state, seen)
            ]
        elif isclose(result.score, aim, abs_tol=1e-9):
            return _name_choices(game, moves)
    return []


def _name_choices(game: AnyGame, moves: list[tuple[Role, Any]]) -> list[tuple[Role, Any]]:
    named, choice = [], None
    for role, move in reversed(moves):
        says = isinstance(move, Say)
        choice = choice if says else move
        named.append((role, Say(game.write((choice,))) if says and choice is not None else move))
    return named[::-1]


# Players
# --------------------------------------------------------------------------------------------------------


class DerivedGoldPlayer:
    """Speaks by search: it finds a choice with the top score and names it. Chooses what was named last; where
    nobody can name anything, in games for one, by search as well."""

    name = "gold"

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._instances = {instance.id: instance for instance in seat.instances}

    async def act(self, ask: Ask) -> Reply:
        pack, game = self._seat.pack, self._seat.game
        instance = find_episode_instance(self._instances, ask.episode) or self._seat.instances[0]
        options = derive_choices(pack, ask.view)
        if options and len(game.seats(instance)) > 1:
            named = _last_named(derive_choice_labels(game, options), load(pack.draw)(ask.view).words)
            return Reply(moves=(Random(ask.seed).choice(options) if named is None else options[named],))
        try:
            found = derive_best_moves(pack, game, instance)
        except _TooManyStates:
            found = []
        own = [move for role, move in found if role == ask.role]
        turn = sum(past.complaint is None for past in ask.past)
        if turn >= len(own):
            raise Unable("search", f"no way to the top score of {instance.id} was found: write a player gold")
        return Reply(moves=(own[turn],))


def _last_named(labels: Sequence[str], words: str) -> int | None:
    """Return the number of the label that occurs last in the words, as whole words."""
    places = {
        number: found[-1].end()
        for number, label in enumerate(labels)
        if (found := list(re.finditer(rf"(?<!\w){re.escape(label)}(?!\w)", words)))
    }
    return max(places, key=lambda number: (places[number], len(labels[number])), default=None)


class DerivedRandomPlayer:
    """Chooses at random, and says random words of what it sees."""

    name = "random"

    def __init__(self, seat: Seat) -> None:
        self._pack = seat.pack

    async def act(self, ask: Ask) -> Reply:
        rng = Random(ask.seed)
        if options := derive_choices(self._pack, ask.view):
            return Reply(moves=(rng.choice(options),))
        words = re.findall(r"[^\W\d_]+", load(self._pack.draw)(ask.view).board) or ["…"]
        return Reply(moves=(Say(" ".join(rng.choices(words, k=rng.randint(3, 8)))),))


# What is derived
# --------------------------------------------------------------------------------------------------------


def list_derived(pack: Pack) -> dict[str, str]:
    """Return what the pack leaves out: what stands for it, and how to add it."""
    players = {name: pack.players.get(name) for name in ("gold", "random")}
    left_out = {
        "choices": (pack.choices is None, "none; choices(view) lists the moves to choose from"),
        "hide": (
            _is_derived(pack.hide),
            "no secrets; hide(instance, role, rng) changes what a role must not know",
        ),
        "help": (not pack.help, "none; help={role: …} explains the seat to new players"),
        "builtin": (_is_derived(pack.builtin), "make with the default recipe; builtin() returns a set"),
        "score": (_is_derived(pack.score), "the result; score(game, transcript) and measures say more"),
        "top": (_is_derived(pack.top), "1; top(instance) gives the best score"),
        "chance": (_is_derived(pack.chance), "the mean over all choices; chance(instance) gives another"),
        "cluster": (_is_derived(pack.cluster), "the id; cluster(instance) joins instances that are alike"),
        "outcome": (_is_derived(pack.outcome), "the result; outcome(game, state) tells target and answer"),
        "gold": (_is_derived(players["gold"]), 'by search; players={"gold": factory} gives another'),
        "random": (_is_derived(players["random"]), 'from choices; players={"random": factory} gives another'),
        "prompts": (not pack.prompts, "from about, help and write; prompts=PACKAGE names a folder prompts"),
        "live": (_is_derived(pack.live.desk), "from draw and choices; live=Live(desk=…) makes a page"),
    }
    return {name: advice for name, (derived, advice) in left_out.items() if derived}


def _is_derived(hook: object) -> bool:
    return isinstance(hook, DerivedHook) or (isinstance(hook, str) and hook.startswith(f"{DERIVED}:"))
