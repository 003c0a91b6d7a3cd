"""The store as one SQLite file. What is written within a few milliseconds is committed, and synced to disk, together."""

from __future__ import annotations

import asyncio
import fcntl
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

import msgspec

from ..core.values import Problem, Role
from .store import Booking, Chair, Conflict, Kind, Note, Record

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], Any]

MIGRATIONS = (
    """
    CREATE TABLE rooms (id TEXT PRIMARY KEY, at REAL NOT NULL, game TEXT NOT NULL, booking BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE chairs (
      room TEXT NOT NULL REFERENCES rooms, role TEXT NOT NULL, invite TEXT NOT NULL UNIQUE, cookie TEXT UNIQUE,
      PRIMARY KEY (room, role)
    ) WITHOUT ROWID;
    CREATE TABLE records (
      room TEXT NOT NULL REFERENCES rooms, number INTEGER NOT NULL, kind TEXT NOT NULL, role TEXT NOT NULL, body BLOB NOT NULL,
      PRIMARY KEY (room, number)
    ) WITHOUT ROWID;
    """,
)
"""What makes each version of the schema out of the one before. They are never changed, only added to."""

APPLICATION = 0x67726E64
"""Marks a file as ours."""


def connect(path: Path) -> sqlite3.Connection:
    """Open the file, made or brought up to date where need be."""
    try:
        connection = sqlite3.connect(path, isolation_level=None, timeout=10, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        _migrate(connection, path)
    except sqlite3.Error as trouble:
        raise Problem(f"{path} cannot be used as a store ({trouble}): choose another file with --db") from None
    return connection


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if mark != APPLICATION and tables:
        raise Problem(f"{path} belongs to another program: choose another file with --db")
    connection.execute("BEGIN IMMEDIATE")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        connection.execute("ROLLBACK")
        raise Problem(f"{path} was written by a newer groundling (schema {version}): upgrade groundling")
    for number, script in enumerate(MIGRATIONS[version:], version + 1):
        for statement in script.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute("COMMIT")


class SqliteStore:
    """Reads and writes go through one thread, in the order in which they were asked for; writes that wait share a commit."""

    def __init__(self, path: Path) -> None:
        self._connection = connect(path)
        self._lock = path.open("rb")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._connection.close()
            self._lock.close()
            raise Problem(f"{path} is in use by another server: stop that one, or choose another file with --db") from None
        self._work: SimpleQueue[tuple[Work, asyncio.Future[Any]] | None] = SimpleQueue()
        self._thread = Thread(target=self._serve, name="store", daemon=True)
        self._thread.start()

    async def book(self, booking: Booking, chairs: Sequence[Chair]) -> None:
        def work(connection: sqlite3.Connection) -> None:
            row = (booking.id, booking.at, booking.game, msgspec.json.encode(booking))
            connection.execute("INSERT INTO rooms VALUES (?, ?, ?, ?)", row)
            rows = [(chair.room, chair.role, chair.invite, chair.cookie or None) for chair in chairs]
            connection.executemany("INSERT INTO chairs VALUES (?, ?, ?, ?)", rows)

        await self._do(work)

    async def booking(self, room: str) -> Booking | None:
        found = await self._do(lambda c: c.execute("SELECT booking FROM rooms WHERE id = ?", (room,)).fetchone())
        return msgspec.json.decode(found[0], type=Booking) if found else None

    async def sit(self, invite: str, cookie: str) -> Chair | None:
        def work(connection: sqlite3.Connection) -> Chair | None:
            taken = connection.execute(
                "UPDATE chairs SET cookie = ? WHERE invite = ? AND cookie IS NULL RETURNING room, role, invite, cookie",
                (cookie, invite),
            ).fetchone()
            return Chair(*taken) if taken else None

        return await self._do(work)

    async def chair(self, cookie: str) -> Chair | None:
        found = await self._do(
            lambda c: c.execute("SELECT room, role, invite, cookie FROM chairs WHERE cookie = ?", (cookie,)).fetchone()
        )
        return Chair(*found) if found else None

    async def append(self, room: str, first: int, records: Sequence[Record]) -> None:
        rows = [(room, number, record.kind, record.role, record.body) for number, record in enumerate(records, first)]

        def work(connection: sqlite3.Connection) -> None:  # a cursor must not leave its thread
            connection.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?)", rows)

        try:
            await self._do(work)
        except sqlite3.IntegrityError:
            raise Conflict(room) from None

    async def records(self, room: str) -> list[Record]:
        query = "SELECT kind, role, body FROM records WHERE room = ? ORDER BY number"
        return [Record(*row) for row in await self._do(lambda c: c.execute(query, (room,)).fetchall())]

    async def close(self) -> None:
        self._work.put(None)
        await asyncio.to_thread(self._thread.join)
        self._connection.close()
        self._lock.close()

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._work.put((work, done))
        return await done

    def _serve(self) -> None:
        while (item := self._work.get()) is not None:
            batch = [item]
            while not self._work.empty():
                item = self._work.get()
                if item is None:
                    self._work.put(None)
                    break
                batch.append(item)
            _commit(self._connection, batch)


