"""The log of a study in a database. Every decision is one transaction, whatever the number of workers."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from threading import Lock
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from groundling.core.values import Problem
from groundling.studies.study_decisions import StudyEvents
from groundling.studies.study_events import AnyStudyEvent, decode_study_event, encode_study_event
from groundling.studies.study_state import StudyState, fold_study
from groundling.studies.study_tables import StoredAnswer
from groundling.web.sqlite_database import (
    begin_sqlite,
    check_sqlite_schema,
    open_sqlite_database,
    open_sqlite_for_reading,
    remove_deleted_bytes,
)
from groundling.web.store_url import check_database_url, is_database_url, store_url_name, store_url_path

T = TypeVar("T")
SELECT_EVENTS = "SELECT body FROM study_events WHERE study = ? AND number >= ? ORDER BY number"
SELECT_ANSWERS = "SELECT task, person, body FROM study_answers WHERE study = ? ORDER BY task, person"
SELECT_PEOPLE = "SELECT person, service, service_id FROM study_people WHERE study = ?"
INSERT_EVENT = "INSERT INTO study_events VALUES (?, ?, ?)"


class StudyDatabase(Protocol):
    """A connection on which one transaction at a time excludes all others of the same study."""

    def fetch_rows(self, query: str, values: Sequence[Any]) -> list[tuple[Any, ...]]: ...

    def write_rows(self, query: str, rows: Sequence[Sequence[Any]]) -> None: ...

    def has_table(self, name: str) -> bool: ...

    def remove_deleted(self) -> None:
        """Remove what was deleted from the files, too."""

    def lock_study(self, study: str) -> Any:
        """A context manager: a transaction that is alone with this study."""

    def close(self) -> None: ...


class SqliteStudyDatabase:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def fetch_rows(self, query: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, values).fetchall()

    def write_rows(self, query: str, rows: Sequence[Sequence[Any]]) -> None:
        self._connection.executemany(query, rows)

    def has_table(self, name: str) -> bool:
        return bool(self.fetch_rows("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)))

    def remove_deleted(self) -> None:
        remove_deleted_bytes(self._connection)

    @contextmanager
    def lock_study(self, study: str) -> Iterator[None]:
        with begin_sqlite(self._connection):
            yield

    def close(self) -> None:
        self._connection.close()


class PostgresStudyDatabase:
    def __init__(self, url: str) -> None:
        from groundling.web.postgres_store import open_postgres_connection

        self._stack = ExitStack()
        self._connection = self._stack.enter_context(open_postgres_connection(url))

    def fetch_rows(self, query: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        return self._connection.execute(query.replace("?", "%s").encode(), values).fetchall()

    def write_rows(self, query: str, rows: Sequence[Sequence[Any]]) -> None:
        self._connection.cursor().executemany(query.replace("?", "%s").encode(), rows)

    def has_table(self, name: str) -> bool:
        return bool(self.fetch_rows("SELECT 1 WHERE to_regclass(?) IS NOT NULL", (name,)))

    def remove_deleted(self) -> None:
        from groundling.web.postgres_store import remove_deleted_bytes

        remove_deleted_bytes(self._connection)

    @contextmanager
    def lock_study(self, study: str) -> Iterator[None]:
        with self._connection.transaction():
            self._connection.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", (f"study {study}",))
            yield

    def close(self) -> None:
        self._stack.close()


class StudyLog:
    """One study's log. It keeps the folded state and reads only what others have added since."""

    def __init__(self, database: StudyDatabase, study: str) -> None:
        self._database, self._study = database, study
        self._state: StudyState | None = None
        self._next = 0
        self._lock = Lock()

    def begin_log(self, events: Sequence[AnyStudyEvent]) -> None:
        """Write the first events. Raises Problem where there are some."""
        with self._lock, self._database.lock_study(self._study):
            if self._read_bodies(0):
                raise Problem(f"the study {self._study} is in the database already: choose another --db")
            self._insert_events(0, events)

    def decide_events(self, decide: Callable[[StudyState], tuple[StudyEvents, T]]) -> T:
        """Make a decision on the state as it is now, and log its events before anybody else decides. They are
        durable when the call returns."""
        with self._lock:
            try:
                with self._database.lock_study(self._study):
                    state = self._update_state()
                    events, value = decide(state)
                    self._insert_events(self._next, events)
                    for event in events:
                        state.take_event(event)
                    self._next += len(events)
            except BaseException:
                self._state, self._next = None, 0  # it may hold events that are not in the log
                raise
            return value

    def _insert_events(self, first: int, events: Sequence[AnyStudyEvent]) -> None:
        rows = [
            (self._study, number, encode_study_event(event)) for number, event in enumerate(events, first)
        ]
        self._database.write_rows(INSERT_EVENT, rows)

    def read_state(self) -> StudyState:
        with self._lock:
            return self._update_state()

    def read_events(self) -> list[AnyStudyEvent]:
        return [decode_study_event(body) for body in self._read_bodies(0)]

    def find_person(self, service: str, service_id: str) -> str:
        """The code of a person whom a recruiting service knows by this id, made at the first call. Ids of
        services are nowhere else."""
        with self._lock, self._database.lock_study(self._study):
            if known := self.look_up_person(service, service_id):
                return known
            person = secrets.token_hex(8)
            self._insert_id(person, service, service_id)
            return person

    def look_up_person(self, service: str, service_id: str) -> str:
        """The code of a person, or "" where there is none, such as after they were erased."""
        query = "SELECT person FROM study_people WHERE study = ? AND service = ? AND service_id = ?"
        found = self._database.fetch_rows(query, (self._study, service, service_id))
        return str(found[0][0]) if found else ""

    def keep_id(self, person: str, kind: str, service_id: str) -> None:
        """Keep another id of a person, such as that of their submission, in place of an earlier one."""
        query = "SELECT 1 FROM study_people WHERE study = ? AND service = ? AND service_id = ?"
        with self._lock, self._database.lock_study(self._study):
            if self._database.fetch_rows(query, (self._study, kind, service_id)):
                return
            delete = "DELETE FROM study_people WHERE study = ? AND person = ? AND service = ?"
            self._database.write_rows(delete, [(self._study, person, kind)])
            self._insert_id(person, kind, service_id)

    def _insert_id(self, person: str, service: str, service_id: str) -> None:
        row = (self._study, person, service, service_id)
        self._database.write_rows("INSERT INTO study_people VALUES (?, ?, ?, ?)", [row])

    def close(self) -> None:
        self._database.close()

    def _update_state(self) -> StudyState:
        bodies = self._read_bodies(self._next)
        events = [decode_study_event(body) for body in bodies]
        if self._state is None:
            self._state = fold_study(events)
        else:
            for event in events:
                self._state.take_event(event)
        self._next += len(events)
        return self._state

    def _read_bodies(self, first: int) -> list[bytes]:
        return [bytes(row[0]) for row in self._database.fetch_rows(SELECT_EVENTS, (self._study, first))]


