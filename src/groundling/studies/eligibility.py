"""Which stages a person may do, which items they may meet, and what becomes of them without a task."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from random import Random

from groundling.studies.annotation_flow import find_adjudicator
from groundling.studies.annotation_schema import AnnotateTask
from groundling.studies.ranking import has_candidate_place, stage_result
from groundling.studies.study import StudyStage
from groundling.studies.study_events import OutcomeName
from groundling.studies.study_records import ItemState, ParticipantState
from groundling.studies.study_state import StudyState


def needs_people(state: StudyState) -> bool:
    """Whether a newcomer may find work: a place is free, or an earlier stage will still make items."""
    work = [stage for stage in state.study.stages if state.study.is_work(stage)]
    return not work or any(
        next(state.stages[stage.name].free_items(), None) is not None
        or (stage.items in state.stages and state.lacks_answers(state.stages[stage.items].stage))
        for stage in work
    )


def may_do_stage(state: StudyState, person: ParticipantState, stage: StudyStage) -> bool:
    """Whether the stage is for this person now, whatever items are free."""
    if stage.group and stage.group not in person.groups:
        return False
    gave_up = stage.name in person.gave_up and not stage.partners  # programs may be partners, too
    if person.groups.intersection(stage.never) or gave_up or stage.after_each:
        return False
    if person.used.get(stage.name, 0) >= task_limit(state, stage) or has_passed(person, stage):
        return False
    if not may_qualify(state, person, stage):
        return False
    if stage.has_items:
        return not person.closing
    return not state.study.follows_work(stage) or has_worked(state, person)


def may_qualify(state: StudyState, person: ParticipantState, stage: StudyStage) -> bool:
    """Whether the stage leads into no group, or into one in which the person is wanted."""
    groups = state.study.groups_entered_by(stage.name)
    return not groups or any(is_wanted_in_group(state, person, group) for group in groups)


def task_limit(state: StudyState, stage: StudyStage) -> int:
    """The number of tasks of a stage that a person does at most."""
    if source := state.study.stage_named(stage.after_each):
        return task_limit(state, source)
    most = stage.tasks_per_person
    if stage.busiest_share < 1 and stage.answers:
        share = floor(stage.busiest_share * state.expected_answers(stage) / stage.items_per_task)
        most = min(most, max(1, share))
    return most


def may_enter_group(state: StudyState, person: ParticipantState, group: str) -> bool:
    study, most = state.study, state.study.groups[group].most
    if group in person.groups or group in person.failed_groups:
        return False
    if most is not None and state.group_sizes[group] >= most:
        return False
    return not any(study.are_disjoint(group, other) for other in person.groups)


def is_wanted_in_group(state: StudyState, person: ParticipantState, group: str) -> bool:
    """Whether a person should try to enter a group that has work left: they have begun to, or among the
    groups that are disjoint from it they have begun none, and none is smaller and has work for them."""
    if not may_enter_group(state, person, group) or not _has_work_left(state, person, group):
        return False
    if not has_candidate_place(state, person, group):
        return False
    others = [
        other
        for other in state.study.groups
        if state.study.are_disjoint(group, other) and may_enter_group(state, person, other)
    ]
    return _has_begun(state, person, group) or not any(
        _has_begun(state, person, other)
        or (state.group_sizes[other] < state.group_sizes[group] and _has_work_left(state, person, other))
        for other in others
    )


def _has_begun(state: StudyState, person: ParticipantState, group: str) -> bool:
    """Whether a person has done tasks of the stage that leads into a group, or qualified for it."""
    stage = state.stages[state.study.groups[group].stage].stage
    return bool(person.used.get(stage.name)) or stage.group in person.groups


def _has_work_left(state: StudyState, person: ParticipantState, group: str) -> bool:
    """Whether a stage for the group needs answers, or leads on to a group in which the person is wanted. A
    group without stages is the aim of its own qualification."""
    stages = [stage for stage in state.study.stages if stage.group == group]
    return not stages or any(
        any(is_wanted_in_group(state, person, inner) for inner in state.study.groups_entered_by(stage.name))
        or (state.study.is_work(stage) and state.lacks_answers(stage))
        for stage in stages
    )


def has_passed(person: ParticipantState, stage: StudyStage) -> bool:
    return stage_result(person, stage).passed is True


def is_screening(state: StudyState, stage: StudyStage) -> bool:
    """Whether people who do not pass the stage cannot take part in later ones."""
    return stage.pass_mark is not None and not state.study.groups_entered_by(stage.name)


def has_worked(state: StudyState, person: ParticipantState) -> bool:
    return any(person.accepted.get(stage.name) for stage in state.study.stages if state.study.is_work(stage))


def choose_items(
    state: StudyState, stage: StudyStage, people: Sequence[ParticipantState], condition: str
) -> tuple[str, ...]:
    """Free items of a condition that none of these people is barred from, as many as a task has; fewer where
    no more are left."""
    if not stage.has_items:
        return ()
    source = stage.condition_items.get(condition)
    there = None if source is None else frozenset(state.started.items.get(source, ()))
    settles = find_adjudicator(state.study, stage.name)
    met = {item for each in people if settles for item in each.met.get(settles.name, ())}
    chosen: list[ItemState] = []
    roots = set[str]()
    for item in state.stages[stage.name].free_items(_item_order(state, stage, people)):
        if (there is not None and item.id not in there) or item.id in met:
            continue  # who has settled an item has seen what others said
        if stage.partners and item.condition != condition:
            continue
        if item.root in roots or any(is_barred(stage, person, item) for person in people):
            continue
        chosen.append(item)
        roots.add(item.root)
        if len(chosen) == stage.items_per_task:
            break
    return tuple(item.id for item in chosen)


def _item_order(state: StudyState, stage: StudyStage, people: Sequence[ParticipantState]) -> Random | None:
    """Every annotator has an order of their own; in other tasks items have one order for all."""
    if not isinstance(stage.task, AnnotateTask):
        return None
    return Random(f"{state.study.seed}/{stage.name}/{people[0].person}")


def is_barred(stage: StudyStage, person: ParticipantState, item: ItemState) -> bool:
    met = person.met.values() if "met" in stage.never else (person.met.get(stage.name, ()),)
    return (
        any(item.id in items for items in met)
        or ("author" in stage.never and person.person in item.authors)
        or ("seen" in stage.never and item.root in person.roots)
    )


def find_outcome(state: StudyState, person: ParticipantState) -> tuple[OutcomeName, str]:
    """The outcome of a person for whom there is no task, with the reason."""
    study = state.study
    if has_worked(state, person):
        return "finished", ""
    if any(_is_candidate(state, person, name) for name in person.failed_groups):
        return "finished", "others were chosen"
    if person.failed_groups or _failed_screening(state, person):
        return "screened out", "did not pass"
    if person.last_release in ("partner left", "technical fault", "reported"):
        return "partner left", ""
    if person.gave_up or person.waiting:
        return "no partner", "nobody came in time"
    if person.last_release in ("timed out", "time up"):
        return "timed out", ""
    if any(_awaits_decision(state, person, name) for name in study.groups):
        return "finished", "an administrator decides about the group"
    if any(_is_candidate(state, person, name) for name in study.groups):
        return "finished", "the best candidates are chosen later"
    if person.accepted and not any(study.is_work(stage) for stage in study.stages):
        return "finished", ""
    return "study full", "there is no task for this person"


def awaits_decision(state: StudyState, person: ParticipantState) -> bool:
    """Whether somebody, or a rank, will still decide about a group for this person."""
    return any(
        may_enter_group(state, person, name)
        and (_awaits_decision(state, person, name) or _is_candidate(state, person, name))
        for name in state.study.groups
    )


def _failed_screening(state: StudyState, person: ParticipantState) -> bool:
    return any(
        stage_result(person, stage).passed is False
        for stage in state.study.stages
        if is_screening(state, stage)
    )


def _awaits_decision(state: StudyState, person: ParticipantState, name: str) -> bool:
    group = state.study.groups[name]
    decided = name in person.groups or name in person.failed_groups
    return group.by == "administrator" and bool(person.accepted.get(group.stage)) and not decided


def _is_candidate(state: StudyState, person: ParticipantState, name: str) -> bool:
    group = state.study.groups[name]
    done = stage_result(person, state.stages[group.stage].stage).done
    return group.by == "rank" and done and name not in person.groups
