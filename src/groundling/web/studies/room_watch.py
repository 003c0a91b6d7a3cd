"""The games of a study that this server runs: who is away from them, and when they are ended."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from groundling.core.values import Role
from groundling.studies.study_events import TaskReleased
from groundling.studies.study_records import TaskState
from groundling.web.live_room import LiveRoom
from groundling.web.studies.task_room_names import TaskRoom

ABSENT_SECONDS = 60.0
"""Seconds after which a game of several people is given up if one of them has not come."""


class RoomWatch:
    def __init__(self, rooms: Mapping[str, LiveRoom], away_seconds: float) -> None:
        self._rooms, self._away_seconds = rooms, away_seconds
        self._away: dict[str, dict[Role, float]] = {}
        """Since when people are away, by room and seat."""

    def note_away(self, rooms: list[str], now: float) -> None:
        """Remember since when people are away; after a restart, since the room was opened again."""
        before, self._away = self._away, {}
        for name in rooms:
            live = self._rooms.get(name)
            if live is not None and live.replay is not None:
                known = before.get(name, {})
                self._away[name] = {role: known.get(role, now) for role in live.away}

    async def check_room(self, room: TaskRoom, ending: tuple[str, Role] | None, now: float) -> None:
        """End a game whose task was ended elsewhere, or to which somebody does not come, or come back, while
        another person waits there."""
        live = self._rooms.get(room.name)
        if live is None or live.over:
            return
        away_since = min(self._away.get(room.name, {}).values(), default=inf)
        if ending is not None:
            await live.end_game(*ending)
        elif not live.present:
            return
        elif live.replay is None and now > room.assigned.at + ABSENT_SECONDS:
            await live.end_game("time")
        elif live.replay is not None and away_since <= now - self._away_seconds:
            await live.end_game("away")


def find_task_ending(task: TaskState) -> tuple[str, Role]:
    """Why the game of a task that was ended elsewhere ends, with the seat of the person who left it."""
    for role, person in task.assigned.seats.items():
        end = task.ends.get(person)
        if isinstance(end, TaskReleased) and end.why in ("left", "reported", "restarted", "excluded"):
            return "left", role
        if isinstance(end, TaskReleased) and end.why == "administrator":
            return "admin", ""
    return "time", ""
