"""How far people agree who worked on the same items of a study, as their games measure it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from time import monotonic

import msgspec
from msgspec import Struct, field

from groundling.core.pack import GameAgreement, find, load
from groundling.studies.study import GameTask
from groundling.studies.study_state import StudyState
from groundling.web.erasure import UnreadableRoom
from groundling.web.export import read_exported_transcript
from groundling.web.room_manager import RoomManager
from groundling.web.studies.task_room_names import list_task_rooms

READ_SECONDS = 0.3
"""The time for one look at the games. Those that are not read then are read at the next look."""
MOST_GAMES = 20
"""Games on one item that are compared: the first ones."""


class ItemGames(Struct, frozen=True):
    """The games on one item: the game that made it, if a game did, then those of tasks that count."""

    stage: str
    game: str
    rooms: tuple[str, ...]
    people: tuple[tuple[str, ...], ...]
    """Of each game."""


class StageAgreement(Struct, frozen=True):
    stage: str
    items: int
    """Items on which games could be compared."""
    mean: float
    tags: dict[str, int]


class StudyAgreement(Struct, frozen=True):
    stages: list[StageAgreement] = field(default_factory=list)
    people: dict[str, float] = field(default_factory=dict)
    """The mean over the items of a person."""
    unread: int = 0
    """Items whose games have not been read yet."""


def list_item_games(study: str, state: StudyState) -> list[ItemGames]:
    """The items of the study with several games that can be compared."""
    rooms: dict[tuple[str, str, str], dict[str, tuple[str, ...]]] = {}
    for name, task in state.tasks.items():
        stage = state.stages[task.assigned.stage].stage
        if not task.counted or stage.practice or not isinstance(stage.task, GameTask):
            continue
        for room in list_task_rooms(study, state, name):
            found = rooms.setdefault((stage.name, stage.task.game, room.item), {})
            if room.source and room.source_room and state.tasks[room.source.task].counted:
                found.setdefault(room.source_room, tuple(room.source.seats.values()))
            if len(found) < MOST_GAMES:
                found[room.name] = tuple(task.assigned.seats.values())
    return [
        ItemGames(stage, game, tuple(found), tuple(found.values()))
        for (stage, game, _), found in rooms.items()
        if len(found) > 1
    ]


class AgreementReader:
    """Reads the games of a study as they come. Games that have ended do not change, so each item is measured
    once for the games that it has."""

    def __init__(self, room_manager: RoomManager) -> None:
        self._room_manager = room_manager
        self._known: dict[ItemGames, GameAgreement | None] = {}

    async def measure_items(self, items: Sequence[ItemGames]) -> StudyAgreement:
        end = monotonic() + READ_SECONDS
        known, self._known = self._known, {}
        for item in items:
            if item in known:
                self._known[item] = known[item]
            elif monotonic() < end:
                self._known[item] = await self._measure_item(item)
        return summarize_agreement(self._known, len(items) - len(self._known))

    async def _measure_item(self, item: ItemGames) -> GameAgreement | None:
        pack = find(item.game)
        store = self._room_manager.store
        try:
            found = [read_exported_transcript(pack, await store.read_records(room)) for room in item.rooms]
        except (UnreadableRoom, msgspec.MsgspecError):
            return None
        transcripts = [transcript for transcript in found if transcript is not None]
        if len(transcripts) < len(found):  # one of them was erased meanwhile
            return None
        return await asyncio.to_thread(load(pack.agreement), transcripts)


def summarize_agreement(known: Mapping[ItemGames, GameAgreement | None], unread: int) -> StudyAgreement:
    """Means over items: of each stage, and of each person."""
    stages: dict[str, list[float]] = {}
    tags: dict[str, Counter[str]] = {}
    people: dict[str, list[float]] = {}
    for item, found in known.items():
        values = [] if found is None else [value for value in found.games if value is not None]
        if found is None or not values:
            continue
        stages.setdefault(item.stage, []).append(fmean(values))
        tags.setdefault(item.stage, Counter()).update(found.tags)
        for value, seats in zip(found.games, item.people, strict=True):
            if value is not None:
                for person in seats:
                    people.setdefault(person, []).append(value)
    return StudyAgreement(
        [
            StageAgreement(name, len(means), fmean(means), dict(sorted(tags[name].items())))
            for name, means in stages.items()
        ],
        {person: fmean(values) for person, values in people.items()},
        unread,
    )
