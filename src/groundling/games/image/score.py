"""Scores of the image game: how well the drawing matches the target, and how much was said."""

from __future__ import annotations

from groundling.boards.english.named_cells import recited_share
from groundling.boards.letter_grid import Grid
from groundling.core.events import Transcript
from groundling.core.pack import Measure, Scores
from groundling.core.values import Say
from groundling.games.image.rules import Draw, ImageGame, Picture, State
from groundling.scores.set_overlap import Overlap, overlap_from_sizes
from groundling.scores.token_count import count_tokens

MEASURES = (
    Measure(
        "f1",
        "F1 of the filled cells, place and letter, of the last canvas; 0 where the game was aborted",
        0,
        1,
    ),
    Measure("precision", "the share of drawn cells that are right", 0, 1),
    Measure("recall", "the share of the target's cells that were drawn", 0, 1),
    Measure("turns", "instructions given", 0),
    Measure("changed", "cells changed by an instruction, on average", 0),
    Measure("characters", "length of an instruction without its tag, on average", 0),
    Measure("tokens", "words and punctuation marks of an instruction, on average", 0),
    Measure(
        "recited",
        "the share of the target's letters that instructions name one by one, by row and column or in rows "
        "spelled out",
        0,
        1,
    ),
    Measure("rising", "the share of turns in which F1 rises", 0, 1),
    Measure(
        "efficiency",
        "if all is drawn right: characters that the rule giver needs, divided by those that were said",
        0,
    ),
)

NO_OVERLAP = Overlap(0.0, 0.0, 0.0)


def score(game: ImageGame, transcript: Transcript) -> Scores:
    picture: Picture = transcript.opened.instance
    target = picture.target
    wanted, canvas = target.filled_count, Grid.empty(target.size)
    drawn = overlap_from_sizes(0, wanted, 0)
    lengths: list[int] = []
    words: list[int] = []
    said: list[str] = []
    turns: list[dict[str, float | None]] = []
    changed, rises = 0, 0
    for _, move in transcript.event_moves():
        if type(move) is Say:  # isinstance is ten times as slow on these
            lengths.append(len(move.text))
            words.append(count_tokens(move.text))
            said.append(move.text)
        elif type(move) is Draw:
            grid = move.grid
            now = overlap_from_sizes(target.count_matching(grid), wanted, grid.filled_count)
            distance = canvas.count_differing(grid)
            rising = now.f1 > drawn.f1
            rises += rising
            changed += distance
            turns.append(
                {
                    "f1": now.f1,
                    "precision": now.precision,
                    "recall": now.recall,
                    "changed": distance,
                    "characters": lengths[-1],
                    "tokens": words[-1],
                    "rising": float(rising),
                }
            )
            canvas, drawn = grid, now
    if transcript.status == "aborted":
        drawn = NO_OVERLAP
    episode = {
        "f1": drawn.f1,
        "precision": drawn.precision,
        "recall": drawn.recall,
        "turns": len(lengths),
        "changed": changed / len(turns) if turns else None,
        "characters": sum(lengths) / len(lengths) if lengths else None,
        "tokens": sum(words) / len(words) if words else None,
        "recited": recited_share(target, said) if said else None,
        "rising": rises / len(turns) if turns else None,
        "efficiency": picture.par / sum(lengths)
        if picture.par is not None and lengths and drawn.f1 == 1
        else None,
    }
    return Scores(episode, tuple(turns))


def top(instance: Picture) -> float:
    return 1.0


def chance(instance: Picture) -> float:
    """The score of an empty canvas: no guess at a picture is better."""
    return float(not instance.target.filled_count)


def cluster(instance: Picture) -> str:
    return instance.target.cells


def outcome(game: ImageGame, state: State) -> tuple[str, str]:
    return state.target.text(), state.canvas.text()
