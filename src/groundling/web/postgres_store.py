"""The store in a PostgreSQL database, which several servers can share. Writes are committed in batches."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Generic, TypeVar

import msgspec
import psycopg
from psycopg import AsyncConnection, Connection
from psycopg.errors import InsufficientPrivilege, UniqueViolation

from groundling.core.values import Problem
from groundling.web.store import (
    Archive,
    Booking,
    Chair,
    Execute,
    RecordConflict,
    RecordKind,
    RoomRecord,
    Store,
    database_name,
    read_migrations,
)

T = TypeVar("T")
SCHEMA = "groundling"
"""The schema of our tables, so that other programs can use the same database."""
PERSON_TABLES = (
    "study_people",
    "study_answers",
    "study_events",
    "study_marks",
    "records",
    "rooms",
    "chairs",
    "made",
    "mail",
    "waiting",
)
MIGRATIONS = read_migrations("postgres_migrations.sql")
CONNECT_TIMEOUT = 30.0
"""Seconds that a server waits for a database to start."""


def migrate_postgres(url: str) -> None:
    """Create the tables, or bring them up to date, under a lock."""
    with open_postgres_connection(url) as connection, connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", (SCHEMA,))
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        connection.execute("CREATE TABLE IF NOT EXISTS version (number INTEGER NOT NULL)")
        version = _stored_version(connection, url)
        for script in MIGRATIONS[version:]:
            connection.execute(script.encode())
        connection.execute("DELETE FROM version")
        connection.execute("INSERT INTO version VALUES (%s)", (len(MIGRATIONS),))


def _stored_version(connection: Connection[Any], url: str) -> int:
    """The schema version of the tables; 0 where there are none. Raises Problem where it is too new."""
    (there,) = connection.execute("SELECT to_regclass('version') IS NOT NULL").fetchone() or (False,)
    row = connection.execute("SELECT number FROM version").fetchone() if there else None
    version = int(row[0]) if row else 0
    if version > len(MIGRATIONS):
        name = database_name(url)
        raise Problem(f"{name} was written by a newer groundling (schema {version}): upgrade groundling")
    return version


@contextmanager
def open_postgres_connection(url: str) -> Iterator[Connection[Any]]:
    """A connection for a tool without a server. Raises Problem where the database cannot be reached."""
    try:
        with Connection.connect(url, autocommit=True, connect_timeout=10) as connection:
            connection.execute(f"SET search_path TO {SCHEMA}")
            yield connection
    except psycopg.Error as trouble:
        raise _connection_problem(url, trouble) from None


def _connection_problem(url: str, trouble: psycopg.Error) -> Problem:
    why = (
        "this is no address of a database"
        if isinstance(trouble, psycopg.ProgrammingError)
        else str(trouble).split("\n")[0]
    )
    return Problem(
        f"{database_name(url)} cannot be used as a store ({why}): "
        "give postgresql://USER@HOST/DATABASE with --db"
    )


def remove_deleted_bytes(connection: Connection[Any]) -> None:
    """Write all tables with data of people anew, so that no file of a table has what was deleted from it. The
    old files are gone after a checkpoint, which only some users of a database may ask for."""
    for table in (*PERSON_TABLES, "pg_catalog.pg_statistic"):
        connection.execute(f"VACUUM FULL {table}".encode())
    with suppress(InsufficientPrivilege):
        connection.execute("CHECKPOINT")


async def connect_postgres(url: str) -> AsyncConnection[Any]:
    """A connection for a server, which waits for a database that restarts."""
    for _ in range(int(CONNECT_TIMEOUT)):
        try:
            return await _connect_once(url)
        except psycopg.OperationalError:
            await asyncio.sleep(1)
    return await _connect_once(url)


async def _connect_once(url: str) -> AsyncConnection[Any]:
    connection = await AsyncConnection.connect(url, autocommit=True, connect_timeout=10, prepare_threshold=3)
    await connection.execute(f"SET search_path TO {SCHEMA}")
    return connection


class PostgresBatcher(Generic[T]):
    """Collects items while a batch is processed, and processes them as the next batch."""

    def __init__(self, work: Callable[[list[T]], Awaitable[None]]) -> None:
        self._work, self._items, self._wake = work, list[T](), asyncio.Event()
        self._stopping = False

    def add_item(self, item: T) -> None:
        self._items.append(item)
        self._wake.set()

    def finish_batches(self) -> None:
        """Stop after the items that are queued."""
        self._stopping = True
        self._wake.set()

    async def run_batches(self) -> None:
        while self._items or not self._stopping:
            await self._wake.wait()
            self._wake.clear()
            items, self._items = self._items, []
            if items:
                await self._work(items)


RecordRows = list[tuple[str, int, RecordKind, str, bytes]]


class PostgresStore(Store):
    troubles: tuple[type[Exception], ...] = (
        psycopg.OperationalError,
        psycopg.InterfaceError,
        ConnectionError,
    )

    def __init__(self, url: str) -> None:
        self._url = url

    async def open(self) -> None:
        self._connection, self._writing = (
            await connect_postgres(self._url),
            await connect_postgres(self._url),
        )
        await asyncio.to_thread(migrate_postgres, self._url)
        self._appends = PostgresBatcher(self._append_all)
        self._appending = asyncio.create_task(self._appends.run_batches())

    def check_connection(self) -> None:
        if self._connection.closed or self._writing.closed:
            raise ConnectionError("the connection to the database is lost")

    async def save_booking(self, booking: Booking, chairs: Sequence[Chair]) -> None:
        columns = [
            [chair.role for chair in chairs],
            [chair.invite for chair in chairs],
            [chair.cookie for chair in chairs],
        ]
        await self._connection.execute(
            "WITH room AS (INSERT INTO rooms VALUES (%s, %s, %s, %s) RETURNING id) INSERT INTO chairs "
            "SELECT room.id, role, invite, nullif(cookie, '') FROM room, "
            "unnest(%s::text[], %s::text[], %s::text[]) AS chair (role, invite, cookie)",
            (booking.id, booking.at, booking.game, msgspec.json.encode(booking), *columns),
        )

    async def append_records(self, room: str, first: int, records: Sequence[RoomRecord]) -> None:
        rows = [
            (room, number, record.kind, record.role, record.body)
            for number, record in enumerate(records, first)
        ]
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._appends.add_item((rows, done))
        await done

    async def _append_all(self, batch: list[tuple[RecordRows, asyncio.Future[None]]]) -> None:
        """Append a batch in one commit, or one by one where some item conflicts."""
        try:
            await self._insert_records([row for rows, _ in batch for row in rows])
        except UniqueViolation as trouble:
            if len(batch) > 1:
                for each in batch:
                    await self._append_all([each])
            else:
                _settle_futures(batch, RecordConflict(str(trouble)))
        except psycopg.Error as trouble:
            _settle_futures(batch, trouble)
        else:
            _settle_futures(batch, None)

    async def _insert_records(self, rows: RecordRows) -> None:
        await self._writing.execute(
            "INSERT INTO records SELECT * "
            "FROM unnest(%b::text[], %b::int4[], %b::text[], %b::text[], %b::bytea[])",
            [list(column) for column in zip(*rows, strict=True)],
        )

    async def count_records(self, rooms: Sequence[str]) -> dict[str, int]:
        query = "SELECT room, max(number) + 1 FROM records WHERE room = ANY(?) GROUP BY room"
        return dict(await self.fetch_rows(query, list(rooms)))

    async def fetch_rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        cursor = await self._connection.execute(query.replace("?", "%s").encode(), values)
        return await cursor.fetchall() if cursor.description else []

    def open_archive(self) -> PostgresArchive:
        return PostgresArchive(self._url)

    async def close(self) -> None:
        self._appends.finish_batches()
        await self._appending
        await self._writing.close()
        await self._connection.close()


def _settle_futures(batch: list[tuple[RecordRows, asyncio.Future[None]]], trouble: Exception | None) -> None:
    for _, done in batch:
        if done.done():  # the caller was cancelled
            continue
        if trouble is None:
            done.set_result(None)
        else:
            done.set_exception(trouble)


class PostgresArchive(Archive):
    def __init__(self, url: str) -> None:
        self._url = url
        with open_postgres_connection(url) as connection:
            stored = _stored_version(connection, url)
        if not stored:  # what is there is read as it is: the database may be read-only
            migrate_postgres(url)

    @contextmanager
    def open_for_reading(self) -> Iterator[Execute]:
        with open_postgres_connection(self._url) as connection:
            yield partial(_execute, connection)

    @contextmanager
    def lock_records(self) -> Iterator[Execute]:
        migrate_postgres(self._url)
        with open_postgres_connection(self._url) as connection, connection.transaction():
            connection.execute("LOCK TABLE records IN SHARE ROW EXCLUSIVE MODE")
            yield partial(_execute, connection)

    def remove_deleted(self) -> None:
        with open_postgres_connection(self._url) as connection:
            remove_deleted_bytes(connection)


def _execute(connection: Connection[Any], query: str, *values: Any) -> Any:
    return connection.execute(query.replace("?", "%s").encode(), values)
