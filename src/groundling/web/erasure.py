"""Erase a seat, found by its address or by the code that its person was shown, and read what is left."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

from groundling.core.events import AnyEvent, Opened, Transcript, event_decoder
from groundling.core.pack import Pack, load
from groundling.core.values import Problem, Role
from groundling.web.store import Archive, RoomRecord, erased_roles
from groundling.web.store_url import open_archive_url
from groundling.web.studies.study_erasure import erase_study_person, is_study_code

CODE_LETTERS = "BCDFGHJKMNPQRSTVWXYZ"
"""Letters of codes: none that looks like another or like a digit, and no vowels, so that no words appear."""
CODE_LENGTH = 8


class UnreadableRoom(Problem):
    """The records of a room were written by another version."""


# Codes


def make_seat_code(invite: str) -> str:
    """The code of a seat, such as BCDF-GHJK, from the hash of its invitation, which only its person knows."""
    number = int.from_bytes(hashlib.sha256(f"code {invite}".encode()).digest(), "big")
    letters = ""
    for _ in range(CODE_LENGTH):
        number, letter = divmod(number, len(CODE_LETTERS))
        letters += CODE_LETTERS[letter]
    return f"{letters[:4]}-{letters[4:]}"


def read_seat_code(text: str) -> str | None:
    """The code in a text that a person typed, or None where it is none."""
    letters = "".join(sign for sign in text.upper() if sign.isalnum())
    if len(letters) != CODE_LENGTH or set(letters) - set(CODE_LETTERS):
        return None
    return f"{letters[:4]}-{letters[4:]}"


def find_coded_seat(open_archive: Callable[[], Archive], text: str) -> tuple[str, Role]:
    """The room and role of a seat that is named by its code, or as ROOM/SEAT."""
    room, slash, role = text.strip().strip("/").removeprefix("r/").partition("/")
    if slash and role:
        return room, role
    if (code := read_seat_code(text)) is None:
        raise Problem(
            f"{text!r} is not ROOM/SEAT: write it as in the address of the page, after /r/, "
            "or give the code that the person was shown, such as BCDF-GHJK"
        )
    found = [chair for chair in open_archive().read_chairs() if make_seat_code(chair.invite) == code]
    if not found:
        raise Problem(f"no seat has the code {code}: ask the person for it again")
    if len(found) > 1:
        seats = ", ".join(f"{chair.room}/{chair.role}" for chair in found)
        raise Problem(f"several seats have the code {code}: name one of {seats}")
    return found[0].room, found[0].role


# Erasing


def erase_seat(db: str, seat: str) -> str:
    """Erase a seat (its code or ROOM/SEAT), a gallery drawing (GAME/ID), or a person of a study (a code)."""
    if is_study_code(seat):
        return erase_study_person(db, seat)
    return erase_archived_seat(lambda: open_archive_url(db), seat)


def erase_archived_seat(open_archive: Callable[[], Archive], seat: str) -> str:
    room, role = find_coded_seat(open_archive, seat)
    archive = open_archive()
    if archive.delete_drawing(room, role):
        archive.remove_deleted()
        return f"deleted the drawing {role} of {room}"
    count = archive.erase_seat(room, role)
    archive.remove_deleted()
    return (
        f"erased {count} records of {role} in room {room}; what the others did stays, "
        "and a server that runs ends the game within five seconds"
    )


class RemainingGame(Struct, frozen=True):
    """What is left of a game after seats were erased."""

    erased: tuple[Role, ...]
    begun: Transcript
    """The events before the first erased one."""
    rest: tuple[AnyEvent | Role, ...]
    """The events from there; a role stands for an erased event of that seat."""


def read_remaining_game(pack: Pack, records: Sequence[RoomRecord]) -> RemainingGame | None:
    """What is left of a game, or None where it has not begun or nothing was erased. Raises UnreadableRoom."""
    read = event_decoder(load(pack.game)).decode
    try:
        if not (erased := erased_roles(records)):
            return None
        events: list[AnyEvent | Role] = [
            record.role if record.kind == "erased" else read(record.body)
            for record in records
            if record.kind == "event" or (record.kind == "erased" and record.body)
        ]
    except msgspec.MsgspecError:
        raise UnreadableRoom("written by another version") from None
    if not events or not isinstance(events[0], Opened):
        return None
    marks = [number for number, event in enumerate(events) if isinstance(event, str)]
    cut = marks[0] if marks else 1  # earlier versions deleted the events and left no mark
    begun = tuple(event for event in events[:cut] if not isinstance(event, str))
    return RemainingGame(tuple(erased), Transcript(begun), tuple(events[cut:]))
