"""Rooms of all servers that share a database, for whoever runs them: it does not matter which one is
asked."""

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
"""Seconds that all servers are waited for."""
MOVED = 3
"""A room may change servers so often while it is looked for."""


class Everywhere:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self.on_guessed: Callable[[str], None] = lambda address: None
        if hall.far:
            hall.far.on_asked = self._answer

    async def open_rooms(self) -> dict[str, Overview]:
        """Those that some server runs at the moment. Of a server that gives no answer the store has to
        tell."""
        found = self._open_here()
        for told in await self._ask_all("rooms"):
            found |= {room.id: room for room in msgspec.convert(told, list[Overview])}
        return found

    async def guessed(self, address: str) -> None:
        """Somebody brought a wrong token here, and must not have their tries again at every server."""
        await self._ask_all("guessed", address)

    async def _ask_all(self, what: Question, about: str = "") -> list[Any]:
        """All others, as far as they answer."""
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
        """For everybody in that room, wherever it is; why not, where it cannot be. None: there is no such
        room."""
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
        """What another server is asked for."""
        if asked.what == "rooms":
            return list(self._open_here().values())
        if asked.what == "guessed":
            return self.on_guessed(asked.about)
        room = self._hall.rooms.get(asked.about)
        return await _end(room) if room else None  # None: it is not here any more


async def _end(room: Room) -> str:
    if room.over or not room.events:
        return "this game is over already" if room.over else "this game has not begun"
    await room.end("admin")
    return ""
