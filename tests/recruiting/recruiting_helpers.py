"""A study in a database, with people who came through a fake service and finished."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import structs
from tests.recruiting.fake_mturk import FakeMturk
from tests.recruiting.fake_prolific import FakeProlific
from tests.studies.study_walk import StudyWalk, make_stage, make_study

from groundling.cli.main import main
from groundling.studies.study import StudyPay, StudyRecruiting
from groundling.studies.study_events import AnyStudyEvent
from groundling.web.study_store import open_study_log

URL = "https://lab.example.org"
OFFER = StudyRecruiting(service="prolific", description="Play a game of words.", places=5)


class RecruitedStudy:
    """The study `s`, of ten minutes, in its own database."""

    def __init__(
        self, place: Path, service: str = "prolific", screened_out: float = 0.0, **recruiting: Any
    ) -> None:
        about = structs.replace(OFFER, service=service, **recruiting)
        stage = make_stage("work", pay=1.5, minutes=20, most=1, answers=2)
        study = make_study(stage, pay=StudyPay(base=2.0, screened_out=screened_out), recruiting=about)
        self.walk, self.place = StudyWalk(study), place
        self.db = str(place / "games.db")
        (place / "s").mkdir()
        with open_study_log(self.db, "s") as log:
            log.begin_log(self.walk.events)

    def run(self, command: str, *options: str) -> int:
        return main(["study", command, str(self.place / "s"), *options, "--db", self.db])

    def recruit(self, *options: str) -> int:
        return self.run("recruit", *options)

    def offer(self) -> None:
        assert self.recruit("create", "--url", URL) == 0
        assert self.recruit("publish", "--yes") == 0

    def events(self) -> list[AnyStudyEvent]:
        with open_study_log(self.db, "s") as log:
            return log.read_events()

    def come(self, service: str, who: str, kind: str, submission: str) -> str:
        """A person arrives, agrees and gets a task; returns their code."""
        with open_study_log(self.db, "s") as log:
            code = log.find_person(service, who)
            log.keep_id(code, kind, submission)
        self._continue()
        self.walk.enter(code)
        self._store()
        return code

    def finish(self, code: str) -> None:
        self._continue()
        self.walk.now += 600
        self.walk.finish(code)
        self.walk.step(code)
        self._store()

    def record(self, events: list[AnyStudyEvent]) -> None:
        self._continue()
        self.walk.record(events)
        self._store()

    def _continue(self) -> None:
        """Take what commands have logged meanwhile."""
        events = self.events()
        self.walk.record(events[len(self.walk.events) :])

    def _store(self) -> None:
        with open_study_log(self.db, "s") as log:
            new = self.walk.events[len(log.read_events()) :]
            log.decide_events(lambda state: (new, None))


def come_by_prolific(study: RecruitedStudy, fake: FakeProlific, who: str) -> tuple[str, str]:
    """A person takes a place at the fake and arrives here; returns their code and their session."""
    (listing,) = fake.studies
    given = fake.take_place(listing, who)
    session = given["SESSION_ID"]
    return study.come("prolific", who, "prolific submission", session), session


def come_by_mturk(study: RecruitedStudy, fake: FakeMturk, who: str) -> tuple[str, str]:
    (hit,) = fake.hits
    assignment = fake.accept(hit, who)["assignmentId"]
    return study.come("mturk", who, "mturk assignment", assignment), assignment
