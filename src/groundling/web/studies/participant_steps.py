"""What a participant's page leads to: consent, a task, a place in a waiting room, a machine as partner."""

from __future__ import annotations

from time import time

from groundling.core.values import Problem
from groundling.studies.assignment import TaskWait, assign_machine_partner, assign_task
from groundling.studies.study_decisions import (
    StudyEvents,
    answer_consent,
    arrive_person,
    end_wait,
    is_wait_over,
    record_decision,
)
from groundling.studies.study_events import Consented
from groundling.studies.study_state import StudyState
from groundling.web.studies.participant_actions import AnswerConsent
from groundling.web.studies.participant_view import find_next_stage, needs_start
from groundling.web.study_marks import is_barred_person, mark_participant
from groundling.web.study_store import StudyDatabase


def open_study(database: StudyDatabase, study: str, state: StudyState, person: str) -> StudyEvents:
    """The person arrives, for the first time or again."""
    barred = is_barred_person(database, study, state.study, person, time())
    return arrive_person(state, person, time(), barred)


def take_consent(
    database: StudyDatabase, study: str, state: StudyState, person: str, answer: AnswerConsent, language: str
) -> StudyEvents:
    """The person agrees or declines. Raises Problem where they do not say that they have the age."""
    age = state.study.minimum_age if answer.agreed else None
    if age and not answer.of_age:
        raise Problem(f"only people who are at least {age} years old can take part: say so, or decline")
    events = answer_consent(state, person, answer.agreed, time(), language=language, age=age)
    if any(isinstance(event, Consented) for event in events):
        mark_participant(database, study, state.study, person, time())
    return events


def advance_person(state: StudyState, person: str, started: bool) -> StudyEvents:
    """Give the person a task, a place in a waiting room, or an outcome. Some tasks only begin by a button."""
    now, known = time(), state.people[person]
    decision = assign_task(state, person, now)
    stage = find_next_stage(state, decision)
    if is_wait_over(known, decision):
        return end_wait(state, person, now)
    if stage and not started and not known.waiting and needs_start(state, known, stage):
        return []
    return record_decision(state, person, decision, now)


def take_machine_partner(state: StudyState, person: str) -> StudyEvents:
    now, known = time(), state.people[person]
    decision = assign_task(state, person, now)
    if not known.waiting or not isinstance(decision, TaskWait) or not decision.machine:
        return []
    return record_decision(state, person, assign_machine_partner(state, person, now), now)
