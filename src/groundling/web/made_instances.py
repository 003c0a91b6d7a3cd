"""Instances that games in rooms have made, such as procedures, and rooms in which others execute them."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

import msgspec
from msgspec import Struct

from groundling.core.events import Transcript
from groundling.core.pack import Pack, load
from groundling.core.values import Instance, Problem
from groundling.web.erasure import UnreadableRoom
from groundling.web.export import read_exported_transcript
from groundling.web.room_names import ROOM_NAME
from groundling.web.server_settings import RoomRequest
from groundling.web.store import PERSON, Archive, Booking, RoomRecord, Store


class _InstanceName(Struct):
    id: str


def read_made_instance(pack: Pack, transcript: Transcript | None) -> Instance | None:
    """The instance that a game has made, if it can make one. Raises ValueError where nothing came of it."""
    if pack.data.made is None or transcript is None:
        return None
    made: Instance = load(pack.data.made)(transcript)
    return made


def follow_up_title(pack: Pack, transcript: Transcript) -> str:
    """What others can do with the instance that a game has made, in words, or "" where there is none."""
    if pack.live.follow_up is None or transcript.status != "played":
        return ""
    try:
        return pack.live.follow_up.title if read_made_instance(pack, transcript) else ""
    except ValueError:
        return ""


async def find_made_instance(store: Store, pack: Pack, room: str) -> Instance | None:
    """The instance that the game in the room of this name has made."""
    if pack.data.made is None or not ROOM_NAME.fullmatch(room):
        return None
    booking = await store.find_booking(room)
    if booking is None or booking.game != pack.name:
        return None
    try:
        return _read_room_instance(pack, room, await store.read_records(room))
    except ValueError as trouble:
        raise Problem(f"{trouble}: name another instance") from None


def list_made_instances(pack: Pack, archive: Archive) -> list[Instance]:
    """All instances that games in the rooms of a store have made, but for erased ones."""
    found: list[Instance | None] = []
    for booking, records in archive.read_rooms():
        if booking.game == pack.name:
            with suppress(ValueError, UnreadableRoom):
                found.append(_read_room_instance(pack, booking.id, records))
    return [instance for instance in found if instance]


def _read_room_instance(pack: Pack, room: str, records: list[RoomRecord]) -> Instance | None:
    """The instance that the game in a room has made; it has the room's name as its id."""
    made = read_made_instance(pack, read_exported_transcript(pack, records))
    return msgspec.structs.replace(made, id=room) if made else None


def follow_up_request(pack: Pack, booking: Booking, own_consent: str) -> RoomRequest:
    """The room in which others carry out what was made in this one, with the same consent and time limit."""
    preset = pack.live.follow_up
    if preset is None:
        raise Problem(f"games of {pack.name} make nothing that others could carry out: choose another room")
    return RoomRequest(
        pack.name,
        dict.fromkeys(preset.seats, PERSON),
        instance=booking.id,
        settings=dict(preset.settings),
        consent="" if own_consent else booking.consent,
        minutes=booking.minutes,
    )


def is_made_in(booking: Booking, rooms: Collection[str]) -> bool:
    """Whether the room plays what was made in one of these rooms."""
    return msgspec.json.decode(booking.instance, type=_InstanceName).id in rooms
