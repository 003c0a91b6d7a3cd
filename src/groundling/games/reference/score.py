"""Scores of the reference game: success, and the length of the expression."""

from __future__ import annotations

from groundling.boards.english.named_cells import recited_share
from groundling.core.events import Transcript
from groundling.core.pack import Measure, Scores
from groundling.core.values import Say
from groundling.games.reference.labels import LABELS
from groundling.games.reference.rules import Lineup, ReferenceGame, State
from groundling.scores.token_count import count_tokens

MEASURES = (
    Measure("success", "1 if the follower picked the target, else 0", 0, 1),
    Measure("characters", "length of the expression, without any tag", 0),
    Measure("tokens", "words and punctuation marks of the expression, without any tag", 0),
    Measure(
        "recited",
        "the share of the target's letters that the expression names one by one, by row and column or in "
        "rows spelled out",
        0,
        1,
    ),
    Measure("chosen", "the place that the follower picked, counted from 1", 1, category=True),
)


def score(game: ReferenceGame, transcript: Transcript) -> Scores:
    result = transcript.result
    numbers: dict[str, float | None] = {
        "success": result.score if result else 0.0,
        "characters": None,
        "tokens": None,
        "recited": None,
        "chosen": None,
    }
    for _, move in transcript.event_moves():
        if isinstance(move, Say):
            numbers["characters"], numbers["tokens"] = len(move.text), count_tokens(move.text)
            numbers["recited"] = recited_share(transcript.opened.instance.grids[0], [move.text])
        else:
            numbers["chosen"] = move.place
    return Scores(numbers)


def top(instance: Lineup) -> float:
    return 1.0


def chance(instance: Lineup) -> float:
    return 1 / len(instance.grids)


def cluster(instance: Lineup) -> str:
    """The same grids in any order are one cluster."""
    target, *others = [grid.cells for grid in instance.grids]
    return "|".join([target, *sorted(others)])


def outcome(game: ReferenceGame, state: State) -> tuple[str, str]:
    return LABELS[state.lineup.answer - 1], LABELS[state.picked - 1] if state.picked else ""
