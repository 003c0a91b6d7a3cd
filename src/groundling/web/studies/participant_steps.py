"""What a participant's page leads to next: a task, a place in a waiting room, a machine as partner."""

from __future__ import annotations

from time import time

from groundling.studies.assignment import TaskWait, assign_machine_partner, assign_task
from groundling.studies.study_decisions import StudyEvents, end_wait, is_wait_over, record_decision
from groundling.studies.study_state import StudyState
from groundling.web.studies.participant_view import find_next_stage, needs_start


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
