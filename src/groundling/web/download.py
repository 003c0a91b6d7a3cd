"""Download all games of a server as JSON Lines, Parquet or CSV, streamed from the store.

JSON Lines and Parquet hold what people wrote. The CSV for spreadsheets does not, and none of its cells can be
read as a formula."""

from __future__ import annotations

import asyncio
import csv
import io
import os
from collections.abc import AsyncIterator, Callable
from tempfile import TemporaryFile
from time import time
from typing import IO, Any, TypeVar

import msgspec

from groundling.core.values import missing_extra
from groundling.web.export import UnreadableRoom, read_exported_transcript
from groundling.web.game_catalog import GameCatalog
from groundling.web.room_attendance import RoomAttendance, read_room_notes
from groundling.web.room_overview import read_overview_rooms, recorded_overview
from groundling.web.store import Booking, RoomRecord, Store, is_stored_room_erased

T = TypeVar("T")
KINDS = {
    "jsonl": "application/jsonl",
    "parquet": "application/vnd.apache.parquet",
    "csv": "text/csv; charset=utf-8",
}
FORMULA = tuple("=+-@\t\r")
CHUNK = 256 * 1024
ROWS = 2000
"""Events that go into one table. Building it blocks all threads, for 3 ms."""


async def stream_game_download(kind: str, store: Store, catalog: GameCatalog) -> AsyncIterator[bytes]:
    """The file in chunks. A missing extra is raised here, before the response starts."""
    if kind == "jsonl":
        return _map_games(store, catalog, _json_line)
    if kind == "csv":
        return _csv_lines(store, catalog)
    return await _parquet_chunks(store, catalog)


async def _map_games(
    store: Store, catalog: GameCatalog, work: Callable[[Booking, list[RoomRecord]], T]
) -> AsyncIterator[T]:
    """Apply `work` to every complete game, in a thread so that the event loop stays free."""
    async for booking, records in read_overview_rooms(store):
        made = await asyncio.to_thread(
            lambda room, kept: work(room, kept) if _is_whole(room, kept, catalog) else None, booking, records
        )
        if made is not None:
            yield made


def _is_whole(booking: Booking, records: list[RoomRecord], catalog: GameCatalog) -> bool:
    """Whether the game was played or given up before it began, nothing was erased, and this version can read
    it. Whether it can be read is not checked for games that are no longer installed."""
    if is_stored_room_erased(records):
        return False
    if not any(record.kind == "event" for record in records):
        attendance = RoomAttendance(booking, read_room_notes(records))
        return bool(attendance.departed or attendance.closing_reason(time()))
    if (pack := catalog.find_stored(booking.game)) is None:
        return True
    try:
        return read_exported_transcript(pack, records) is not None
    except UnreadableRoom:
        return False


def _json_line(booking: Booking, records: list[RoomRecord]) -> bytes:
    """One game as JSON: its events as in a run's log, and its notes."""
    about = {"room": booking.id, "game": booking.game, "at": booking.at, "seats": booking.seats}
    events = [msgspec.Raw(record.body) for record in records if record.kind == "event"]
    notes = [msgspec.Raw(record.body) for record in records if record.kind == "note"]
    return msgspec.json.encode({**about, "events": events, "notes": notes}) + b"\n"


async def _csv_lines(store: Store, catalog: GameCatalog) -> AsyncIterator[bytes]:
    """One row for each game, with its score."""
    names = ("room", "game", "instance", "state", "why", "score", "top", "events", "began", "last")

    def csv_row(booking: Booking, records: list[RoomRecord]) -> bytes:
        overview = recorded_overview(booking, records, catalog)
        seats = " ".join(f"{seat.role}={seat.who}" for seat in overview.seats)
        endings = " ".join(f"{seat.role}={seat.ended}" for seat in overview.seats if seat.ended)
        return _format_row((overview.id, *(getattr(overview, name) for name in names[1:]), seats, endings))

    yield _format_row((*names, "seats", "endings"))
    async for each in _map_games(store, catalog, csv_row):
        yield each


def _format_row(cells: tuple[Any, ...]) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer).writerow(map(escape_download_formula, cells))
    return buffer.getvalue().encode()


def escape_download_formula(cell: Any) -> str:
    """The cell as text that no spreadsheet reads as a formula; numbers stay numbers."""
    text = "" if cell is None else str(cell)
    return f"'{text}" if isinstance(cell, str) and text.startswith(FORMULA) else text


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
    for number, record in enumerate(record for record in records if record.kind == "event"):
        event: dict[str, Any] = msgspec.json.decode(record.body)
        fields = (event.get("at"), record.role, event["type"], event.get("text"), event.get("seconds"))
        rows.append((booking.id, booking.game, number, *fields, record.body.decode()))
    return rows
