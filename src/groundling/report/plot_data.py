"""The data of the plots: means with intervals by set, turn and length, of each run and its controls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

import numpy as np
import polars as pl
from numpy.typing import NDArray

from groundling.boards.plot import COLOURS, PlotGroup, PlotPoint, PlotSeries
from groundling.core.pack import Measure, Pack, load
from groundling.report.facets import facet_plots
from groundling.report.plot_captions import Plot, estimate_point, plot_by_length, plot_by_set, plot_by_turn
from groundling.report.report_data import ReportRun
from groundling.report.score_table import CHANCE, ScoreRow, episode_weights, label_code
from groundling.runs.scoring_table import TURNS, WORDS
from groundling.scores.intervals import Estimate, Floats, estimate_mean

RESAMPLES = 999
"""Enough for plots; the tables use more."""
TURNS_SHOWN = 30
MAX_BINS = 8
MIN_EPISODES = 5
"""The fewest episodes that a dot stands for."""
MAX_DOTS = 400
"""The most single episodes that are shown; of more, only the means."""


def gather_plot_data(pack: Pack, runs: Sequence[ReportRun], rows: Sequence[ScoreRow]) -> list[Plot]:
    """Return the plots for which there is enough data."""
    main = load(pack.measures)[0]
    bounds = main.low, main.high
    colours = {run.name: number for number, run in enumerate(runs)}
    several = len(runs) > 1
    found = [plot_by_set(_set_groups(rows, colours, several), main.name, bounds)]
    turns, lengths, apart = list[PlotSeries](), list[PlotSeries](), False
    for part in (part for run in runs for part in _scored_parts(run, main)):
        apart |= _is_mean_over_turns(part)
        if by_turn := _turn_series(part, main, colours, several):
            turns.append(by_turn)
        if not part["control"][0] and (by_length := _length_series(part, main, colours, several)):
            lengths.append(by_length)
    if turns:
        found.append(plot_by_turn(turns, main.name, bounds, apart=apart))
    if any(len(one.points) > 1 for one in lengths):
        found.append(plot_by_length(lengths, main.name, bounds))
    return [*found, *facet_plots(pack, runs)]


def _series_label(run: str, players: str, several: bool) -> str:
    return f"{players} ({run})" if several else players


def _set_groups(rows: Sequence[ScoreRow], colours: dict[str, int], several: bool) -> list[PlotGroup]:
    groups: list[PlotGroup] = []
    for name in dict.fromkeys(row.set for row in rows):
        within = [row for row in rows if row.set == name]
        series = [
            PlotSeries(
                _series_label(r.run, r.players, several),
                colours[r.run],
                [estimate_point(0, r.main)],
                bool(r.control),
            )
            for r in within
            if r.control != CHANCE
        ]
        guesses = [row for row in within if row.control == CHANCE and not isnan(row.main.mean)]
        series += [
            PlotSeries(r.players, COLOURS - 1, [estimate_point(0, r.main)], True)
            for r in guesses
            if r.players != CHANCE
        ]
        chance = next((row.main.mean for row in guesses if row.players == CHANCE), None)
        groups.append(PlotGroup(name or "all", series, chance))
    return groups


def _scored_parts(run: ReportRun, main: Measure) -> Iterator[pl.DataFrame]:
    """Yield the scored episodes of each control (or none) and pair of players, one after the other."""
    known = run.episodes.drop_nulls(main.name)
    names = pl.col("run", "control", "players")
    needed = main.name, WORDS, TURNS, "weight", "sampling_weight", label_code(known, "cluster")
    pairs = known.select("control", "players").unique(maintain_order=True).collect(engine="streaming")
    for control, players in pairs.rows():
        own = known.filter(pl.col("control") == control, pl.col("players") == players)
        yield own.select(names.cast(pl.Categorical), *needed).collect(engine="streaming")


def _make_series(
    part: pl.DataFrame, colours: dict[str, int], several: bool, points: list[PlotPoint]
) -> PlotSeries:
    run, control = part["run"][0], bool(part["control"][0])
    return PlotSeries(_series_label(run, part["players"][0], several), colours[run], points, control)


def _is_mean_over_turns(part: pl.DataFrame) -> bool:
    """Whether an episode's score is the mean over its turns, so that turn scores are not cumulative."""
    return bool((part["weight"] != 1).any())


def _turn_series(
    part: pl.DataFrame, main: Measure, colours: dict[str, int], several: bool
) -> PlotSeries | None:
    lengths, apart = part[TURNS].list.len().to_numpy(), _is_mean_over_turns(part)
    longest = int(lengths.max())
    last = int(np.sort(lengths)[-MIN_EPISODES]) if apart and len(lengths) >= MIN_EPISODES else longest
    if last < 2:
        return None
    clusters, weights = part["cluster"].to_numpy(), part["sampling_weight"].to_numpy()
    points = []
    for turn in np.unique(np.linspace(0, last - 1, min(last, TURNS_SHOWN)).round().astype(int)):
        there = lengths > turn if apart else lengths >= 0
        now = pl.coalesce(pl.col(TURNS).list.get(int(turn), null_on_oob=True), main.name)
        values = part.select(now.cast(pl.Float64)).to_series().to_numpy()
        found = _quick_estimate(values[there], clusters[there], main, weights[there])
        points.append(estimate_point(int(turn) + 1, found))
    return _make_series(part, colours, several, points)


def _length_series(
    part: pl.DataFrame, main: Measure, colours: dict[str, int], several: bool
) -> PlotSeries | None:
    """Bin episodes by length; episodes of equal length are in the same bin."""
    words, scores, weights = part[WORDS].to_numpy(), part[main.name].to_numpy(), episode_weights(part)
    clusters = part["cluster"].to_numpy()
    if not words.any():
        return None
    bins = min(MAX_BINS, max(1, len(words) // MIN_EPISODES))
    edges = (
        np.unique(np.quantile(words, np.linspace(0, 1, bins + 1)[1:-1], method="higher"))
        if bins > 1
        else np.array([])
    )
    place = np.searchsorted(edges, words, side="right")
    points = [
        estimate_point(
            float(words[inside].mean()),
            _quick_estimate(scores[inside], clusters[inside], main, weights[inside]),
        )
        for number in range(len(edges) + 1)
        if (inside := place == number).any()
    ]
    series = _make_series(part, colours, several, points)
    dots = (
        [(float(x), float(y)) for x, y in zip(words, scores, strict=True)] if len(words) <= MAX_DOTS else []
    )
    return PlotSeries(series.label, series.colour, points, series.control, dots)


def _quick_estimate(values: Floats, clusters: NDArray[np.uint32], main: Measure, weights: Floats) -> Estimate:
    return estimate_mean(values, clusters, weights=weights, low=main.low, high=main.high, resamples=RESAMPLES)
