"""The store as one SQLite file. Writes within a few milliseconds share one commit and one sync."""

from __future__ import annotations

import asyncio
import fcntl
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import Any, TypeVar

import msgspec

from groundling.core.values import Problem, Role
from groundling.web.sqlite_database import (
    begin_sqlite,
    check_sqlite_schema,
    open_sqlite_database,
    open_sqlite_for_reading,
    remove_deleted_bytes,
)
from groundling.web.store import (
    Archive,
    Booking,
    Chair,
    Execute,
    RecordConflict,
    RecordKind,
    RoomRecord,
    Store,
)

T = TypeVar("T")
StoreWork = Callable[[sqlite3.Connection], Any]
RecordRow = tuple[str, int, RecordKind, Role, bytes]
WorkItem = tuple[StoreWork | list[RecordRow], asyncio.Future[Any]]
"""Work or records to add, and the future that waits for it."""
WorkOutcome = tuple[asyncio.Future[Any], Any, Exception | None]
COMMIT_INTERVAL = 0.01
"""Minimum seconds between commits, as a commit costs as much as everything that a room does."""
MOST_ROWS = 1000
"""Rows in one statement; SQLite allows six times as many."""

BEGIN_BATCH = "BEGIN IMMEDIATE"
"""A batch that reads first could not write if another connection had written meanwhile."""


class SqliteStore(Store):
    """Reads and writes go through one thread. Waiting work shares a commit, and waiting records share one
    statement, as the thread may lose the interpreter lock between two statements."""

    troubles: tuple[type[Exception], ...] = (sqlite3.OperationalError,)

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = open_sqlite_database(path)
        self._lock = path.open("rb")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._connection.close()
            self._lock.close()
            raise Problem(
                f"{path} is in use by another server: stop that one, or choose another file with --db"
            ) from None
        self._work: SimpleQueue[WorkItem | None] = SimpleQueue()
        self._thread = Thread(target=self._run_batches, name="store", daemon=True)
        self._thread.start()

    async def open(self) -> None:
        """The constructor has opened it, to report at once a file that is in use."""

    def check_connection(self) -> None:
        """Never fails: a disk that was full may have space again."""

    async def save_booking(self, booking: Booking, chairs: Sequence[Chair]) -> None:
        def insert_room(connection: sqlite3.Connection) -> None:
            row = (booking.id, booking.at, booking.game, msgspec.json.encode(booking))
            connection.execute("INSERT INTO rooms VALUES (?, ?, ?, ?)", row)
            rows = [(chair.room, chair.role, chair.invite, chair.cookie or None) for chair in chairs]
            connection.executemany("INSERT INTO chairs VALUES (?, ?, ?, ?)", rows)

        await self._submit_work(insert_room)

    async def append_records(self, room: str, first: int, records: Sequence[RoomRecord]) -> None:
        rows = [
            (room, number, record.kind, record.role, record.body)
            for number, record in enumerate(records, first)
        ]
        try:
            await self._submit_work(rows)
        except sqlite3.IntegrityError:
            raise RecordConflict(room) from None

    async def count_records(self, rooms: Sequence[str]) -> dict[str, int]:
        query = (
            "SELECT room, max(number) + 1 FROM records "
            "WHERE room IN (SELECT value FROM json_each(?)) GROUP BY room"
        )
        return dict(await self.fetch_rows(query, msgspec.json.encode(rooms).decode()))

    async def fetch_rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        return await self._submit_work(lambda connection: connection.execute(query, values).fetchall())

    def open_archive(self) -> SqliteArchive:
        return SqliteArchive(self._path)

    async def close(self) -> None:
        self._work.put(None)
        await asyncio.to_thread(self._thread.join)
        self._connection.close()
        self._lock.close()

    async def _submit_work(self, work: Callable[[sqlite3.Connection], T] | list[RecordRow]) -> T:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._work.put((work, done))
        return await done

    def _run_batches(self) -> None:
        last = 0.0
        while (item := self._work.get()) is not None:
            sleep(max(0.0, last + COMMIT_INTERVAL - monotonic()))
            last = monotonic()
            batch = [item]
            while not self._work.empty():
                item = self._work.get()
                if item is None:
                    self._work.put(None)
                    break
                batch.append(item)
            _commit_batch(self._connection, batch)


