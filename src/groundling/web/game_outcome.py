"""The outcome of a finished game: why it ended, the scores, and what each seat saw."""

from __future__ import annotations

from typing import Any

from groundling.core.derived import derive_comparison
from groundling.core.events import Failed, Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Measure, Pack, Scores, load
from groundling.core.replay import replay_transcript
from groundling.core.values import Problem
from groundling.web.room_ending import describe_game_end
from groundling.web.store import PERSON


def describe_outcome(
    pack: Pack, game: AnyGame, transcript: Transcript, *, blind: bool = False
) -> dict[str, Any]:
    """All that the result page shows; nothing is hidden once the game is over, but with `blind` who is a
    program."""
    desk, state = load(pack.live.desk), replay_transcript(game, transcript)
    instance = transcript.opened.instance
    sides = []
    for role in game.seats(instance):
        seen = desk(game.view(state, role), False)
        panels = [{"name": panel.name, "title": panel.title, "svg": panel.svg} for panel in seen.panels]
        talk = [{"who": line.who, "text": line.text} for line in seen.talk]
        player = PERSON if blind else transcript.opened.seats[role]
        sides.append({"role": role, "player": player, "panels": panels, "talk": talk})
    compare = pack.live.compare
    comparison = load(compare)(game, state) if compare else derive_comparison(pack, game, instance, state)
    last = transcript.events[-1]
    outcome: dict[str, Any] = {
        "why": describe_game_end(transcript, blind=blind),
        "finished": transcript.result is not None,
        "sides": sides,
        "comparison": comparison,
    }
    if isinstance(last, Failed) and not blind:
        outcome["failed"] = last.boundary
    if transcript.result is not None:
        outcome |= _score_fields(pack, game, transcript)
    return outcome


def _score_fields(pack: Pack, game: AnyGame, transcript: Transcript) -> dict[str, Any]:
    measures: tuple[Measure, ...] = load(pack.measures)
    main = measures[0]
    assert transcript.result is not None
    fields: dict[str, Any] = {
        "score": transcript.result.score,
        "top": load(pack.top)(transcript.opened.instance),
        "measure": main.about,
    }
    try:
        scores: Scores = load(pack.score)(game, transcript)
    except Problem:  # the extra that scores need is not installed
        return fields
    numbers = [
        [measure.about, scores.episode.get(measure.name)] for measure in measures if not measure.category
    ]
    turns = [turn.get(main.name) for turn in scores.turns]
    return {**fields, "numbers": numbers, "turns": turns}
