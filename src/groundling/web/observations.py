"""What pages observe beside the game: the device, when the page has the focus, and the first action.

Nothing of it is trusted: it is stored with the seat, erased with it, and used in no decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from groundling.core.events import encode_event_json
from groundling.core.values import Role
from groundling.web.store import RoomRecord

MOST_OBSERVATIONS = 200
"""Observations of one seat that are stored; later ones are dropped."""
MOST_MILLISECONDS = 7 * 24 * 3600 * 1000
PHONE_SIDE = 600
"""Touch screens whose shorter side has fewer CSS pixels are phones."""

Milliseconds: TypeAlias = Annotated[float, Meta(ge=0, le=MOST_MILLISECONDS)]
Pixels: TypeAlias = Annotated[int, Meta(ge=0, le=20_000)]
Pointer: TypeAlias = Literal["fine", "coarse", "none"]
DeviceClass: TypeAlias = Literal["phone", "tablet", "laptop"]


class ObserveMessage(Struct, frozen=True, tag="observe", tag_field="do"):
    """One observation of a page."""

    what: Literal["device", "focus", "blur", "first"]
    """The device and its viewport; the page gained or lost the focus; the person's first action."""
    at: Milliseconds
    """By the page's own clock."""
    width: Pixels = 0
    height: Pixels = 0
    pointer: Pointer = "none"
    """The primary pointer: "fine" for a mouse, "coarse" for a finger."""
    order: Annotated[int, Meta(ge=0, le=100_000)] = 0
    """The how many-th game this is that the browser opened here."""
    after: Milliseconds = 0
    """Milliseconds from the first view of the game to the first action."""


class SeatObservation(Struct, frozen=True, omit_defaults=True):
    """An observation as it is stored."""

    at: float
    role: Role
    what: Literal["device", "focus", "blur", "first"]
    browser: float
    width: int = 0
    height: int = 0
    pointer: Pointer = "none"
    order: int = 0
    after: float = 0

    @property
    def device(self) -> DeviceClass:
        if self.pointer != "coarse":
            return "laptop"
        return "phone" if min(self.width, self.height) < PHONE_SIDE else "tablet"


class ObservationCounter:
    """Makes the records of a room's observations, a limited number for each seat."""

    def __init__(self, records: Sequence[RoomRecord]) -> None:
        self._counts: dict[Role, int] = {}
        for record in records:
            if record.kind == "observation":
                self._counts[record.role] = self._counts.get(record.role, 0) + 1

    def make_record(self, role: Role, seen: ObserveMessage, now: float) -> RoomRecord | None:
        """The record of an observation, or None where the seat has too many."""
        self._counts[role] = self._counts.get(role, 0) + 1
        if self._counts[role] > MOST_OBSERVATIONS:
            return None
        more = (seen.at, seen.width, seen.height, seen.pointer, seen.order, seen.after)
        stored = SeatObservation(now, role, seen.what, *more)
        return RoomRecord("observation", role, encode_event_json(stored))


def read_observations(records: Sequence[RoomRecord], role: Role) -> list[SeatObservation]:
    return [
        msgspec.json.decode(record.body, type=SeatObservation)
        for record in records
        if record.kind == "observation" and record.role == role
    ]
