"""How answers of one stage become items of later ones: what a task counts for once everybody has ended it."""

from __future__ import annotations

from collections.abc import Mapping

from groundling.studies.annotation_flow import count_labels
from groundling.studies.annotation_schema import AnnotateTask
from groundling.studies.study import Study
from groundling.studies.study_events import TaskSubmitted
from groundling.studies.study_records import ItemState, StageState, TaskState

FULL_SCORE = 1 - 1e-9
Stages = Mapping[str, StageState]


def close_task(study: Study, stages: Stages, task: TaskState) -> None:
    """When the last person has ended it, count it, or free its places."""
    if task.open:
        return
    stage = stages[task.assigned.stage]
    task.counted = not task.failed
    for name in task.assigned.items:
        stage.change_item(stage.items[name], open_by=-1, done_by=int(task.counted))
        if isinstance(stage.stage.task, AnnotateTask):
            count_labels(study, stages, task, name)
        elif task.counted:
            _add_answer(stages, task, stage.items[name])
            _confirm_gold(stages, task, name, has_full_score(task))


def discount_task(study: Study, stages: Stages, tasks: Mapping[str, TaskState], task: TaskState) -> None:
    """No longer count a task, nor what was made of its answers."""
    if not task.counted:
        return
    task.counted = False
    stage = stages[task.assigned.stage]
    for name in task.assigned.items:
        stage.change_item(stage.items[name], done_by=-1)
        if isinstance(stage.stage.task, AnnotateTask):
            count_labels(study, stages, task, name)
            continue
        _confirm_gold(stages, task, name, False)
        _withdraw_answer(stages, tasks, task.assigned.stage, answer_name(task.assigned.task, name))


def _add_answer(stages: Stages, task: TaskState, item: ItemState) -> None:
    """Make the answer an item of the stages that work on such answers."""
    for stage in stages.values():
        if stage.stage.items == task.assigned.stage:
            authors = (*item.authors, *task.assigned.seats.values())
            answer = ItemState(answer_name(task.assigned.task, item.id), item.root, authors)
            stage.add_item(answer)
            if item.withdrawn:
                stage.withdraw_item(answer)


def _confirm_gold(stages: Stages, task: TaskState, item: str, agrees: bool) -> None:
    """Tell the stages that take their gold from this one whether the person agrees with it."""
    for stage in stages.values():
        if stage.stage.gold == task.assigned.stage:
            for person in task.assigned.seats.values():
                stage.confirm_item(stage.items[item], person, agrees)


def _withdraw_answer(stages: Stages, tasks: Mapping[str, TaskState], source: str, answer: str) -> None:
    for stage in stages.values():
        if stage.stage.items == source:
            stage.withdraw_item(stage.items[answer])
            for task in tasks.values():
                made = task.assigned
                if task.counted and made.stage == stage.stage.name and answer in made.items:
                    _withdraw_answer(stages, tasks, made.stage, answer_name(made.task, answer))


def has_full_score(task: TaskState) -> bool:
    """Whether everybody in a task has the full score: they agree with the gold exactly."""
    scores = [end.score for end in task.ends.values() if isinstance(end, TaskSubmitted)]
    return bool(scores) and all(score is not None and score >= FULL_SCORE for score in scores)


def answer_name(task: str, item: str) -> str:
    """The id of an answer, as an item of a later stage."""
    return f"{task}/{item}"
