"""The data of a report: each run's plan, its episodes and those of its controls."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from groundling.core.events import Transcript
from groundling.core.pack import Pack, Scores, load
from groundling.core.values import Problem, Say
from groundling.runs.run import open_run
from groundling.runs.run_extent import extent_lines
from groundling.runs.scoring import (
    borrowed_words_lines,
    choose_table_sets,
    count_scoring_statuses,
    join_scoring_tables,
    score_run,
    scored_strata,
)
from groundling.runs.stored_run import Run as Played

if TYPE_CHECKING:
    import polars as pl

WORDS, TURNS, FACET = "_words", "_turns", "_facet_"
"""Columns beside those of `score_run`: words said, main score by turn, and the prefix of facets."""
_PATH = re.compile(r"(?<![\w.…-])/(?:[^/,\s]+/)*([^/,\s]+)")


class ReportRun(Struct, frozen=True):
    name: str
    folder: Played
    about: Mapping[str, Any]
    """The content of its run.toml."""
    episodes: pl.DataFrame
    """The episodes of the run and of its controls."""
    counts: dict[str, dict[str, int]]
    """The numbers of planned episodes and of each status, for the run ("") and for each control."""
    extent: tuple[str, ...] = ()
    """Of which part of the whole its scores are, and whether it grew."""


def gather_report_runs(
    names: Iterable[str], game: str = "", sets: Sequence[str] = ()
) -> tuple[Pack, list[ReportRun]]:
    """Read the runs, or some sets of them, with the game that they were played with or with `game`; raise
    Problem if they are not all of one game."""
    given = list(dict.fromkeys(names))
    folders = [open_run(name, game) for name in given]
    games = [str(folder.read_about()["plan"]["game"]) for folder in folders]
    for name, played in zip(given, games, strict=True):
        if played != games[0]:
            raise Problem(
                f"{given[0]} is a run of {games[0]}, {name} of {played}: make a report for each game"
            )
    runs = [
        _gather_run(short, folder, sets) for short, folder in zip(_run_labels(given), folders, strict=True)
    ]
    return folders[0].find_pack(), runs


def _gather_run(name: str, folder: Played, sets: Sequence[str]) -> ReportRun:
    tables, counts, extent = [], {}, tuple[str, ...]()
    for control, part in {"": folder, **folder.control_runs()}.items():
        table = _episode_table(part, control, name)
        planned = part.read_about()["episodes"]
        statuses = [] if table.is_empty() else table["status"].to_list()
        counts[control] = {"planned": planned, **count_scoring_statuses(statuses, planned)}
        if not control:
            extent = tuple(extent_lines(folder.read_about(), scored_strata(table)))
        extent += tuple(f"{control}: {line}" for line in borrowed_words_lines(table))
        if not table.is_empty():
            tables.append(choose_table_sets(table, sets))
        elif not control:
            raise Problem(
                f"nothing has been played yet in {folder.path}: give the groundling play command again"
            )
    return ReportRun(name, folder, folder.read_about(), join_scoring_tables(tables), counts, extent)


def _episode_table(folder: Played, control: str, name: str) -> pl.DataFrame:
    import polars as pl

    words: list[int] = []
    turns: list[list[float]] = []
    facets: list[Mapping[str, str]] = []
    main = load(folder.find_pack().measures)[0].name

    def note_extras(transcript: Transcript, scores: Scores) -> None:
        words.append(
            sum(len(move.text.split()) for _, move in transcript.event_moves() if isinstance(move, Say))
        )
        turns.append([value for turn in scores.turns if (value := turn.get(main)) is not None])
        facets.append(scores.facets)

    table = score_run(folder, control, note_extras)
    if table.is_empty():
        return table
    more = pl.Series(WORDS, words, pl.Int64), pl.Series(TURNS, turns, pl.List(pl.Float64))
    names = dict.fromkeys(facet for some in facets for facet in some)
    like = [pl.Series(f"{FACET}{facet}", [some.get(facet) for some in facets], pl.String) for facet in names]
    return table.with_columns(*more, *like, pl.lit(name).alias("run"))


def _run_labels(names: list[str]) -> list[str]:
    """Return labels of folders: relative paths as given, of absolute ones the fewest last parts."""
    labels = names
    for parts in range(1, max(len(Path(name).parts) for name in names) + 1):
        labels = ["/".join(Path(name).parts[-parts:]) if Path(name).is_absolute() else name for name in names]
        if len(set(labels)) == len(names):
            break
    return labels


def shorten_report_paths(text: str) -> str:
    """Shorten absolute paths in a text to their last part."""
    return _PATH.sub(r"…/\1", text)
