"""Write the tables of a study as CSV and Parquet, its games as runs, a codebook and the flow of people."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Struct, structs
from typer import Option

from groundling.cli.options import with_struct_options
from groundling.cli.study_commands import DbOption, FolderArgument, study_log_name
from groundling.cli.study_review import read_review, write_review
from groundling.cli.study_table import find_game_source, read_study_results
from groundling.core.pack import choices_hint, find, load
from groundling.core.values import Problem
from groundling.csv_cells import format_csv_row
from groundling.files import write_whole_file
from groundling.report.text_table import print_text
from groundling.studies.annotation_export import SaidLabels, label_tables
from groundling.studies.annotation_labels import decode_labels
from groundling.studies.annotation_schema import AnnotateTask
from groundling.studies.game_texts import list_game_texts, replace_game_texts, round_game_times
from groundling.studies.study_file import read_study_files
from groundling.studies.study_flow import count_flow, flow_svg, flow_text
from groundling.studies.study_state import StudyState, fold_study
from groundling.studies.study_tables import (
    TABLES,
    answer_rows,
    assignment_rows,
    column_types,
    participant_rows,
    round_row_times,
    row_cells,
    study_event_rows,
    write_codebook,
)
from groundling.studies.study_texts import (
    Replacements,
    StudyText,
    find_event_text,
    list_written_texts,
    remove_ids,
    replace_answer_texts,
    replace_event_text,
    scrub_text,
)
from groundling.web.studies.study_games import (
    StudyGame,
    read_study_games,
    write_data_files,
    write_published_data,
    write_study_runs,
)
from groundling.web.study_store import StoredStudy, read_service_ids, read_stored_study

PUBLISHED = "published"
FORMATS = ("tables", PUBLISHED)


class ExportOrder(Struct, frozen=True):
    """What to export, and how."""

    out: Annotated[Path | None, Option("-o", "--out", help="The folder to write into.")] = None
    format: Annotated[
        str, Option(help="tables, or published: the format of the game's published data.", metavar="NAME")
    ] = "tables"
    exact_times: Annotated[
        bool, Option("--exact-times", help="Write times; without it only days and durations.")
    ] = False
    scrub: Annotated[
        bool, Option("--scrub", help="Mark e-mail addresses, phone numbers and long numbers.")
    ] = False
    review: Annotated[
        Path | None, Option(help="Only write all texts, with what --scrub does, to be read.")
    ] = None
    reviewed: Annotated[Path | None, Option(help="The file of --review, with the texts to be written.")] = (
        None
    )
    person: Annotated[str, Option(help="Only write what is stored of this person.", metavar="CODE")] = ""
    data: Annotated[
        Path | None, Option(help="With --format published: the data that was annotated.", metavar="PATH")
    ] = None

    def check(self) -> None:
        if self.format not in FORMATS:
            raise Problem(f"there is no format {self.format!r}: {choices_hint(FORMATS)}")
        if not self.out and not self.review:
            raise Problem("there is no folder to write into: give one with -o")
        if self.data:
            if self.format != PUBLISHED:
                raise Problem(f"--data is for --format {PUBLISHED}: add that, or leave out --data")
            return
        if self.format == PUBLISHED and not self.reviewed and not self.review:
            raise Problem(
                "nobody has read the texts that would be published: write them into a file with "
                "--review FILE, read it, and give --reviewed FILE"
            )
        if self.person and (self.format == PUBLISHED or self.scrub or self.review or self.reviewed):
            raise Problem("--person writes all that is stored of a person: give no other option but -o")


class _StudyData(Struct):
    """What is exported."""

    name: str
    stored: StoredStudy
    state: StudyState
    games: list[StudyGame]
    unreadable: int
    ids: dict[str, dict[str, str]]

    def list_texts(self) -> Iterator[StudyText]:
        yield from list_written_texts(self.state, self.stored.events, self.stored.answers)
        for game in self.games:
            yield from list_game_texts(game.row.stage, game.transcript)


def export_study(folder: FolderArgument, order: ExportOrder, db: DbOption = "groundling.db") -> None:
    """Write a study's tables, with a codebook and a flow diagram, and its games as runs.

    With --format published, write what was collected as data that `groundling data` reads. Where people
    annotated published data, name it with --data: it is written with their labels and corrections."""
    order.check()
    if order.data and order.out:
        return _export_annotated_data(folder, db, order.data, order.out)
    name = study_log_name(folder)
    stored = read_stored_study(db, name)
    state = fold_study(stored.events)
    data = _StudyData(name, stored, state, *read_study_games(db, name, state), read_service_ids(db, name))
    known = [each for ids in data.ids.values() for each in ids.values()]
    scrub = partial(scrub_text if order.scrub or order.format == PUBLISHED else remove_ids, ids=known)
    if order.review:
        return print(write_review(order.review, data.list_texts(), partial(scrub_text, ids=known)))
    assert order.out is not None
    if order.person:
        _keep_person(data, order.person)
    elif order.reviewed:
        _replace_texts(data, read_review(order.reviewed, data.list_texts()))
    else:
        texts = {each.text for each in data.list_texts()}
        _replace_texts(data, {text: other for text in texts if (other := scrub(text)) != text})
    exact = order.exact_times or bool(order.person)
    if not exact:
        data.games = [
            structs.replace(game, transcript=round_game_times(game.transcript)) for game in data.games
        ]
    order.out.mkdir(parents=True, exist_ok=True)
    if order.format == PUBLISHED:
        lines = write_published_data(data.games, order.out)
    else:
        for file, content in _export_files(data, exact, order.person):
            write_whole_file(order.out / file, content)
            print(order.out / file)
        _export_labels(folder, data, order.out)
        lines = write_study_runs(db, name, data.games, order.out)
    for line in lines:
        print(line)
    if not stored.answers and any(stage.labels for stage in state.stages.values()):
        print_text(
            "tables of raw labels are empty, because a pilot stores what bots say only with "
            "groundling study simulate DIR --server",
            "  ",
        )
    if data.unreadable:
        count = f"{data.unreadable} {'game' if data.unreadable == 1 else 'games'}"
        print(f"left out {count} written by another version")
    return None


export_command = with_struct_options(export_study, "order", ExportOrder)


def _replace_texts(data: _StudyData, by: Replacements) -> None:
    events = [
        replace_event_text(event, by[text]) if (text := find_event_text(event)) in by else event
        for event in data.stored.events
    ]
    answers = [
        replace_answer_texts(data.state, sent, lambda text: by.get(text, text))
        for sent in data.stored.answers
    ]
    data.stored = StoredStudy(events, answers)
    data.games = [
        structs.replace(game, transcript=replace_game_texts(find(game.game), game.transcript, by))
        for game in data.games
    ]


def _keep_person(data: _StudyData, person: str) -> None:
    """Leave out the answers and games of others."""
    if person not in data.state.people:
        raise Problem(f"there is no person {person!r} in this study: give their code")
    own = [sent for sent in data.stored.answers if sent.person == person]
    data.stored = StoredStudy(data.stored.events, own)
    data.games = [game for game in data.games if person in game.room.assigned.seats.values()]


def _export_annotated_data(folder: Path, db: str, data: Path, out: Path) -> None:
    """Write published data with what the annotators of a study added to it."""
    if not data.exists() or out.resolve() == data.resolve():
        raise Problem(f"--data {data}: give the data that was annotated, and another folder to write into")
    _, results = read_study_results(folder, read_stored_study(db, study_log_name(folder)))
    for game, found in results.items():
        source = find_game_source(game)
        if source is not None and source.annotated is not None:
            out.mkdir(parents=True, exist_ok=True)
            for line in write_data_files(load(source.annotated)(data, found), out):
                print(line)
            return
    raise Problem(f"{folder} has no labels that can be added to published data: leave out --data")


def _export_labels(folder: Path, data: _StudyData, out: Path) -> None:
    """Write the labels of annotations, raw and settled."""
    from groundling.scores.dawid_skene import dawid_skene

    stored, state = data.stored, data.state
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


def _export_files(data: _StudyData, exact: bool, person: str) -> Iterator[tuple[str, bytes]]:
    state, stored = data.state, data.stored
    tables: dict[str, Iterable[Struct]] = {
        "participants": participant_rows(state),
        "assignments": assignment_rows(state),
        "answers": answer_rows(state, stored.answers),
        "games": [game.row for game in data.games],
        "events": study_event_rows(state, stored.events, exact),
    }
    for name, kind in TABLES.items():
        rows = [row for row in tables[name] if not person or getattr(row, "person", person) == person]
        cells = row_cells(rows if exact else map(round_row_times, rows))
        yield f"{name}.csv", b"".join(map(format_csv_row, [kind.__struct_fields__, *cells]))
        yield f"{name}.parquet", _encode_parquet(kind, cells)
    yield "codebook.md", write_codebook(state.study.title, exact).encode()
    for digest, text in state.consents.items():
        yield f"consent-{digest}.md", text.encode()
    if person:
        yield "ids.json", msgspec.json.format(msgspec.json.encode(data.ids.get(person, {})))
        return
    steps = count_flow(state)
    yield "flow.txt", flow_text(steps).encode()
    yield "flow.svg", flow_svg(state.study.title, steps).encode()


def _encode_parquet(kind: type[Struct], rows: Sequence[Sequence[Any]]) -> bytes:
    import polars as pl

    buffer = io.BytesIO()
    pl.DataFrame(rows, column_types(kind), orient="row").write_parquet(buffer)
    return buffer.getvalue()
