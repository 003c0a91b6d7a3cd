"""Assign tasks: a pure function of a study's state, a person and the clock."""

from __future__ import annotations

from random import Random
from typing import TypeAlias

from msgspec import Struct, structs

from groundling.core.values import Problem
from groundling.studies.eligibility import choose_items, find_outcome, has_passed, is_screening, may_do_stage
from groundling.studies.partner_cells import find_unrated_task, is_pair, list_open_partners, wait_limit
from groundling.studies.study import GameTask, StudyStage
from groundling.studies.study_events import ConditionDrawn, OutcomeName, TaskAssigned
from groundling.studies.study_records import ParticipantState
from groundling.studies.study_state import StudyState

RECENT_WAITS = 20
"""The waits from which the next one is estimated."""


class TaskAssignment(Struct, frozen=True):
    """The person has this task; new tasks have a draw where a condition was drawn for them."""

    assigned: TaskAssigned
    is_new: bool
    draw: ConditionDrawn | None = None


class TaskWait(Struct, frozen=True):
    """The person waits for a partner; for consent where the stage is ""."""

    stage: str
    since: float
    until: float
    expected: float | None = None
    """Seconds that the wait will take from now on, as far as earlier waits tell."""
    machine: str = ""
    """The player that the person may choose as a partner instead."""
    draw: ConditionDrawn | None = None


class PersonOutcome(Struct, frozen=True):
    outcome: OutcomeName
    reason: str = ""


TaskDecision: TypeAlias = TaskAssignment | TaskWait | PersonOutcome


def assign_task(state: StudyState, person: str, now: float) -> TaskDecision:
    """The task that a person has or gets, or why there is none."""
    found = state.people[person]
    if found.outcome is not None:
        return PersonOutcome(found.outcome)
    return find_task(state, found, now)


def find_task(state: StudyState, person: ParticipantState, now: float) -> TaskDecision:
    """The same for a person whatever their outcome, such as one who comes back."""
    if person.task:
        return TaskAssignment(state.tasks[person.task].assigned, False)
    if not person.consented:
        return TaskWait("", person.arrived, person.seen_at + 60 * state.study.idle_minutes)
    for stage in state.study.stages:
        if stage.after_each and (about := find_unrated_task(state, person, stage)):
            assigned = make_assignment(state, stage, (), [person], "", now)
            return TaskAssignment(structs.replace(assigned, about=about), True)
    for stage in state.study.stages:
        offer = _offer_stage(state, person, stage, now) if may_do_stage(state, person, stage) else None
        if offer is not None:
            return offer
        if is_screening(state, stage) and not has_passed(person, stage):
            break
    return PersonOutcome(*find_outcome(state, person))


def _offer_stage(
    state: StudyState, person: ParticipantState, stage: StudyStage, now: float
) -> TaskAssignment | TaskWait | None:
    if stage.partners:
        return _offer_partner(state, person, stage, now)
    condition, draw = _find_condition(state, person, stage, now)
    items = choose_items(state, stage, [person], condition)
    if stage.has_items and not items:
        return None
    if len(stage.person_seats) == 1:
        return TaskAssignment(make_assignment(state, stage, items, [person], condition, now), True, draw)
    partners, shared = _find_partners(state, person, stage, condition)
    if partners:
        people = [*partners, person]
        return TaskAssignment(make_assignment(state, stage, shared, people, condition, now), True, draw)
    since = person.waiting_since if person.waiting == stage.name else now
    until = since + 60 * stage.wait_minutes
    if now >= until:
        return None
    machine = stage.task.machine_partner if isinstance(stage.task, GameTask) else ""
    return TaskWait(stage.name, since, until, _expect_wait(state, stage, now - since), machine, draw)


def _offer_partner(
    state: StudyState, person: ParticipantState, stage: StudyStage, now: float
) -> TaskAssignment | TaskWait | None:
    """A game with a person who waits, a wait, or a game with a program. Before these people wait as long as
    others wait for people."""
    found = list_open_partners(state, person, stage)
    if stage.name in person.gave_up:
        found = [name for name in found if not is_pair(stage, name)]
    for condition in found:
        if is_pair(stage, condition):
            partners, shared = _find_partners(state, person, stage, condition)
            if partners:
                people = [*partners, person]
                return TaskAssignment(make_assignment(state, stage, shared, people, condition, now), True)
    waits = person.waiting == stage.name
    since = person.waiting_since if waits else now
    drawn = person.conditions.get(stage.name, [""])[-1] if waits else ""
    if drawn not in found:
        drawn = next(iter(found), "")
    if not drawn:
        return None
    draw = ConditionDrawn(at=now, person=person.person, stage=stage.name, condition=drawn, block=0)
    until = since + wait_limit(state, structs.replace(person, conditions={stage.name: [drawn]}), stage)
    if now < until:
        return TaskWait(stage.name, since, until, None, "", None if waits else draw)
    if is_pair(stage, drawn):  # nobody came
        drawn = next((name for name in found if not is_pair(stage, name)), "")
    items = choose_items(state, stage, [person], drawn) if drawn else ()
    return TaskAssignment(make_assignment(state, stage, items, [person], drawn, now), True) if items else None


