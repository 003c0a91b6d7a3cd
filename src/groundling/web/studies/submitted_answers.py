"""The answers and drawings that participants send: checked, and stored with the events of their tasks."""

from __future__ import annotations

import secrets
from functools import partial
from time import time

import msgspec

from groundling.core.pack import find, load
from groundling.core.values import Instance, Problem
from groundling.studies.annotation_schema import AnnotateTask
from groundling.studies.study import DrawTask, StageTask
from groundling.studies.study_decisions import StudyEvents, end_task
from groundling.studies.study_state import StudyState
from groundling.web.studies.annotation_tasks import StageItems
from groundling.web.studies.participant_actions import SubmitTask, read_answer
from groundling.web.studies.served_study import ServedStudy
from groundling.web.studies.task_room_names import TaskRoom
from groundling.web.study_store import StudyDatabase

INSERT_ANSWER = "INSERT INTO study_answers VALUES (?, ?, ?, ?)"
SELECT_ANSWER = "SELECT body FROM study_answers WHERE study = ? AND task = ?"


def submit_answer(
    study: ServedStudy, database: StudyDatabase, person: str, sent: SubmitTask, state: StudyState
) -> tuple[StudyEvents, str]:
    """Store an answer with its events. Returns why it is refused, or "" where it was taken before."""
    if state.people[person].task != sent.task:
        return [], "" if sent.task in state.tasks_of.get(person, ()) else "this is not your task: reload"
    assigned = state.tasks[sent.task].assigned
    stage = state.stages[assigned.stage].stage
    try:
        if isinstance(stage.task, AnnotateTask):
            body, report = StageItems(state, study, stage).read_task(assigned, sent.labels)
        else:
            images = partial(_list_images, study, database, state, stage.task)
            body, report = read_answer(stage.task, sent, f"drawn-{secrets.token_hex(4)}", images)
    except Problem as trouble:
        return [], str(trouble)
    database.write_rows(INSERT_ANSWER, [(study.name, sent.task, person, body)])
    return end_task(state, sent.task, {person: report}, time()), ""


def _list_images(
    study: ServedStudy, database: StudyDatabase, state: StudyState, task: StageTask
) -> list[Instance]:
    """The stimuli of a game of which drawings are made, and the drawings so far."""
    assert isinstance(task, DrawTask)
    stages = {stage.name for stage in state.study.stages if stage.task == task}
    drawn = [name for name, each in state.tasks.items() if each.assigned.stage in stages]
    rows = [row for name in drawn for row in database.fetch_rows(SELECT_ANSWER, (study.name, name))]
    kind = load(find(task.game).game).Instance
    stimuli = [
        instance
        for name, about in state.study.stimuli.items()
        if about.game == task.game
        for instance in study.instances[name].values()
    ]
    return [*stimuli, *(msgspec.json.decode(bytes(body), type=kind) for (body,) in rows)]


def read_stored_drawing(study: str, database: StudyDatabase, room: TaskRoom) -> bytes:
    """The drawing that is the item of a room; nothing where a game or the stimuli made the item."""
    if room.source is None or room.source_room:
        return b""
    found = database.fetch_rows(SELECT_ANSWER, (study, room.source.task))
    if not found:
        raise Problem("the drawing that this task continues was deleted: leave, and come back")
    return bytes(found[0][0])
