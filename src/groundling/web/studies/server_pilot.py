"""A pilot over HTTP and sockets: a server of its own on a free port, and bots that take part in its study."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import time

import msgspec

from groundling.core.annotation_item import AnnotationItem
from groundling.core.values import Problem
from groundling.files import encode_toml, write_whole_file
from groundling.studies.annotation_schema import AnnotateTask
from groundling.studies.eligibility import awaits_decision
from groundling.studies.item_table import read_item_table
from groundling.studies.pilot import BotHabits, choose_waiting_candidates, decide_candidate
from groundling.studies.study import GameTask, StageTask, Study, StudyStimuli
from groundling.studies.study_decisions import StudyEvents, next_deadline
from groundling.studies.study_file import STUDY_FILE
from groundling.studies.study_state import StudyState, fold_study
from groundling.web.studies.study_bots import BotHost, StudyBot
from groundling.web.study_store import open_study_log

ARRIVAL_SECONDS = 0.3
"""Seconds between two arrivals, on average."""
ADMINISTRATOR_SECONDS = 1.0
"""Seconds between two looks of the administrator."""
IDLE_LOOKS = 6
"""Looks at which nobody took part, after which no more candidates are expected."""


def write_fast_study(study: Study, source: Path, target: Path, speed: float) -> Study:
    """Write the study into another folder, with all time limits divided by `speed`. A wait
    costs what the longer one would."""
    replace = msgspec.structs.replace

    def locate(name: str) -> str:
        return str(source.resolve() / name) if name else ""

    def place(stimuli: StudyStimuli) -> StudyStimuli:
        files = {name: locate(getattr(stimuli, name)) for name in ("file", "data", "table")}
        return replace(stimuli, **files)

    def place_task(task: StageTask) -> StageTask:
        if isinstance(task, GameTask) and task.pace is not None:
            pace = {name: getattr(task.pace, name) / speed for name in ("seconds", "a_character", "most")}
            return replace(task, pace=replace(task.pace, **pace))
        return replace(task, guidelines=locate(task.guidelines)) if isinstance(task, AnnotateTask) else task

    fast = replace(
        study,
        consent=locate(study.consent),
        instructions=locate(study.instructions),
        debriefing=locate(study.debriefing),
        stimuli={name: place(stimuli) for name, stimuli in study.stimuli.items()},
        idle_minutes=study.idle_minutes / speed,
        pay=replace(study.pay, waiting_minute=study.pay.waiting_minute * speed),
        stages=tuple(
            replace(
                stage,
                task=place_task(stage.task),
                instructions=locate(stage.instructions),
                minutes=stage.minutes / speed,
                expected_minutes=stage.usual_minutes / speed,
                wait_minutes=stage.wait_minutes / speed,
                least_seconds=stage.least_seconds / speed,
            )
            for stage in study.stages
        ),
    )
    target.mkdir(parents=True, exist_ok=True)
    write_whole_file(target / STUDY_FILE, encode_toml(msgspec.to_builtins(fast)))
    return fast


class PilotServer:
    """A server in a process of its own. Started again, it keeps its port."""

    def __init__(self, folder: Path, database: Path | str, *options: str) -> None:
        self._folder, self._database, self._options, self.port = folder, database, options, 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "groundling", "serve", "--db", str(self._database)]
        command += ["--port", str(self.port), "--study", str(self._folder), "--limit-for", "127.0.0.0/8=1000"]
        command += self._options
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if (found := re.search(r"http://127\.0\.0\.1:(\d+)/", line)) is None:
            raise Problem(f"the pilot's server did not start: {line.strip()}")
        self.port = int(found[1])

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait()


def read_pilot_state(database: Path | str, study: str) -> StudyState:
    with open_study_log(str(database), study) as log:
        return fold_study(log.read_events())


def pilot_on_server(
    folder: Path,
    study: Study,
    database: Path | str,
    people: int,
    seed: int,
    habits: BotHabits,
    speed: float,
    show: Callable[[int], None],
) -> StudyState:
    """Start a server with the study, let bots take part, and return what has happened."""
    name = folder.resolve().name
    with TemporaryDirectory(prefix="groundling-") as place:
        fast = write_fast_study(study, folder, Path(place) / name, speed)
        server = PilotServer(Path(place) / name, database)
        server.start()
        try:
            asyncio.run(run_server_pilot(server, fast, name, database, people, seed, habits, show))
        finally:
            server.stop()
    return read_pilot_state(database, name)


async def run_server_pilot(
    server: PilotServer,
    study: Study,
    name: str,
    database: Path | str,
    people: int,
    seed: int,
    habits: BotHabits,
    show: Callable[[int], None] = lambda done: None,
    first: int = 1,
) -> list[StudyBot]:
    """Let bots with the numbers from `first` on take part in a study on a running server, then wait until
    everybody has an outcome."""
    with ThreadPoolExecutor(people) as threads:
        host = BotHost(server.port, name, database, threads, items=_read_shown_items(study))
        bots = [
            StudyBot(host, study, f"bot-{number:04d}", Random(f"{seed}/{number}"), habits)
            for number in range(first, first + people)
        ]
        random, walks = Random(f"{seed}/arrivals"), list[asyncio.Task[None]]()
        deciding = asyncio.create_task(_administer(host, people, habits, Random(f"{seed}/administrator")))
        for bot in bots:
            walks.append(asyncio.create_task(bot.take_part()))
            await asyncio.sleep(random.expovariate(1 / ARRIVAL_SECONDS))
        for number, walk in enumerate(asyncio.as_completed(walks), 1):
            await walk
            show(number)
        deciding.cancel()
        await _await_outcomes(database, name)
    return bots


def _read_shown_items(study: Study) -> dict[str, AnnotationItem]:
    """All items to annotate, by their texts."""
    tables = (stimuli for stimuli in study.stimuli.values() if stimuli.table)
    return {
        item.text: item
        for stimuli in tables
        for item in read_item_table(Path(stimuli.table), stimuli.columns).values()
    }


async def _administer(host: BotHost, people: int, habits: BotHabits, random: Random) -> None:
    """Decide about candidates, and notice when the study is complete, until cancelled. When all people have
    come and nobody has anything to do for a while, the best of the candidates are chosen."""
    idle = 0

    def decide_one(state: StudyState) -> tuple[StudyEvents, bool]:
        events = decide_candidate(state, habits, random, time())
        if not events and idle >= IDLE_LOOKS:
            events = choose_waiting_candidates(state, time())
        return events, bool(events)

    def decide() -> StudyState:
        with open_study_log(str(host.database), host.study) as log:
            while log.decide_events(decide_one):
                pass
            return log.read_state()

    while True:
        state = await asyncio.to_thread(decide)
        idle = idle + 1 if len(state.people) >= people and not state.active else 0
        host.complete = state.complete
        host.undecided = frozenset(
            name
            for name, person in state.people.items()
            if habits.pass_administrator is not None and awaits_decision(state, person)
        )
        await asyncio.sleep(ADMINISTRATOR_SECONDS)


async def _await_outcomes(database: Path | str, name: str) -> None:
    """Wait until the deadlines of all who left without a word have passed."""
    while (state := await asyncio.to_thread(read_pilot_state, database, name)).active:
        deadline = max(next_deadline(state, person) for person in state.active)
        for person in state.active:
            if state.people[person].arrived + 3600 < deadline:
                raise Problem("somebody would take more than an hour: raise --speed")
        await asyncio.sleep(0.5)
