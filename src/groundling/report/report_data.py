"""The data of a report: each run's plan, its episodes and those of its controls."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from msgspec import Struct

from groundling.core.pack import Pack
from groundling.core.values import Problem
from groundling.runs.run import open_run
from groundling.runs.run_extent import extent_lines
from groundling.runs.scoring import count_scoring_statuses, score_with_controls
from groundling.runs.scoring_table import (
    borrowed_words_lines,
    choose_table_sets,
    count_outcomes,
    count_statuses,
    join_scoring_tables,
    scan_scoring_table,
    scored_strata,
)
from groundling.runs.stored_run import Run as Played

_PATH = re.compile(r"(?<![\w.…-])/(?:[^/,\s]+/)*([^/,\s]+)")


class ReportRun(Struct, frozen=True):
    name: str
    folder: Played
    about: Mapping[str, Any]
    """The content of its run.toml."""
    episodes: pl.LazyFrame
    """The episodes of the run and of its controls."""
    counts: dict[str, dict[str, int]]
    """The numbers of planned episodes and of each status, for the run ("") and for each control."""
    extent: tuple[str, ...] = ()
    """Of which part of the whole its scores are, and whether it grew."""

    def without_controls(self) -> pl.LazyFrame:
        return self.episodes.filter(pl.col("control") == "")


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
    for control, part, content in score_with_controls(folder, for_report=True):
        table, planned = scan_scoring_table(content), part.read_about()["episodes"]
        outcomes = count_outcomes(table)
        counts[control] = {"planned": planned, **count_scoring_statuses(count_statuses(outcomes), planned)}
        if not control:
            extent = tuple(extent_lines(folder.read_about(), scored_strata(outcomes)))
        extent += tuple(f"{control}: {line}" for line in borrowed_words_lines(table))
        if content:
            tables.append(choose_table_sets(table, sets).with_columns(pl.lit(name).alias("run")))
        elif not control:
            raise Problem(
                f"nothing has been played yet in {folder.path}: give the groundling play command again"
            )
    return ReportRun(name, folder, folder.read_about(), join_scoring_tables(tables), counts, extent)


def distinct_values(episodes: pl.LazyFrame, column: str) -> list[str]:
    """Return the values of a column in the order in which they come."""
    return episodes.select(pl.col(column).unique(maintain_order=True)).collect()[column].to_list()


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
