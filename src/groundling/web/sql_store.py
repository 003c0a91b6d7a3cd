"""What the stores in SQLite and in PostgreSQL share: how schemas are read, and queries of both."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from importlib.resources import files
from time import time
from typing import Any

import msgspec

from groundling.core.values import Role
from groundling.web.store import ROOM_COUNTS, Booking, Chair, RoomCounts, RoomRecord, SavedDrawing

CHAIRS = "SELECT room, role, invite, coalesce(cookie, '') FROM chairs"


def read_migrations(name: str) -> tuple[str, ...]:
    """Read the scripts that make each schema version from the one before."""
    scripts = (files(__package__) / name).read_text(encoding="utf-8")
    return tuple(re.split(r"^-- schema \d+\n", scripts, flags=re.MULTILINE)[1:])


class SqlStore(ABC):
    @abstractmethod
    async def fetch_rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run a query, with ? for each value, and return its rows. What it writes is durable then."""

    async def find_booking(self, room: str) -> Booking | None:
        rows = await self.fetch_rows("SELECT booking FROM rooms WHERE id = ?", room)
        return msgspec.json.decode(rows[0][0], type=Booking) if rows else None

    async def list_bookings(self, before: str, most: int) -> list[Booking]:
        older = "WHERE (at, id) < (SELECT at, id FROM rooms WHERE id = ?)" if before else "WHERE ? = ''"
        query = f"SELECT booking FROM rooms {older} ORDER BY at DESC, id DESC LIMIT ?"
        rows = await self.fetch_rows(query, before, most)
        return [msgspec.json.decode(booking, type=Booking) for (booking,) in rows]

    async def count_rooms(self) -> RoomCounts:
        (row,) = await self.fetch_rows(ROOM_COUNTS)
        return RoomCounts(*row)

    async def redeem_invite(self, invite: str, cookie: str) -> Chair | None:
        query = "UPDATE chairs SET cookie = ? WHERE invite = ? AND cookie IS NULL"
        rows = await self.fetch_rows(f"{query} RETURNING room, role, invite, cookie", cookie, invite)
        return Chair(*rows[0]) if rows else None

    async def seat_person(self, room: str, role: Role, cookie: str) -> bool:
        query = "UPDATE chairs SET cookie = ? WHERE room = ? AND role = ?"
        not_erased = "coalesce(cookie, '') <> 'erased ' || invite"
        rows = await self.fetch_rows(f"{query} AND {not_erased} RETURNING role", cookie, room, role)
        return bool(rows)

    async def find_invited(self, invite: str) -> Chair | None:
        return next(iter(await self._list_chairs("invite = ?", invite)), None)

    async def find_chair(self, cookie: str) -> Chair | None:
        return next(iter(await self._list_chairs("cookie = ?", cookie)), None)

    async def list_chairs(self, room: str) -> list[Chair]:
        return await self._list_chairs("room = ? ORDER BY role", room)

    async def _list_chairs(self, condition: str, value: str) -> list[Chair]:
        return [Chair(*row) for row in await self.fetch_rows(f"{CHAIRS} WHERE {condition}", value)]

    async def read_records(self, room: str) -> list[RoomRecord]:
        query = "SELECT kind, role, body FROM records WHERE room = ? ORDER BY number"
        return [RoomRecord(*row) for row in await self.fetch_rows(query, room)]

    async def save_drawing(self, made: SavedDrawing) -> None:
        row = (made.game, made.id, made.at, made.name, made.instance)
        await self.fetch_rows("INSERT INTO made VALUES (?, ?, ?, ?, ?)", *row)

    async def list_drawings(self, game: str) -> list[SavedDrawing]:
        query = "SELECT game, id, at, name, instance FROM made WHERE game = ? ORDER BY at DESC, id"
        return [SavedDrawing(*row) for row in await self.fetch_rows(query, game)]

    async def revoke_cookie(self, sign: str, until: float) -> None:
        await self.fetch_rows("DELETE FROM signed_out WHERE until < ?", time())
        await self.fetch_rows("INSERT INTO signed_out VALUES (?, ?) ON CONFLICT DO NOTHING", sign, until)

    async def is_revoked(self, sign: str) -> bool:
        return bool(await self.fetch_rows("SELECT 1 FROM signed_out WHERE sign = ?", sign))
