"""A study that runs on this server: what participants do, its clock, and the ends of its games."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import time
from typing import Any, TypeVar

from msgspec import Struct

from groundling.core.values import Problem, Role
from groundling.studies.researcher_actions import ResearcherAction
from groundling.studies.study_decisions import (
    StudyEvents,
    end_task,
    expire_person,
    leave_study,
    next_deadline,
    report_partner,
)
from groundling.studies.study_state import StudyState
from groundling.web.room_manager import RoomManager
from groundling.web.studies import participant_actions as actions
from groundling.web.studies.annotation_tasks import LabelDrafts, describe_open_task
from groundling.web.studies.participant_steps import (
    advance_person,
    open_study,
    take_consent,
    take_machine_partner,
)
from groundling.web.studies.participant_view import describe_page
from groundling.web.studies.room_watch import RoomWatch, find_task_ending
from groundling.web.studies.served_study import ServedStudy
from groundling.web.studies.study_erasure import erase_study_person
from groundling.web.studies.submitted_answers import read_stored_drawing, submit_answer
from groundling.web.studies.task_room_names import TaskRoom, list_task_rooms
from groundling.web.studies.task_rooms import (
    RoomResult,
    book_task_room,
    count_room_messages,
    read_room_result,
    report_task,
)
from groundling.web.study_store import StudyDatabase, StudyLog, open_study_database

T = TypeVar("T")
POLL_SECONDS = 20.0
"""Seconds for which a waiting page's request is held."""
GONE_SECONDS = POLL_SECONDS + 25
"""Seconds without a request after which a person who waits has left."""
OTHER_WORKER_SECONDS = 10.0
"""Seconds after a deadline for which the worker that runs the room may end it first."""


class ParticipantPage(Struct, frozen=True):
    fields: dict[str, Any]
    room: str = ""
    """The room of the game that the person plays now."""
    role: Role = ""


class _ClockTick(Struct, frozen=True):
    due: list[tuple[str, str, float]]
    """People whose deadline has passed, with the open task, if any, and the deadline."""
    rooms: list[tuple[TaskRoom, tuple[str, Role] | None]]
    """Rooms that this server runs; if their task was ended elsewhere, with the reason and the seat that left,
    if any."""
    gone: list[str]
    """People who wait and have closed the page."""


