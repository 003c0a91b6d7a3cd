"""The scorer of our tasks, which computes the same row as `groundling score`."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan, nan
from statistics import fmean
from typing import Any

import msgspec
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    grouped,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState
from inspect_ai.util import Store

from groundling.bridges.inspect.table_solver import TRANSCRIPT_KEY
from groundling.core.events import Transcript, event_type_of
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, find, load
from groundling.runs.scoring import EpisodeScorer

METRICS: list[Metric] = [mean(), stderr(cluster="cluster"), grouped(mean(), "set", all=False)]


@metric
# inspect-evals-lint: ignore[IETS008] -- one of our tests runs it in a whole evaluation
def by(facets: str) -> Metric:
    """The mean over the samples of each value of the facets, such as "test size_related" by kind+rule."""

    def facet_means(scores: list[SampleScore]) -> Value:
        found: dict[str, list[float]] = {}
        for each in scores:
            kinds = [(each.score.metadata or {}).get(facet) for facet in facets.split("+")]
            if all(kinds) and not isnan(value := each.score.as_float()):
                found.setdefault(" ".join(map(str, kinds)), []).append(value)
        return {kind: fmean(found[kind]) for kind in sorted(found)}

    return facet_means


def scoring_metrics(pack: Pack) -> dict[str, list[Metric]]:
    """Return the metrics of every measure; the main one is also broken down by the game's first facet."""
    main = load(pack.measures)[0].name
    return {"*": METRICS, **({main: [by(pack.report.shown[0])]} if pack.report.shown else {})}


def scoring_transcript(store: Store | Mapping[str, Any], game: type[AnyGame]) -> Transcript | None:
    """Return the transcript in a sample's store; None if there is none."""
    events = store.get(TRANSCRIPT_KEY)
    if not events:
        return None
    return Transcript(tuple(msgspec.convert(events, list[event_type_of(game)])))  # type: ignore[misc]


@scorer(metrics={"*": METRICS})
def game_scores(game: str) -> Scorer:
    """All measures of a game. Undefined values are left out of the means."""
    pack = find(game)
    numbers = [measure.name for measure in load(pack.measures) if not measure.category] + [
        "strict",
        "tolerant",
    ]

    async def score(state: TaskState, target: Target) -> Score:
        transcript = scoring_transcript(state.store, load(pack.game))
        if transcript is None or transcript.status not in ("played", "aborted"):
            return Score.unscored(reason="unfinished", explanation="the game did not finish")
        facets: dict[str, str] = {}
        rows = EpisodeScorer(
            pack, pack.new(transcript.opened.settings), lambda _, scores: facets.update(scores.facets)
        )
        *values, more = rows.episode_row(transcript)
        row = dict(zip(rows.columns, values, strict=True))
        value = {name: nan if row[name] is None else float(row[name]) for name in numbers}
        facts = {
            key: fact
            for key, fact in {**row, **more, **facets}.items()
            if key not in value and key not in state.metadata
        }
        return Score(value=value, explanation=state.output.completion, metadata=facts)

    return score
