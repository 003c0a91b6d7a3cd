"""The lobby, which pairs people who wait for a partner, by game, settings and seat."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Mapping
from itertools import count
from statistics import median
from time import time
from typing import Any

import msgspec
from msgspec.structs import replace

from groundling.core.pack import choices_hint
from groundling.core.values import Problem, Role
from groundling.web.cluster.remote_seats import PartnerFound
from groundling.web.room_manager import RoomManager
from groundling.web.screen import live_settings_key
from groundling.web.server_settings import RoomRequest
from groundling.web.store import PERSON, hash_store_secret, new_store_secret
from groundling.web.waiting_queue import LocalWaitingQueue, QueueKey, QueueMatch, WaitingPerson

MOST_WAITS = 20
"""Waits that an expectation is taken from: the last ones."""
LEAST_WAITS = 3
"""With fewer waits there is no expectation."""


class ExpectedWaits:
    """The waits in each queue that ended with a partner at this server."""

    def __init__(self) -> None:
        self._waits: defaultdict[QueueKey, deque[float]] = defaultdict(lambda: deque(maxlen=MOST_WAITS))

    def add_wait(self, key: QueueKey, seconds: float) -> None:
        self._waits[key].append(max(0.0, seconds))

    def expected_seconds(self, key: QueueKey) -> float | None:
        """The median wait of the last people; None where too few have come."""
        waits = self._waits.get(key, ())
        return median(waits) if len(waits) >= LEAST_WAITS else None


class WaitsElsewhere(Exception):  # noqa: N818
    """The same person waits on another page now."""


class Lobby:
    def __init__(self, room_manager: RoomManager) -> None:
        self._room_manager = room_manager
        self._queue = LocalWaitingQueue() if room_manager.cluster is None else room_manager.cluster.bus
        self._numbers = count()
        self._waiting: dict[int, asyncio.Future[None]] = {}
        self._waits = ExpectedWaits()
        if room_manager.cluster is not None:
            room_manager.cluster.on_partner_found = self._end_wait

    async def count_waiting(self) -> Mapping[QueueKey, int]:
        return await self._queue.count_waiting()

    def expected_wait(self, game: str, role: Role, settings: Mapping[str, Any] = {}) -> float | None:
        """Seconds that a person in this seat is likely to wait; None where too few have waited."""
        return self._waits.expected_seconds(QueueKey(game, role, self._settings_key(game, role, settings)))

    async def find_partner(
        self, game: str, role: Role, settings: Mapping[str, Any] = {}, cookie: str = ""
    ) -> dict[str, Any]:
        """Wait for a partner and return the seat in a new room. Cancel it to leave the queue. Raises
        WaitsElsewhere when another page of the same person, known by a cookie, takes the place over."""
        secret = new_store_secret()
        me = WaitingPerson(
            person=hash_store_secret(cookie or new_store_secret()),
            worker=self._room_manager.cluster.bus.me if self._room_manager.cluster else 0,
            page=next(self._numbers),
            at=time(),
            game=game,
            settings=self._settings_key(game, role, settings),
            role=role,
            invite=hash_store_secret(secret),
        )
        matched = self._waiting[me.page] = asyncio.get_running_loop().create_future()
        try:
            found = await self._match_shielded(me)
            if found.replaced:
                self._notify(found.replaced, taken=True)
            if found.partner is None:
                await matched
            else:
                await self._open_shared_room(me, found.partner)
        finally:
            del self._waiting[me.page]
            if matched.cancelled():
                await self._leave_queue(me)
        return {"secret": secret, "role": role}

    def _settings_key(self, game: str, role: Role, settings: Mapping[str, Any]) -> str:
        """Check what is asked for, and return what must be the same for two people to meet."""
        pack = self._room_manager.find_game(game)
        wanted = self._room_manager.make_game(pack, settings)
        roles = self._room_manager.people_seats(pack, wanted)
        if role not in roles:
            raise Problem(f"{game} has no seat {role!r} with these settings: {choices_hint(roles)}")
        if len(roles) < 2:
            raise Problem(f"{game} has one seat for people with these settings: open a room instead")
        return live_settings_key(pack, wanted)

    async def _match_shielded(self, me: WaitingPerson) -> QueueMatch:
        """Match; a person who leaves meanwhile puts the partner back."""
        matching = asyncio.ensure_future(self._queue.match_partner(me))
        try:
            return await asyncio.shield(matching)
        except asyncio.CancelledError:
            partner = (await matching).partner
            await (self._leave_queue(me) if partner is None else self._put_back(me, partner))
            raise

    async def _leave_queue(self, me: WaitingPerson) -> None:
        await self._queue.leave_queue(replace(me, left=time()))

    async def _open_shared_room(self, me: WaitingPerson, partner: WaitingPerson) -> None:
        """Create a room for both. The partner gets it even if the other person leaves meanwhile."""
        settings = msgspec.json.decode(me.settings) if me.settings else {}
        order = RoomRequest(me.game, {me.role: PERSON, partner.role: PERSON}, settings=settings)
        making = asyncio.ensure_future(
            self._room_manager.create_room(order, {one.role: one.invite for one in (me, partner)})
        )
        try:
            await asyncio.shield(making)
        finally:
            await asyncio.wait((making,))
            if making.exception() is not None:
                await self._put_back(me, partner)
            else:
                self._waits.add_wait(partner.queue_key, time() - partner.at)
                self._notify(partner)

    def _notify(self, one: WaitingPerson, *, taken: bool = False) -> None:
        """Tell the page of a person, at any worker, that a partner was found, or the place taken over."""
        cluster = self._room_manager.cluster
        if cluster is None or one.worker == cluster.bus.me:
            self._end_wait(one.page, taken)
        else:
            cluster.send_message(one.worker, PartnerFound(one.page, taken))

    async def _put_back(self, me: WaitingPerson, partner: WaitingPerson) -> None:
        """Return the partner to the queue, unless they have left."""
        if partner.worker != me.worker or partner.page in self._waiting:
            await self._queue.return_to_queue(partner)

    def _end_wait(self, page: int, taken: bool) -> None:
        waiting = self._waiting.get(page)
        if waiting and not waiting.done():
            if taken:
                waiting.set_exception(WaitsElsewhere())
            else:
                waiting.set_result(None)
