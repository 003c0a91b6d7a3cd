"""Scores of a game: similarity of drawing and target, and the length of the talk."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING

from groundling.boards.scene import Scene, apply_changes
from groundling.boards.scene.descriptions import describe_pieces
from groundling.core.events import Moved, Transcript
from groundling.core.pack import Measure, Scores
from groundling.core.values import Say
from groundling.games.codraw.instance import DRAWER, TELLER, CodrawInstance
from groundling.games.codraw.moves import Peek
from groundling.games.codraw.recorded.dialogs import dialog_scene_prompt
from groundling.games.codraw.rules import DRAWS, CodrawGame, State
from groundling.games.codraw.similarity import BEST, Components, Ties, similarity, similarity_components
from groundling.scores.token_count import count_tokens

if TYPE_CHECKING:
    from groundling.games.codraw.batch_similarity import Floats, Scenes

__all__ = [
    "Components",
    "Ties",
    "similarities",
    "similarity",
    "similarity_components",
    "similarity_to_each",
    "top",
]

MEASURES = (
    Measure(
        "similarity",
        "scene similarity of the last canvas, from 0 to 5; 0 where the game was aborted",
        0,
        BEST,
    ),
    Measure("share", "the same as a share of the maximum for this scene", 0, 1),
    Measure("unaided", "scene similarity when the Teller peeked, else at the end", 0, BEST),
    Measure("rounds", "messages of the Teller", 0),
    Measure("messages", "messages of both that were not empty", 0),
    Measure("teller_tokens", "words and punctuation marks of a message of the Teller, on average", 0),
    Measure(
        "coordinates", "the share of the Teller's messages that give a position as a pair of numbers", 0, 1
    ),
    Measure("drawer_tokens", "words and punctuation marks of a message of the Drawer, on average", 0),
    Measure("changes", "pieces put, moved, changed or removed, in all", 0),
    Measure("kinds", "the share of kinds in both scenes among those in either", 0, 1),
    Measure("flip", "points of similarity lost by wrong directions", 0, 1),
    Measure("size", "points lost by wrong sizes", 0, 1),
    Measure("pose", "points lost by wrong poses", 0, 1),
    Measure("expression", "points lost by wrong expressions", 0, 1),
    Measure("distance", "points lost by wrong places", 0, 1),
    Measure("order", "points lost by pieces that stand on the wrong sides of each other", 0, 1),
)
PRIOR_DRAWINGS = 20
"""The drawings of other scenes from which the prior of a scene is estimated."""
_COORDINATES = re.compile(
    r"\(\s*-?\d{1,3}\s*[,;/]\s*-?\d{1,3}\s*\)|\b\d{2,3}\s*,\s*\d{2,3}\b|\b[xy]\s*(?:=|:|is|at|of)?\s*-?\d",
    re.IGNORECASE,
)
ZERO_COMPONENTS = Components(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def score(game: CodrawGame, transcript: Transcript) -> Scores:
    """Score the whole episode, and the canvas after each answer of the Drawer."""
    park: CodrawInstance = transcript.opened.instance
    canvas, seen = Scene(), None
    said: dict[str, list[int]] = {TELLER: [], DRAWER: []}
    dictated: list[int] = []
    rounds, changes, since = 0, 0, 0
    turns: list[dict[str, float | None]] = []
    for event in transcript.events:
        if not isinstance(event, Moved):
            continue
        drawn = [move for move in event.moves if isinstance(move, DRAWS)]
        canvas = apply_changes(canvas, drawn)
        changes += len(drawn)
        since += len(drawn)
        for move in event.moves:
            if isinstance(move, Say):
                rounds += event.role == TELLER
                said[event.role] += [count_tokens(move.text)] if move.text else []
                if event.role == TELLER and move.text:
                    dictated.append(bool(_COORDINATES.search(move.text)))
            elif isinstance(move, Peek) and seen is None:
                seen = canvas
        if event.role == DRAWER and len(drawn) < len(event.moves):
            turns.append({"similarity": similarity(park.target, canvas), "changes": since})
            since = 0
    aborted = transcript.status == "aborted"
    parts = ZERO_COMPONENTS if aborted else similarity_components(park.target, canvas)
    episode: dict[str, float | None] = {
        "similarity": parts.similarity,
        "share": min(parts.similarity / top(park), 1.0),
        "unaided": 0.0 if aborted else similarity(park.target, canvas if seen is None else seen),
        "rounds": rounds,
        "messages": sum(map(len, said.values())),
        "teller_tokens": _mean_or_none(said[TELLER]),
        "coordinates": _mean_or_none(dictated),
        "drawer_tokens": _mean_or_none(said[DRAWER]),
        "changes": changes,
        **{name: getattr(parts, name) for name in Components.__struct_fields__},
    }
    return Scores(episode, tuple(turns))


def score_other_drawings(games: Sequence[Transcript], drawn: Sequence[Transcript]) -> list[dict[str, float]]:
    """The mean similarity, and its parts, of the last canvases of games on other scenes to each scene."""
    canvases = [(other.opened.instance.target, _last_canvas(other)) for other in drawn]
    found = []
    for game in games:
        target = game.opened.instance.target
        others = [canvas for scene, canvas in canvases if scene != target]
        others = Random(game.opened.instance.id).sample(others, min(PRIOR_DRAWINGS, len(others)))
        parts = [similarity_components(target, canvas) for canvas in others]
        names = ("similarity", *Components.__struct_fields__)
        found.append({name: fmean(getattr(each, name) for each in parts) for name in names} if parts else {})
    return found


def _last_canvas(transcript: Transcript) -> Scene:
    moves = [move for event in transcript.events if isinstance(event, Moved) for move in event.moves]
    return apply_changes(Scene(), [move for move in moves if isinstance(move, DRAWS)])


def _mean_or_none(values: list[int]) -> float | None:
    return sum(values) / len(values) if values else None


def chance(park: CodrawInstance) -> float:
    """Return the similarity of an empty canvas."""
    return similarity(park.target, Scene())


def cluster(park: CodrawInstance) -> str:
    """Published scenes were made in tens for one prompt and form a cluster; a generated scene is its own."""
    return park.id if park.number is None else f"prompt {dialog_scene_prompt(park.number)}"


def similarities(targets: Scenes, drawn: Scenes, ties: Ties = "release") -> Floats:
    """Compare the scenes pair by pair; packed batches are the fastest input."""
    from groundling.games.codraw.batch_similarity import batch_similarities as work

    return work(targets, drawn, ties)


def similarity_to_each(scene: Scene | str, many: Scenes, ties: Ties = "release") -> Floats:
    """Return the similarity of one scene to each of many."""
    from groundling.games.codraw.batch_similarity import batch_similarity_to_each

    return batch_similarity_to_each(scene, many, ties)


def top(of: CodrawInstance | Scene | str, ties: Ties = "release") -> float:
    """Return the highest possible similarity. With ties as in the release, a scene with equal coordinates
    is less than perfectly similar to itself."""
    target = of.target if isinstance(of, CodrawInstance) else of
    return similarity(target, target, ties)


def outcome(game: CodrawGame, state: State) -> tuple[str, str]:
    return "\n".join(describe_pieces(state.park.target)), "\n".join(describe_pieces(state.canvas))
