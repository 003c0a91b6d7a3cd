"""The scorer of our tasks, which computes the same row as `groundling score`, and the metrics of samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isnan, nan
from typing import Any

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

from groundling.bridges.inspect.sample_store import stopped_transcript, stored_transcript
from groundling.core.events import SCORED
from groundling.core.pack import Pack, find, load
from groundling.core.replay import replay_transcript
from groundling.runs.scoring import EpisodeScorer

LIMITED = "limited"
"""The share of episodes that a limit of Inspect ended."""
STRATUM_KEYS = ("set", "category", "stratum_size")
"""The metadata of a sample from which its weight in means over the whole set follows."""


@metric
def weighted_mean(by_turns: bool = True) -> Metric:
    """The mean as `groundling score` gives it: every set and category has the share that it has in all
    instances, and with `by_turns` an episode whose score is a mean over turns counts by its turns."""

    def sample_mean(scores: list[SampleScore]) -> Value:
        return mean_by_strata(scores, by_turns=by_turns)

    return sample_mean


def mean_by_strata(scores: Sequence[SampleScore], *, by_turns: bool = True) -> float:
    """Return nan without scores. Where the size of a stratum is unknown, samples count alike."""
    strata = [tuple((each.sample_metadata or {}).get(key) for key in STRATUM_KEYS) for each in scores]
    counts, known = Counter(strata), all(size for *_, size in strata)
    total = weights = 0.0
    for each, stratum in zip(scores, strata, strict=True):
        turns = float((each.score.metadata or {}).get("weight") or 1.0) if by_turns else 1.0
        weight = turns * (float(stratum[-1] or 1.0) / counts[stratum] if known else 1.0)
        total += weight * each.score.as_float()
        weights += weight
    return total / weights if weights else nan


@metric
def by(facets: str) -> Metric:
    """The mean over the samples of each value of the facets, such as "test size_related" by kind+rule."""

    def facet_means(scores: list[SampleScore]) -> Value:
        found: dict[str, list[SampleScore]] = {}
        for each in scores:
            kinds = [(each.score.metadata or {}).get(facet) for facet in facets.split("+")]
            if all(kinds) and not isnan(each.score.as_float()):
                found.setdefault(" ".join(map(str, kinds)), []).append(each)
        return {kind: mean_by_strata(found[kind]) for kind in sorted(found)}

    return facet_means


def scoring_metrics(pack: Pack) -> dict[str, list[Metric]]:
    """Return the metrics of every measure; the main one is also broken down by the game's first facet. The
    measures are named, not matched by `*`, so that they have their rows even where no sample is scored."""
    main, *others = load(pack.measures)
    by_turns = {main.name: True, **{measure.name: measure.by_weight for measure in others}}
    found = {name: _measure_metrics(by_turns.get(name, True)) for name in _score_names(pack)}
    if pack.report.shown:
        found[main.name].append(by(pack.report.shown[0]))
    return {**found, LIMITED: [mean()]}


def _measure_metrics(by_turns: bool = True) -> list[Metric]:
    weighted = weighted_mean(by_turns)
    return [mean(), stderr(cluster="cluster"), weighted, grouped(weighted, "set", all=False)]


def _score_names(pack: Pack) -> list[str]:
    measures = [measure.name for measure in load(pack.measures) if not measure.category]
    return [*measures, "strict", "tolerant"]


@scorer(metrics={"*": _measure_metrics()})
def game_scores(game: str) -> Scorer:
    """All measures of a game. An episode that a limit ended is scored with the state that it reached; one
    that failed has no values and is left out of the means, as are undefined values."""
    pack = find(game)
    numbers = _score_names(pack)

    async def score(state: TaskState, target: Target) -> Score:
        found = stored_transcript(state.store, load(pack.game))
        if found is None:
            return _without_values(numbers, "the game did not begin")
        rules = pack.new(found.opened.settings)
        # Inspect scores what it stopped, but tells the scorer of no limit; errors have their own event
        transcript = stopped_transcript(found, rules, limit="stopped by Inspect")
        _, answer = load(pack.outcome)(rules, replay_transcript(rules, transcript))
        if transcript.status not in SCORED:
            return _without_values(numbers, "a player could not answer", answer)
        facets: dict[str, str] = {}
        rows = EpisodeScorer(pack, rules, lambda _, scores: facets.update(scores.facets))
        *values, more = rows.episode_row(transcript)
        row = dict(zip(rows.columns, values, strict=True))
        value = {name: nan if row[name] is None else float(row[name]) for name in numbers}
        facts = {
            key: fact
            for key, fact in {**row, **more, **facets}.items()
            if key not in value and key not in state.metadata
        }
        return Score(
            value={**value, LIMITED: float(transcript.status == "limited")},
            answer=answer,
            explanation=state.output.completion,
            metadata=facts,
        )

    return score


def _without_values(numbers: Sequence[str], why: str, answer: str | None = None) -> Score:
    """A score that no mean counts. All its measures are named, so that the log names them."""
    value: dict[str, Any] = dict.fromkeys((*numbers, LIMITED), nan)
    return Score(value=value, answer=answer, reason="unfinished", explanation=why)