def _find_partners(
    state: StudyState, person: ParticipantState, stage: StudyStage, condition: str
) -> tuple[list[ParticipantState], tuple[str, ...]]:
    """Partners from the waiting room, who have never met each other or the person, and items for them."""
    table, items = [person], tuple[str, ...]()
    for name in state.stages[stage.name].waiting:
        other = state.people[name]
        if other is person or any(name in each.partners for each in table):
            continue
        if not may_do_stage(state, other, stage):
            continue
        if condition and other.conditions[stage.name][-1] != condition:
            continue
        if shared := choose_items(state, stage, [*table, other], condition):
            table, items = [*table, other], shared
            if len(table) == len(stage.person_seats_in(condition)):
                return table[1:], items
    return [], ()


def make_assignment(
    state: StudyState,
    stage: StudyStage,
    items: tuple[str, ...],
    people: list[ParticipantState],
    condition: str,
    now: float,
) -> TaskAssigned:
    """Seat people at random. With fewer people than seats, the machine partner takes the others."""
    task = f"t{len(state.tasks) + 1}"
    roles = list(stage.person_seats_in(condition))
    Random(f"{state.study.seed}/{task}").shuffle(roles)
    return TaskAssigned(
        at=now,
        task=task,
        stage=stage.name,
        items=items,
        seats={role: person.person for role, person in zip(roles, people, strict=False)},
        until=now + 60 * stage.minutes,
        condition=condition,
        machine=len(people) < len(roles),
    )


def assign_machine_partner(state: StudyState, person: str, now: float) -> TaskAssignment:
    """The task of a person who waits and chooses the machine partner."""
    found = assign_task(state, person, now)
    waiting = state.people[person]
    if not isinstance(found, TaskWait) or not found.machine or not waiting.waiting:
        raise Problem(f"{person} cannot have a machine partner now: assign a task")
    stage = state.stages[found.stage].stage
    condition, draw = _find_condition(state, waiting, stage, now)
    items = choose_items(state, stage, [waiting], condition)
    return TaskAssignment(make_assignment(state, stage, items, [waiting], condition, now), True, draw)


def _find_condition(
    state: StudyState, person: ParticipantState, stage: StudyStage, now: float
) -> tuple[str, ConditionDrawn | None]:
    """The person's condition, with its draw where it is drawn now."""
    if not stage.conditions:
        return "", None
    drawn = person.conditions.get(stage.name, [])
    if drawn and stage.vary == "people":
        return drawn[0], None
    number = state.stages[stage.name].draws if stage.vary == "people" else len(drawn)
    number //= len(stage.person_seats)  # people who come one after the other can be paired
    whose = "" if stage.vary == "people" else person.person
    condition, block = draw_condition(state, stage, number, whose)
    if stage.condition_items and not choose_items(state, stage, [person], condition):
        # places that leavers freed may be in other conditions only
        free = (name for name in stage.conditions if choose_items(state, stage, [person], name))
        condition = next(free, condition)
    return condition, ConditionDrawn(
        at=now, person=person.person, stage=stage.name, condition=condition, block=block
    )


def draw_condition(state: StudyState, stage: StudyStage, number: int, whose: str) -> tuple[str, int]:
    """The condition at a position of the seeded sequence, in which every block has each condition once."""
    block, position = divmod(number, len(stage.conditions))
    order = sorted(stage.conditions)
    Random(f"{state.study.seed}/{stage.name}/{whose}/{block}").shuffle(order)
    return order[position], block


def _expect_wait(state: StudyState, stage: StudyStage, waited: float) -> float | None:
    recent = state.stages[stage.name].waits[-RECENT_WAITS:]
    return max(0.0, sum(recent) / len(recent) - waited) if recent else None
