"""Logs of earlier versions, and the tables that are made of logs."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import msgspec
import pytest
from tests.studies.study_walk import make_stage, make_study, start_study

from groundling.core.values import Problem
from groundling.studies.study import DrawTask, FormQuestion, QuestionnaireTask, StudyStage
from groundling.studies.study_decisions import erase_person
from groundling.studies.study_events import (
    AnyStudyEvent,
    Arrived,
    PersonErased,
    TaskAssigned,
    TaskSubmitted,
    decode_study_event,
)
from groundling.studies.study_state import StudyState, fold_study
from groundling.studies.study_tables import (
    StoredAnswer,
    answer_rows,
    assignment_rows,
    participant_rows,
    study_event_rows,
)

OLD_LOG = Path(__file__).parents[1] / "data" / "study-log-schema-1.jsonl"
OUTCOMES = {
    "a": "timed out",
    "b": "timed out",
    "c": "screened out",
    "d": "declined",
    "e": "left",
    "f": "left",
}
OWED = {"a": 174, "b": 167, "c": 20, "d": 0, "e": 5, "f": 50}


def read_old_log() -> tuple[StudyState, list[AnyStudyEvent]]:
    events = [decode_study_event(line) for line in OLD_LOG.read_bytes().splitlines()]
    return fold_study(events), events


def test_a_log_of_schema_1_gives_the_same_state() -> None:
    state, events = read_old_log()
    assert {type(event) for event in events} == set(get_args(AnyStudyEvent))
    assert {name: person.outcome for name, person in state.people.items()} == OUTCOMES
    assert {name: sum(person.owed.values()) for name, person in state.people.items()} == OWED
    assert all(set(person.owed) == person.paid for person in state.people.values())


def test_a_log_of_a_newer_version_is_refused() -> None:
    first = msgspec.json.decode(OLD_LOG.read_bytes().splitlines()[0])
    newer = msgspec.json.encode({**first, "schema": 2, "type": "begun"})
    with pytest.raises(Problem, match="was written by a newer groundling: upgrade groundling"):
        decode_study_event(newer)
    with pytest.raises(Problem, match="has an event that cannot be read"):
        decode_study_event(b'{"type":"begun","at":0}')


def test_a_log_that_starts_twice_or_not_at_all_is_refused() -> None:
    _, events = read_old_log()
    with pytest.raises(Problem, match="starts twice"):
        fold_study([events[0], events[0]])
    with pytest.raises(Problem, match="has not started"):
        fold_study(events[1:])


def test_a_log_with_a_gap_is_refused() -> None:
    _, events = read_old_log()
    with pytest.raises(Problem, match="contradicts itself: event 1 names 'a', which is not there"):
        fold_study([events[0], *events[2:]])
    submitted = next(event for event in events if isinstance(event, TaskSubmitted))
    with pytest.raises(Problem, match="contradicts itself: a did not have task t1"):
        fold_study([*events, submitted])


def test_nothing_but_the_code_of_an_erased_person_is_exported() -> None:
    state, events = read_old_log()
    for event in erase_person(state, "a", 1e6):
        state.take_event(event)
        events.append(event)
    rows = {row.person: row for row in participant_rows(state)}
    assert msgspec.structs.astuple(rows["a"])[2:] == (None,) * 13
    assert rows["b"].outcome is not None
    assert "a" not in {row.person for row in assignment_rows(state)}
    assert [row.type for row in study_event_rows(state, events) if row.person == "a"] == ["erased"]


def test_answers_have_a_row_for_each_question_and_for_each_drawing() -> None:
    form = QuestionnaireTask(
        questions=(
            FormQuestion(text="Write: blue", answer="blue", attention=True),
            FormQuestion(text="Anything else?", optional=True),
        )
    )
    study = make_study(
        make_stage("pictures", DrawTask(game="hexagons"), items="", blank_items=2),
        StudyStage(name="end", task=form),
    )
    events: list[AnyStudyEvent] = [start_study(study)]
    for person in ("a", "b"):
        tasks = {f"{person}1": ("pictures", (f"pictures-{len(events) % 2 + 1}",)), f"{person}2": ("end", ())}
        events.append(Arrived(at=0, person=person))
        for task, (stage, items) in tasks.items():
            seats = {"person": person}
            events += [
                TaskAssigned(at=0, task=task, stage=stage, items=items, seats=seats, until=9),
                TaskSubmitted(at=1, person=person, task=task, counts=True),
            ]
    state = fold_study([*events, PersonErased(at=2, person="b")])
    sent = [("a1", b'{"id":"drawn-1"}'), ("a2", b'["red",""]'), ("b2", b'["blue","my name is B"]')]
    rows = answer_rows(state, [StoredAnswer(task, task[0], body) for task, body in sent])
    assert [(row.person, row.number, row.answer, row.attention, row.right) for row in rows] == [
        ("a", 1, '{"id":"drawn-1"}', False, None),
        ("a", 1, "red", True, False),
        ("a", 2, "", False, None),
    ]


def test_every_person_of_every_task_has_a_row() -> None:
    state, _ = read_old_log()
    seats = sum(len(task.assigned.seats) for task in state.tasks.values())
    erased = sum(person in task.assigned.seats.values() for task in state.tasks.values() for person in "e")
    assert len(list(assignment_rows(state))) == seats - erased
