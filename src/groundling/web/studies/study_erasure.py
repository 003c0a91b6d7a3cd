"""Erase a person from the studies in a database: their ids, their answers, and their part in games."""

from __future__ import annotations

import re
from functools import partial
from time import time

from groundling.core.values import Problem, Role
from groundling.studies.study_decisions import StudyEvents, erase_person
from groundling.studies.study_state import StudyState
from groundling.web.store import Archive
from groundling.web.studies.task_room_names import list_task_rooms
from groundling.web.study_store import StudyDatabase, StudyLog, open_study_database

STUDY_CODE = re.compile(r"[0-9a-f]{16}")
PERSON_TABLES = ("study_people", "study_answers")
"""What is deleted of a person. The log keeps their code, which then leads to nobody."""

NO_PERSON = "no study has a person with the code {}: ask the person for it again"


def is_study_code(text: str) -> bool:
    """Whether a text is the code that a study shows to a person."""
    return STUDY_CODE.fullmatch(text.strip().lower()) is not None


def find_study_person(db: str, text: str) -> list[str]:
    """The studies in a database that know a person with this code."""
    code, database = text.strip().lower(), open_study_database(db)
    try:
        query = "SELECT DISTINCT study FROM study_people WHERE person = ? ORDER BY study"
        studies = [str(study) for (study,) in database.fetch_rows(query, (code,))]
    finally:
        database.close()
    if not studies:
        raise Problem(NO_PERSON.format(code))
    return studies


def erase_study_person(db: str, archive: Archive, text: str) -> str:
    """Erase the person with this code, and return what was erased. It can be repeated."""
    code, told = text.strip().lower(), list[str]()
    database = open_study_database(db)
    try:
        for (study,) in database.fetch_rows("SELECT DISTINCT study FROM study_events ORDER BY study", ()):
            log = StudyLog(database, study)
            seats = log.decide_events(partial(_erase_rows, database, study, code))
            if seats is not None:
                there = {(chair.room, chair.role) for chair in archive.read_chairs()}
                count = sum(archive.erase_records(*seat) for seat in seats if seat in there)
                told.append(f"erased {code} in the study {study}, with {count} records of games")
        if told:
            database.remove_deleted(PERSON_TABLES)
    finally:
        database.close()
    if not told:
        raise Problem(NO_PERSON.format(code))
    return f"{'; '.join(told)}; what the others did stays, and a server that runs ends their game"


def _erase_rows(
    database: StudyDatabase, study: str, code: str, state: StudyState
) -> tuple[StudyEvents, list[tuple[str, Role]] | None]:
    """Delete the rows of a person. Returns also their seats in games; None where the study does not know
    them."""
    query = "SELECT 1 FROM study_people WHERE study = ? AND person = ?"
    if code not in state.people and not database.fetch_rows(query, (study, code)):
        return [], None
    for table in PERSON_TABLES:
        database.write_rows(f"DELETE FROM {table} WHERE study = ? AND person = ?", [(study, code)])
    seats = [
        (room.name, role)
        for task in state.tasks_of.get(code, ())
        for room in list_task_rooms(study, state, task)
        for role, person in room.assigned.seats.items()
        if person == code
    ]
    return erase_person(state, code, time()) if code in state.people else [], seats
