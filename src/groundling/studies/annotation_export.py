"""Labels as files in long format, one row for each item, annotator and label: raw and settled."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from groundling.core.annotation_item import AnnotationItem
from groundling.studies.annotation_flow import find_adjudicator, find_table, settle_item, stage_fields
from groundling.studies.annotation_labels import StoredLabels, compare_as
from groundling.studies.annotation_schema import AnnotateTask, AnnotationField
from groundling.studies.study import StudyStage
from groundling.studies.study_state import StudyState

LabelRow: TypeAlias = tuple[Any, ...]
EstimateTruth: TypeAlias = Callable[[Sequence[Sequence[Hashable | None]]], Sequence[tuple[Hashable, float]]]
"""Estimates the true label of each item with its probability, from one label or None for each annotator."""
RAW = ("item", "annotator", "label", "cluster", "skipped", "seconds", "task")
SPANS = (*RAW, "start", "end", "length")
SETTLED = ("item", "label", "settled_by", "adjudicator", "majority", "estimate", "probability", "cluster")


class SaidLabels(Struct, frozen=True):
    """What a person said about an item, in a task that counts."""

    person: str
    task: str
    labels: StoredLabels


class ExportedLabels(Struct, frozen=True):
    name: str
    columns: Sequence[str]
    rows: list[LabelRow]


def label_tables(
    state: StudyState,
    said: Mapping[str, Sequence[SaidLabels]],
    tables: Mapping[str, Mapping[str, AnnotationItem]],
    estimate: EstimateTruth,
) -> Iterator[ExportedLabels]:
    """The labels of every field of every annotation stage. `said`: by stage."""
    for stage in state.study.stages:
        if not isinstance(stage.task, AnnotateTask):
            continue
        items = tables.get(find_table(state.study, stage), {})
        for field in stage_fields(state.study, stage):
            name = f"{stage.name}-{field.name}"
            columns = SPANS if field.kind == "spans" else RAW
            found = said.get(stage.name, ())
            yield ExportedLabels(
                name, columns, [row for each in found for row in _raw_rows(field, items, each)]
            )
            if field.kind != "text" and not stage.task.adjudicate and state.study.is_work(stage):
                rows = list(_settled_rows(state, stage, field, items, said, estimate))
                yield ExportedLabels(f"{name}.settled", SETTLED, rows)


def _raw_rows(
    field: AnnotationField, items: Mapping[str, AnnotationItem], said: SaidLabels
) -> Iterator[LabelRow]:
    labels, item = said.labels, items.get(said.labels.item)
    cluster = item.cluster if item else ""
    rest = (cluster, labels.skipped, labels.seconds, said.task)
    value = labels.values.get(field.name)
    length = len(item.text) if item else 0
    if field.kind == "spans":
        for span in value or ():
            yield (labels.item, said.person, span["label"], *rest, span["start"], span["end"], length)
        if not value and not labels.skipped:
            yield (labels.item, said.person, "", *rest, "", "", length)
    elif field.kind == "several":
        for label in value or ("",):
            yield (labels.item, said.person, label, *rest)
    else:
        yield (labels.item, said.person, "" if value is None else value, *rest)


def _settled_rows(
    state: StudyState,
    stage: StudyStage,
    field: AnnotationField,
    items: Mapping[str, AnnotationItem],
    said: Mapping[str, Sequence[SaidLabels]],
    estimate: EstimateTruth,
) -> Iterator[LabelRow]:
    """One row for each item: what is settled and by whom, beside the majority and the estimate."""
    source = state.stages[stage.name]
    adjudicator = find_adjudicator(state.study, stage.name)
    judged = {each.labels.item: each for each in said.get(adjudicator.name, ())} if adjudicator else {}
    values = {
        (each.labels.item, compare_as(field, each.labels.values[field.name])): each.labels.values[field.name]
        for name in (stage.name, *([adjudicator.name] if adjudicator else ()))
        for each in said.get(name, ())
        if field.name in each.labels.values
    }
    truth = _estimate_field(state, stage, field, estimate)
    for item in source.items:
        settled = settle_item(state.study, state.stages, stage.name, item)
        key = settled.values.get(field.name)
        by = settled.by if key is not None else "nobody"
        who = judged[item].person if by == "adjudication" and item in judged else ""
        label = "" if key is None else write_value(field, values.get((item, key), key))
        votes = [each[field.name] for each in source.labels.get(item, {}).values() if field.name in each]
        best = max(votes, key=votes.count, default="")
        is_majority = 2 * votes.count(best) > len(votes)
        majority = write_value(field, values.get((item, best), best)) if is_majority else ""
        cluster = items[item].cluster if item in items else ""
        yield (item, label, by, who, majority, *truth.get(item, ("", "")), cluster)


def write_value(field: AnnotationField, value: Any) -> str:
    """A value in one cell."""
    if field.kind == "spans" and isinstance(value, list):
        return "|".join(f"{span['start']}-{span['end']} {span['label']}" for span in value)
    return "|".join(value) if isinstance(value, list) else str(value)


def _estimate_field(
    state: StudyState, stage: StudyStage, field: AnnotationField, estimate: EstimateTruth
) -> dict[str, tuple[Hashable, float]]:
    """The estimated label of each item, where a field has one of several labels."""
    labels = state.stages[stage.name].labels
    people = sorted({person for each in labels.values() for person in each})
    names = [item for item, each in labels.items() if any(field.name in values for values in each.values())]
    if field.kind not in ("choice", "ordered") or not names or len(people) < 2:
        return {}
    ratings = [[labels[item].get(person, {}).get(field.name) for person in people] for item in names]
    found = estimate(ratings)
    return {item: (label, round(share, 4)) for item, (label, share) in zip(names, found, strict=True)}
