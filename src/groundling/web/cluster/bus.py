"""The bus between servers that share a PostgreSQL database: room locks, messages and the waiting queue.

A server runs a room while its connection holds the room's advisory lock, so a server that dies frees its
rooms. A server's id is the backend PID of that connection. Messages are rows of a table; NOTIFY only
announces them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from time import time
from typing import Any, TypeAlias

import msgspec
import psycopg
from msgspec import Struct
from msgspec.structs import astuple
from psycopg import AsyncConnection

from groundling.web.postgres_store import PostgresBatcher, connect_postgres
from groundling.web.waiting_queue import PLACE_KEPT, QueueKey, QueueMatch, WaitingPerson, join_waiting_queue

SERVER_LOCK = 0x67726E64
"""A shared lock that every live server holds."""
ADVISORY_LOCKS = (
    "pg_locks WHERE locktype = 'advisory' AND granted "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
LIVE_SERVERS = f"SELECT pid FROM {ADVISORY_LOCKS} AND classid = {SERVER_LOCK} AND objsubid = 2"
WAITING_COLUMNS = "person, worker, page, at, game, settings, role, invite, left_at"
"""The fields of a WaitingPerson."""
Deliver: TypeAlias = Callable[[int, msgspec.Raw], None]


class ClusterRegister(Struct, frozen=True):
    """The live servers, and which server runs which room, by lock key."""

    servers: frozenset[int]
    rooms: Mapping[int, int]

    def runs_room(self, server: int, room: str) -> bool:
        return self.rooms.get(_lock_key(room)) == server


class MessageBus:
    def __init__(self, url: str) -> None:
        self._url = url
        self.me = 0
        self._held: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, deliver: Deliver) -> None:
        """Connect; `deliver` is called with the sender and each message as it arrives."""
        self._deliver, self._news = deliver, asyncio.Event()
        self._locks, self._sender, self._listening, self._queue = [
            await connect_postgres(self._url) for _ in range(4)
        ]
        self._matching = asyncio.Lock()
        await self._sender.execute(
            "SET synchronous_commit TO off"
        )  # messages need not survive a crash of the database
        self.me = self._locks.info.backend_pid
        await self._locks.execute("SELECT pg_advisory_lock_shared(%s, 0)", (SERVER_LOCK,))
        await self._locks.execute("DELETE FROM mail WHERE worker = %s", (self.me,))
        await self._listening.execute(f"LISTEN mail_{self.me}")
        self._outbox = PostgresBatcher(self._send_all)
        self._tasks = [
            asyncio.create_task(work)
            for work in (self._outbox.run_batches(), self._listen_for_mail(), self._fetch_mail())
        ]

    @property
    def bus_failure(self) -> BaseException | None:
        """Why the bus has stopped: the database has gone, or closed our connection."""
        ended = [task for task in self._tasks if task.done() and not task.cancelled()]
        return next((task.exception() or ConnectionError("the database has gone") for task in ended), None)

    # Rooms

    async def claim_room(self, room: str) -> int:
        """Take the room's lock unless another server holds it; return the server that does."""
        while room not in self._held:
            if await _fetch_value(self._locks, "SELECT pg_try_advisory_lock(%s)", _lock_key(room)):
                self._held.add(room)
            elif owner := (await self.read_register()).rooms.get(
                _lock_key(room)
            ):  # else it has just been released
                return owner
            else:
                await asyncio.sleep(0.01)
        return self.me

    async def release_room(self, room: str) -> None:
        if room in self._held:
            self._held.discard(room)
            with suppress(psycopg.OperationalError):  # the lock is released with the connection
                await self._locks.execute("SELECT pg_advisory_unlock(%s)", (_lock_key(room),))

    async def read_register(self) -> ClusterRegister:
        query = f"SELECT objsubid, (classid::int8 << 32) | objid::int8, pid FROM {ADVISORY_LOCKS}"
        rows = await (await self._locks.execute(query)).fetchall()
        servers = frozenset(pid for kind, key, pid in rows if kind == 2 and key >> 32 == SERVER_LOCK)
        return ClusterRegister(servers, {key: pid for kind, key, pid in rows if kind == 1 and pid in servers})

    async def delete_stale_rows(self) -> None:
        """Delete the messages of servers that have gone. Their waiting people may come to another one."""
        now, gone = time(), f"worker NOT IN ({LIVE_SERVERS})"
        await self._locks.execute(f"DELETE FROM mail WHERE {gone}")
        await self._locks.execute(f"UPDATE waiting SET left_at = %s WHERE left_at IS NULL AND {gone}", (now,))
        await self._locks.execute("DELETE FROM waiting WHERE left_at < %s", (now - PLACE_KEPT,))

    # Messages

    def send_message(self, server: int, message: bytes) -> None:
        """Send JSON. Messages to one server arrive in the order in which they were sent."""
        self._outbox.add_item((server, message))

    async def _send_all(self, messages: list[tuple[int, bytes]]) -> None:
        bundles = {
            server: b"[%b]" % b",".join(message for _, message in each)
            for server, each in groupby(sorted(messages, key=itemgetter(0)), key=itemgetter(0))
        }
        await self._sender.execute(
            "WITH sent AS (INSERT INTO mail (worker, sender, body) "
            "SELECT worker, %s, body FROM unnest(%s::int[], %b::bytea[]) AS letter (worker, body) "
            "RETURNING id, worker) "
            "SELECT pg_notify('mail_' || worker, id::text) FROM sent",
            (self.me, list(bundles), list(bundles.values())),
        )

    async def _listen_for_mail(self) -> None:
        async for _ in self._listening.notifies():
            self._news.set()

    async def _fetch_mail(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            cursor = await self._locks.execute(
                "DELETE FROM mail WHERE worker = %s RETURNING id, sender, body", (self.me,)
            )
            for _, sender, body in sorted(await cursor.fetchall()):
                for message in msgspec.json.decode(body, type=list[msgspec.Raw]):
                    self._deliver(sender, message)

    async def close(self) -> None:
        if not self._tasks:
            return
        sending, *listening = self._tasks
        self._outbox.finish_batches()
        await asyncio.wait((sending,), timeout=3)
        for task in (*listening, sending):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for connection in (self._listening, self._sender, self._queue, self._locks):
            await connection.close()

    # The queue of people who wait for a partner

    async def match_partner(self, me: WaitingPerson) -> QueueMatch:
        async with self._matching, self._queue.transaction():
            # two people who arrive at once must not miss each other
            await self._queue.execute("LOCK TABLE waiting IN EXCLUSIVE MODE")
            before = await self._take_waiting("person = %s", me.person)
            me = join_waiting_queue(me, before)
            found = await self._take_waiting(
                "person = (SELECT person FROM waiting WHERE game = %s AND settings = %s AND role <> %s "
                f"AND left_at IS NULL AND worker IN ({LIVE_SERVERS}) ORDER BY at LIMIT 1)",
                *(me.game, me.settings, me.role),
            )
            if found is None:
                await self._insert_waiting(me)
        return QueueMatch(me, found, before if before and before.left is None else None)

    async def _take_waiting(self, which: str, *values: Any) -> WaitingPerson | None:
        """Remove one row and return it."""
        query = f"DELETE FROM waiting WHERE {which} RETURNING {WAITING_COLUMNS}"
        row = await (await self._queue.execute(query, values)).fetchone()
        return WaitingPerson(*row) if row else None

    async def return_to_queue(self, one: WaitingPerson) -> None:
        async with self._matching:
            await self._insert_waiting(one)

    async def _insert_waiting(self, one: WaitingPerson) -> None:
        query = (
            f"INSERT INTO waiting ({WAITING_COLUMNS}) VALUES ({', '.join(['%s'] * 9)}) ON CONFLICT DO NOTHING"
        )
        await self._queue.execute(query, astuple(one))

    async def leave_queue(self, one: WaitingPerson) -> None:
        async with self._matching:
            await self._queue.execute(
                "UPDATE waiting SET left_at = %s WHERE person = %s AND worker = %s AND page = %s",
                (one.left, one.person, one.worker, one.page),
            )

    async def count_waiting(self) -> Mapping[QueueKey, int]:
        query = (
            "SELECT game, role, settings, count(*) FROM waiting "
            f"WHERE left_at IS NULL AND worker IN ({LIVE_SERVERS}) GROUP BY game, role, settings"
        )
        async with self._matching:
            rows = await (await self._queue.execute(query)).fetchall()
        return {QueueKey(*key): number for *key, number in rows}


def _lock_key(room: str) -> int:
    """The 64-bit key of a room's advisory lock."""
    return int.from_bytes(blake2b(room.encode(), digest_size=8).digest(), "big", signed=True)


async def _fetch_value(connection: AsyncConnection[Any], query: str, *values: Any) -> Any:
    row = await (await connection.execute(query, values)).fetchone()
    assert row is not None
    return row[0]
