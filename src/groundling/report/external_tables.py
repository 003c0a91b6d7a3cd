"""Lookup of tables in the format of other benchmarks and of papers: `groundling score --as NAME`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeAlias

from groundling.core.events import Transcript
from groundling.core.pack import (
    Pack,
    ScoredRun,
    Scores,
    choices_hint,
    find,
    installed_entry_points,
    installed_packs,
    load,
)
from groundling.core.result_tables import TextTable
from groundling.core.values import Problem
from groundling.runs.scoring import score_run
from groundling.runs.stored_run import Run

GROUP = "groundling.tables"
TableMaker: TypeAlias = Callable[[Sequence[Run]], Sequence[TextTable]]
"""Makes tables of runs, which may be of several games."""


def find_external_tables(name: str, packs: Iterable[Pack]) -> TableMaker:
    """Find the tables of that name among those that are installed and those of the given games."""
    known: dict[str, TableMaker] = {
        entry: partial(_make_installed_table, point.value)
        for entry, point in installed_entry_points(GROUP).items()
    }
    for pack in (*_loadable_packs(), *packs):
        known |= {title: partial(_make_paper_tables, pack, title) for title in pack.report.tables}
    if name not in known:
        raise Problem(f"there is no table in the format of {name!r}: {choices_hint(known)}")
    return known[name]


def _loadable_packs() -> Iterable[Pack]:
    for name in installed_packs():
        try:
            yield find(name)
        except Problem:  # a broken package must not hide the other games
            continue


def _make_installed_table(place: str, runs: Sequence[Run]) -> list[TextTable]:
    make: Callable[[Sequence[Run]], TextTable] = load(place)
    return [make(runs)]


def _make_paper_tables(pack: Pack, title: str, runs: Sequence[Run]) -> Sequence[TextTable]:
    for run in runs:
        if (played := run.find_pack().name) != pack.name:
            raise Problem(
                f"{run.path} is a run of {played}: --as {title} takes runs of {pack.name}, leave it out"
            )
    return load(pack.report.tables[title])([_score_episodes(run) for run in runs])


def _score_episodes(run: Run) -> ScoredRun:
    episodes: list[tuple[Transcript, Scores]] = []

    def keep_scores(transcript: Transcript, scores: Scores) -> None:
        if transcript.status in ("played", "aborted"):
            episodes.append((transcript, scores))

    score_run(run, note=keep_scores)
    return ScoredRun(str(run.path), run.make_game(), episodes)
