"""The matrix of a cross-play: each pair's main score with interval and warning marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from groundling.core.events import Transcript
from groundling.core.pack import Pack, load
from groundling.report.score_table import format_estimate, score_interval
from groundling.report.text_table import Column, TableRow, TextTable, count_noun
from groundling.runs.cross_play import PlayerPair, cross_play_roles
from groundling.runs.plan import RunPlan
from groundling.runs.sampling import sampling_weights
from groundling.runs.scoring import EpisodeScorer, score_run
from groundling.runs.scoring_table import with_sampling_weights
from groundling.scores.intervals import Estimate, estimate_mean

SHARED, KNOWN, SELF = "*", "†", "‡"


def cross_matrix(pack: Pack, pairs: Sequence[PlayerPair]) -> TextTable:
    """Make the table with a row for each speaker and a column for each listener; pairs that are not planned
    have an empty cell."""
    speaker, listener = cross_play_roles(pack)
    listeners = list(dict.fromkeys(pair.listener for pair in pairs))
    marks = [
        SHARED * bool(pair.shared) + KNOWN * bool(pair.known) + SELF * (pair.speaker == pair.listener)
        for pair in pairs
    ]
    longest = max(map(len, marks))
    cells = {
        (pair.speaker, pair.listener): _pair_cell(pack, pair) + mark.ljust(longest)
        for pair, mark in zip(pairs, marks, strict=True)
    }
    return TextTable(
        f"{pack.name}: {load(pack.measures)[0].name}, {speaker} by {listener}",
        (speaker,),
        tuple(map(Column, listeners)),
        tuple(
            TableRow((name,), tuple(cells.get((name, other), "") for other in listeners))
            for name in dict.fromkeys(pair.speaker for pair in pairs)
        ),
    )


def _pair_cell(pack: Pack, pair: PlayerPair) -> str:
    """Estimate the score over what was asked for; the folder may hold more."""
    asked = pair.session.asked
    episodes = score_run(pair.session.folder)
    if not episodes.is_empty():
        episodes = episodes.filter(
            episodes["episode"].is_in([episode.id for episode in asked.planned_episodes()])
        )
    if episodes.is_empty():
        return "—"
    episodes = with_sampling_weights(episodes.lazy(), asked.strata).collect()
    return format_estimate(score_interval(episodes, load(pack.measures)[0]))


def cross_matrix_notes(pairs: Sequence[PlayerPair]) -> Iterator[str]:
    """Yield lines that explain the numbers and the marks that occur."""
    session = pairs[0].session
    instances = session.asked.instances
    cluster = load(session.pack.cluster)
    main = load(session.pack.measures)[0]
    clusters = len({cluster(instance) for instance in instances})
    yield f"{main.name}: {main.about}"
    total = sum(sum(sizes.values()) for sizes in session.asked.strata.values())
    counts = f"{count_noun(len(instances), 'instance')} in {count_noun(clusters, 'cluster')}"
    if len(instances) < total:
        counts += f", a part of {total:,}, to which means are weighted by set and category"
    yield f"{counts}; the 95 % intervals resample clusters"
    with_models = [pair.session for pair in pairs if pair.session.has_models]
    if any(one.read_summary().reused for one in with_models):
        yield (
            "language models are asked the same only once, so cells of a row share words: "
            "compare two of them in pairs, groundling compare A B"
        )
    if shared := max(pair.shared for pair in pairs):
        codebook = "their codebook can pass for communication"
        yield f"{SHARED} both have learned from the same games, up to {shared:,}: {codebook}"
    if known := max(pair.known for pair in pairs):
        yield f"{KNOWN} one has learned from what is played here, up to {known:,} of the instances"
    if any(pair.speaker == pair.listener for pair in pairs):
        yield f"{SELF} both seats are taken by the same player: it may understand itself by a code of its own"


def recorded_matrix_estimate(pack: Pack, plan: RunPlan, recorded: Iterable[Transcript]) -> Estimate | None:
    """Estimate the main score of the recorded games of a plan's instances; None if there are none."""
    wanted, whole = {instance.id for instance in plan.instances}, plan.strata
    found = [transcript for transcript in recorded if transcript.opened.instance.id in wanted]
    if not found:
        return None
    scorer, main = EpisodeScorer(pack, pack.new(found[0].opened.settings)), load(pack.measures)[0]
    rows = [dict(zip(scorer.columns, scorer.episode_row(transcript), strict=False)) for transcript in found]
    known = [row for row in rows if row[main.name] is not None]
    strata = [(row["set"], row["category"]) for row in known]
    weights = sampling_weights(whole, strata)
    return estimate_mean(
        [row[main.name] for row in known],
        [row["cluster"] for row in known],
        weights=[weights[stratum] for stratum in strata],
        low=main.low,
        high=main.high,
    )