def _commit_batch(connection: sqlite3.Connection, batch: list[WorkItem]) -> None:
    """Run a batch in one transaction. A failing item is undone alone; a failing commit fails all."""
    outcomes: list[WorkOutcome] = []
    try:
        try:
            outcomes = _commit_together(connection, batch)
        except sqlite3.IntegrityError:
            connection.execute("ROLLBACK")
            outcomes = _commit_separately(connection, batch)
    except sqlite3.Error as trouble:  # such as a full disk
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        outcomes = [(done, None, trouble) for _, done in batch]
    loops: dict[asyncio.AbstractEventLoop, list[WorkOutcome]] = {}
    for outcome in outcomes:
        loops.setdefault(outcome[0].get_loop(), []).append(outcome)
    for loop, settled in loops.items():
        loop.call_soon_threadsafe(_settle_futures, settled)


def _commit_together(connection: sqlite3.Connection, batch: list[WorkItem]) -> list[WorkOutcome]:
    connection.execute(BEGIN_BATCH)
    _insert_records(connection, [row for work, _ in batch if isinstance(work, list) for row in work])
    outcomes: list[WorkOutcome] = [
        (done, None if isinstance(work, list) else work(connection), None) for work, done in batch
    ]
    connection.execute("COMMIT")
    return outcomes


def _insert_records(connection: sqlite3.Connection, rows: list[RecordRow]) -> None:
    for start in range(0, len(rows), MOST_ROWS):
        some = rows[start : start + MOST_ROWS]
        places = ", ".join(["(?, ?, ?, ?, ?)"] * len(some))
        connection.execute(f"INSERT INTO records VALUES {places}", [value for row in some for value in row])


def _commit_separately(connection: sqlite3.Connection, batch: list[WorkItem]) -> list[WorkOutcome]:
    """Run each item in its own savepoint, as one of them fails."""
    outcomes: list[WorkOutcome] = []
    connection.execute(BEGIN_BATCH)
    for work, done in batch:
        connection.execute("SAVEPOINT one")
        try:
            _insert_records(connection, work if isinstance(work, list) else [])
            outcomes.append((done, None if isinstance(work, list) else work(connection), None))
        except sqlite3.IntegrityError as trouble:
            connection.execute("ROLLBACK TO one")
            outcomes.append((done, None, trouble))
        connection.execute("RELEASE one")
    connection.execute("COMMIT")
    return outcomes


def _settle_futures(outcomes: list[WorkOutcome]) -> None:
    for done, value, trouble in outcomes:
        if not done.done():
            if trouble is None:
                done.set_result(value)
            else:
                done.set_exception(trouble)


class SqliteArchive(Archive):
    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise Problem(f"{path} does not exist: give the database file of groundling serve")
        self._path = path

    def remove_deleted(self) -> None:
        with closing(open_sqlite_database(self._path)) as connection:
            remove_deleted_bytes(connection)

    @contextmanager
    def lock_records(self) -> Iterator[Execute]:
        with closing(open_sqlite_database(self._path)) as connection, begin_sqlite(connection):
            yield partial(_execute, connection)

    @contextmanager
    def open_for_reading(self) -> Iterator[Execute]:
        try:
            with open_sqlite_for_reading(self._path) as connection:
                if not check_sqlite_schema(connection, self._path):
                    raise Problem(f"{self._path} is empty: give the database file of groundling serve")
                yield partial(_execute, connection)
        except (sqlite3.Error, OSError) as trouble:
            raise Problem(f"{self._path} cannot be read ({trouble}): check the file and its rights") from None


def _execute(connection: sqlite3.Connection, query: str, *values: Any) -> sqlite3.Cursor:
    return connection.execute(query, values)
