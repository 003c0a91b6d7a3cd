"""The names of the rooms in which the games of a study's tasks are played. They follow from the task, so that
nothing has to be stored to find them again."""

from __future__ import annotations

from hashlib import sha256

from msgspec import Struct

from groundling.studies.study import DrawTask, GameTask, StudyStage
from groundling.studies.study_events import TaskAssigned
from groundling.studies.study_state import StudyState


class TaskRoom(Struct, frozen=True):
    """One game of a task, with all that is needed to open its room."""

    name: str
    stage: StudyStage
    assigned: TaskAssigned
    item: str
    source: TaskAssigned | None = None
    """The task whose answer the item is, where an earlier stage made it."""
    source_room: str = ""
    """The room of that task; "" where it was a drawing."""


def list_task_rooms(study: str, state: StudyState, task: str) -> list[TaskRoom]:
    """The rooms of a task in the order of its items; none for tasks that are no games."""
    assigned = state.tasks[task].assigned
    stage = state.stages[assigned.stage].stage
    if not isinstance(stage.task, GameTask):
        return []
    rooms: list[TaskRoom] = []
    for item in assigned.items:
        source, source_room = None, ""
        if before := state.study.stage_named(stage.items):
            name, _, inner = item.partition("/")
            source = state.tasks[name].assigned
            source_room = "" if isinstance(before.task, DrawTask) else _room_name(study, state, source, inner)
        rooms.append(
            TaskRoom(
                _room_name(study, state, assigned, item),
                stage,
                assigned,
                state.stages[stage.name].items[item].root if stage.partners else item,
                source,
                source_room,
            )
        )
    return rooms


def _room_name(study: str, state: StudyState, assigned: TaskAssigned, item: str) -> str:
    """A name that others cannot guess, as the time of the start is not known to them."""
    key = f"{study}/{state.started.at!r}/{assigned.task}/{assigned.at!r}/{item}"
    return sha256(key.encode()).hexdigest()[:12]
