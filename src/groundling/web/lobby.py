"""Find me a partner: people who wait for each other, by game and seat."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ..core.pack import choices
from ..core.values import Problem, Role
from .hall import Hall, Order
from .store import PERSON


class Waiting(Struct, eq=False):
    game: str
    role: Role
    found: asyncio.Future[dict[str, Any]]


class Lobby:
    """Nobody is kept here who does not hold their page open."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._waiting: list[Waiting] = []

    def counts(self) -> Mapping[tuple[str, Role], int]:
        counts: dict[tuple[str, Role], int] = {}
        for one in self._waiting:
            counts[one.game, one.role] = counts.get((one.game, one.role), 0) + 1
        return counts

    async def find(self, game: str, role: Role) -> dict[str, Any]:
        """A seat in a room with somebody else; returns when there is one. To cancel it is to go away."""
        pack = self._hall.game(game)
        if role not in pack.roles:
            raise Problem(f"{game} has no seat {role!r}: {choices(pack.roles)}")
        me = Waiting(game, role, asyncio.get_running_loop().create_future())
        partner = next((other for other in self._waiting if other.game == game and other.role != role), None)
        if partner is None:
            self._waiting.append(me)
        else:
            self._waiting.remove(partner)
            try:
                links = await self._hall.create(Order(game, {role: PERSON, partner.role: PERSON}))
            except BaseException:
                self._waiting.insert(0, partner)
                raise
            for one in (me, partner):
                if not one.found.done():
                    one.found.set_result({"secret": links[one.role], "role": one.role})
        try:
            return await me.found
        finally:
            if me in self._waiting:
                self._waiting.remove(me)
