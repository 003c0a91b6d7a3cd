"""Cluster-wide rooms: list and end the rooms of all servers that share a database, from any of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from groundling.web.cluster.remote_seats import ClusterRequest, NoAnswer, Question, RoomElsewhere
from groundling.web.live_room import LiveRoom
from groundling.web.room_manager import RoomManager
from groundling.web.room_overview import RoomOverview, open_room_overview

SOON = 2.0
"""Seconds to wait for the answers of all servers."""
MAX_ATTEMPTS = 3
"""How often a room may change servers while it is looked for."""


class ClusterRooms:
    def __init__(self, room_manager: RoomManager) -> None:
        self._room_manager = room_manager
        self.on_failed_login: Callable[[str], None] = lambda address: None
        if room_manager.cluster:
            room_manager.cluster.on_request = self._answer_request

    async def open_rooms(self) -> dict[str, RoomOverview]:
        """The rooms that some server runs now, without those of servers that do not answer."""
        rooms = self._local_rooms()
        for answer in await self._ask_all("rooms"):
            rooms |= {room.id: room for room in msgspec.convert(answer, list[RoomOverview])}
        return rooms

    async def report_failed_login(self, address: str) -> None:
        """Count a wrong admin token at every server, so that changing servers gives no new attempts."""
        await self._ask_all("guessed", address)

    async def _ask_all(self, what: Question, about: str = "") -> list[Any]:
        """The answers of all other servers that give one."""
        if (cluster := self._room_manager.cluster) is None:
            return []
        others = (await cluster.bus.read_register()).servers - {cluster.bus.me}
        answers = await asyncio.gather(
            *(cluster.ask_server(other, what, about, SOON) for other in others), return_exceptions=True
        )
        for each in answers:
            if isinstance(each, BaseException) and not isinstance(each, NoAnswer):
                raise each
        return [each for each in answers if not isinstance(each, BaseException)]

    def _local_rooms(self) -> dict[str, RoomOverview]:
        return {name: open_room_overview(room) for name, room in self._room_manager.rooms.items()}

    async def end_room(self, name: str) -> str | None:
        """End the game in a room of any server; a room whose game has not begun is closed. Returns why that
        is impossible, "" where it was done, None where there is no such room."""
        for _ in range(MAX_ATTEMPTS):
            try:
                room = await self._room_manager.open_room(name)
            except RoomElsewhere as where:
                assert self._room_manager.cluster is not None
                answer = await self._room_manager.cluster.ask_server(where.server, "end", name)
                if answer is not None:
                    return str(answer)
            else:
                return await _end_local_room(room) if room else None
        raise NoAnswer

    async def _answer_request(self, asked: ClusterRequest) -> Any:
        """Answer a request of another server."""
        if asked.what == "rooms":
            return list(self._local_rooms().values())
        if asked.what == "guessed":
            return self.on_failed_login(asked.about)
        room = self._room_manager.rooms.get(asked.about)
        return await _end_local_room(room) if room else None  # None: the room is no longer here


async def _end_local_room(room: LiveRoom) -> str:
    if room.over:
        return "this game is over already"
    await room.end_game("admin")
    return ""
