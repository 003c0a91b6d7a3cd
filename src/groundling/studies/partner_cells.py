"""Which partner a person meets on which item, where the conditions of a stage are partners: every cell of
item and partner is filled once, and nobody meets an item twice."""

from __future__ import annotations

from collections import Counter
from random import Random

from groundling.studies.eligibility import choose_items
from groundling.studies.study import StudyStage
from groundling.studies.study_events import TaskSubmitted
from groundling.studies.study_records import ParticipantState
from groundling.studies.study_state import StudyState

FIRST_WAIT = 5.0
"""Seconds before a game with a program, as long as no pair of people has met."""
RECENT_WAITS = 20
"""The waits of people for people from which those for programs are drawn."""


def list_open_partners(state: StudyState, person: ParticipantState, stage: StudyStage) -> list[str]:
    """The partners with a free cell for a person: first those whom they met least often, then those with most
    cells to fill. Equals come in a random order, which is drawn for each task of a person."""
    met = Counter(
        state.tasks[name].assigned.condition
        for name in state.tasks_of.get(person.person, ())
        if state.tasks[name].assigned.stage == stage.name
    )
    missing = Counter(item.condition for item in state.stages[stage.name].free_items())
    found = [name for name in stage.partners if choose_items(state, stage, [person], name)]
    Random(f"{state.study.seed}/{stage.name}/{person.person}/{met.total()}").shuffle(found)
    return sorted(found, key=lambda name: (met[name], -missing[name]))


def is_pair(stage: StudyStage, condition: str) -> bool:
    return len(stage.person_seats_in(condition)) > 1


def matched_wait(state: StudyState, person: ParticipantState, stage: StudyStage) -> float:
    """Seconds that a person waits before a game with a program: a random quantile of the waits of people who
    were paired, so that a wait does not tell who the partner is."""
    if not stage.pairs_people:
        return 0.0
    waits = sorted(state.stages[stage.name].waits[-RECENT_WAITS:]) or [FIRST_WAIT]
    games = len(state.tasks_of.get(person.person, ()))
    share = Random(f"{state.study.seed}/wait/{stage.name}/{person.person}/{games}").random()
    return min(waits[int(share * len(waits))], 60 * stage.wait_minutes)


def wait_limit(state: StudyState, person: ParticipantState, stage: StudyStage) -> float:
    """Seconds after which a person who waits in a stage is no longer left waiting."""
    drawn = person.conditions.get(stage.name)
    if stage.partners and drawn and not is_pair(stage, drawn[-1]):
        return matched_wait(state, person, stage)
    return 60 * stage.wait_minutes


def find_unrated_task(state: StudyState, person: ParticipantState, stage: StudyStage) -> str:
    """The first task that the person finished, and about which a questionnaire that follows each one has not
    asked; "" where there is none."""
    own = [state.tasks[name] for name in state.tasks_of.get(person.person, ())]
    rated = {task.assigned.about for task in own if task.assigned.stage == stage.name}
    for task in own:
        if (
            task.assigned.stage == stage.after_each
            and task.assigned.task not in rated
            and isinstance(task.ends.get(person.person), TaskSubmitted)
        ):
            return task.assigned.task
    return ""