def open_study_database(url: str) -> StudyDatabase:
    """A connection to the database that --db names, which is created or migrated where needed."""
    if not is_database_url(url):
        return SqliteStudyDatabase(open_sqlite_database(store_url_path(url)))
    check_database_url(url)
    return PostgresStudyDatabase(url)


@contextmanager
def open_study_log(url: str, study: str) -> Iterator[StudyLog]:
    """The log of a study in the database that --db names."""
    with closing(open_study_database(url)) as database:
        try:
            yield StudyLog(database, study)
        except sqlite3.Error as trouble:
            raise Problem(f"{store_url_name(url)} cannot be used ({trouble}): check the file") from None


class StoredStudy(Struct, frozen=True):
    events: list[AnyStudyEvent]
    answers: list[StoredAnswer]


def read_stored_study(url: str, study: str) -> StoredStudy:
    """Read all that is stored of a study, without creating or migrating anything. Raises Problem where the
    database does not hold it."""
    with open_study_database_for_reading(url) as database:
        # answers first, so that their tasks are in the events
        has_answers, has_events = database.has_table("study_answers"), database.has_table("study_events")
        answers = database.fetch_rows(SELECT_ANSWERS, (study,)) if has_answers else []
        events = StudyLog(database, study).read_events() if has_events else []
    if not events:
        raise Problem(f"{store_url_name(url)} has no study {study}: name the database of the study with --db")
    return StoredStudy(events, [StoredAnswer(task, person, bytes(body)) for task, person, body in answers])


def read_service_ids(url: str, study: str) -> dict[str, dict[str, str]]:
    """The ids by which services know people: by code, then by service."""
    found: dict[str, dict[str, str]] = {}
    with open_study_database_for_reading(url) as database:
        if database.has_table("study_people"):
            for person, service, service_id in database.fetch_rows(SELECT_PEOPLE, (study,)):
                found.setdefault(person, {})[service] = service_id
    return found


@contextmanager
def open_study_database_for_reading(url: str) -> Iterator[StudyDatabase]:
    """A connection that neither creates nor migrates anything. Raises Problem where there is no database."""
    if is_database_url(url):
        with closing(PostgresStudyDatabase(url)) as database:
            yield database
        return
    path = store_url_path(url)
    if not path.exists():
        raise Problem(
            f"{path} does not exist: name the database of the study with --db (a pilot's is DIR/pilot.db)"
        )
    try:
        with open_sqlite_for_reading(path) as connection:
            check_sqlite_schema(connection, path)
            yield SqliteStudyDatabase(connection)
    except (sqlite3.Error, OSError) as trouble:
        raise Problem(f"{path} cannot be read ({trouble}): check the file and its rights") from None
