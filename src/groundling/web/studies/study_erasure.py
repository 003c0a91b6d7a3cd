"""Erase people from the studies in a database: their ids, answers, messages and part in games."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import closing
from functools import partial
from time import time

from msgspec import Struct

from groundling.core.values import Problem, Role
from groundling.studies.pay_rules import format_amount
from groundling.studies.privacy_rules import find_expired_people, redact_event
from groundling.studies.study_decisions import StudyEvents, erase_person
from groundling.studies.study_events import decode_study_event, encode_study_event
from groundling.studies.study_state import StudyState
from groundling.web.store import Archive
from groundling.web.store_url import open_archive_url
from groundling.web.studies.task_room_names import TaskRoom, list_task_rooms
from groundling.web.study_store import StudyDatabase, StudyLog, open_study_database

STUDY_CODE = re.compile(r"[0-9a-f]{16}")
PERSON_TABLES = ("study_people", "study_answers")
"""What is deleted of a person. The log keeps their code, which then leads to nobody."""
SELECT_CODES = "SELECT DISTINCT person FROM study_people WHERE study = ? AND (person = ? OR service_id = ?)"
SELECT_IDS = "SELECT DISTINCT person FROM study_people WHERE study = ? ORDER BY person"
SELECT_ELSEWHERE = (
    "SELECT DISTINCT study FROM study_people WHERE study <> ? AND (service, service_id) IN "
    "(SELECT service, service_id FROM study_people WHERE study = ? AND person = ?) ORDER BY study"
)
NO_PERSON = "no study has a person with the code {}: ask the person for it again"
REMAINS = (
    "the pay stays under the code, and so does what partners wrote",
    "exports made before: delete them, and export again",
    "backups: delete them, or erase the person again whenever one is restored",
    "released data: publish it again without the person, and tell those who have it",
    "weights that were trained on it: train them again, or delete them",
)
REMAINS_IN_POSTGRES = (
    "PostgreSQL: its write-ahead log keeps deleted rows until its files are reused: SELECT pg_switch_wal(), "
    "then CHECKPOINT; delete archived files and old replicas, and logs of statements with their parameters"
)


def is_study_code(text: str) -> bool:
    """Whether a text is the code that a study shows to a person."""
    return STUDY_CODE.fullmatch(text.strip().lower()) is not None


def find_study_person(db: str, text: str) -> list[str]:
    """The studies in a database that know a person with this code."""
    code = text.strip().lower()
    with closing(open_study_database(db)) as database:
        query = "SELECT DISTINCT study FROM study_people WHERE person = ? ORDER BY study"
        studies = [str(study) for (study,) in database.fetch_rows(query, (code,))]
    if not studies:
        raise Problem(NO_PERSON.format(code))
    return studies


class ErasedPerson(Struct, frozen=True):
    study: str
    code: str
    ids: int
    answers: int
    texts: int
    """Events of the log in which something was written."""
    owed: str
    """What was not paid, or ""."""
    seats: list[tuple[str, Role]]
    repeats: dict[str, str]
    """Rooms that repeat games of the person, with the rooms of these games."""
    elsewhere: list[str]
    """Other studies in the database that know the person by the same id."""

    def describe(self, records: int) -> list[str]:
        lines = [
            f"erased {self.code} in the study {self.study} (ids: {self.ids}, answers: {self.answers}, "
            f"texts in the log: {self.texts}, records of games: {records}); "
            "what the others did stays, and a server that runs ends their game"
        ]
        if self.elsewhere:
            names = ", ".join(self.elsewhere)
            lines.append(f"other studies of this database have the same id: erase the person in {names}, too")
        if self.owed:
            lines.append(f"{self.owed} was owed to {self.code} and not paid: pay it in another way")
        return lines


def erase_study_person(db: str, text: str, study: str = "") -> str:
    """Erase the person with this code from all studies, or from one, where an id of a recruiting service
    names a person, too. Returns what was erased. It can be repeated."""
    with closing(open_study_database(db)) as database:
        query = "SELECT DISTINCT study FROM study_events ORDER BY study"
        names = [study] if study else [name for (name,) in database.fetch_rows(query, ())]
        return "\n".join(_erase_people(db, database, [(name, text) for name in names]))


def erase_expired(db: str, study: str) -> list[str]:
    """Erase all that the study keeps for longer than it says. Returns a line for each."""
    with closing(open_study_database(db)) as database:
        return _erase_expired(db, database, study)


def _erase_expired(db: str, database: StudyDatabase, study: str) -> list[str]:
    state = StudyLog(database, study).read_state()
    if state.study.privacy.ids_days is None and state.study.privacy.data_days is None:
        raise Problem(f"the study {study} has no retention: set ids_days or data_days in [privacy]")
    identified = [person for (person,) in database.fetch_rows(SELECT_IDS, (study,))]
    due = find_expired_people(state, identified, time())
    lines = _erase_people(db, database, [(study, person) for person in due.people]) if due.people else []
    if due.ids:
        with database.lock_study(study):
            delete = "DELETE FROM study_people WHERE study = ? AND person = ?"
            database.write_rows(delete, [(study, person) for person in due.ids])
            # the cookie of a seat follows from the id
            seat = "room = ? AND role = ? AND cookie <> 'erased ' || invite"
            seats = [each for person in due.ids for each in _list_seats(study, state, person)]
            database.write_rows(f"UPDATE chairs SET cookie = NULL WHERE {seat}", seats)
        database.remove_deleted()
        lines.append(f"people whose ids were deleted: {len(due.ids)}; their data stays under their codes")
    if due.unpaid:
        lines.append(f"people who are due but have to be paid before: {len(due.unpaid)}")
    return lines or ["nothing is due"]


def _erase_people(db: str, database: StudyDatabase, wanted: Iterable[tuple[str, str]]) -> list[str]:
    found = [
        erased
        for study, text in wanted
        if (erased := StudyLog(database, study).decide_events(partial(_erase_rows, database, study, text)))
    ]
    if not found:
        raise Problem(NO_PERSON.format(", ".join(sorted({text.strip() for _, text in wanted}))))
    archive, lines = open_archive_url(db), list[str]()
    for erased in found:
        lines += erased.describe(_erase_games(archive, erased))
    database.remove_deleted()
    return lines


def _erase_rows(
    database: StudyDatabase, study: str, text: str, state: StudyState
) -> tuple[StudyEvents, ErasedPerson | None]:
    """Delete the rows of a person, and what the log has of their words. None where the study does not know
    them."""
    code = _find_code(database, study, text, state)
    if not code:
        return [], None
    elsewhere = [name for (name,) in database.fetch_rows(SELECT_ELSEWHERE, (study, study, code))]
    ids, answers = (_delete_rows(database, table, study, code) for table in PERSON_TABLES)
    rows = database.fetch_rows("SELECT number, body FROM study_events WHERE study = ?", (study,))
    changed = []
    for number, body in rows:
        event = decode_study_event(bytes(body))
        redacted = redact_event(event, code)
        if redacted != event:
            changed.append((encode_study_event(redacted), study, number))
    database.write_rows("UPDATE study_events SET body = ? WHERE study = ? AND number = ?", changed)
    known = state.people.get(code)
    rooms = [room for task in state.tasks for room in list_task_rooms(study, state, task)]
    unpaid = sum(amount for key, amount in known.owed.items() if key not in known.paid) if known else 0
    seats = _list_seats(study, state, code)
    erased = ErasedPerson(
        study,
        code,
        ids,
        answers,
        len(changed),
        f"{format_amount(unpaid)} {state.study.pay.currency}" if unpaid else "",
        seats,
        _find_repeats(rooms, {room for room, _ in seats}),
        elsewhere,
    )
    return erase_person(state, code, time()) if known else [], erased


def _delete_rows(database: StudyDatabase, table: str, study: str, code: str) -> int:
    where = f"FROM {table} WHERE study = ? AND person = ?"
    ((count,),) = database.fetch_rows(f"SELECT count(*) {where}", (study, code))
    database.write_rows(f"DELETE {where}", [(study, code)])
    return int(count)


def _find_code(database: StudyDatabase, study: str, text: str, state: StudyState) -> str:
    """The code of a person who is named by it or by an id of a service; "" where there is nobody."""
    code = text.strip().lower()
    if code in state.people:
        return code
    found = [person for (person,) in database.fetch_rows(SELECT_CODES, (study, code, text.strip()))]
    if len(found) > 1:
        raise Problem(f"several people have this id: give the code of one of {', '.join(sorted(found))}")
    return found[0] if found else ""


def _list_seats(study: str, state: StudyState, person: str) -> list[tuple[str, Role]]:
    return [
        (room.name, role)
        for task in state.tasks_of.get(person, ())
        for room in list_task_rooms(study, state, task)
        for role, who in room.assigned.seats.items()
        if who == person
    ]


def _find_repeats(rooms: Iterable[TaskRoom], own: set[str]) -> dict[str, str]:
    """The rooms that repeat a game of these rooms, or of one that repeats it, with the rooms of the first
    games. Tasks come after those that they work on."""
    found: dict[str, str] = {}
    for room in rooms:
        if room.source_room in own:
            found[room.name] = room.source_room
        elif room.source_room in found:
            found[room.name] = found[room.source_room]
    return {name: source for name, source in found.items() if name not in own}


def _erase_games(archive: Archive, erased: ErasedPerson) -> int:
    """Blank the records of the person's seats, and what later games repeat of them; return how many."""
    there = {(chair.room, chair.role) for chair in archive.read_chairs()}
    stimuli = (
        {booking.id: bytes(booking.instance) for booking, _ in archive.read_rooms()} if erased.repeats else {}
    )
    count = sum(archive.erase_seat(*seat) for seat in erased.seats if seat in there)
    for room, source in erased.repeats.items():
        if source in stimuli:
            count += archive.erase_recording(room, stimuli[source])
    return count
