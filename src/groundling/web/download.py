"""Download all games of a server as JSON Lines, Parquet or CSV, streamed from the store.

JSON Lines and Parquet hold what people wrote. The CSVs do not, and none of their cells can be read as a
formula."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from tempfile import TemporaryFile
from time import time
from typing import IO, Any, TypeVar

import msgspec

from groundling.core.values import missing_extra
from groundling.csv_cells import format_csv_row
from groundling.web.erasure import UnreadableRoom, read_remaining_game
from groundling.web.export import read_exported_transcript, room_json_line
from groundling.web.game_catalog import GameCatalog
from groundling.web.people_table import PEOPLE_COLUMNS, people_csv_rows, read_people_rows
from groundling.web.room_attendance import RoomAttendance, read_room_notes
from groundling.web.room_overview import read_overview_rooms, recorded_overview
from groundling.web.store import Booking, RoomRecord, Store

T = TypeVar("T")
KINDS = {
    "jsonl": "application/jsonl",
    "parquet": "application/vnd.apache.parquet",
    "csv": "text/csv; charset=utf-8",
    "people.csv": "text/csv; charset=utf-8",
}
CHUNK = 256 * 1024
ROWS = 2000
"""Events that go into one table. Building it blocks all threads, for 3 ms."""


async def stream_game_download(kind: str, store: Store, catalog: GameCatalog) -> AsyncIterator[bytes]:
    """The file in chunks. A missing extra is raised here, before the response starts."""
    if kind == "jsonl":
        return _map_games(store, catalog, room_json_line)
    if kind == "csv":
        return _csv_lines(store, catalog)
    if kind == "people.csv":
        return _people_lines(store, catalog)
    return await _parquet_chunks(store, catalog)


async def _map_games(
    store: Store, catalog: GameCatalog, work: Callable[[Booking, list[RoomRecord]], T]
) -> AsyncIterator[T]:
    """Apply `work` to every game that was played or given up, in a thread: the event loop stays free."""
    async for booking, records in read_overview_rooms(store):
        made = await asyncio.to_thread(
            lambda room, kept: work(room, kept) if _can_export(room, kept, catalog) else None,
            booking,
            records,
        )
        if made is not None:
            yield made


def _can_export(booking: Booking, records: list[RoomRecord], catalog: GameCatalog) -> bool:
    """Whether the game was played or given up before it began, and this version can read it. Whether it can
    be read is not checked for games that are no longer installed."""
    if not any(record.kind in ("event", "erased") for record in records):
        attendance = RoomAttendance(booking, read_room_notes(records))
        return bool(attendance.departed or attendance.closing_reason(time()))
    if (pack := catalog.find_stored(booking.game)) is None:
        return True
    try:
        return bool(read_exported_transcript(pack, records) or read_remaining_game(pack, records))
    except UnreadableRoom:
        return False


async def _csv_lines(store: Store, catalog: GameCatalog) -> AsyncIterator[bytes]:
    """One row for each game, with its score."""
    names = ("room", "game", "instance", "state", "why", "score", "top", "events", "began", "last")

    def csv_row(booking: Booking, records: list[RoomRecord]) -> bytes:
        overview = recorded_overview(booking, records, catalog)
        seats = " ".join(f"{seat.role}={seat.who}" for seat in overview.seats)
        endings = " ".join(f"{seat.role}={seat.ended}" for seat in overview.seats if seat.ended)
        return format_csv_row((overview.id, *(getattr(overview, name) for name in names[1:]), seats, endings))

    yield format_csv_row((*names, "seats", "endings"))
    async for each in _map_games(store, catalog, csv_row):
        yield each


async def _people_lines(store: Store, catalog: GameCatalog) -> AsyncIterator[bytes]:
    """One row for each person in each game, with what their page observed."""
    yield format_csv_row(PEOPLE_COLUMNS)
    async for each in _map_games(store, catalog, lambda *room: people_csv_rows(read_people_rows(*room))):
        yield each


async def _parquet_chunks(store: Store, catalog: GameCatalog) -> AsyncIterator[bytes]:
    """One row for each event. Parquet has its index at the end, so the file is complete before it is sent."""
    try:
        import polars as pl
    except ImportError:
        raise missing_extra("score") from None
    schema = {"room": pl.String, "game": pl.String, "number": pl.Int64, "at": pl.Float64, "role": pl.String}
    schema |= {"event": pl.String, "text": pl.String, "seconds": pl.Float64, "body": pl.String}
    parts, rows = [pl.DataFrame(schema=schema)], list[tuple[Any, ...]]()

    def make_part() -> pl.DataFrame:
        return pl.DataFrame(rows, schema=schema, orient="row")

    async for some in _map_games(store, catalog, _event_rows):
        rows += some
        if len(rows) > ROWS:
            parts.append(await asyncio.to_thread(make_part))
            rows.clear()
    parts.append(await asyncio.to_thread(make_part))
    file: IO[bytes] = TemporaryFile()  # noqa: SIM115
    await asyncio.to_thread(lambda: pl.concat(parts).write_parquet(file))
    file.seek(0, os.SEEK_SET)
    return _file_chunks(file)


async def _file_chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while piece := file.read(CHUNK):
            yield piece


def _event_rows(booking: Booking, records: list[RoomRecord]) -> list[tuple[Any, ...]]:
    rows = []
    shown = [record for record in records if record.kind in ("event", "erased") and record.body]
    for number, record in enumerate(shown):
        event: dict[str, Any] = msgspec.json.decode(record.body)
        fields = (event.get("at"), record.role, event["type"], event.get("text"), event.get("seconds"))
        rows.append((booking.id, booking.game, number, *fields, record.body.decode()))
    return rows