class StudyHost:
    def __init__(self, study: ServedStudy, db: str, room_manager: RoomManager) -> None:
        self.study, self._db, self._room_manager = study, db, room_manager
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"study {study.name}")
        self._waiting: dict[str, int] = {}
        """People in waiting rooms, as far as this worker knows, with the number of messages to them."""
        self._changed = asyncio.Event()
        self._task_of_room: dict[str, str] = {}
        self._indexed = 0
        self._booking = asyncio.Lock()
        self._seen: dict[str, float] = {}
        """When people last asked for something here."""
        self._watch = RoomWatch(room_manager.rooms, study.files.study.away_seconds)
        self._database: StudyDatabase | None = None

    async def open(self) -> None:
        self._database = await self._run(lambda: open_study_database(self._db))
        self._log = StudyLog(self._database, self.study.name)

    async def close(self) -> None:
        if self._database is not None:
            await self._run(self._log.close)
        self._thread.shutdown()

    @property
    def _open_database(self) -> StudyDatabase:
        assert self._database is not None
        return self._database

    async def find_person(self, service: str, service_id: str, submission: tuple[str, str] = ("", "")) -> str:
        """The code of a person who has opened the link of the study. `submission`: the kind and the id of
        their submission at the service."""
        code = await self._run(lambda: self._log.find_person(service, service_id))
        if submission[1]:
            await self._run(lambda: self._log.keep_id(code, *submission))
        return code

    async def look_up_person(self, service: str, service_id: str) -> str:
        """The code of a person, or "" where there is none. An open page of a person who was erased must not
        store their id again."""
        return await self._run(lambda: self._log.look_up_person(service, service_id))

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def _decide(self, decide: Callable[[StudyState], tuple[StudyEvents, T]]) -> T:
        """Make a decision, which is durable afterwards, and wake those who wait for a change."""

        def decide_and_look() -> tuple[T, dict[str, int]]:
            value = self._log.decide_events(decide)
            state = self._log.read_state()
            waiting = [who for each in state.stages.values() for who in each.waiting]
            return value, {who: len(state.people[who].messages) for who in waiting}

        value, waiting = await self._run(decide_and_look)
        if waiting != self._waiting:
            self._waiting = waiting
            changed, self._changed = self._changed, asyncio.Event()
            changed.set()
        return value

    async def _log_events(self, decide: Callable[[StudyState], StudyEvents]) -> None:
        await self._decide(lambda state: (decide(state), None))

    # What researchers see and do

    async def read(self, view: Callable[[StudyState, StudyDatabase], T]) -> T:
        """What a function makes of the study as it is stored now."""
        return await self._run(lambda: view(self._log.read_state(), self._open_database))

    async def take_action(self, action: ResearcherAction) -> str:
        """Do what a researcher asks for, and say what was done. Raises Problem for what cannot be done."""
        return await self._decide(lambda state: action.take(state, time()))

    async def find_tasks(self, rooms: Iterable[str]) -> dict[str, str]:
        """The tasks of those of the rooms that belong to this study."""
        found = await self.read(lambda state, _: {room: self._find_task(state, room) for room in rooms})
        return {room: task for room, task in found.items() if task}

    # What participants do

    async def act(
        self, person: str, action: actions.ParticipantAction, language: str = ""
    ) -> ParticipantPage:
        """Do what a page asks for, and return what it shows then. Raises Problem for what cannot be done."""
        language = language or self.study.files.study.language
        new_visit = isinstance(action, actions.OpenStudy) and action.visit == "new"
        self._seen[person] = time()
        await self._settle_open_task(person)
        await self._log_events(lambda state: self._arrive(state, person, new_visit))
        match action:
            case actions.AnswerConsent():
                consent = partial(take_consent, self._open_database, self.study.name)
                await self._log_events(lambda state: consent(state, person, action, language))
            case actions.SubmitTask():
                submit = partial(submit_answer, self.study, self._open_database, person, action)
                if trouble := await self._decide(submit):
                    raise Problem(trouble)
            case actions.TakeMachine():
                await self._log_events(lambda state: take_machine_partner(state, person))
            case actions.ReportPartner(task=task, reason=reason):
                told = actions.read_reason(reason)
                await self._log_events(
                    lambda state: (
                        report_partner(state, person, told, time())
                        if state.people[person].task == task
                        else []
                    )
                )
            case actions.EraseData():
                await asyncio.to_thread(erase_study_person, self._db, person)
            case actions.LeaveStudy():
                sent = await self._count_messages(person)
                await self._log_events(lambda state: leave_study(state, person, time(), sent))
            case actions.AwaitChange():
                await self._await_change(person)
        started = isinstance(action, actions.StartTask)
        await self._log_events(lambda state: advance_person(state, person, started))
        return await self._read_page(person, language)

    def _arrive(self, state: StudyState, person: str, new_visit: bool) -> StudyEvents:
        arrives = new_visit or person not in state.people
        return open_study(self._open_database, self.study.name, state, person) if arrives else []

    async def _await_change(self, person: str) -> None:
        """Wait until the person no longer waits for a partner or gets a message, or a while."""
        before = self._waiting.get(person)
        ends = await self.read(lambda state, _: next_deadline(state, person))
        try:
            async with asyncio.timeout(max(0.0, min(POLL_SECONDS, ends - time()))):
                while before is not None and self._waiting.get(person) == before:
                    await self._changed.wait()
        except TimeoutError:
            pass

    async def read_items(
        self, person: str, language: str, drafts: LabelDrafts | None = None
    ) -> dict[str, Any]:
        """The items of the annotation that a person does now. Raises Problem where there is none."""
        language = language or self.study.files.study.language
        return await self.read(
            lambda state, db: describe_open_task(state, db, self.study, person, language, drafts)
        )

    async def _read_page(self, person: str, language: str) -> ParticipantPage:
        def read(state: StudyState) -> tuple[StudyEvents, tuple[dict[str, Any], list[TaskRoom]]]:
            task = state.people[person].task
            rooms = list_task_rooms(self.study.name, state, task) if task else []
            return [], (describe_page(state, self.study, person, language, time()), rooms)

        fields, rooms = await self._decide(read)
        for number, room in enumerate(rooms, 1):
            result = await read_room_result(self._room_manager, room)
            if result is None:
                async with self._booking:
                    read_drawing = partial(read_stored_drawing, self.study.name, self._open_database, room)
                    drawing = await self._run(read_drawing)
                    await book_task_room(self._room_manager, self.study, room, drawing, time())
                role = next(role for role, who in room.assigned.seats.items() if who == person)
                return ParticipantPage({**fields, "round": [number, len(rooms)]}, room.name, role)
            if not result.finished:
                break
        if not rooms:
            return ParticipantPage(fields)
        await self._settle_task(rooms[0].assigned.task)  # its game ended meanwhile, perhaps at another worker
        await self._log_events(lambda state: advance_person(state, person, False))
        return await self._read_page(person, language)

    # Games

    async def handle_room_over(self, name: str) -> None:
        """A game on this server has ended: if it is one of ours, record what became of its task."""
        if task := await self.read(lambda state, _: self._find_task(state, name)):
            await self._settle_task(task)

    def _find_task(self, state: StudyState, room: str) -> str:
        """The task to which a room belongs, or ""."""
        names = list(state.tasks)
        for task in names[self._indexed :]:
            for each in list_task_rooms(self.study.name, state, task):
                self._task_of_room[each.name] = task
        self._indexed = len(names)
        return self._task_of_room.get(room, "")

    async def _count_messages(self, person: str) -> dict[str, int]:
        """The messages of everybody in the person's open task; none where it is no game that has begun."""
        sent: dict[str, int] = {}
        for room in await self._read_rooms(lambda state: state.people[person].task):
            for name, number in (await count_room_messages(self._room_manager, room)).items():
                sent[name] = sent.get(name, 0) + number
        return sent

    async def _settle_open_task(self, person: str) -> None:
        """Record the end of the game that a person has played, if it has ended."""
        known = await self.read(lambda state, _: state.people.get(person))
        if known and known.task:
            await self._settle_task(known.task)

    async def _settle_task(self, task: str) -> None:
        """Record the end of a task whose games have ended. What is stored decides, so it can be repeated."""
        rooms = await self._read_rooms(lambda state: task if state.tasks[task].open else "")
        results: list[RoomResult] = []
        for room in rooms:
            result = await read_room_result(self._room_manager, room)
            if result is None:
                return
            results.append(result)
            if not result.finished:
                break
        if results:
            reports, last = report_task(rooms[len(results) - 1], results), results[-1]
            ends = {"broken_off": last.failed, "fault": last.fault}
            await self._log_events(lambda state: end_task(state, task, reports, time(), **ends))

    async def _read_rooms(self, find_task: Callable[[StudyState], str]) -> list[TaskRoom]:
        """The rooms of the task that a function finds, if it finds one."""

        def list_rooms(state: StudyState, _: StudyDatabase) -> list[TaskRoom]:
            task = find_task(state)
            return list_task_rooms(self.study.name, state, task) if task else []

        return await self.read(list_rooms)

    # The clock

    async def run_clock(self) -> None:
        """Look once a second for what has lasted too long, until cancelled."""
        while True:
            await asyncio.sleep(1)
            await self.tick_clock(time())

    async def tick_clock(self, now: float) -> None:
        tick = await self._decide(lambda state: ([], self._look(state, now)))
        self._watch.note_away([room.name for room, _ in tick.rooms], now)
        for room, ending in tick.rooms:
            await self._watch.check_room(room, ending, now)
        for person in tick.gone:
            await self._log_events(partial(leave_study, person=person, now=now))
        for person, task, deadline in tick.due:
            if task:
                await self._end_rooms(task)
                await self._settle_task(task)
            grace = OTHER_WORKER_SECONDS if task and self._room_manager.cluster else 0.0
            if now >= deadline + grace:
                await self._log_events(partial(expire_person, person=person, now=now))

    def _look(self, state: StudyState, now: float) -> _ClockTick:
        deadlines = [(who, state.people[who].task, next_deadline(state, who)) for who in state.active]
        rooms: list[tuple[TaskRoom, tuple[str, Role] | None]] = []
        for name, live in list(self._room_manager.rooms.items()):
            if not live.over and (task := self._find_task(state, name)):
                ending = None if state.tasks[task].open else find_task_ending(state.tasks[task])
                found = list_task_rooms(self.study.name, state, task)
                rooms += [(room, ending) for room in found if room.name == name]
        return _ClockTick([each for each in deadlines if each[2] <= now], rooms, self._find_gone(state, now))

    def _find_gone(self, state: StudyState, now: float) -> list[str]:
        """People in waiting rooms whose page was closed. With several workers, each knows only its own pages,
        so the wait's own time limit has to suffice."""
        if self._room_manager.cluster:
            return []
        waiting = [who for each in state.stages.values() for who in each.waiting]
        return [who for who in waiting if self._seen.setdefault(who, now) < now - GONE_SECONDS]

    async def _end_rooms(self, task: str) -> None:
        """End the games of a task whose time is up, where this server runs them."""
        for name, belongs_to in list(self._task_of_room.items()):
            live = self._room_manager.rooms.get(name) if belongs_to == task else None
            if live is not None:
                await live.end_game("time")
