"""A small study to test with, and a host that runs it in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from tests.web.room_helpers import new_manager, until

from groundling.studies.study_events import AnyStudyEvent
from groundling.web.live_room import LiveRoom
from groundling.web.room_manager import RoomManager
from groundling.web.server import open_server_files
from groundling.web.server_settings import ServerSettings
from groundling.web.studies.participant_actions import AnswerConsent, OpenStudy, StartTask, SubmitTask
from groundling.web.studies.participant_pages import ParticipantPages
from groundling.web.studies.served_study import begin_served_studies
from groundling.web.studies.study_host import ParticipantPage, StudyHost
from groundling.web.study_store import open_study_log

PAIRS = """
title = "Pairs"
contact = "a@example.org"
consent = "consent.md"
idle_minutes = 20
[privacy]
programs = true
[pay]
base = 0.5
partner_left = 1.0
[stimuli.refs]
game = "reference"
file = "refs.jsonl"
[[stages]]
name = "quiz"
minutes = 10
expected_minutes = 2
pass_mark = 1.0
[stages.task]
kind = "quiz"
attempts = 2
questions = [{ text = "May you stop?", choices = ["yes", "no"], answer = "yes" }]
[[stages]]
name = "games"
items = "refs"
answers = 2
most = 2
minutes = 10
wait_minutes = 5
pay = 1.0
task = { kind = "game", game = "reference", seats = { giver = "person", follower = "person" } }
[[stages]]
name = "end"
minutes = 10
expected_minutes = 2
task = { kind = "questionnaire", questions = [{ text = "Anything else?", optional = true }] }
"""


def write_study(folder: Path, text: str = PAIRS, items: int = 4) -> Path:
    from groundling.cli import main

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "consent.md").write_text("# Taking part\n\nYou may stop at any time.\n")
    (folder / "study.toml").write_text(text)
    stimuli = folder / "refs.jsonl"
    if not stimuli.exists():
        assert main(["make", "reference", "-n", str(items), "-o", str(stimuli)]) == 0
    return folder


@asynccontextmanager
async def open_host(place: Path | str, folder: Path) -> AsyncIterator[tuple[StudyHost, RoomManager]]:
    """Several in one database are like several servers. Their clocks stand still."""
    opened = open_server_files(ServerSettings(studies=(str(folder),)))
    fields = {name: getattr(opened, name) for name in ServerSettings.__struct_fields__}
    manager = new_manager(str(place), **fields)
    begin_served_studies(str(place), opened.served_studies)
    host = StudyHost(opened.served_studies[0], str(place), manager)
    ParticipantPages(manager, [host])
    await manager.open()
    await host.open()
    try:
        yield host, manager
    finally:
        await host.close()
        await manager.close()


def read_log(place: Path | str, study: str = "pairs") -> list[AnyStudyEvent]:
    with open_study_log(str(place), study) as log:
        return log.read_events()


async def come(host: StudyHost, person: str, visit: Any = "new") -> ParticipantPage:
    """Open the study, and start the task that comes next."""
    page = await host.act(person, OpenStudy(visit))
    return await host.act(person, StartTask()) if page.fields["page"] == "next" else page


async def agree(host: StudyHost, person: str) -> ParticipantPage:
    """Agree, and start the first task."""
    await host.act(person, AnswerConsent(True))
    return await come(host, person, "same")


async def come_to_work(host: StudyHost, person: str) -> ParticipantPage:
    """Arrive, agree and pass the quiz."""
    await come(host, person)
    page = await agree(host, person)
    await host.act(person, SubmitTask(page.fields["task"], ["yes"]))
    return await come(host, person, "same")


async def open_task_room(manager: RoomManager, page: ParticipantPage) -> LiveRoom:
    room = await manager.open_room(page.room)
    assert room is not None
    return room


async def end_room(manager: RoomManager, room: LiveRoom) -> None:
    """Let the manager notice that a game is over, as it does every second."""
    await until(lambda: room.over and not room.recorder.has_unsaved)
    await manager._maintain_room(room.booking.id, room._clock())


def moves_of(values: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(values))
