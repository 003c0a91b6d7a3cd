"""Bots take part in a study over HTTP and sockets, also while the server is killed again and again."""

from __future__ import annotations

import asyncio
import os
import signal
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import TypeAlias

import pytest
from tests.web.server_process import Server, worker_pids
from tests.web.study_helpers import read_log, write_study

from groundling.studies.pilot import BotHabits
from groundling.studies.study_checks import read_usable_study
from groundling.studies.study_events import (
    OUTCOMES,
    AmountOwed,
    PersonEnded,
    Returned,
    TaskReleased,
    TaskSubmitted,
)
from groundling.studies.study_state import StudyState
from groundling.web.studies.server_pilot import (
    PilotServer,
    pilot_on_server,
    read_pilot_state,
    run_server_pilot,
    write_fast_study,
)
from groundling.web.studies.study_bots import StudyBot

FAITHFUL = BotHabits(decline=0, leave=0, fall_silent=0, arrive_twice=0, be_careless=0, slip=0)
Kill: TypeAlias = Callable[[PilotServer, Random], None]
SPEED = 40.0
"""Tasks last 15 seconds, waits 7.5."""


def check_outcomes(place: Path | str, state: StudyState, people: int) -> None:
    """Everybody who came has one outcome, is owed each amount once, and no item has too many answers."""
    assert len(state.people) == people
    assert not state.active
    outcomes: dict[str, int] = {}
    keys: set[tuple[str, str]] = set()
    for event in read_log(place):
        if isinstance(event, PersonEnded):
            outcomes[event.person] = outcomes.get(event.person, 0) + 1
            assert event.outcome in OUTCOMES
        elif isinstance(event, Returned):
            outcomes[event.person] -= 1
        elif isinstance(event, AmountOwed):
            assert (event.person, event.key) not in keys
            keys.add((event.person, event.key))
    assert outcomes == dict.fromkeys(state.people, 1)
    for stage in state.stages.values():
        for item in stage.items.values():
            assert item.open == 0
            assert not stage.stage.answers or item.done <= stage.stage.answers


def test_three_people_walk_through_a_study_on_a_server(tmp_path: Path) -> None:
    folder = write_study(tmp_path / "pairs")
    study, place = read_usable_study(folder).study, tmp_path / "pilot.db"
    state = pilot_on_server(folder, study, place, 3, 1, FAITHFUL, 60, lambda done: None)
    check_outcomes(place, state, 3)
    assert {person.outcome for person in state.people.values()} <= {"finished", "no partner"}
    assert sum(item.done for item in state.stages["games"].items.values()) >= 1


def kill_one_worker(server: PilotServer, chance: Random) -> None:
    """The others go on; the server starts another in its place."""
    deadline = monotonic() + 30
    while not (workers := worker_pids(server.process)) and monotonic() < deadline:
        sleep(0.05)  # those killed before are being replaced
    os.kill(chance.choice(workers), signal.SIGKILL)


def kill_everything(server: PilotServer, chance: Random) -> None:
    workers = worker_pids(server.process)
    server.stop(signal.SIGKILL)
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    server.start()


async def take_part_while_killed(
    server: PilotServer, place: Path | str, fast: Path, people: int, kills: Sequence[Kill]
) -> list[StudyBot]:
    study = read_usable_study(fast).study
    habits = BotHabits(leave=0.136, come_back=0.5)
    walking = asyncio.create_task(run_server_pilot(server, study, "pairs", place, people, 3, habits))
    chance, log = Random(7), 0
    for kill in kills:
        while len(events := await asyncio.to_thread(read_log, place)) < log + 15 and not walking.done():
            await asyncio.sleep(0.05)
        assert not walking.done() or walking.result() == [], "everybody has gone before the last kill"
        log = len(events)
        await asyncio.sleep(chance.uniform(0, 0.3))
        await asyncio.to_thread(kill, server, chance)
    bots = await walking
    while read_pilot_state(place, "pairs").stages["games"].missing_answers:  # places that late leavers freed
        assert len(bots) < 2 * people, "people come, and the study does not end"
        bots += await run_server_pilot(server, study, "pairs", place, 4, 3, FAITHFUL, first=len(bots) + 1)
    return bots


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "options", "kills"),
    [
        ("sqlite", (), [kill_everything] * 10),
        ("postgresql", ("--workers", "2"), [kill_one_worker, kill_everything] * 5),
    ],
    indirect=["place"],
    ids=["one-process", "two-workers"],
)
def test_forty_people_of_whom_some_leave_end_in_one_outcome_although_servers_are_killed(
    place: str, options: tuple[str, ...], kills: list[Kill], tmp_path: Path
) -> None:
    folder, fast = write_study(tmp_path / "given", items=8), tmp_path / "pairs"
    write_fast_study(read_usable_study(folder).study, folder, fast, SPEED)
    server = PilotServer(fast, place, *options)
    server.start()
    try:
        bots = asyncio.run(take_part_while_killed(server, place, fast, 40, kills))
    finally:
        server.stop()
    state = read_pilot_state(place, "pairs")
    check_outcomes(place, state, len(bots))
    ends = [event for event in read_log(place) if isinstance(event, TaskSubmitted | TaskReleased)]
    known = {  # an answer after the time limit is not taken, and the page says so
        (event.person, event.task)
        for event in ends
        if isinstance(event, TaskSubmitted) or event.why == "timed out"
    }
    for bot in bots:
        assert known.issuperset((bot.person, task) for task in bot.acknowledged), bot.name
        assert not bot.outcome or state.people[bot.person].outcome == bot.outcome
    assert all(item.done == 2 for item in state.stages["games"].items.values())


@pytest.mark.slow
def test_people_at_several_workers_are_paired(database: str, tmp_path: Path) -> None:
    server = Server(database, "--workers", "2", "--study", str(write_study(tmp_path / "pairs")))
    server.start()
    paths = set()
    try:
        for name in ("ann", "bob"):
            cookie = f"participant=invited:{name}"
            link = urllib.request.Request(
                f"{server.url}/study/pairs?person={name}", headers={"cookie": cookie}
            )
            urllib.request.urlopen(link).close()
            server.post("/study/pairs/act", {"do": "open", "visit": "new"}, cookie)
            page, _ = server.post("/study/pairs/act", {"do": "consent", "agreed": True}, cookie)
            quiz = {"do": "submit", "task": page["task"], "answers": ["yes"]}
            server.post("/study/pairs/act", quiz, cookie)
            server.post("/study/pairs/act", {"do": "start"}, cookie)
        for name in ("ann", "bob"):
            page, seat = server.post("/study/pairs/act", {"do": "wait"}, f"participant=invited:{name}")
            assert seat.startswith("seat=")
            paths.add(page["path"].split("/")[2])
    finally:
        server.kill(signal.SIGTERM)
    assert len(paths) == 1, "they are in one room"
