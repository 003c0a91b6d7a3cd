"""Scores of an episode: agreement with the gold boards of its steps, if any, and with the target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from groundling.boards.english.named_cells import named_cells
from groundling.core.events import SCORED, Transcript
from groundling.core.pack import Measure, Scores
from groundling.core.replay import replay_transcript
from groundling.games.hexagons.image import HexagonsImage, score_image_steps
from groundling.games.hexagons.near_copies import near_copy_base_id
from groundling.games.hexagons.rules import HexagonsGame, State, painted_actions
from groundling.games.hexagons.tile_scores import (
    ZERO_SCORES,
    TileScores,
    action_scores,
    board_scores,
    emitted_scores,
)
from groundling.scores.token_count import count_tokens

__all__ = ["MEASURES", "action_scores", "board_scores", "chance", "cluster", "emitted_scores", "score", "top"]

MEASURES = (
    Measure(
        "f1",
        "F1 of the tiles painted in a step, place and colour, mean over instructions; without recorded "
        "steps, of the tiles of the last board",
        0,
        1,
        headline=True,
    ),
    Measure(
        "exact",
        "the share of instructions (or boards) that were carried out without a fault",
        0,
        1,
        headline=True,
    ),
    Measure("precision", "the share of painted tiles that are right", 0, 1),
    Measure("recall", "the share of the tiles to be painted that were", 0, 1),
    Measure(
        "action_f1",
        "F1 of the tiles that changed, each side against its own board, mean over recorded steps",
        0,
        1,
    ),
    Measure("action_exact", "the same, exact match", 0, 1),
    Measure(
        "board_f1",
        "F1 of all painted tiles after a step, mean over recorded steps; else of the last board",
        0,
        1,
    ),
    Measure("board_exact", "the same, exact match", 0, 1),
    Measure(
        "final_f1", "F1 of all painted tiles of the last board, mean over procedures", 0, 1, by_weight=False
    ),
    Measure("steps", "number of executed instructions, mean over procedures", 0, by_weight=False),
    Measure("questions", "number of questions that the executor asked", 0, by_weight=False),
    Measure("painted", "tiles painted in a step, on average", 0),
    Measure("tokens", "words and punctuation marks of an instruction, on average", 0),
    Measure(
        "recited",
        "the share of the target's tiles that instructions name one by one, by row and column",
        0,
        1,
    ),
)
ScoreRow: TypeAlias = dict[str, float | None]
LENGTHS = ((10, "1 to 10"), (20, "11 to 20"), (40, "21 to 40"))
LONGER = "41 and more"
"""Bins for the number of words and punctuation marks of an instruction."""


STEPWISE = ("f1", "exact", "precision", "recall", "action_f1", "action_exact", "board_f1", "board_exact")
"""Measures that are averaged over recorded steps."""


def score(game: HexagonsGame, transcript: Transcript) -> Scores:
    state: State = replay_transcript(game, transcript)
    image = state.image
    by_step = game.play_mode(image) == "execute" and not game.settings.whole
    rows = (
        _recorded_rows(state)
        if by_step
        else [_score_row(board_scores(image.target, drawn.after)) for drawn in state.done]
    )
    said = [count_tokens(text) for text in state.said]
    for number, (row, drawn) in enumerate(zip(rows, state.done, strict=False)):
        row |= {"painted": len(drawn.paints), **({} if game.settings.whole else {"tokens": said[number]})}
    if transcript.status not in SCORED:
        rows = rows[: len(state.done)]
    painted = [len(drawn.paints) for drawn in state.done]
    episode = dict.fromkeys((measure.name for measure in MEASURES), None) | _episode_scores(
        game, state, rows, transcript
    )
    episode |= {
        "questions": len(state.talk) if game.settings.questions else None,
        "painted": _known_mean(painted),
        "tokens": _known_mean(said),
        "recited": _recited_share(image, state.said),
    }
    return Scores(
        episode,
        tuple(rows),
        weight=float(len(image.steps)) if by_step else 1.0,
        facets=_image_facets(image),
        turn_facets=()
        if game.settings.whole
        else tuple(_step_facets(image, number, by_step, state.said) for number in range(len(rows))),
    )


def _episode_scores(
    game: HexagonsGame, state: State, rows: Sequence[ScoreRow], transcript: Transcript
) -> ScoreRow:
    image, mode = state.image, game.play_mode(state.image)
    if mode == "describe":
        return {"f1": float(transcript.status == "played" and bool(state.said)), "steps": len(state.said)}
    final = board_scores(image.target, state.board)
    last: ScoreRow = {"final_f1": final.f1, "steps": len(state.done)}
    if mode == "execute" and not game.settings.whole:
        return last | {
            name: _known_mean([row.get(name) for row in rows[: len(image.steps)]]) for name in STEPWISE
        }
    won = ZERO_SCORES if transcript.status == "aborted" else final
    return last | _score_row(won) | {"board_f1": won.f1, "board_exact": won.exact}


def _recorded_rows(state: State) -> list[ScoreRow]:
    """Return a row for every recorded step, reached or not, and one without scores for each further step."""
    image = state.image
    rows: list[ScoreRow] = []
    for number, emitted in enumerate(score_image_steps(image, painted_actions(state))):
        if number < len(state.done):
            drawn, gold = state.done[number], image.gold_boards(number)
            changed = action_scores(*gold, drawn.before, drawn.after)
            board = board_scores(gold[1], drawn.after)
        else:
            changed = board = ZERO_SCORES
        more: ScoreRow = {
            "action_f1": changed.f1,
            "action_exact": changed.exact,
            "board_f1": board.f1,
            "board_exact": board.exact,
        }
        rows.append(_score_row(emitted) | more)
    return rows + [{} for _ in state.done[len(rows) :]]


def _score_row(found: TileScores) -> ScoreRow:
    return {"f1": found.f1, "exact": found.exact, "precision": found.precision, "recall": found.recall}


def _known_mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _recited_share(image: HexagonsImage, said: Sequence[str]) -> float | None:
    tiles = image.target.painted_tiles().keys()
    named = {tile for text in said for tile in named_cells(text)}
    return len(tiles & named) / len(tiles) if tiles and said else None


def _image_facets(image: HexagonsImage) -> dict[str, str]:
    found = {"category": image.category, "round": "" if image.round is None else str(image.round)}
    if image.level is not None:
        found["level"] = str(image.level)
    if image.facts:
        found["instructor"] = str(image.facts.instructor)
        found["copy"] = (
            "near-copy in " + ", ".join(sorted({name.split()[0] for name in image.near}))
            if image.near
            else "none"
        )
    return {name: value for name, value in found.items() if value}


def _step_facets(image: HexagonsImage, number: int, by_step: bool, said: Sequence[str]) -> dict[str, str]:
    found = {"step": str(number + 1)}
    recorded = image.steps[number] if by_step and number < len(image.steps) else None
    if recorded is not None:
        found["tiles"] = str(len(image.step_changes(number)))
        if recorded.level is not None:
            found["level"] = str(recorded.level)
    words = recorded.spoken_text if recorded else said[number] if number < len(said) else ""
    if words:
        count = count_tokens(words)
        found["length"] = next((name for most, name in LENGTHS if count <= most), LONGER)
    return found


def top(instance: HexagonsImage) -> float:
    return 1.0


def chance(instance: HexagonsImage) -> float:
    """Return the score of painting nothing, which no guess improves."""
    if not instance.steps:
        return float(not instance.target.painted_count)
    return sum(not instance.step_changes(number) for number in range(len(instance.steps))) / len(
        instance.steps
    )


def cluster(instance: HexagonsImage) -> str:
    """Procedures for one image or its near-copies are not independent."""
    return near_copy_base_id(instance.image) if instance.facts else instance.target.cells


def category(instance: HexagonsImage) -> str:
    return instance.category or ("" if instance.level is None else f"level {instance.level}")


def outcome(game: HexagonsGame, state: State) -> tuple[str, str]:
    """The painted tiles in words; in the mode describe, what was written."""
    described = game.play_mode(state.image) == "describe"
    return state.image.target.to_listing(), "\n".join(state.said) if described else state.board.to_listing()
