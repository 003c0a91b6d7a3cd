"""Write the tables of a study as CSV and Parquet, its games as runs, a codebook and the flow of people."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from groundling.cli.study_commands import study_log_name
from groundling.cli.study_table import find_game_source, read_study_results
from groundling.core.pack import choices_hint, load
from groundling.core.values import Problem, missing_extra
from groundling.files import write_whole_file
from groundling.scores.dawid_skene import dawid_skene
from groundling.studies.annotation_export import SaidLabels, label_tables
from groundling.studies.annotation_labels import decode_labels
from groundling.studies.annotation_schema import AnnotateTask
from groundling.studies.study_file import read_study_files
from groundling.studies.study_flow import count_flow, flow_svg, flow_text
from groundling.studies.study_state import StudyState, fold_study
from groundling.studies.study_tables import (
    TABLES,
    GameRow,
    answer_rows,
    assignment_rows,
    column_types,
    participant_rows,
    row_cells,
    study_event_rows,
    write_codebook,
)
from groundling.web.people_table import format_csv_row
from groundling.web.studies.study_games import (
    read_study_games,
    write_data_files,
    write_published_data,
    write_study_runs,
)
from groundling.web.study_store import StoredStudy, read_stored_study

PUBLISHED = "published"
FORMATS = ("tables", PUBLISHED)


def export_study_folder(folder: Path, out: Path, db: str, form: str) -> None:
    """Write everything, and print a line for each file and run."""
    if form not in FORMATS:
        raise Problem(f"there is no format {form!r}: {choices_hint(FORMATS)}")
    name = study_log_name(folder)
    stored = read_stored_study(db, name)
    state = fold_study(stored.events)
    games, unreadable = read_study_games(db, name, state)
    out.mkdir(parents=True, exist_ok=True)
    if form == PUBLISHED:
        lines = write_published_data(games, out)
    else:
        for file, content in _export_files(stored, state, [game.row for game in games]):
            write_whole_file(out / file, content)
            print(out / file)
        _export_labels(folder, stored, state, out)
        lines = write_study_runs(db, name, games, out)
    for line in lines:
        print(line)
    if unreadable:
        print(f"left out {unreadable} {'game' if unreadable == 1 else 'games'} written by another version")


def export_annotated_data(folder: Path, out: Path, db: str, form: str, data: Path) -> None:
    """Write published data with what the annotators of a study added to it."""
    if form != PUBLISHED:
        raise Problem(f"--data is for --format {PUBLISHED}: add that, or leave out --data")
    if not data.exists() or out.resolve() == data.resolve():
        raise Problem(f"--data {data}: give the data that was annotated, and another folder to write into")
    _, results = read_study_results(folder, db)
    for game, found in results.items():
        source = find_game_source(game)
        if source is not None and source.annotated is not None:
            out.mkdir(parents=True, exist_ok=True)
            for line in write_data_files(load(source.annotated)(data, found), out):
                print(line)
            return
    raise Problem(f"{folder} has no labels that can be added to published data: leave out --data")


def _export_labels(folder: Path, stored: StoredStudy, state: StudyState, out: Path) -> None:
    """Write the labels of annotations, raw and settled."""
    if not any(isinstance(stage.task, AnnotateTask) for stage in state.study.stages):
        return
    said: dict[str, list[SaidLabels]] = {}
    for answer in stored.answers:
        task = state.tasks[answer.task]
        if task.counted and isinstance(state.stages[task.assigned.stage].stage.task, AnnotateTask):
            found = (SaidLabels(answer.person, answer.task, each) for each in decode_labels(answer.body))
            said.setdefault(task.assigned.stage, []).extend(found)
    tables = read_study_files(folder, state.study)[0].tables
    (out / "labels").mkdir(exist_ok=True)
    for table in label_tables(state, said, tables, lambda ratings: dawid_skene(ratings).best()):
        path = out / "labels" / f"{table.name}.csv"
        write_whole_file(path, b"".join(map(format_csv_row, [table.columns, *table.rows])))
        print(path)


def _export_files(
    stored: StoredStudy, state: StudyState, games: Sequence[GameRow]
) -> Iterator[tuple[str, bytes]]:
    tables: dict[str, Iterable[Struct]] = {
        "participants": participant_rows(state),
        "assignments": assignment_rows(state),
        "answers": answer_rows(state, stored.answers),
        "games": games,
        "events": study_event_rows(state, stored.events),
    }
    for name, kind in TABLES.items():
        cells = row_cells(tables[name])
        yield f"{name}.csv", b"".join(map(format_csv_row, [kind.__struct_fields__, *cells]))
        yield f"{name}.parquet", _encode_parquet(kind, cells)
    yield "codebook.md", write_codebook(state.study.title).encode()
    steps = count_flow(state)
    yield "flow.txt", flow_text(steps).encode()
    yield "flow.svg", flow_svg(state.study.title, steps).encode()


def _encode_parquet(kind: type[Struct], rows: Sequence[Sequence[Any]]) -> bytes:
    try:
        import polars as pl
    except ImportError:
        raise missing_extra("score") from None
    buffer = io.BytesIO()
    pl.DataFrame(rows, column_types(kind), orient="row").write_parquet(buffer)
    return buffer.getvalue()
