"""Which stages a person may do, which items they may meet, and what becomes of them without a task."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from groundling.studies.study import QuizTask, StudyStage
from groundling.studies.study_events import FAULTLESS, OutcomeName
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
    if person.groups.intersection(stage.never) or stage.name in person.gave_up:
        return False
    if person.used.get(stage.name, 0) >= task_limit(state, stage) or has_passed(person, stage):
        return False
    groups = state.study.groups_entered_by(stage.name)
    if groups and not any(is_wanted_in_group(state, person, group) for group in groups):
        return False
    if stage.has_items:
        return not person.closing
    return not state.study.follows_work(stage) or has_worked(state, person)


def task_limit(state: StudyState, stage: StudyStage) -> int:
    """The number of tasks of a stage that a person does at most."""
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
    """Whether a person should try to enter a group: it has work left, and no group that is disjoint from it
    is smaller and has work for them."""
    if not may_enter_group(state, person, group) or not _has_work_left(state, group):
        return False
    return not any(
        state.study.are_disjoint(group, other)
        and state.group_sizes[other] < state.group_sizes[group]
        and may_enter_group(state, person, other)
        and _has_work_left(state, other)
        for other in state.study.groups
    )


def _has_work_left(state: StudyState, group: str) -> bool:
    """Whether a stage for the group, or for those whom it leads to, needs answers. A group without stages is
    the aim of its own qualification."""
    stages = [stage for stage in state.study.stages if stage.group == group]
    return not stages or any(
        any(_has_work_left(state, inner) for inner in state.study.groups_entered_by(stage.name))
        or (state.study.is_work(stage) and state.lacks_answers(stage))
        for stage in stages
    )


def judge_scores(stage: StudyStage, scores: Sequence[float], used: int) -> bool | None:
    """Whether these scores pass the stage; None while it is open. A quiz is passed by the best attempt, other
    stages by the mean over all tasks."""
    if stage.pass_mark is None:
        return None
    if isinstance(stage.task, QuizTask) and max(scores, default=0.0) >= stage.pass_mark and scores:
        return True
    if used < stage.tasks_per_person:
        return None
    return not isinstance(stage.task, QuizTask) and sum(scores) / used >= stage.pass_mark


def has_passed(person: ParticipantState, stage: StudyStage) -> bool:
    return judge_scores(stage, person.scores.get(stage.name, ()), person.used.get(stage.name, 0)) is True


def is_screening(state: StudyState, stage: StudyStage) -> bool:
    """Whether people who do not pass the stage cannot take part in later ones."""
    return stage.pass_mark is not None and not state.study.groups_entered_by(stage.name)


def has_worked(state: StudyState, person: ParticipantState) -> bool:
    return any(person.accepted.get(stage.name) for stage in state.study.stages if state.study.is_work(stage))


def choose_items(state: StudyState, stage: StudyStage, people: Sequence[ParticipantState]) -> tuple[str, ...]:
    """Free items that none of these people is barred from, as many as a task has; fewer where no more are
    left."""
    if not stage.has_items:
        return ()
    chosen: list[ItemState] = []
    roots = set[str]()
    for item in state.stages[stage.name].free_items():
        if item.root in roots or any(is_barred(stage, person, item) for person in people):
            continue
        chosen.append(item)
        roots.add(item.root)
        if len(chosen) == stage.items_per_task:
            break
    return tuple(item.id for item in chosen)


def is_barred(stage: StudyStage, person: ParticipantState, item: ItemState) -> bool:
    return (
        item.id in person.met.get(stage.name, ())
        or ("author" in stage.never and person.person in item.authors)
        or ("seen" in stage.never and item.root in person.roots)
    )


def find_outcome(state: StudyState, person: ParticipantState) -> tuple[OutcomeName, str]:
    """The outcome of a person for whom there is no task, with the reason."""
    study = state.study
    if has_worked(state, person):
        return "finished", ""
    if person.failed_groups or _failed_screening(state, person):
        return "screened out", "did not pass"
    if person.last_release in FAULTLESS:
        return "partner left", ""
    if person.gave_up or person.waiting:
        return "no partner", "nobody came in time"
    if person.last_release in ("timed out", "time up"):
        return "timed out", ""
    if any(_awaits_decision(state, person, name) for name in study.groups):
        return "finished", "an administrator decides about the group"
    if person.accepted and not any(study.is_work(stage) for stage in study.stages):
        return "finished", ""
    return "study full", "there is no task for this person"


def _failed_screening(state: StudyState, person: ParticipantState) -> bool:
    return any(
        judge_scores(stage, person.scores.get(stage.name, ()), person.used.get(stage.name, 0)) is False
        for stage in state.study.stages
        if is_screening(state, stage)
    )


def _awaits_decision(state: StudyState, person: ParticipantState, name: str) -> bool:
    group = state.study.groups[name]
    return (
        group.by == "administrator" and bool(person.accepted.get(group.stage)) and name not in person.groups
    )
