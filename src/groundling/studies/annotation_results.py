"""What the annotators of a study said about items, and what was settled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from groundling.core.annotation_item import AnnotationItem
from groundling.core.source import AnnotatorLabels, StudyResults
from groundling.studies.annotation_flow import find_adjudicator, find_table, settle_item, stage_fields
from groundling.studies.annotation_labels import LabelValues, compare_as, decode_labels
from groundling.studies.annotation_schema import CLOSED, AnnotateTask, AnnotationField
from groundling.studies.study import StudyStage
from groundling.studies.study_state import StudyState
from groundling.studies.study_tables import StoredAnswer


def collect_results(
    state: StudyState, tables: Mapping[str, Mapping[str, AnnotationItem]], answers: Iterable[StoredAnswer]
) -> dict[str, StudyResults]:
    """The labels of all stages that are work, by the game of their items; "" where a table names none."""
    said = _read_values(state, answers)
    labels: dict[str, list[AnnotatorLabels]] = {}
    settled: dict[str, list[AnnotatorLabels]] = {}
    for stage in state.study.stages:
        if (
            not isinstance(stage.task, AnnotateTask)
            or stage.task.adjudicate
            or not state.study.is_work(stage)
        ):
            continue
        table = find_table(state.study, stage)
        game = state.study.stimuli[table].game
        for name in state.stages[stage.name].labels:
            item = tables[table][name]
            labels.setdefault(game, []).extend(
                AnnotatorLabels(stage=stage.name, item=item, annotator=person, values=values)
                for person, values in said.get((stage.name, name), {}).items()
            )
            settled.setdefault(game, []).extend(_settle_values(state, stage, item, said))
    return {game: StudyResults(labels=found, settled=settled[game]) for game, found in labels.items()}


def _read_values(
    state: StudyState, answers: Iterable[StoredAnswer]
) -> dict[tuple[str, str], dict[str, LabelValues]]:
    """The labels that count, by stage and item, then by person. Where no answers are stored, as by pilots in
    memory, the log has labels and counts."""
    found: dict[tuple[str, str], dict[str, LabelValues]] = {}
    for stage in state.study.stages:
        fields = [field for field in stage_fields(state.study, stage) if field.kind in CLOSED]
        for item, people in state.stages[stage.name].labels.items():
            found[stage.name, item] = {
                person: {
                    field.name: _logged_value(field, texts[field.name])
                    for field in fields
                    if field.name in texts
                }
                for person, texts in people.items()
            }
    for sent in answers:
        name = state.tasks[sent.task].assigned.stage
        task = state.stages[name].stage.task
        for each in decode_labels(sent.body) if isinstance(task, AnnotateTask) else ():
            if sent.person in found.get((name, each.item), ()):
                found[name, each.item][sent.person] = each.values
    return found


def _logged_value(field: AnnotationField, text: str) -> Any:
    match field.kind:
        case "several":
            return text.split("|") if text else []
        case "count":
            return int(text)
    return text


def _settle_values(
    state: StudyState,
    stage: StudyStage,
    item: AnnotationItem,
    said: Mapping[tuple[str, str], Mapping[str, LabelValues]],
) -> Iterator[AnnotatorLabels]:
    """What was settled about an item, with the values as they were given, where these are known."""
    found = settle_item(state.study, state.stages, stage.name, item.id)
    adjudicator = find_adjudicator(state.study, stage.name)
    sources = [stage.name, *([adjudicator.name] if adjudicator else [])]
    given = [values for source in sources for values in said.get((source, item.id), {}).values()]
    values = {
        field.name: each[field.name]
        for field in stage_fields(state.study, stage)
        for each in given
        if field.name in each and compare_as(field, each[field.name]) == found.values.get(field.name)
    }
    if values:
        yield AnnotatorLabels(stage=stage.name, item=item, annotator=found.by, values=values)
