"""Export the games of a store: runs, what is left of games with erased seats, and the table of people."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path, PurePath

import msgspec
from msgspec import Struct

from groundling.core.events import Transcript, encode_event_json, event_decoder
from groundling.core.pack import Pack, load, resolve_settings
from groundling.core.values import Problem
from groundling.csv_cells import format_csv_row
from groundling.files import write_whole_file
from groundling.runs.run_folder import RunFolder
from groundling.web.erasure import UnreadableRoom, read_remaining_game
from groundling.web.game_catalog import GameCatalog
from groundling.web.people_table import PEOPLE_COLUMNS, PersonRow, people_csv_rows, read_people_rows
from groundling.web.store import Booking, RoomRecord, erased_roles
from groundling.web.store_url import open_archive_url, store_url_name

PEOPLE_FILE, REMAINING_FILE = "people.csv", "remaining.jsonl"


class _SettingsGames(Struct):
    """The games that were played with the same settings."""

    pack: Pack
    whole: list[Transcript] = []
    erased: list[str] = []
    """Rooms with an erased seat."""
    remaining: list[bytes] = []
    """What is left of them, one line for each."""
    people: list[PersonRow] = []


def export_games(db: str, folder: Path, catalog: GameCatalog) -> Iterator[str]:
    """Write a run for each game and its settings, replacing earlier ones; yield a line for each action."""
    rooms = set[str]()
    games, left_out = _games_by_settings(db, rooms, catalog)
    if left_out:
        yield left_out
    source = f"people, {PurePath(store_url_name(db)).name}"
    runs = {RunFolder(folder / name): found for name, found in games.items()}
    for run in _written_runs(folder, source, rooms):
        if run not in runs or not runs[run].whole:
            shutil.rmtree(run.path)
            yield f"{run.path}: removed, as none of its games is there any more"
    if not games:
        raise Problem(f"{store_url_name(db)} holds no games yet: let somebody play first")
    for run, found in runs.items():
        count = run.write_transcripts(found.pack, found.whole, source, found.erased)
        left = len(found.remaining)
        rest = f"what is left of {left} with an erased seat" if left else ""
        whole = f"{count} {'game' if count == 1 else 'games'}" if count else ""
        run.path.mkdir(parents=True, exist_ok=True)
        table = format_csv_row(PEOPLE_COLUMNS) + people_csv_rows(found.people)
        write_whole_file(run.path / PEOPLE_FILE, table)
        if left:
            write_whole_file(run.path / REMAINING_FILE, b"".join(found.remaining))
        else:
            (run.path / REMAINING_FILE).unlink(missing_ok=True)
        yield f"{run.path}: {', '.join(filter(None, (whole, rest)))}"


def _run_name(pack: Pack, settings: bytes) -> str:
    """The game's name where its default settings were played, else with a hash of the settings."""
    usual = msgspec.convert(dict(pack.live.settings), load(pack.game).Settings)
    if settings == encode_event_json(resolve_settings(pack, usual, ())):
        return pack.name
    return f"{pack.name}-{hashlib.sha256(settings).hexdigest()[:8]}"


def _written_runs(folder: Path, source: str, rooms: Collection[str]) -> Iterator[RunFolder]:
    """Runs that earlier calls wrote from these rooms, and not from another store of the same name."""
    for about in sorted(folder.glob("*/run.toml")):
        run = RunFolder(about.parent)
        with suppress(Problem):  # never remove a run that cannot be read
            if run.read_about().get("source") == source and not run.path.is_symlink():
                games = [transcript.episode for transcript in run.read_transcripts()]
                if games and all(game in rooms for game in games):
                    yield run


def _games_by_settings(
    db: str, rooms: set[str], catalog: GameCatalog
) -> tuple[dict[str, _SettingsGames], str]:
    """All games by their run's name, and a line about unreadable rooms. Adds all ids to `rooms`."""
    games: dict[str, _SettingsGames] = {}
    foreign, unreadable = list[str](), 0
    for booking, records in open_archive_url(db).read_rooms():
        rooms.add(booking.id)
        if (pack := catalog.find_stored(booking.game)) is None:
            foreign.append(booking.game)
            continue
        try:
            _add_game(games, pack, booking, records)
        except (UnreadableRoom, msgspec.MsgspecError):
            unreadable += 1
    why = (
        [f"{len(foreign)} of games that are not installed ({', '.join(sorted(set(foreign)))})"]
        if foreign
        else []
    )
    why += [f"{unreadable} written by another version"] if unreadable else []
    count = len(foreign) + unreadable
    return games, f"left out {count} {'room' if count == 1 else 'rooms'}: {', '.join(why)}" if why else ""


def _add_game(
    games: dict[str, _SettingsGames], pack: Pack, booking: Booking, records: list[RoomRecord]
) -> None:
    """Add a game that has begun to those with its settings."""
    transcript, remaining = read_exported_transcript(pack, records), read_remaining_game(pack, records)
    if transcript is not None:
        settings = transcript.opened.settings
    elif remaining is not None:
        settings = remaining.begun.opened.settings
    else:
        return
    found = games.setdefault(_run_name(pack, encode_event_json(settings)), _SettingsGames(pack))
    found.people += read_people_rows(booking, records)
    if transcript is not None:
        found.whole.append(transcript)
    else:
        found.erased.append(booking.id)
        found.remaining.append(room_json_line(booking, records))


def read_exported_transcript(pack: Pack, records: list[RoomRecord]) -> Transcript | None:
    """The game in a room, or None where it has not begun or was erased in part. Raises UnreadableRoom."""
    read = event_decoder(load(pack.game))
    try:
        if erased_roles(records):
            return None
        events = tuple(read.decode(record.body) for record in records if record.kind == "event")
    except msgspec.MsgspecError:
        raise UnreadableRoom("written by another version") from None
    return Transcript(events) if events else None


def room_json_line(booking: Booking, records: list[RoomRecord]) -> bytes:
    """A game as one line of JSON: its events as in a run's log, its notes, and what pages observed. An erased
    event has the type "erased" and its role."""

    def bodies(kind: str) -> list[msgspec.Raw]:
        return [msgspec.Raw(record.body) for record in records if record.kind == kind]

    events = [
        {"type": "erased", "role": record.role} if record.kind == "erased" else msgspec.Raw(record.body)
        for record in records
        if record.kind == "event" or (record.kind == "erased" and record.body)
    ]
    line = {
        "room": booking.id,
        "game": booking.game,
        "at": booking.at,
        "seats": booking.seats,
        "consent": booking.consent,
        "erased": erased_roles(records),
        "events": events,
        "notes": bodies("note"),
        "observations": bodies("observation"),
    }
    return msgspec.json.encode(line) + b"\n"
