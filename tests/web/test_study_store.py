"""The log of a study in a database: one decision at a time, whatever the number of workers."""

from __future__ import annotations

import asyncio
import multiprocessing
import multiprocessing.dummy
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.studies.study_walk import make_stage, make_study, start_study
from tests.web.study_helpers import read_log

from groundling.core.values import Problem
from groundling.studies.assignment import TaskAssignment, TaskDecision, assign_task
from groundling.studies.study_decisions import StudyEvents, arrive_person, leave_study, record_decision
from groundling.studies.study_events import AnyStudyEvent, Arrived, Consented, TaskAssigned
from groundling.studies.study_state import StudyState
from groundling.web.sqlite_store import SqliteArchive, SqliteStore
from groundling.web.study_store import StudyLog, open_study_log


def one_place(rounds: int) -> list[AnyStudyEvent]:
    """A study with one place, and two people a round who are ready for it."""
    people = [f"{worker}{number}" for number in range(rounds) for worker in "ab"]
    ready: list[AnyStudyEvent] = [start_study(make_study(make_stage("work")), items=1)]
    for person in people:
        ready += [Arrived(at=0.0, person=person), Consented(at=0.0, person=person, consent="")]
    return ready


def ask_for_task(log: StudyLog, person: str) -> TaskDecision:
    def decide(state: StudyState) -> tuple[StudyEvents, TaskDecision]:
        decision = assign_task(state, person, 0.0)
        return record_decision(state, person, decision, 0.0), decision

    return log.decide_events(decide)


def give_up(person: str, state: StudyState) -> tuple[StudyEvents, None]:
    return leave_study(state, person, 0.0), None


def compete(place: str, rounds: int, context: Any) -> list[int]:
    """Two workers, which are threads or processes, ask for the last place at the same time; the winner leaves
    before the next round. Returns how many won each round, by their own account and by the log's."""
    with open_study_log(place, "s") as log:
        log.begin_log(one_place(rounds))
    barrier, told = context.Barrier(2), context.Queue()
    workers = [
        context.Process(target=ask_each_round, args=(place, name, rounds, barrier, told)) for name in "ab"
    ]
    for worker in workers:
        worker.start()
    won = Counter(number for _ in workers for number in told.get(timeout=600))
    for worker in workers:
        worker.join()
    assigned = Counter(
        int(person[1:])
        for event in read_log(place, "s")
        if isinstance(event, TaskAssigned)
        for person in event.seats.values()
    )
    assert won == assigned
    return [won[number] for number in range(rounds)]


def ask_each_round(place: str, name: str, rounds: int, barrier: Any, told: Any) -> None:
    """The work of one worker. Tells in which rounds it has won."""
    won = []
    with open_study_log(place, "s") as log:
        for number in range(rounds):
            person = f"{name}{number}"
            barrier.wait(60)
            has_place = isinstance(ask_for_task(log, person), TaskAssignment)
            barrier.wait(60)
            if has_place:
                won.append(number)
                log.decide_events(partial(give_up, person))
    told.put(won)


def test_two_workers_never_give_the_last_place_twice(place: str) -> None:
    assert compete(place, 40, multiprocessing.dummy) == [1] * 40


@pytest.mark.slow
def test_two_processes_never_give_the_last_place_twice_in_a_thousand_rounds(place: str) -> None:
    assert compete(place, 1000, multiprocessing.get_context("spawn")) == [1] * 1000


def test_what_one_worker_decides_the_other_knows(place: str) -> None:
    with open_study_log(place, "s") as one, open_study_log(place, "s") as other:
        one.begin_log(one_place(1))
        assert isinstance(ask_for_task(one, "a0"), TaskAssignment)
        assert not isinstance(ask_for_task(other, "b0"), TaskAssignment)
        assert one.read_state().people == other.read_state().people


def test_a_decision_that_fails_leaves_nothing(place: str) -> None:
    with open_study_log(place, "s") as log:
        log.begin_log(one_place(1))
        before = log.read_events()

        def decide(state: StudyState) -> tuple[StudyEvents, None]:
            state.take_event(Arrived(at=0.0, person="c"))
            raise RuntimeError("a bug")

        with pytest.raises(RuntimeError, match="a bug"):
            log.decide_events(decide)
        assert log.read_events() == before
        assert "c" not in log.read_state().people


def test_what_was_decided_is_there_after_a_restart(place: str) -> None:
    with open_study_log(place, "s") as log:
        log.begin_log(one_place(1))
        ask_for_task(log, "a0")
    with open_study_log(place, "s") as log:
        assert isinstance(log.read_events()[-1], TaskAssigned)
        assert (
            log.decide_events(lambda state: (arrive_person(state, "a0", 0.0), state.people["a0"].task))
            == "t1"
        )


def test_several_studies_share_a_database(place: str) -> None:
    with open_study_log(place, "s") as one, open_study_log(place, "t") as other:
        one.begin_log(one_place(1))
        with pytest.raises(Problem, match="has not started"):
            other.read_state()
        with pytest.raises(Problem, match="is in the database already"):
            one.begin_log(one_place(1))


def test_the_id_of_a_recruiting_service_leads_to_one_code_and_is_in_no_event(place: str) -> None:
    with open_study_log(place, "s") as log:
        log.begin_log(one_place(1))
        person = log.find_person("prolific", "secret-id")
        assert log.find_person("prolific", "secret-id") == person
        assert log.find_person("prolific", "other-id") != person
        log.decide_events(lambda state: (arrive_person(state, person, 0.0), None))
        assert "secret-id" not in repr(log.read_events())


def test_a_study_shares_the_file_of_a_server(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "groundling.db")
    with open_study_log(str(tmp_path / "groundling.db"), "s") as log:
        log.begin_log(one_place(1))
        assert isinstance(ask_for_task(log, "a0"), TaskAssignment)
    asyncio.run(store.close())
    assert list(SqliteArchive(tmp_path / "groundling.db").read_rooms()) == []
