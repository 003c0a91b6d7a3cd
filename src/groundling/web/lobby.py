"""Find me a partner: people who wait for each other, by game and seat."""

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
    """Nobody is kept here who does not hold their page open."""

    worker: int
    page: int
    at: float
    game: str
    role: Role
    invite: str
    """The hash of what will let them in, so that nobody has to be told a secret."""


class Queue(Protocol):
    async def match(self, me: Waiting) -> Waiting | None:
        """Whoever has waited longest for somebody like me, who waits no more; else I wait too."""

    async def put(self, one: Waiting) -> None: ...

    async def leave(self, one: Waiting) -> None: ...

    async def counts(self) -> Mapping[tuple[str, Role], int]: ...


class OwnQueue:
    """Of a server that is alone."""

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
        """A seat in a room with somebody else; returns when there is one. To cancel it is to go away."""
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
        """Whoever goes away just now must not take somebody with them."""
        matching = asyncio.ensure_future(self._queue.match(me))
        try:
            return await asyncio.shield(matching)
        except asyncio.CancelledError:
            partner = await matching
            await (self._queue.leave(me) if partner is None else self._put_back(me, partner))
            raise

    async def _meet(self, me: Waiting, partner: Waiting) -> None:
        """A room for both. Once it is made it is the partner's too, whoever goes away just now."""
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
        """Unless they have gone meanwhile."""
        if partner.worker != me.worker or partner.page in self._found:
            await self._queue.put(partner)

    def found(self, page: int) -> None:
        """That one has a room now."""
        waiting = self._found.get(page)
        if waiting and not waiting.done():
            waiting.set_result(None)
