"""`groundling study table` prints the results of a study, as its game tabulates them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from groundling.cli.study_commands import study_log_name
from groundling.core.pack import load
from groundling.core.result_tables import TextTable
from groundling.core.source import AnnotatorLabels, Source, StudyResults, find_source, installed_sources
from groundling.core.values import Problem, missing_extra
from groundling.report.text_table import print_table
from groundling.scores.label_file import LabelFile, as_numbers
from groundling.studies.annotation_flow import stage_fields
from groundling.studies.annotation_results import collect_results
from groundling.studies.annotation_schema import CLOSED, AnnotationField
from groundling.studies.study_checks import read_usable_study
from groundling.studies.study_state import StudyState, fold_study
from groundling.web.study_store import read_stored_study


def print_study_tables(folder: Path, db: str) -> None:
    try:
        import numpy  # noqa: F401 - the statistics need it
    except ImportError:
        raise missing_extra("score") from None
    state, results = read_study_results(folder, db)
    tables = [table for game, found in results.items() for table in _make_tables(state, game, found)]
    if not tables:
        raise Problem(f"{folder} has no labels so far: groundling study status {folder} shows how far it is")
    for number, table in enumerate(tables):
        print("\n" * bool(number), end="")
        print_table(table)


def read_study_results(folder: Path, db: str) -> tuple[StudyState, dict[str, StudyResults]]:
    """What a study has collected, by game."""
    stored = read_stored_study(db, study_log_name(folder))
    state = fold_study(stored.events)
    return state, collect_results(state, read_usable_study(folder).tables, stored.answers)


def find_game_source(game: str) -> Source | None:
    return find_source(game) if game in installed_sources() else None


def _make_tables(state: StudyState, game: str, results: StudyResults) -> Sequence[TextTable]:
    """The game's own tables, or the agreement on each field."""
    source = find_game_source(game)
    tables = load(source.tables)(results) if source and source.tables else ()
    return tables or list(_agreement_tables(state, results))


def _agreement_tables(state: StudyState, results: StudyResults) -> Iterator[TextTable]:
    from groundling.report.agreement_table import agreement_rows, agreement_table

    for stage in state.study.stages:
        labels = [one for one in results.labels if one.stage == stage.name]
        for field in stage_fields(state.study, stage) if labels else ():
            if field.kind in (*CLOSED, "spans") and any(field.name in one.values for one in labels):
                found = _tabulate_field(field, labels)
                order = list(field.labels) if field.kind == "ordered" else None
                yield agreement_table(f"{stage.name}, {field.name}", found, agreement_rows(found, (), order))


def _tabulate_field(field: AnnotationField, labels: Sequence[AnnotatorLabels]) -> LabelFile:
    items = {one.item.id: one.item for one in labels}
    people = list(dict.fromkeys(one.annotator for one in labels))
    given = {(one.item.id, one.annotator): one.values for one in labels}
    cells = [
        [
            _read_cell(field, given[name, who].get(field.name)) if (name, who) in given else None
            for who in people
        ]
        for name in items
    ]
    return LabelFile(
        list(items),
        people,
        as_numbers(cells) if field.kind == "count" else cells,
        [item.cluster or item.id for item in items.values()],
        [len(item.text) for item in items.values()] if field.kind == "spans" else None,
        sets=field.kind == "several",
    )


def _read_cell(field: AnnotationField, value: object) -> object:
    if field.kind == "spans":
        spans = value if isinstance(value, list) else ()
        return tuple((span["start"], span["end"], span["label"]) for span in spans)
    return frozenset(value) if isinstance(value, list) else value
