"""How items go from one annotation stage to the next: which are settled, and which go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from groundling.studies.annotation_schema import AnnotateTask, AnnotationField
from groundling.studies.study import Study, StudyStage
from groundling.studies.study_events import TaskSubmitted
from groundling.studies.study_records import ItemState, StageState, TaskState

SettledBy: TypeAlias = Literal["all", "adjudication", "majority", "nobody"]


class SettledItem(Struct, frozen=True):
    """The values of an item, in the form in which the log has them, and how they came about."""

    values: dict[str, str]
    by: SettledBy


def stage_fields(study: Study, stage: StudyStage) -> tuple[AnnotationField, ...]:
    """What a stage asks. One that adjudicates may leave it to the stage whose items it settles."""
    if not isinstance(stage.task, AnnotateTask):
        return ()
    source = study.stage_named(stage.items)
    if stage.task.adjudicate and not stage.task.fields and source and isinstance(source.task, AnnotateTask):
        return source.task.fields
    return stage.task.fields


def find_table(study: Study, stage: StudyStage) -> str:
    """The name of the table from which the items of a stage come, through all earlier stages."""
    for _ in study.stages:
        if source := study.stage_named(stage.items):
            stage = source
    return stage.items


def find_adjudicator(study: Study, source: str) -> StudyStage | None:
    """The stage that settles the items of a stage."""
    for stage in study.stages:
        if stage.items == source and isinstance(stage.task, AnnotateTask) and stage.task.adjudicate:
            return stage
    return None


def list_followers(study: Study, changed: str) -> list[str]:
    """The stages whose items may change when an item of a stage does."""
    return [
        stage.name
        for stage in study.stages
        if isinstance(stage.task, AnnotateTask) and stage.items and _depends_on(study, stage, changed)
    ]


def _depends_on(study: Study, stage: StudyStage, changed: str) -> bool:
    if stage.items == changed:
        return True
    settles = find_adjudicator(study, stage.items)
    return settles is not None and settles.name == changed and settles is not stage


def count_labels(study: Study, stages: Mapping[str, StageState], task: TaskState, item: str) -> None:
    """Keep what annotators said about an item, or remove it where the task does not count, and update the
    stages that follow."""
    labels = stages[task.assigned.stage].labels.setdefault(item, {})
    for person, end in task.ends.items():
        if task.counted and isinstance(end, TaskSubmitted) and item in end.labels:
            labels[person] = end.labels[item]
        else:
            labels.pop(person, None)
    _update_followers(study, stages, task.assigned.stage, item)


def _update_followers(study: Study, stages: Mapping[str, StageState], source: str, item: str) -> None:
    """Give an item to the stages that are to annotate it now, and take it from others."""
    for name in list_followers(study, source):
        stage = stages[name]
        before = stages[stage.stage.items]
        wanted = is_item_wanted(study, stages, stage.stage, item)
        if item not in stage.items:
            if not wanted:
                continue
            stage.add_item(ItemState(item, before.items[item].root))
        stage.items[item].authors = tuple(before.labels.get(item, ()))
        if stage.items[item].withdrawn == wanted:
            stage.withdraw_item(stage.items[item], not wanted)
        _update_followers(study, stages, name, item)


def is_item_wanted(study: Study, stages: Mapping[str, StageState], stage: StudyStage, item: str) -> bool:
    """Whether an annotation stage that follows another is to have an item now."""
    assert isinstance(stage.task, AnnotateTask)
    source = stages[stage.items]
    if not is_annotated(source, item):
        return False
    if stage.task.adjudicate:
        return differs(source, item)
    settled = settle_item(study, stages, stage.items, item)
    return all(
        {*labels}.intersection(settled.values.get(field, "").split("|"))
        for field, labels in stage.task.only.items()
    )


def is_annotated(stage: StageState, item: str) -> bool:
    """Whether an item has all its answers."""
    found = stage.items.get(item)
    return found is not None and found.usable and found.done >= max(stage.stage.answers, 1)


def differs(stage: StageState, item: str) -> bool:
    """Whether annotators said different things about an item; skipping it says nothing."""
    said = list(stage.labels.get(item, {}).values())
    return any(each != said[0] for each in said[1:])


def settle_item(study: Study, stages: Mapping[str, StageState], stage: str, item: str) -> SettledItem:
    """What an item is labelled as. Where annotators differ, a stage that adjudicates decides; without one,
    the majority does, for each field by itself. What is not decided has no value."""
    source = stages[stage]
    said = list(source.labels.get(item, {}).values())
    if not said or not differs(source, item):
        return SettledItem(said[0] if said else {}, "all" if said else "nobody")
    adjudicator = find_adjudicator(study, stage)
    if adjudicator is None:
        return SettledItem(find_majority(said), "majority")
    settles = stages[adjudicator.name]
    if not is_annotated(settles, item):
        return SettledItem({}, "nobody")
    return SettledItem(find_majority(list(settles.labels.get(item, {}).values())), "adjudication")


def find_majority(said: list[dict[str, str]]) -> dict[str, str]:
    """The most frequent value of each field; none where two are equally frequent."""
    found = {}
    for field in dict.fromkeys(name for each in said for name in each):
        ranked = Counter(each[field] for each in said if field in each).most_common(2)
        if len(ranked) == 1 or ranked[0][1] > ranked[1][1]:
            found[field] = ranked[0][0]
    return found
