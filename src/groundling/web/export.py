"""Export the games of a store as runs, and erase what a participant left."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path, PurePath

import msgspec

from groundling.core.events import Transcript, encode_event_json, event_decoder
from groundling.core.pack import Pack, load
from groundling.core.values import Problem
from groundling.runs.run_folder import RunFolder
from groundling.web.game_catalog import GameCatalog
from groundling.web.store import RoomRecord, is_stored_room_erased
from groundling.web.store_url import open_archive_url, store_url_name


class UnreadableRoom(Problem):
    """The records of a room were written by another version."""


def export_games(db: str, folder: Path, catalog: GameCatalog) -> Iterator[str]:
    """Write one run for each game and its settings, replacing those of an earlier call. Yields a line for
    each action."""
    rooms = set[str]()
    erased: dict[tuple[str, bytes], list[str]] = {}
    games, left_out = _games_by_settings(db, rooms, erased, catalog)
    if left_out:
        yield left_out
    source = f"people, {PurePath(store_url_name(db)).name}"
    runs = {
        RunFolder(folder / _run_name(pack, settings)): (pack, found, erased.get((game, settings), ()))
        for (game, settings), found in games.items()
        if (pack := catalog.find_stored(game))
    }
    for run in _written_runs(folder, source, rooms):
        if run not in runs:
            shutil.rmtree(run.path)
            yield f"{run.path}: removed, as none of its games is there any more"
    if not games:
        raise Problem(f"{store_url_name(db)} holds no games yet: let somebody play first")
    for run, (pack, transcripts, gone) in runs.items():
        count = run.write_transcripts(pack, transcripts, source, gone)
        yield f"{run.path}: {count} {'game' if count == 1 else 'games'}"


def _run_name(pack: Pack, settings: bytes) -> str:
    """The game's name where its default settings were played, else with a hash of the settings."""
    usual = msgspec.convert(dict(pack.live.settings), load(pack.game).Settings)
    if settings == encode_event_json(usual):
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
    db: str, rooms: set[str], erased: dict[tuple[str, bytes], list[str]], catalog: GameCatalog
) -> tuple[dict[tuple[str, bytes], list[Transcript]], str]:
    """All games by name and settings, and a line about rooms that cannot be read. Adds the ids of all rooms
    to `rooms`, and those of erased ones to `erased`."""
    games: dict[tuple[str, bytes], list[Transcript]] = {}
    foreign, unreadable = list[str](), 0
    for booking, records in open_archive_url(db).read_rooms():
        rooms.add(booking.id)
        if (pack := catalog.find_stored(booking.game)) is None:
            foreign.append(booking.game)
            continue
        try:
            transcript = read_exported_transcript(pack, records)
            if transcript is not None:
                settings = transcript.opened.settings
                games.setdefault((booking.game, encode_event_json(settings)), []).append(transcript)
            elif is_stored_room_erased(records):
                settings = msgspec.json.decode(booking.settings, type=load(pack.game).Settings)
                erased.setdefault((booking.game, encode_event_json(settings)), []).append(booking.id)
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


def read_exported_transcript(pack: Pack, records: list[RoomRecord]) -> Transcript | None:
    """The game in a room, or None where it has not begun or was erased in part. Raises UnreadableRoom."""
    read = event_decoder(load(pack.game))
    try:
        if is_stored_room_erased(records):
            return None
        events = tuple(read.decode(record.body) for record in records if record.kind == "event")
    except msgspec.MsgspecError:
        raise UnreadableRoom("written by another version") from None
    return Transcript(events) if events else None


def erase_seat(db: str, seat: str) -> str:
    """Erase a seat, named ROOM/SEAT as in the address of its page, or a gallery drawing, named GAME/ID."""
    room, slash, role = seat.strip("/").removeprefix("r/").partition("/")
    if not slash or not role:
        raise Problem(f"{seat!r} is not ROOM/SEAT: write it as in the address of the page, after /r/")
    archive = open_archive_url(db)
    if archive.delete_drawing(room, role):
        return f"deleted the drawing {role} of {room}"
    count = archive.erase_records(room, role)
    return (
        f"deleted {count} records of {role} in room {room}; "
        "the game is no longer exported, nor shown by a server that runs"
    )
