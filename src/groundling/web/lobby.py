"""The lobby, which pairs people who wait for a partner, by game and seat."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import count
from time import time
from typing import Any, Protocol

from msgspec import Struct

from groundling.core.pack import choices
from groundling.core.values import Problem, Role
from groundling.web.hall import Hall, Order
from groundling.web.store import PERSON, hashed, new_secret


class Waiting(Struct, frozen=True):
    """A person in the queue, for as long as their page is open."""

    worker: int
    page: int
    at: float
    game: str
    role: Role
    invite: str
    """The hash of their invitation, so that no secret is passed on."""


class Queue(Protocol):
    async def match(self, me: Waiting) -> Waiting | None:
        """Remove and return the person who has waited longest for such a partner, else join the queue."""

    async def put(self, one: Waiting) -> None: ...

    async def leave(self, one: Waiting) -> None: ...

    async def counts(self) -> Mapping[tuple[str, Role], int]: ...


class OwnQueue:
    """The queue of a single server."""

    def __init__(self) -> None:
        self._waiting: list[Waiting] = []

    async def match(self, me: Waiting) -> Waiting | None:
        found = next(
            (other for other in self._waiting if other.game == me.game and other.role != me.role), None
        )
        if found is None:
            self._waiting.append(me)
        else:
            self._waiting.remove(found)
        return found

    async def put(self, one: Waiting) -> None:
        self._waiting.insert(0, one)

    async def leave(self, one: Waiting) -> None:
        if one in self._waiting:
            self._waiting.remove(one)

    async def counts(self) -> Mapping[tuple[str, Role], int]:
        counts: dict[tuple[str, Role], int] = {}
        for one in self._waiting:
            counts[one.game, one.role] = counts.get((one.game, one.role), 0) + 1
        return counts


class Lobby:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._queue: Queue = OwnQueue() if hall.far is None else hall.far.post
        self._numbers = count()
        self._found: dict[int, asyncio.Future[None]] = {}
        if hall.far is not None:
            hall.far.on_found = self.found

    async def counts(self) -> Mapping[tuple[str, Role], int]:
        return await self._queue.counts()

    async def find(self, game: str, role: Role) -> dict[str, Any]:
        """Wait for a partner and return the seat in a new room. Cancel it to leave the queue."""
        pack = self._hall.game(game)
        if role not in pack.roles:
            raise Problem(f"{game} has no seat {role!r}: {choices(pack.roles)}")
        secret = new_secret()
        worker = self._hall.far.post.me if self._hall.far else 0
        me = Waiting(worker, next(self._numbers), time(), game, role, hashed(secret))
        found = self._found[me.page] = asyncio.get_running_loop().create_future()
        try:
            partner = await self._match(me)
            if partner is None:
                await found
            else:
                await self._meet(me, partner)
        finally:
            del self._found[me.page]
            if found.cancelled():
                await self._queue.leave(me)
        return {"secret": secret, "role": role}

    async def _match(self, me: Waiting) -> Waiting | None:
        """Match; a person who leaves meanwhile puts the partner back."""
        matching = asyncio.ensure_future(self._queue.match(me))
        try:
            return await asyncio.shield(matching)
        except asyncio.CancelledError:
            partner = await matching
            await (self._queue.leave(me) if partner is None else self._put_back(me, partner))
            raise

    async def _meet(self, me: Waiting, partner: Waiting) -> None:
        """Create a room for both. The partner gets it even if the other person leaves meanwhile."""
        order = Order(me.game, {me.role: PERSON, partner.role: PERSON})
        making = asyncio.ensure_future(
            self._hall.create(order, {one.role: one.invite for one in (me, partner)})
        )
        try:
            await asyncio.shield(making)
        finally:
            await asyncio.wait((making,))
            if making.exception() is not None:
                await self._put_back(me, partner)
            elif partner.worker == me.worker:
                self.found(partner.page)
            elif self._hall.far:
                self._hall.far.tell_found(partner.worker, partner.page)

    async def _put_back(self, me: Waiting, partner: Waiting) -> None:
        """Return the partner to the queue, unless they have left."""
        if partner.worker != me.worker or partner.page in self._found:
            await self._queue.put(partner)

    def found(self, page: int) -> None:
        waiting = self._found.get(page)
        if waiting and not waiting.done():
            waiting.set_result(None)
