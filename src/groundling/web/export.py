"""What a server has kept, for those who study it: games as runs, and what somebody wants to be forgotten."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePath

import msgspec

from groundling.core.events import Transcript, decoder, encode
from groundling.core.pack import Pack, find, load
from groundling.core.values import Problem
from groundling.runs.folder import RunFolder
from groundling.web.db import open_archive, store_name
from groundling.web.store import Record, is_erased


class Unreadable(Problem):
    """What is kept of a room is not as this version writes it."""


def export_games(db: str, folder: Path) -> Iterator[str]:
    """One run for each game and its settings, which every command reads, in place of those that an earlier
    call wrote; what was done."""
    rooms = set[str]()
    found, left_out = _found(db, rooms)
    if left_out:
        yield left_out
    source = f"people, {PurePath(store_name(db)).name}"
    runs = {
        RunFolder(folder / _name(game, settings)): (game, found[game, settings]) for game, settings in found
    }
    for run in _written(folder, source, rooms):
        if run not in runs:
            shutil.rmtree(run.path)
            yield f"{run.path}: removed, as none of its games is there any more"
    if not found:
        raise Problem(f"{store_name(db)} holds no games yet: let somebody play first")
    for run, (game, transcripts) in runs.items():
        count = run.write(find(game), transcripts, source)
        yield f"{run.path}: {count} {'game' if count == 1 else 'games'}"


def _name(game: str, settings: bytes) -> str:
    """The game's own where it was played as it is offered, else by its settings, whatever else there is."""
    pack = find(game)
    usual = msgspec.convert(dict(pack.live.settings) if pack.live else {}, load(pack.game).Settings)
    return game if settings == encode(usual) else f"{game}-{hashlib.sha256(settings).hexdigest()[:8]}"


def _written(folder: Path, source: str, rooms: Collection[str]) -> Iterator[RunFolder]:
    """What earlier calls wrote there of these rooms, and of no other store that is called the same."""
    for about in sorted(folder.glob("*/run.toml")):
        run = RunFolder(about.parent)
        with suppress(Problem):  # one that cannot be read is not ours to remove
            if run.read().get("source") == source and not run.path.is_symlink():
                games = [transcript.episode for transcript in run.transcripts()]
                if games and all(game in rooms for game in games):
                    yield run


def _found(db: str, rooms: set[str]) -> tuple[dict[tuple[str, bytes], list[Transcript]], str]:
    """All games by name and settings; what to say of rooms that cannot be read. All that there are go into
    `rooms`."""
    found: dict[tuple[str, bytes], list[Transcript]] = {}
    foreign, unreadable = list[str](), 0
    for booking, records in open_archive(db).rooms():
        rooms.add(booking.id)
        if (pack := pack_of(booking.game)) is None:
            foreign.append(booking.game)
            continue
        try:
            transcript = played(pack, records)
        except Unreadable:
            unreadable += 1
            continue
        if transcript is not None:
            found.setdefault((booking.game, encode(transcript.opened.settings)), []).append(transcript)
    why = (
        [f"{len(foreign)} of games that are not installed ({', '.join(sorted(set(foreign)))})"]
        if foreign
        else []
    )
    why += [f"{unreadable} written by another version"] if unreadable else []
    count = len(foreign) + unreadable
    return found, f"left out {count} {'room' if count == 1 else 'rooms'}: {', '.join(why)}" if why else ""


@cache
def pack_of(game: str) -> Pack | None:
    """None where it is not installed any more. It is looked for once: that takes milliseconds, and there are
    many rooms."""
    try:
        return find(game)
    except Problem:
        return None


def played(pack: Pack, records: list[Record]) -> Transcript | None:
    """The game in a room; None where none was begun, or somebody's part of it was erased. Raises
    Unreadable."""
    read = decoder(load(pack.game))
    try:
        if is_erased(records):
            return None
        events = tuple(read.decode(record.body) for record in records if record.kind == "event")
    except msgspec.MsgspecError:
        raise Unreadable("written by another version") from None
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
