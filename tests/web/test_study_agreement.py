"""Agreement in a study: which games are compared, and what follows for stages and people."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from tests.games.hexagons.small import FLOWER, LINE
from tests.games.hexagons.test_hexagons_release import aligned, verified
from tests.studies.study_walk import StudyWalk, make_stage, make_study

from groundling.core.events import encode_event_json
from groundling.studies.researcher_actions import ExcludePerson
from groundling.studies.study import GameTask
from groundling.web.store import RoomRecord
from groundling.web.studies import study_agreement
from groundling.web.studies.study_agreement import AgreementReader, StageAgreement, list_item_games
from groundling.web.studies.task_room_names import list_task_rooms

WRITE = GameTask(game="hexagons", seats={"instructor": "person", "executor": "gold"})
VERIFY = GameTask(game="hexagons", seats={"instructor": "replay", "executor": "person"})
ONE = aligned("one", ("a line", LINE), ("a flower", FLOWER))
GAMES = {"t1": ONE, "t2": verified("v1", ONE, LINE, FLOWER), "t3": verified("v2", ONE, LINE, LINE)}


class Store:
    """The rooms of the tasks t1, t2 and t3."""

    def __init__(self, walk: StudyWalk) -> None:
        self._tasks = {room.name: task for task in GAMES for room in list_task_rooms("s", walk.state, task)}
        self.reads = 0

    async def read_records(self, room: str) -> list[RoomRecord]:
        self.reads += 1
        events = GAMES[self._tasks[room]].events
        return [RoomRecord("event", "", encode_event_json(event)) for event in events]


@pytest.fixture
def walk() -> StudyWalk:
    """Ann has written a procedure, and two others have verified it."""
    stages = [make_stage("write", WRITE), make_stage("verify", VERIFY, "write", answers=2)]
    walk = StudyWalk(make_study(*stages), items=1)
    for person in ("ann", "bob", "eve"):
        walk.enter(person)
        walk.finish(person)
    return walk


def open_reader(walk: StudyWalk) -> tuple[AgreementReader, Store]:
    manager: Any = SimpleNamespace(store=Store(walk))
    return AgreementReader(manager), manager.store


def test_a_procedure_is_compared_with_its_verifications(walk: StudyWalk) -> None:
    reader, store = open_reader(walk)
    items = list_item_games("s", walk.state)
    found = asyncio.run(reader.measure_items(items))
    (stage,) = found.stages
    assert stage == StageAgreement("verify", 1, stage.mean, {"A": 1, "V1": 1})
    assert stage.mean == pytest.approx((1 + 0.855 + 0.9275) / 3)
    assert found.people == pytest.approx({"ann": 0.9275, "bob": 1.0, "eve": 0.855})
    assert asyncio.run(reader.measure_items(items)) == found
    assert store.reads == 3, "what is known is not read again"


def test_people_who_no_longer_count_are_compared_with_nobody(walk: StudyWalk) -> None:
    reader, _ = open_reader(walk)
    walk.decide(ExcludePerson("eve", "no answers"))
    found = asyncio.run(reader.measure_items(list_item_games("s", walk.state)))
    assert set(found.people) == {"ann", "bob"}
    walk.decide(ExcludePerson("ann", "no answers"))
    assert list_item_games("s", walk.state) == []


def test_what_is_not_read_in_time_is_read_later(walk: StudyWalk, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, _ = open_reader(walk)
    items = list_item_games("s", walk.state)
    monkeypatch.setattr(study_agreement, "READ_SECONDS", -1.0)
    first = asyncio.run(reader.measure_items(items))
    assert (first.unread, first.people) == (1, {})
    monkeypatch.undo()
    assert asyncio.run(reader.measure_items(items)).unread == 0
