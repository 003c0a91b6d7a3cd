"""Cluster-wide rooms: list and end the rooms of all servers that share a database, from any of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from groundling.web.far import Asked, Elsewhere, NoAnswer, Question
from groundling.web.hall import Hall
from groundling.web.overview import Overview, overview_of
from groundling.web.rooms import Room

SOON = 2.0
"""Seconds to wait for the answers of all servers."""
MOVED = 3
"""How often a room may change servers while it is looked for."""


class Everywhere:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self.on_guessed: Callable[[str], None] = lambda address: None
        if hall.far:
            hall.far.on_asked = self._answer

    async def open_rooms(self) -> dict[str, Overview]:
        """The rooms that some server runs now, without those of servers that do not answer."""
        found = self._open_here()
        for told in await self._ask_all("rooms"):
            found |= {room.id: room for room in msgspec.convert(told, list[Overview])}
        return found

    async def guessed(self, address: str) -> None:
        """Count a wrong admin token at every server, so that changing servers gives no new attempts."""
        await self._ask_all("guessed", address)

    async def _ask_all(self, what: Question, about: str = "") -> list[Any]:
        """The answers of all other servers that give one."""
        if (far := self._hall.far) is None:
            return []
        others = (await far.post.register()).servers - {far.post.me}
        answers = await asyncio.gather(
            *(far.ask(other, what, about, SOON) for other in others), return_exceptions=True
        )
        for each in answers:
            if isinstance(each, BaseException) and not isinstance(each, NoAnswer):
                raise each
        return [each for each in answers if not isinstance(each, BaseException)]

    def _open_here(self) -> dict[str, Overview]:
        return {name: overview_of(room) for name, room in self._hall.rooms.items()}

    async def end(self, name: str) -> str | None:
        """End the game in a room of any server. Returns why that is impossible, "" where it was done, None
        where there is no such room."""
        for _ in range(MOVED):
            try:
                room = await self._hall.room(name)
            except Elsewhere as where:
                assert self._hall.far is not None
                answer = await self._hall.far.ask(where.server, "end", name)
                if answer is not None:
                    return str(answer)
            else:
                return await _end(room) if room else None
        raise NoAnswer

    async def _answer(self, asked: Asked) -> Any:
        """Answer a request of another server."""
        if asked.what == "rooms":
            return list(self._open_here().values())
        if asked.what == "guessed":
            return self.on_guessed(asked.about)
        room = self._hall.rooms.get(asked.about)
        return await _end(room) if room else None  # None: the room is no longer here


async def _end(room: Room) -> str:
    if room.over or not room.events:
        return "this game is over already" if room.over else "this game has not begun"
    await room.end("admin")
    return ""
