"""`groundling study check`, `schema`, `simulate` and `status`, and what all commands about studies share."""

from __future__ import annotations

import json
from pathlib import Path
from time import time
from typing import Annotated, TypeAlias

import typer
from typer import Argument, Option

from groundling.core.values import Problem
from groundling.progress import progress_bar
from groundling.report.text_table import print_table, print_text
from groundling.studies.annotation_agreement import annotation_tables
from groundling.studies.pilot import BotHabits, PilotRun
from groundling.studies.privacy_rules import find_expired_people
from groundling.studies.study_checks import find_forbidden_changes, read_checked_study, read_usable_study
from groundling.studies.study_file import STUDY_FILE, StudyFiles, study_schema
from groundling.studies.study_state import StudyState, fold_study
from groundling.studies.study_summary import summary_lines, summary_tables
from groundling.web.store_url import is_database_url, store_url_name, store_url_path
from groundling.web.study_store import open_study_log, read_service_ids, read_stored_study

PILOT_START = 1_767_225_600.0
"""The virtual time at which pilots begin: 1 January 2026."""
PILOT_FILE = "pilot.db"
FolderArgument: TypeAlias = Annotated[Path, Argument(metavar="DIR", help="The folder with study.toml.")]
DbOption: TypeAlias = Annotated[
    str, Option(help="The file or database that holds the study's log.", metavar="URL")
]


def study_log_name(folder: Path) -> str:
    return folder.resolve().name


def read_folded_study(folder: Path, db: str) -> tuple[str, StudyState]:
    """The name of the study's log, and its state."""
    name = study_log_name(folder)
    return name, fold_study(read_stored_study(db, name).events)


def check_command(
    folder: FolderArgument,
    db: Annotated[
        str, Option(help="Also compare with the study that runs in this database.", metavar="URL")
    ] = "",
) -> None:
    """Name every mistake in a study, before people come.

    The exit status is 1 where there is one."""
    files, mistakes = read_checked_study(folder)
    if db and files and not mistakes:
        _, state = read_folded_study(folder, db)
        running = StudyFiles(state.study, state.started.items, state.digests)
        mistakes = find_forbidden_changes(running, files)
    print("\n".join(mistakes) or f"{folder / STUDY_FILE}: ok")
    raise typer.Exit(1 if mistakes else 0)


def schema_command() -> None:
    """Print the JSON schema of study.toml."""
    print(json.dumps(study_schema(), indent=2))


def simulate_command(
    folder: FolderArgument,
    people: Annotated[int, Option(help="Number of bots that arrive.", metavar="N", min=1)] = 200,
    seed: Annotated[int, Option(help="Random seed of the bots.", metavar="N")] = 0,
    per_hour: Annotated[float, Option(help="Arrivals an hour.", metavar="X", min=0.01)] = 60.0,
    leave: Annotated[
        float, Option(help="Share of bots that leave early.", metavar="X", min=0, max=1)
    ] = 0.136,
    server: Annotated[
        bool, Option("--server", help="Start a server on a free port, and take part over HTTP.")
    ] = False,
    speed: Annotated[
        float, Option(help="With --server: divide the time limits by this.", metavar="X", min=1)
    ] = 60.0,
    db: Annotated[str, Option(help="The database of the pilot; default: DIR/pilot.db.", metavar="URL")] = "",
) -> None:
    """Let bots walk through the study, and print what it would give.

    They walk in virtual time; with --server over HTTP and sockets, where the time limits of the study are
    divided by --speed."""
    files = read_usable_study(folder)
    if server and db and (is_database_url(db) or store_url_path(db).exists()):
        raise Problem(f"--db {db} is not a new file: a pilot on a server needs one")
    place, habits = db or _new_pilot_file(folder), BotHabits(leave=leave)
    if server:
        _pilot_on_server(folder, files, people, seed, habits, speed, place)
        return
    run = PilotRun(files, seed, habits, per_hour, PILOT_START)
    with progress_bar() as bar:
        run.add_people(people)
        run.run_queue(lambda done: bar.set_progress("people", done, people))
    with open_study_log(place, study_log_name(folder)) as log:
        log.begin_log(run.events)
    days = (run.now - PILOT_START) / 86_400
    print_text(f"{people:,} bots in {days:.1f} days of virtual time; log in {store_url_name(place)}")
    _print_state(run.state)


def _pilot_on_server(
    folder: Path, files: StudyFiles, people: int, seed: int, habits: BotHabits, speed: float, place: str
) -> None:
    from groundling.web.studies.server_pilot import pilot_on_server

    with progress_bar() as bar:

        def show(done: int) -> None:
            bar.set_progress("people", done, people)

        path = store_url_path(place)
        state = pilot_on_server(folder, files.study, path, people, seed, habits, speed, show)
    print_text(f"{people:,} bots on a server, {speed:g} times as fast; log in {store_url_name(place)}")
    _print_state(state, speed)


def _new_pilot_file(folder: Path) -> str:
    for suffix in ("", "-wal", "-shm"):
        (folder / f"{PILOT_FILE}{suffix}").unlink(missing_ok=True)
    return str(folder / PILOT_FILE)


def status_command(folder: FolderArgument, db: DbOption = "groundling.db") -> None:
    """Print how far a study is."""
    name, state = read_folded_study(folder, db)
    _print_state(state)
    due = find_expired_people(state, read_service_ids(db, name), time())
    if due.ids or due.people or due.unpaid:
        print_text(
            f"due by [privacy]: groundling study erase {folder} --expired (people whose ids are deleted: "
            f"{len(due.ids)}; who are erased: {len(due.people)}; who have to be paid before: "
            f"{len(due.unpaid)})",
            "  ",
        )


def _print_state(state: StudyState, speed: float = 1.0) -> None:
    for table in (*summary_tables(state, speed), *annotation_tables(state)):
        print()
        print_table(table)
    print()
    for line in summary_lines(state, speed):
        print_text(line, "  ")
