"""The items of an annotation as a page shows them, and what annotators send."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import msgspec
from msgspec import Struct

from groundling.core.annotation_item import AnnotationItem, ItemPicture
from groundling.core.desk import BoardEditor
from groundling.core.pack import find, load
from groundling.core.values import Illegal, Problem
from groundling.studies.annotation_flow import find_table, stage_fields
from groundling.studies.annotation_labels import (
    ItemAnswer,
    LabelValues,
    comparable_values,
    decode_labels,
    read_item_answer,
    score_labels,
)
from groundling.studies.annotation_schema import AnnotateTask, AnnotationField
from groundling.studies.item_table import IMAGE_TYPES
from groundling.studies.study import StudyStage
from groundling.studies.study_decisions import TaskReport
from groundling.studies.study_events import TaskAssigned
from groundling.studies.study_state import StudyState
from groundling.web.responses import DECODE_ERRORS
from groundling.web.studies.served_study import ServedStudy
from groundling.web.study_store import StudyDatabase

ReadLabels = Callable[[str, str], Mapping[str, LabelValues]]
"""What people said about an item of a stage, by person."""


class LabelDrafts(Struct, frozen=True):
    """What a page has kept of a task that is not sent yet."""

    task: str = ""
    kept: list[dict[str, msgspec.Raw]] = []
    """The values of each item, in the order of the page."""


class StageItems:
    """The items of one annotation stage, with all that is needed to show and to read them."""

    def __init__(self, state: StudyState, study: ServedStudy, stage: StudyStage) -> None:
        assert isinstance(stage.task, AnnotateTask)
        self._state, self._study, self._stage, self._task = state, study, stage, stage.task
        self.fields: Sequence[AnnotationField] = stage_fields(state.study, stage)
        table = find_table(state.study, stage)
        self.items = study.files.tables[table]
        stimuli = state.study.stimuli[table]
        self._folder = (study.folder / stimuli.table).parent
        self._pack = find(stimuli.game) if stimuli.game else None

    @property
    def _editor(self) -> BoardEditor:
        if self._pack is None or self._pack.live.boards is None:
            raise Problem("its boards cannot be shown: name the game of the table in the study file")
        return self._pack.live.boards

    # What a page shows

    def describe_task(
        self, assigned: TaskAssigned, language: str, read_labels: ReadLabels, drafts: LabelDrafts
    ) -> dict[str, Any]:
        """All items of a task, without their names and without who made them."""
        kept = drafts.kept if drafts.task == assigned.task else []
        text, own = self._study.files.find_text(f"stages.{self._stage.name}.guidelines", language)
        return {
            "task": assigned.task,
            "fields": self.fields,
            "skip": self._task.skip,
            "adjudicate": self._task.adjudicate,
            "guidelines": [{"text": text, "language": own}] if text else [],
            "items": [
                self._describe_item(assigned, name, read_labels, kept[number] if number < len(kept) else {})
                for number, name in enumerate(assigned.items)
            ],
        }

    def _describe_item(
        self, assigned: TaskAssigned, name: str, read_labels: ReadLabels, kept: Mapping[str, msgspec.Raw]
    ) -> dict[str, Any]:
        item = self.items[name]
        shown: dict[str, Any] = {
            "text": item.text,
            "before": item.before,
            "facts": item.facts,
            "pictures": [self._describe_picture(picture) for picture in item.pictures],
        }
        if self._task.adjudicate:
            said = [*read_labels(self._stage.items, name).values()]
            Random(f"{assigned.task}/{name}").shuffle(said)
            shown["said"] = [self._describe_values(item, values) for values in said]
            shown["agreed"] = self._find_agreed(shown["said"])
        if boards := [field.name for field in self.fields if field.kind == "board"]:
            agreed = shown.get("agreed", {}).get(boards[0])
            moves = kept.get(boards[0]) or (msgspec.Raw(msgspec.json.encode(agreed)) if agreed else None)
            desk = load(self._editor.desk)(self._paint(item.board, moves) if moves else item.board)
            work = next(panel.svg for panel in desk.panels if panel.name == "work")
            shown["desk"] = {"svg": work, "tool": desk.tool, "facts": desk.facts}
        return shown

    def _find_agreed(self, said: Sequence[LabelValues]) -> LabelValues:
        """What all annotators of an item said, as a page sends it; free text is no label."""
        agreed = {}
        for field in self.fields:
            given = [values.get(field.name) for values in said]
            if (
                field.kind != "text"
                and given
                and given[0] is not None
                and given.count(given[0]) == len(given)
            ):
                agreed[field.name] = given[0]["moves"] if field.kind == "board" else given[0]
        return agreed

    def _describe_picture(self, picture: ItemPicture) -> dict[str, str]:
        if picture.file:
            path = self._folder / picture.file
            kind = IMAGE_TYPES[Path(picture.file).suffix.lower()]
            return {
                "title": picture.title,
                "src": f"data:{kind};base64,{b64encode(path.read_bytes()).decode()}",
            }
        svg = picture.svg or str(load(self._editor.draw)(picture.board, picture.against))
        return {"title": picture.title, "svg": svg}

    def _describe_values(self, item: AnnotationItem, values: LabelValues) -> LabelValues:
        """What an annotator said; boards as pictures, in which changes are marked, and as moves."""
        boards = {field.name for field in self.fields if field.kind == "board"} & {*values}
        return values | {name: self._describe_board(item.board, values[name]) for name in boards}

    def _describe_board(self, before: str, after: str) -> dict[str, Any]:
        moves = load(self._editor.changes)(before, after)
        return {"svg": load(self._editor.draw)(after, before), "moves": msgspec.to_builtins(moves)}

    # What annotators send

    def read_task(self, assigned: TaskAssigned, sent: Sequence[ItemAnswer]) -> tuple[bytes, TaskReport]:
        """What is stored of a task, and what it counts. Raises Problem with one line."""
        if len(sent) != len(assigned.items):
            raise Problem("some items have no labels: label or skip all of them")
        labels = []
        for number, (name, answer) in enumerate(zip(assigned.items, sent, strict=True), 1):
            if answer.skipped and not self._task.skip:
                raise Problem(f"item {number} cannot be skipped: label it")
            try:
                labels.append(read_item_answer(self.fields, self.items[name], answer, self._paint))
            except Problem as trouble:
                raise Problem(f"item {number}: {trouble}") from None
        scores = [score_labels(self.fields, self.items[each.item], each) for each in labels]
        known = [score for score in scores if score is not None]
        report = TaskReport(
            "finished",
            fmean(known) if known else None,
            labels={each.item: comparable_values(self.fields, each) for each in labels if not each.skipped},
        )
        return msgspec.json.encode(labels), report

    def _paint(self, board: str, raw: msgspec.Raw) -> str:
        assert self._pack is not None
        try:
            moves = msgspec.json.decode(raw, type=tuple[load(self._pack.game).Move, ...])  # type: ignore[misc]
            return str(load(self._editor.paint)(board, moves))
        except (*DECODE_ERRORS, Illegal) as trouble:
            raise Problem(f"this cannot be painted: {trouble}") from None


def describe_open_task(
    state: StudyState,
    database: StudyDatabase,
    study: ServedStudy,
    person: str,
    language: str,
    drafts: LabelDrafts | None = None,
) -> dict[str, Any]:
    """The annotation that a person does now. Raises Problem where there is none."""
    task = state.people[person].task if person in state.people else ""
    stage = state.stages[state.tasks[task].assigned.stage].stage if task else None
    if stage is None or not isinstance(stage.task, AnnotateTask):
        raise Problem("there is nothing to annotate now: reload the page")
    labels = partial(_read_item_labels, database, study.name, state)
    shown = StageItems(state, study, stage)
    return shown.describe_task(state.tasks[task].assigned, language, labels, drafts or LabelDrafts())


def _read_item_labels(
    database: StudyDatabase, study: str, state: StudyState, stage: str, item: str
) -> dict[str, LabelValues]:
    """What annotators said about an item of a stage, by person, as far as it counts."""
    found: dict[str, LabelValues] = {}
    for person in state.stages[stage].labels.get(item, ()):
        for task in state.tasks_of[person]:
            assigned = state.tasks[task].assigned
            if assigned.stage == stage and item in assigned.items and state.tasks[task].counted:
                query = "SELECT body FROM study_answers WHERE study = ? AND task = ?"
                for (body,) in database.fetch_rows(query, (study, task)):
                    found[person] = next(each.values for each in decode_labels(body) if each.item == item)
    return found
