"""`groundling study table` prints the results of a study, as its game tabulates them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from groundling.cli.study_commands import study_log_name
from groundling.core.pack import load
from groundling.core.result_tables import TextTable
from groundling.core.source import Source, StudyResults, find_source, installed_sources
from groundling.core.values import Problem, missing_extra
from groundling.report.text_table import print_table
from groundling.studies.annotation_agreement import annotation_tables
from groundling.studies.annotation_results import collect_results
from groundling.studies.study_checks import read_usable_study
from groundling.studies.study_state import StudyState, fold_study
from groundling.web.study_store import read_stored_study


def print_study_tables(folder: Path, db: str) -> None:
    state, results = read_study_results(folder, db)
    tables = [table for game, found in results.items() for table in _game_tables(game, found)]
    tables = tables or annotation_tables(state)
    if not tables:
        raise Problem(f"{folder} has no results for a table: groundling study export writes what it has")
    for number, table in enumerate(tables):
        print("\n" * bool(number), end="")
        print_table(table)


def read_study_results(folder: Path, db: str) -> tuple[StudyState, dict[str, StudyResults]]:
    """What a study has collected, by game. Raises Problem where its items have changed since it began."""
    stored = read_stored_study(db, study_log_name(folder))
    state, files = fold_study(stored.events), read_usable_study(folder)
    for key in (f"stimuli.{name}" for name in state.study.stimuli):
        if files.digests.get(key) != state.digests[key]:
            raise Problem(f"{folder}: {key} has changed since the study began: restore its items")
    return state, collect_results(state, files.tables, stored.answers)


def find_game_source(game: str) -> Source | None:
    return find_source(game) if game in installed_sources() else None


def _game_tables(game: str, results: StudyResults) -> Sequence[TextTable]:
    source = find_game_source(game)
    if source is None or source.tables is None:
        return ()
    try:
        import numpy  # noqa: F401 - the statistics need it
    except ImportError:
        raise missing_extra("score") from None
    return load(source.tables)(results)
