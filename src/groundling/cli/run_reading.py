"""How commands open the runs that they read, and what all of them say about a run."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groundling.core.values import Problem
from groundling.runs.run import open_run
from groundling.runs.run_extent import extent_lines
from groundling.runs.scoring_table import borrowed_words_lines, count_outcomes, scored_strata
from groundling.runs.stored_run import Run

if TYPE_CHECKING:
    import polars as pl


def open_read_run(name: str, game: str) -> Run:
    """Open a run, and warn if the code of its game has changed."""
    run = open_run(name, game)
    if warning := run.changed_code():
        print(f"warning: {warning}", file=sys.stderr)
    return run


def unbroken_counts(text: str) -> str:
    """Put no-break spaces before numbers, so that "missing 0" stays on one line."""
    return re.sub(r" (?=\d)", "\xa0", text)


def describe_extent(folder: Run, episodes: pl.DataFrame | pl.LazyFrame) -> Iterator[str]:
    yield from extent_lines(folder.read_about(), scored_strata(count_outcomes(episodes)))
    yield from borrowed_words_lines(episodes)


def name_damaged(folder: Run, episodes: pl.DataFrame | pl.LazyFrame) -> list[str]:
    """Name the episodes that have no scores because their logs contradict themselves."""
    import polars as pl

    if "damage" not in episodes.collect_schema():
        return []
    found = episodes.lazy().filter(pl.col("status") == "damaged").select("episode").collect()
    damaged = found["episode"].to_list()
    return [
        f"{folder.path}: left out, as their logs contradict themselves: {', '.join(damaged)}; "
        f"groundling verify {folder.path} says why"
    ]


def read_labels(given: Sequence[str]) -> dict[str, dict[str, str]]:
    """The labels of items in files that are given as NAME=FILE, by name."""
    from groundling.scores.label_file import read_item_labels

    found = {}
    for text in given:
        name, _, file = text.partition("=")
        if not name or not file:
            raise Problem(f"--labels {text} is not NAME=FILE: write it as in --labels level=labels.csv")
        if not Path(file).is_file():
            raise Problem(f"--labels {text}: {file} does not exist: name a table of labels")
        found[name] = read_item_labels(file, Path(file).read_bytes())
    return found