def _commit(connection: sqlite3.Connection, batch: list[tuple[Work, asyncio.Future[Any]]]) -> None:
    """All of these in one transaction. Where one fails it alone is undone; where the commit fails, all have."""
    outcomes: list[tuple[asyncio.Future[Any], Any, Exception | None]] = []
    try:
        connection.execute("BEGIN")
        for work, done in batch:
            connection.execute("SAVEPOINT one")
            try:
                outcomes.append((done, work(connection), None))
            except sqlite3.IntegrityError as trouble:
                connection.execute("ROLLBACK TO one")
                outcomes.append((done, None, trouble))
            connection.execute("RELEASE one")
        connection.execute("COMMIT")
    except sqlite3.Error as trouble:  # a full disk, say
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        outcomes = [(done, None, trouble) for _, done in batch]
    loops: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any, Exception | None]]] = {}
    for outcome in outcomes:
        loops.setdefault(outcome[0].get_loop(), []).append(outcome)
    for loop, told in loops.items():
        loop.call_soon_threadsafe(_tell, told)


def _tell(outcomes: list[tuple[asyncio.Future[Any], Any, Exception | None]]) -> None:
    for done, value, trouble in outcomes:
        if not done.done():
            if trouble is None:
                done.set_result(value)
            else:
                done.set_exception(trouble)


class SqliteArchive:
    """The file, without a server."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise Problem(f"{path} is not there: name the file that groundling serve keeps its games in with --db")
        self._path = path

    def rooms(self) -> Iterator[tuple[Booking, list[Record]]]:
        with self._open() as connection:
            for room, booking in connection.execute("SELECT id, booking FROM rooms ORDER BY at, id").fetchall():
                found = connection.execute("SELECT kind, role, body FROM records WHERE room = ? ORDER BY number", (room,))
                yield msgspec.json.decode(booking, type=Booking), [Record(*row) for row in found]

    def erase(self, room: str, role: Role) -> int:
        with self._open() as connection:
            chair = connection.execute("SELECT 1 FROM chairs WHERE room = ? AND role = ?", (room, role)).fetchone()
            if chair is None:
                raise Problem(f"nobody could sit as {role!r} in room {room!r}: write ROOM/ROLE as in the address of the page")
            note: Kind = "note"
            body = msgspec.json.encode(Note(0.0, role, "erased"))
            connection.execute("BEGIN IMMEDIATE")
            count = connection.execute("DELETE FROM records WHERE room = ? AND role = ?", (room, role)).rowcount
            connection.execute("UPDATE chairs SET cookie = 'erased ' || invite WHERE room = ? AND role = ?", (room, role))
            (last,) = connection.execute("SELECT coalesce(max(number), -1) FROM records WHERE room = ?", (room,)).fetchone()
            connection.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?)", (room, last + 1, note, "", body))
            connection.execute("COMMIT")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return count

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        connection = connect(self._path)
        try:
            yield connection
        finally:
            connection.close()
