"""The queue of people who wait for a partner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from groundling.core.values import Role


class QueueKey(Struct, frozen=True):
    """What people wait for: they meet where game and settings are the same and the seats differ."""

    game: str
    role: Role
    settings: str = ""
    """The settings that differ from the default, as JSON with sorted names."""


class WaitingPerson(Struct, frozen=True):
    """A person in the queue, for as long as their page is open."""

    worker: int
    page: int
    at: float
    game: str
    """The name of the game, followed by the settings of the queue."""
    role: Role
    invite: str
    """The hash of their invitation, so that no secret is passed on."""


class WaitingQueue(Protocol):
    async def match_partner(self, me: WaitingPerson) -> WaitingPerson | None:
        """Remove and return the person who has waited longest for such a partner, else join the queue."""

    async def return_to_queue(self, one: WaitingPerson) -> None: ...

    async def leave_queue(self, one: WaitingPerson) -> None: ...

    async def count_waiting(self) -> Mapping[tuple[str, Role], int]: ...


class LocalWaitingQueue:
    """The queue of a single server."""

    def __init__(self) -> None:
        self._waiting: list[WaitingPerson] = []

    async def match_partner(self, me: WaitingPerson) -> WaitingPerson | None:
        found = next(
            (other for other in self._waiting if other.game == me.game and other.role != me.role), None
        )
        if found is None:
            self._waiting.append(me)
        else:
            self._waiting.remove(found)
        return found

    async def return_to_queue(self, one: WaitingPerson) -> None:
        self._waiting.insert(0, one)

    async def leave_queue(self, one: WaitingPerson) -> None:
        if one in self._waiting:
            self._waiting.remove(one)

    async def count_waiting(self) -> Mapping[tuple[str, Role], int]:
        counts: dict[tuple[str, Role], int] = {}
        for one in self._waiting:
            counts[one.game, one.role] = counts.get((one.game, one.role), 0) + 1
        return counts
