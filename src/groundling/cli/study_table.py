"""`groundling study table` prints the results of a study, as its game tabulates them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from typer import Option

from groundling.cli.study_commands import DbOption, FolderArgument, study_log_name
from groundling.core.pack import choices_hint, load
from groundling.core.result_tables import TextTable
from groundling.core.source import Source, StudyResults, find_source, installed_sources
from groundling.core.values import Problem
from groundling.files import write_output
from groundling.report.table_files import render_table_csv, render_table_page
from groundling.report.text_table import print_table
from groundling.studies.annotation_agreement import annotation_tables
from groundling.studies.annotation_results import collect_results
from groundling.studies.study_checks import read_usable_study
from groundling.studies.study_state import StudyState, fold_study
from groundling.web.study_store import StoredStudy, read_stored_study

FORMATS = ("text", "html", "csv")


def table_command(
    folder: FolderArgument,
    db: DbOption = "groundling.db",
    file_format: Annotated[str, Option("--format", help="text, html or csv.", metavar="FORMAT")] = "text",
    out: Annotated[Path | None, Option("-o", "--out", help="The file for html and csv.")] = None,
) -> None:
    """Print the results of a study as its game tabulates them, with published figures beside."""
    if file_format not in FORMATS:
        raise Problem(f"there is no format {file_format!r}: {choices_hint(FORMATS)}")
    if (file_format == "text") == (out is not None):
        raise Problem("give --format html or csv together with -o FILE")
    stored = read_stored_study(db, study_log_name(folder))
    state, results = read_study_results(folder, stored)
    tables = [table for game, found in results.items() for table in _game_tables(game, found)]
    tables = tables or annotation_tables(state) or _partner_tables(folder, db, state, stored)
    if not tables:
        raise Problem(f"{folder} has no results for a table: groundling study export writes what it has")
    if out is not None:
        page = file_format == "html"
        text = render_table_page(state.study.title, tables) if page else render_table_csv(tables)
        write_output(out, text.encode())
        return print(out)
    for number, table in enumerate(tables):
        print("\n" * bool(number), end="")
        print_table(table)
    return None


def _partner_tables(folder: Path, db: str, state: StudyState, stored: StoredStudy) -> list[TextTable]:
    """The tables of stages whose conditions are partners."""
    if not any(stage.partners for stage in state.study.stages):
        return []
    from groundling.cli.partner_study import collect_partner_results
    from groundling.studies.partner_tables import partner_tables

    found = collect_partner_results(folder, db, state, stored)
    return [table for results in found for table in partner_tables(results)]


def read_study_results(folder: Path, stored: StoredStudy) -> tuple[StudyState, dict[str, StudyResults]]:
    """What a study has collected, by game. Raises Problem where its items have changed since it began."""
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
    import numpy  # noqa: F401 - the statistics need it, and `load` would not name the extra

    return load(source.tables)(results)
