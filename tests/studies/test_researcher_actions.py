"""What researchers decide while a study runs. The laws read the log of random histories."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from tests.studies.study_walk import PAIR, QUIZ, StudyWalk, make_stage, make_study, random_history

from groundling.core.values import Problem
from groundling.studies.assignment import TaskAssignment
from groundling.studies.researcher_actions import (
    AddPlaces,
    ExcludePerson,
    PauseRecruiting,
    QualifyPerson,
    RefusePerson,
    ReleasePerson,
    ResearcherAction,
    ResumeRecruiting,
    SendMessage,
)
from groundling.studies.study import StudyGroup, StudyRecruiting, StudyStage
from groundling.studies.study_events import (
    Arrived,
    MessageSent,
    PersonEnded,
    PersonErased,
    PlacesAdded,
    RecruitingPaused,
    RecruitingResumed,
    Returned,
    StudyChanged,
    TaskAssigned,
    TaskReleased,
)
from groundling.studies.study_tables import study_event_rows

seeds = st.integers(0, 2**32)


def limited_walk(places: int | None = 1, **values: Any) -> StudyWalk:
    return StudyWalk(make_study(make_stage("work"), recruiting=StudyRecruiting(places=places, **values)))


def group_walk() -> StudyWalk:
    """One person has done the stage about which an administrator decides."""
    stage = StudyStage(name="into", task=QUIZ, pass_mark=0.5)
    disjoint = StudyGroup(stage="into", by="administrator", disjoint=("red",))
    groups = {"red": StudyGroup(stage="into", by="administrator", most=1), "blue": disjoint}
    walk = StudyWalk(make_study(stage, make_stage("work", group="red"), groups=groups))
    walk.enter("a")
    walk.finish("a")
    return walk


@given(seeds)
def test_nobody_is_excluded_twice(seed: int) -> None:
    events = random_history(seed).events
    excluded = [e.person for e in events if isinstance(e, PersonEnded) and e.outcome == "excluded"]
    assert len(excluded) == len(set(excluded))


@given(seeds)
def test_while_recruiting_is_paused_nobody_new_takes_part(seed: int) -> None:
    events, paused = random_history(seed).events, False
    for event, after in zip(events, [*events[1:], None], strict=True):
        if isinstance(event, RecruitingPaused | RecruitingResumed):
            assert paused is isinstance(event, RecruitingResumed), "each one changes something"
            paused = isinstance(event, RecruitingPaused)
        elif paused and isinstance(event, Arrived):
            assert isinstance(after, PersonEnded)
            assert (after.person, after.outcome) == (event.person, "study full")


@given(seeds)
def test_places_only_grow(seed: int) -> None:
    walk = random_history(seed)
    first, added = walk.state.study.recruiting.places, [e for e in walk.events if isinstance(e, PlacesAdded)]
    assert all(event.number >= 1 for event in added)
    total = None if first is None else first + sum(event.number for event in added)
    assert walk.state.places == total
    assert first is not None or not added


@given(seeds)
def test_who_is_released_has_no_outcome_from_it_and_never_gets_the_item_again(seed: int) -> None:
    events = random_history(seed).events
    tasks = {event.task: event for event in events if isinstance(event, TaskAssigned)}
    released: dict[tuple[str, str], set[str]] = {}
    for number, event in enumerate(events):
        if isinstance(event, TaskReleased) and event.why == "administrator":
            task = tasks[event.task]
            released.setdefault((event.person, task.stage), set()).update(task.items)
            for after in events[number + 1 :]:
                if after.at > event.at or not isinstance(after, TaskReleased):
                    break
                assert after.why == "partner left"
        elif isinstance(event, TaskAssigned):
            for person in event.seats.values():
                assert not released.get((person, event.stage), set()).intersection(event.items)


@given(seeds)
def test_a_message_reaches_all_who_take_part_and_nobody_else(seed: int) -> None:
    walk = random_history(seed)
    active, expected = set[str](), dict[str, list[tuple[float, str]]]()
    for event in walk.events:
        if isinstance(event, Arrived | Returned):
            active.add(event.person)
            expected.setdefault(event.person, [])
        elif isinstance(event, PersonEnded):
            active.discard(event.person)
        elif isinstance(event, PersonErased):
            expected[event.person] = []
        elif isinstance(event, MessageSent):
            for person in active if event.person is None else {event.person}:
                expected[person].append((event.at, event.text))
    assert {name: person.messages for name, person in walk.state.people.items()} == expected
    assert len(list(study_event_rows(walk.state, walk.events))) <= len(walk.events)


def test_a_released_task_is_given_to_the_next_person_and_costs_no_attempt() -> None:
    walk = StudyWalk(make_study(make_stage("work")), items=1)
    first = walk.enter("a")
    assert walk.decide(ReleasePerson("a")) == "a is released from task t1, and gets the next task"
    assert walk.state.people["a"].used == {"work": 0}
    second = walk.enter("b")
    assert isinstance(first, TaskAssignment)
    assert isinstance(second, TaskAssignment)
    assert second.assigned.items == first.assigned.items


def test_the_partner_of_a_released_person_is_paid_by_rule_and_both_get_the_next_task() -> None:
    walk = StudyWalk(make_study(make_stage("work", PAIR, most=3)))
    walk.enter("a")
    walk.enter("b")
    walk.decide(ReleasePerson("a"))
    assert walk.state.people["b"].owed == {"task t1": 50}
    assert {walk.state.people[name].outcome for name in "ab"} == {None}
    walk.enter("c")
    walk.step("a")
    assert set(walk.state.tasks["t2"].assigned.seats.values()) == {"a", "c"}


def test_a_released_wait_is_paid_and_not_taken_up_again() -> None:
    walk = StudyWalk(make_study(make_stage("work", PAIR)))
    walk.enter("a")
    walk.now = 120.0
    walk.decide(ReleasePerson("a"))
    assert walk.state.people["a"].owed == {"wait work 0": 20}
    walk.step("a")
    assert walk.state.people["a"].outcome == "no partner"


def test_an_excluded_persons_places_are_given_again() -> None:
    walk = StudyWalk(make_study(make_stage("work")), items=1)
    walk.enter("a")
    walk.finish("a")
    walk.enter("b")
    assert walk.state.people["b"].outcome == "study full"
    walk.decide(ExcludePerson("a", "copied texts"))
    assert walk.state.people["a"].reason == "copied texts"
    assert isinstance(walk.enter("c"), TaskAssignment)


def test_recruiting_is_paused_and_resumed_and_restarts_with_the_same_file_change_nothing() -> None:
    walk = limited_walk(places=9)
    walk.decide(PauseRecruiting())
    walk.record([StudyChanged(at=1.0, study=structs.replace(walk.state.study, title="x"), digests={})])
    walk.enter("a")
    assert walk.state.people["a"].reason == "the study is paused"
    walk.decide(ResumeRecruiting())
    assert isinstance(walk.enter("b"), TaskAssignment)
    walk.decide(PauseRecruiting())
    for paused in (True, False):  # an edit of the file counts
        file = structs.replace(walk.state.study, recruiting=StudyRecruiting(places=9, paused=paused))
        walk.record([StudyChanged(at=2.0, study=file, digests={})])
        assert walk.state.paused is paused


def test_added_places_are_taken_and_a_larger_number_in_the_file_comes_on_top() -> None:
    walk = limited_walk(places=1)
    walk.enter("a")
    walk.enter("b")
    assert walk.state.people["b"].outcome == "study full"
    assert walk.decide(AddPlaces(1)) == "2 people may take part, 1 do or did"
    assert isinstance(walk.enter("c"), TaskAssignment)
    file = structs.replace(walk.state.study, recruiting=StudyRecruiting(places=2))
    walk.record([StudyChanged(at=2.0, study=file, digests={})])
    assert walk.state.places == 3


def test_an_administrator_decides_once_about_a_group() -> None:
    walk = group_walk()
    assert walk.decide(QualifyPerson("a", "red")) == "a is now in the group red"
    assert "already" in walk.decide(QualifyPerson("a", "red"))
    assert "which shares nobody with it" in walk.decide(QualifyPerson("a", "blue"))
    walk.enter("b")
    walk.finish("b")
    assert walk.decide(QualifyPerson("b", "red")) == "b cannot enter red: it is full"
    walk.decide(RefusePerson("b", "blue"))
    assert "decided that they are not" in walk.decide(QualifyPerson("b", "blue"))


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (ResumeRecruiting(), "not paused already"),
        (AddPlaces(0), "give a number from 1 to 100,000"),
        (SendMessage(" "), "there is no message: write one"),
        (SendMessage("x" * 1001), "at most 1,000 characters"),
        (SendMessage("x", "nobody"), "there is no person 'nobody'"),
        (SendMessage("x"), "no person is taking part"),
        (ExcludePerson("a", ""), "there is no reason: write one"),
        (ReleasePerson("a"), "nothing to release"),
        (QualifyPerson("a", "red"), "there is no group 'red': the study has no groups"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(action: ResearcherAction, why: str) -> None:
    walk = limited_walk(places=5)
    walk.enter("a")
    walk.finish("a")
    walk.step("a")
    before = list(walk.events)
    with pytest.raises(Problem, match=why) as told:
        action.take(walk.state, walk.now)
    assert "\n" not in str(told.value)
    assert walk.events == before


def test_places_cannot_be_added_where_there_is_no_limit() -> None:
    assert limited_walk(places=None).decide(AddPlaces(1)).startswith("the study has no limit of places")
