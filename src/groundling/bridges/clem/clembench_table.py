"""clembench's table of our runs: `groundling score --as clembench`.

Its three figures are computed by its definitions from three readings of the same episodes:

* clembench: the replies scored again by its own rules (`replay`), for the games that it has;
* strict: our scores, but every episode with a malformed reply counts as aborted, as in clembench;
* tolerant: our scores as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan, nan

import numpy as np
from msgspec import Struct, field

from groundling.bridges.clem.conversion import GAMES, clembench_replies, has_clembench_prompts, to_clembench
from groundling.bridges.clem.replay import replay
from groundling.core.events import SCORED, Refused, Replied, Transcript
from groundling.core.pack import Measure, load
from groundling.core.values import Problem
from groundling.report.score_table import format_score_number
from groundling.report.text_table import Column, TableRow, TextTable
from groundling.runs.scoring import scoring_status
from groundling.runs.stored_run import Run

READINGS = ("clembench", "strict", "tolerant")


class ClemTally(Struct):
    """The main scores of one game's episodes in one reading, from 0 to 100, NaN for aborted ones."""

    scores: list[float] = field(default_factory=list)
    without: int = 0
    """Episodes without a score by clembench's rules."""

    @property
    def percent_played(self) -> float:
        return _round_figure(100 * _mean_or_nan([float(not isnan(score)) for score in self.scores]))

    @property
    def mean_quality(self) -> float:
        return _round_figure(_mean_or_nan([score for score in self.scores if not isnan(score)]))


def compute_clemscore(tallies: Sequence[ClemTally]) -> tuple[float, float, float]:
    """Return clemscore, mean % Played and mean Quality over games; without played episodes there is none."""
    known = [tally for tally in tallies if tally.scores]
    played = _round_figure(_mean_or_nan([tally.percent_played for tally in known]))
    quality = _round_figure(
        _mean_or_nan([tally.mean_quality for tally in known if not isnan(tally.mean_quality)])
    )
    return _round_figure(played / 100 * quality), played, quality


def clembench_table(runs: Sequence[Run]) -> TextTable:
    tallies = tally_clembench_runs(runs)
    games = list(dict.fromkeys(game for _, game, _ in tallies))
    columns = [Column("clemscore"), Column("% Played", joined=True), Column("Quality", joined=True)]
    for game in games:
        columns += [Column(f"{game} n")]
        columns += [Column(f"{game} {figure}", joined=True) for figure in ("% Played", "Quality")]
    rows = []
    for players in dict.fromkeys(players for players, _, _ in tallies):
        for reading in READINGS:
            of = [tallies.get((players, game, reading), ClemTally()) for game in games]
            cells = [format_score_number(value, ".2f") for value in compute_clemscore(of)]
            for tally in of:
                cells += [
                    str(len(tally.scores)),
                    format_score_number(tally.percent_played, ".2f"),
                    format_score_number(tally.mean_quality, ".2f"),
                ]
            rows.append(TableRow((players, reading), tuple(cells)))
    without = sum(tally.without for tally in tallies.values())
    note = f"{without} episodes have no score by clembench's rules and are left out of its reading"
    return TextTable(
        "as clembench: % Played, Quality of what was played, "
        "clemscore = mean(% Played) / 100 x mean(Quality)",
        ("players", "reading"),
        tuple(columns),
        tuple(rows),
        (note,) if without else (),
    )


def tally_clembench_runs(runs: Sequence[Run]) -> dict[tuple[str, str, str], ClemTally]:
    """Collect the scores by players, game and reading. Episodes without a score are left out; one that was
    stopped by a limit has none by clembench's rules and counts as aborted in ours."""
    tallies: dict[tuple[str, str, str], ClemTally] = {}
    for run in runs:
        pack, game = run.find_pack(), run.make_game()
        measure = load(pack.measures)[0]
        for transcript in run.read_transcripts():
            if scoring_status(game, transcript)[0] in SCORED:
                players = " → ".join(transcript.opened.seats.values())
                for reading, score in _score_readings(transcript, measure):
                    tally = tallies.setdefault((players, pack.name, reading), ClemTally())
                    if score is None:
                        tally.without += 1
                    else:
                        tally.scores.append(score)
    return tallies


def _score_readings(transcript: Transcript, measure: Measure) -> Iterator[tuple[str, float | None]]:
    opened = transcript.opened
    if opened.game in GAMES:
        try:
            instance = to_clembench(opened.instance, carried=has_clembench_prompts(transcript))
            yield (
                "clembench",
                replay(GAMES[opened.game], instance, clembench_replies(transcript))[1]["Main Score"],
            )
        except ValueError:  # NoScores, and instances that clembench does not have
            yield "clembench", None
    if not measure.high:
        raise Problem(
            f"{opened.game} has no best {measure.name}, so it has no Quality: "
            "leave its runs out of --as clembench"
        )
    result = transcript.result
    main = nan if result is None else 100 * result.score / measure.high
    slip = any(
        isinstance(e, Refused) or (isinstance(e, Replied) and e.strict is not None) for e in transcript.events
    )
    yield "strict", nan if slip else main
    if not opened.strict:
        yield "tolerant", main


def _round_figure(value: float) -> float:
    """Round as clembench does before it uses a figure further. numpy's rounding of halves, which means of two
    figures often have, differs from that of Python's `round`."""
    return float(np.round(value, 2))


def _mean_or_nan(values: list[float]) -> float:
    return sum(values) / len(values) if values else nan
