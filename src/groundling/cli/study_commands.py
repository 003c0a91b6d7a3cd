"""What the commands of `groundling study` do."""

from __future__ import annotations

import json
from pathlib import Path
from time import time

from groundling.core.values import Problem, missing_extra
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


def check_study_folder(folder: Path, db: str) -> bool:
    """Print every mistake; return whether there is none."""
    files, mistakes = read_checked_study(folder)
    if db and files and not mistakes:
        state = fold_study(read_stored_study(db, study_log_name(folder)).events)
        running = StudyFiles(state.study, state.started.items, state.digests)
        mistakes = find_forbidden_changes(running, files)
    print("\n".join(mistakes) or f"{folder / STUDY_FILE}: ok")
    return not mistakes


def print_study_schema() -> None:
    print(json.dumps(study_schema(), indent=2))


def study_log_name(folder: Path) -> str:
    return folder.resolve().name


def run_pilot(folder: Path, people: int, seed: int, per_hour: float, leave: float, db: str) -> None:
    """Simulate in memory, write the log into the pilot's database, and print the summary."""
    files = read_usable_study(folder)
    place = db or _new_pilot_file(folder)
    run = PilotRun(files, seed, BotHabits(leave=leave), per_hour, PILOT_START)
    with progress_bar() as bar:
        run.add_people(people)
        run.run_queue(lambda done: bar.set_progress("people", done, people))
    with open_study_log(place, study_log_name(folder)) as log:
        log.begin_log(run.events)
    days = (run.now - PILOT_START) / 86_400
    print_text(f"{people:,} bots in {days:.1f} days of virtual time; log in {store_url_name(place)}")
    _print_state(run.state)


def run_pilot_on_server(folder: Path, people: int, seed: int, leave: float, speed: float, db: str) -> None:
    """Let bots take part over HTTP and sockets, and print the summary."""
    try:
        from groundling.web.studies.server_pilot import pilot_on_server
    except ImportError:
        raise missing_extra("web") from None
    files = read_usable_study(folder)
    if db and (is_database_url(db) or store_url_path(db).exists()):
        raise Problem(f"--db {db} is not a new file: a pilot on a server needs one")
    place = db or _new_pilot_file(folder)
    with progress_bar() as bar:
        state = pilot_on_server(
            folder,
            files.study,
            store_url_path(place),
            people,
            seed,
            BotHabits(leave=leave),
            speed,
            lambda done: bar.set_progress("people", done, people),
        )
    print_text(f"{people:,} bots on a server, {speed:g} times as fast; log in {store_url_name(place)}")
    _print_state(state, speed)


def _new_pilot_file(folder: Path) -> str:
    for suffix in ("", "-wal", "-shm"):
        (folder / f"{PILOT_FILE}{suffix}").unlink(missing_ok=True)
    return str(folder / PILOT_FILE)


def print_study_status(folder: Path, db: str) -> None:
    name = study_log_name(folder)
    state = fold_study(read_stored_study(db, name).events)
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
