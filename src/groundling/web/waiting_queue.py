"""The queue of people who wait for a partner. A person has one place, whatever pages they open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from groundling.core.values import Role

PLACE_KEPT = 30.0
"""Seconds for which a place is kept after its page was closed. Reloading takes less."""


class QueueKey(Struct, frozen=True):
    """What people wait for: they meet where game and settings are the same and the seats differ."""

    game: str
    role: Role
    settings: str = ""
    """The settings that differ from the default, as JSON with sorted names."""


class WaitingPerson(Struct, frozen=True):
    """A person in the queue."""

    person: str
    """The hash of the cookie by which a browser is known."""
    worker: int
    page: int
    at: float
    game: str
    settings: str
    role: Role
    invite: str
    """The hash of their invitation, so that no secret is passed on."""
    left: float | None = None
    """When their page was closed; such a person is not matched."""

    @property
    def queue_key(self) -> QueueKey:
        return QueueKey(self.game, self.role, self.settings)

    def is_partner_of(self, other: WaitingPerson) -> bool:
        return (
            self.left is None
            and (self.game, self.settings) == (other.game, other.settings)
            and self.role != other.role
            and self.person != other.person
        )


class QueueMatch(Struct, frozen=True):
    me: WaitingPerson
    """With the time from which this person has waited, also on an earlier page."""
    partner: WaitingPerson | None
    """The person who has waited longest for such a partner, removed from the queue; None: we wait."""
    replaced: WaitingPerson | None
    """The place that the same person had on another open page."""


def join_waiting_queue(me: WaitingPerson, before: WaitingPerson | None) -> WaitingPerson:
    """The place of a person who had another one before: in the same queue they keep their turn."""
    if before is None or before.queue_key != me.queue_key:
        return me
    if before.left is not None and me.at - before.left > PLACE_KEPT:
        return me
    return replace(me, at=before.at)


class LocalWaitingQueue:
    """The queue of a single server. With several, the message bus has the same methods."""

    def __init__(self) -> None:
        self._places: dict[str, WaitingPerson] = {}

    async def match_partner(self, me: WaitingPerson) -> QueueMatch:
        """Take a partner from the queue, else join it. An earlier place of the same person is given up."""
        before = self._places.pop(me.person, None)
        me = join_waiting_queue(me, before)
        self._places = {
            person: place
            for person, place in self._places.items()
            if place.left is None or me.at - place.left <= PLACE_KEPT
        }
        partners = (place for place in self._places.values() if place.is_partner_of(me))
        found = min(partners, key=lambda place: place.at, default=None)
        if found is None:
            self._places[me.person] = me
        else:
            del self._places[found.person]
        return QueueMatch(me, found, before if before and before.left is None else None)

    async def return_to_queue(self, one: WaitingPerson) -> None:
        """Put a person back who was matched, unless they have a new place."""
        self._places.setdefault(one.person, one)

    async def leave_queue(self, one: WaitingPerson) -> None:
        """Keep the place for a while without matching it, unless another page has taken it over."""
        place = self._places.get(one.person)
        if place and (place.worker, place.page) == (one.worker, one.page):
            self._places[one.person] = replace(place, left=one.left)

    async def count_waiting(self) -> Mapping[QueueKey, int]:
        return Counter(place.queue_key for place in self._places.values() if place.left is None)
