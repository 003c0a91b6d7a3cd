"""The SQLite file of a store: its schema, and how it is opened for writing or only for reading."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from groundling.core.values import Problem
from groundling.web.store import read_migrations

MIGRATIONS = read_migrations("sqlite_migrations.sql")
APPLICATION_ID = 0x67726E64
"""Marks a file as ours."""
LOCK_SECONDS = 60.0
"""How long a statement waits for another program that writes, also while the machine stands still."""


def open_sqlite_database(path: Path) -> sqlite3.Connection:
    """Open the file; create or migrate it where needed."""
    try:
        connection = sqlite3.connect(
            path, isolation_level=None, timeout=LOCK_SECONDS, check_same_thread=False
        )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        _migrate_schema(connection, path)
    except sqlite3.Error as trouble:
        raise Problem(
            f"{path} cannot be used as a store ({trouble}): choose another file with --db"
        ) from None
    return connection


@contextmanager
def open_sqlite_for_reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file without writing anything, also where it or its folder is read-only.

    SQLite reads a file in WAL mode only if it can use or create the files beside it. Where it cannot, and
    the WAL file holds records, a copy of both is read; else the file alone, as immutable."""
    with ExitStack() as stack:
        try:
            connection = _connect_read_only(path, "mode=ro")
        except sqlite3.OperationalError:
            wal = path.with_name(f"{path.name}-wal")
            if not wal.exists() or not wal.stat().st_size:
                connection = _connect_read_only(path, "immutable=1")
            else:
                folder = Path(stack.enter_context(TemporaryDirectory()))
                for file in (path, wal):
                    shutil.copyfile(file, folder / file.name)
                connection = _connect_read_only(folder / path.name, "mode=ro")
        stack.callback(connection.close)
        yield connection


@contextmanager
def begin_sqlite(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction in which nobody else writes."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _connect_read_only(path: Path, how: str) -> sqlite3.Connection:
    """Connect and read once: SQLite reports only then what it cannot open."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?{how}", uri=True, timeout=LOCK_SECONDS)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def remove_deleted_bytes(connection: sqlite3.Connection, patience: float = 60.0) -> None:
    """Remove deleted rows from the file and its WAL, too. SQLite overwrites them when it deletes them, but
    unused parts of pages keep copies of rows that were moved, so the file has to be written anew. `patience`:
    seconds to wait for others, such as a server that copies its WAL into the file."""
    until, vacuumed = monotonic() + patience, False
    while True:
        why = "another program uses it"
        try:
            if not vacuumed:
                connection.execute("VACUUM")
            vacuumed = True
            (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy:
                return
        except sqlite3.OperationalError as trouble:
            why = str(trouble)
        if monotonic() > until:
            raise Problem(f"deleted, but its bytes are still in the file ({why}): correct that and repeat")
        sleep(0.1)


def _migrate_schema(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    version = check_sqlite_schema(connection, path)
    for number, script in enumerate(MIGRATIONS[version:], version + 1):
        statement = ""
        for line in script.splitlines(keepends=True):
            statement += line
            if sqlite3.complete_statement(statement):  # a trigger has semicolons inside
                connection.execute(statement)
                statement = ""
        connection.execute(f"PRAGMA user_version = {number}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("COMMIT")


def check_sqlite_schema(connection: sqlite3.Connection, path: Path) -> int:
    """The schema version of the file. Raises Problem where it is not ours or too new."""
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if mark != APPLICATION_ID and tables:
        raise Problem(f"{path} belongs to another program: choose another file with --db")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise Problem(f"{path} was written by a newer groundling (schema {version}): upgrade groundling")
    return int(version)
