"""Find what is wrong with the annotation stages of a study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from groundling.core.annotation_item import AnnotationItem
from groundling.core.desk import BoardEditor
from groundling.core.pack import choices_hint, find, load
from groundling.core.values import Illegal, Problem
from groundling.studies.annotation_flow import find_adjudicator, find_table, stage_fields
from groundling.studies.annotation_labels import read_value
from groundling.studies.annotation_schema import LABELLED, AnnotateTask, AnnotationField
from groundling.studies.study import Study, StudyStage

CONDITIONS = ("choice", "ordered", "several", "count")
"""Kinds of fields on which others and later stages may depend."""
LINE_MARKS = ("\n", "|")
"""What a label cannot have in it, as files of labels use it."""


def find_annotation_mistakes(study: Study, stage: StudyStage) -> Iterator[str]:
    source = study.stage_named(stage.items)
    if not isinstance(stage.task, AnnotateTask):
        if source and isinstance(source.task, AnnotateTask):
            yield f"items: stage {source.name} annotates: only a stage that annotates can take its items"
        stimuli = study.stimuli.get(stage.items)
        if stimuli and stimuli.table:
            yield f"items: {stage.items} is a table: only a stage that annotates can take its items"
        return
    yield from _check_source(study, stage, source)
    fields = stage_fields(study, stage)
    if not fields:
        yield "it has no fields: write what annotators are asked"
    names = [field.name for field in fields]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"fields.{name}: two fields have this name: rename one"
    for number, field in enumerate(stage.task.fields):
        for told in _check_field(field, stage.task.fields[:number]):
            yield f"fields.{field.name}: {told}"
    if sum(field.kind == "board" for field in fields) > 1:
        yield "two fields are boards, but an item has one board to correct: remove one"
    game = _find_table_game(study, stage)
    if any(field.kind == "board" for field in fields) and _find_editor(game) is None:
        yield "a field of the kind board needs stimuli of a game whose boards can be corrected: name the game"


def _check_source(study: Study, stage: StudyStage, source: StudyStage | None) -> Iterator[str]:
    task = stage.task
    assert isinstance(task, AnnotateTask)
    follows = task.adjudicate or bool(task.only)
    if source is None:
        if follows:
            yield "adjudicate and only are for the items of another stage: name it in items"
        elif stage.items in study.stimuli and not study.stimuli[stage.items].table:
            yield f"items: {stage.items} is no table: give the stimuli a table"
        return
    if not isinstance(source.task, AnnotateTask):
        yield f"items: stage {source.name} does not annotate: name a table, or a stage that annotates"
        return
    if task.adjudicate and source.answers < 2:
        yield f"adjudicate: stage {source.name} has one annotator an item: ask for two answers there"
    if task.adjudicate and task.only:
        yield "it has adjudicate and only: remove one"
    if task.adjudicate and find_adjudicator(study, source.name) is not stage:
        yield f"adjudicate: another stage settles the items of {source.name} already: remove one"
    if not source.answers:
        yield f"items: stage {source.name} takes any number of answers, so no item is done: give a number"
    known = {field.name: field for field in stage_fields(study, source)}
    for name, labels in task.only.items():
        if name not in known or known[name].kind not in CONDITIONS:
            yield f"only: stage {source.name} has no field {name!r} with labels: {choices_hint(known)}"
        elif known[name].labels and not {*labels} <= {*known[name].labels}:
            yield f"only.{name}: there is another label than {', '.join(known[name].labels)}: correct it"


def _check_field(field: AnnotationField, before: tuple[AnnotationField, ...]) -> Iterator[str]:
    if field.kind in LABELLED and len(field.labels) < (1 if field.kind in ("several", "spans") else 2):
        yield f"{field.kind} needs labels: add them"
    if field.kind not in LABELLED and field.labels:
        yield f"labels are not for {field.kind}: remove them"
    if len({*field.labels}) < len(field.labels) or not all(field.labels):
        yield "a label is empty or twice there: correct it"
    if any(mark in label for label in field.labels for mark in LINE_MARKS):
        yield "a label has a line break or | in it: write it without"
    for label in sorted({*field.about} - {*field.labels}):
        yield f"about: there is no label {label!r}: {choices_hint(field.labels)}"
    known = {each.name: each for each in before if each.kind in CONDITIONS}
    for name, labels in field.when.items():
        if name not in known:
            hint = choices_hint(known) if known else "move it up"
            yield f"when: no earlier field {name!r} has labels: {hint}"
        elif known[name].labels and not {*labels} <= {*known[name].labels}:
            yield f"when.{name}: there is another label than {', '.join(known[name].labels)}: correct it"


def _find_table_game(study: Study, stage: StudyStage) -> str:
    """The game of the stimuli from which the items of a stage come."""
    stimuli = study.stimuli.get(find_table(study, stage))
    return stimuli.game if stimuli else ""


def _find_editor(game: str) -> BoardEditor | None:
    try:
        return find(game).live.boards if game else None
    except Problem:
        return None


def find_item_mistakes(study: Study, tables: Mapping[str, Mapping[str, AnnotationItem]]) -> Iterator[str]:
    """Mistakes in the rows of tables: boards that cannot be shown, and what stages need and an item lacks."""
    for name, items in tables.items():
        yield from _find_board_mistakes(f"stimuli.{name}", items, _find_editor(study.stimuli[name].game))
    for stage in study.stages:
        kinds = {field.kind for field in stage_fields(study, stage)}
        for item in tables.get(stage.items, {}).values():
            where = f"stages.{stage.name}: the item {item.id!r} of {stage.items}"
            if "board" in kinds and not item.board:
                yield f"{where} has no board to correct: add it as board"
            if "spans" in kinds and not item.text:
                yield f"{where} has no text in which words can be marked: add it"
    yield from _find_answer_mistakes(study, tables)


def _find_board_mistakes(
    where: str, items: Mapping[str, AnnotationItem], editor: BoardEditor | None
) -> Iterator[str]:
    for item in items.values():
        boards = {item.board, *(each for one in item.pictures for each in (one.board, one.against))}
        for board in sorted(boards - {""}):
            if editor is None:
                yield f"{where}: the item {item.id!r} has a board, but no game shows it: name the game"
                return
            try:
                load(editor.paint)(board, ())
            except Illegal as trouble:
                yield f"{where}: the item {item.id!r} has a board that cannot be read: {trouble}"


def _find_answer_mistakes(study: Study, tables: Mapping[str, Mapping[str, AnnotationItem]]) -> Iterator[str]:
    """Mistakes in the known answers of tables, for the stages that are scored against them."""
    for stage in study.stages:
        is_scored = stage.pass_mark is not None or bool(study.groups_entered_by(stage.name))
        if not isinstance(stage.task, AnnotateTask) or not is_scored:
            continue
        fields = {field.name: field for field in stage_fields(study, stage)}
        for item in tables.get(stage.items, {}).values():
            where = f"stages.{stage.name}: the item {item.id!r} of {stage.items}"
            if not {*item.answers} & {*fields}:
                yield f"{where} has no known answer: add one, as practice is scored against it"
            for name in sorted({*item.answers} & {*fields}):
                try:
                    _read_answer(fields[name], item)
                except (Problem, ValueError) as trouble:
                    yield f"{where}: the known answer does not fit the schema: {trouble}"


def _read_answer(field: AnnotationField, item: AnnotationItem) -> None:
    """Check a known answer, which is a text where the table is CSV. Raises Problem or ValueError."""
    answer = item.answers[field.name]
    match field.kind:
        case "text" | "board":
            return
        case "choice" | "ordered":
            answer = str(answer)
        case "several" if isinstance(answer, str):
            answer = answer.split("|")
        case "count":
            answer = int(answer)
    read_value(field, item, msgspec.Raw(msgspec.json.encode(answer)), lambda board, _: board)
