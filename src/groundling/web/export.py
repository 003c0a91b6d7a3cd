"""What a server has kept, for those who study it: games as runs, and what somebody wants to be forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePath

from ..core.events import Transcript, decoder, encode
from ..core.pack import Pack, find, load
from ..core.values import Problem
from ..runs.folder import RunFolder
from .db import open_archive, store_name
from .store import Record, is_erased


def export_games(db: str, folder: Path) -> Iterator[str]:
    """One run for each game and its settings, which every command reads; what was written where."""
    found: dict[tuple[str, bytes], list[Transcript]] = {}
    for booking, records in open_archive(db).rooms():
        transcript = played(find(booking.game), records)
        if transcript is not None:
            found.setdefault((booking.game, encode(transcript.opened.settings)), []).append(transcript)
    if not found:
        raise Problem(f"{store_name(db)} holds no games yet: let somebody play first")
    names: dict[str, int] = {}
    for (game, _), transcripts in found.items():
        names[game] = names.get(game, 0) + 1
        run = RunFolder(folder / (game if names[game] == 1 else f"{game}-{names[game]}"))
        count = run.write(find(game), transcripts, f"people, {PurePath(store_name(db)).name}")
        yield f"{run.path}: {count} {'game' if count == 1 else 'games'}"


def played(pack: Pack, records: list[Record]) -> Transcript | None:
    """The game in a room; None where none was begun, or somebody's part of it was erased."""
    if is_erased(records):
        return None
    read = decoder(load(pack.game))
    events = tuple(read.decode(record.body) for record in records if record.kind == "event")
    return Transcript(events) if events else None


def erase_seat(db: str, seat: str) -> str:
    """Seats are named as in the address of their page; what was drawn for a gallery as GAME/ID."""
    room, slash, role = seat.strip("/").removeprefix("r/").partition("/")
    if not slash or not role:
        raise Problem(f"{seat!r} is not ROOM/SEAT: write it as in the address of the page, after /r/")
    archive = open_archive(db)
    if archive.forget(room, role):
        return f"deleted the drawing {role} of {room}"
    count = archive.erase(room, role)
    return f"deleted {count} records of {role} in room {room}; the game is no longer exported, nor shown by a server that runs"
