"""The rooms in which the games of a study's tasks are played: how they are booked, and how games end."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

import msgspec
from msgspec import Struct

from groundling.core.events import Closed, Failed, Moved, Transcript
from groundling.core.pack import Pack, load
from groundling.core.values import Instance, Problem, Role
from groundling.studies.study import GameTask
from groundling.studies.study_decisions import TaskEnding, TaskReport
from groundling.web.export import read_exported_transcript
from groundling.web.room_attendance import RoomAttendance, read_room_notes
from groundling.web.room_ending import read_seat_endings
from groundling.web.room_manager import RoomManager
from groundling.web.server_settings import RoomRequest
from groundling.web.store import PERSON, PartnerConduct, erased_roles
from groundling.web.studies.served_study import ServedStudy
from groundling.web.studies.task_room_names import TaskRoom


class RoomResult(Struct, frozen=True):
    """How a game ended for each seat of a person."""

    endings: Mapping[Role, TaskEnding]
    messages: Mapping[Role, int] = {}
    score: float | None = None
    failed: bool = False
    """Whether a program or the administrator ended it."""
    fault: bool = False
    """Whether a program failed, or gave replies that could not be used."""

    @property
    def finished(self) -> bool:
        return not self.failed and set(self.endings.values()) == {"finished"}


async def book_task_room(
    room_manager: RoomManager, study: ServedStudy, room: TaskRoom, drawing: bytes, now: float
) -> None:
    """Book the room unless it is booked. `drawing`: the item, where an earlier stage drew it."""
    if await room_manager.store.find_booking(room.name) is not None:
        return
    task = room.stage.task
    assert isinstance(task, GameTask)
    pack = room_manager.find_game(task.game)
    instance, recording = await _find_instance(room_manager, study, room, pack, drawing)
    machine = task.machine_partner if room.assigned.machine else ""
    settings = room.stage.settings_in(room.assigned.condition)
    present = room_manager.make_game(pack, settings).seats(instance)
    seats = {
        role: PERSON if role in room.assigned.seats else machine if who == PERSON else who
        for role, who in room.stage.seats_in(room.assigned.condition).items()
        if role in present  # with some settings a game has fewer seats
    }
    minutes = min(24 * 60.0, max(1.0, (room.assigned.until - now) / 60))
    order = RoomRequest(task.game, seats, settings=settings, minutes=minutes)
    conduct = PartnerConduct(room.stage.is_blind, task.pace, task.farewell)
    try:
        await room_manager.book_room(pack, instance, order, recording, name=room.name, conduct=conduct)
    except Exception:  # another request may have booked it meanwhile
        if await room_manager.store.find_booking(room.name) is None:
            raise


async def _find_instance(
    room_manager: RoomManager, study: ServedStudy, room: TaskRoom, pack: Pack, drawing: bytes
) -> tuple[Instance, Transcript | None]:
    """The instance of a game, with the recorded game that it comes from, if any."""
    if room.source is None:
        there = (study.instances[name] for name in room.stage.item_sources)
        return next(found[room.item] for found in there if room.item in found), None
    if not room.source_room:
        return msgspec.json.decode(drawing, type=load(pack.game).Instance), None
    booking = await room_manager.store.find_booking(room.source_room)
    before = room_manager.find_game(booking.game) if booking else pack
    records = await room_manager.store.read_records(room.source_room)
    transcript = read_exported_transcript(before, records)
    if transcript is None:
        raise Problem("the game that this task continues was deleted: ask for another task")
    if before.data.made is None or before.name != pack.name:
        return transcript.opened.instance, transcript
    return (await room_manager.find_instances(pack, room.source_room))[0], None  # it carries its recording


async def read_room_result(room_manager: RoomManager, room: TaskRoom) -> RoomResult | None:
    """How the game in a room ended, as it is stored; None where it has not ended."""
    booking = await room_manager.store.find_booking(room.name)
    if booking is None:
        return None
    records = await room_manager.store.read_records(room.name)
    pack, people = room_manager.find_game(booking.game), room.assigned.seats
    if erased_roles(records):
        return RoomResult(dict.fromkeys(people, "stayed"), failed=True)
    transcript = read_exported_transcript(pack, records)
    if transcript is None:
        attendance = RoomAttendance(booking, read_room_notes(records))
        unbegun = attendance.unbegun_endings() if attendance.closed else {}
        return RoomResult({role: _task_ending(unbegun[role]) for role in people}) if unbegun else None
    last = transcript.events[-1]
    if not isinstance(last, Closed | Failed):
        return None
    endings = read_seat_endings(transcript)
    fault = any(endings.get(role) in ("failed", "refused") for role in endings if role not in people)
    return RoomResult(
        {role: _task_ending(endings.get(role, "stayed")) for role in people},
        {role: _count_messages(transcript, role) for role in people},
        read_task_score(pack, room.stage.score, transcript),
        fault or isinstance(last, Failed) or (isinstance(last, Closed) and last.reason == "admin"),
        fault,
    )


async def count_room_messages(room_manager: RoomManager, room: TaskRoom) -> dict[str, int]:
    """The messages of each person so far, as they are stored."""
    booking = await room_manager.store.find_booking(room.name)
    if booking is None:
        return {}
    records = await room_manager.store.read_records(room.name)
    transcript = read_exported_transcript(room_manager.find_game(booking.game), records)
    return {
        person: _count_messages(transcript, role) if transcript else 0
        for role, person in room.assigned.seats.items()
    }


def read_task_score(pack: Pack, measure: str, transcript: Transcript) -> float | None:
    """The score of a finished game as a share of the top, by a measure or by the game's main one."""
    if transcript.result is None:
        return None
    value: float | None
    top: float | None
    if not measure:
        value, top = transcript.result.score, load(pack.top)(transcript.opened.instance)
    else:
        scores = load(pack.score)(pack.new(transcript.opened.settings), transcript)
        value = scores.episode.get(measure)
        top = next(each.high for each in load(pack.measures) if each.name == measure)
    return max(0.0, min(1.0, value / top)) if value is not None and top else None


def _task_ending(ending: str) -> TaskEnding:
    return "stayed" if ending == "failed" else msgspec.convert(ending, TaskEnding)


def _count_messages(transcript: Transcript, role: Role) -> int:
    """The replies of a seat that were played."""
    return sum(isinstance(event, Moved) and event.role == role for event in transcript.events)


def report_task(room: TaskRoom, results: list[RoomResult]) -> dict[str, TaskReport]:
    """What the games of a task, the last of which ended it, say about each person."""
    last = results[-1]
    scores = [result.score for result in results if result.score is not None]
    return {
        person: TaskReport(
            last.endings[role],
            fmean(scores) if scores else None,
            sum(result.messages.get(role, 0) for result in results),
        )
        for role, person in room.assigned.seats.items()
    }
