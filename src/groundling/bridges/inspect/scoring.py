"""The scorer: the row that `groundling score` makes of the same transcript."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan
from typing import Any

import msgspec
from inspect_ai.scorer import Metric, Score, Scorer, Target, grouped, mean, scorer, stderr
from inspect_ai.solver import TaskState
from inspect_ai.util import Store

from groundling.bridges.inspect.seats import TRANSCRIPT
from groundling.core.events import Transcript, event_of
from groundling.core.game import AnyGame
from groundling.core.pack import find, load
from groundling.runs.scoring import Scorer as Rows

METRICS: list[Metric] = [mean(), stderr(cluster="cluster"), grouped(mean(), "set", all=False)]


def transcript_in(store: Store | Mapping[str, Any], game: type[AnyGame]) -> Transcript | None:
    """What a sample's store holds of its episode."""
    events = store.get(TRANSCRIPT)
    return Transcript(tuple(msgspec.convert(events, list[event_of(game)]))) if events else None  # type: ignore[misc]


@scorer(metrics={"*": METRICS})
def game_scores(game: str) -> Scorer:
    """All measures of a game. What an episode has no number for is left out of the means."""
    pack = find(game)
    numbers = [measure.name for measure in load(pack.measures) if not measure.category] + ["strict", "tolerant"]

    async def score(state: TaskState, target: Target) -> Score:
        transcript = transcript_in(state.store, load(pack.game))
        if transcript is None or transcript.status not in ("played", "aborted"):
            return Score.unscored(reason="unfinished", explanation="the game did not come to its end")
        rows = Rows(pack, pack.new(transcript.opened.settings))
        *values, more = rows.row(transcript)
        row = dict(zip(rows.columns, values, strict=True))
        value = {name: nan if row[name] is None else float(row[name]) for name in numbers}
        facts = {key: fact for key, fact in {**row, **more}.items() if key not in value and key not in state.metadata}
        return Score(value=value, explanation=state.output.completion, metadata=facts)

    return score
