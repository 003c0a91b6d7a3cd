"""Bots come through the fake services, walk through a study over HTTP and sockets, and leave in every way:
each has one outcome on both sides, what they are paid is what the log says, and no id leaves its table."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, Protocol
from urllib.parse import urlencode

import pytest
from msgspec import structs
from tests.recruiting.fake_mturk import FakeMturk
from tests.recruiting.fake_prolific import FakeProlific
from tests.web.study_helpers import PAIRS, read_log, write_study
from tests.web.test_study_pilot import SPEED, check_outcomes

from groundling.cli.main import main
from groundling.studies.pilot import BotHabits
from groundling.studies.study import Study, StudyRecruiting
from groundling.studies.study_checks import read_usable_study
from groundling.studies.study_events import encode_study_event
from groundling.studies.study_state import StudyState
from groundling.web.studies.server_pilot import PilotServer, read_pilot_state, write_fast_study
from groundling.web.studies.study_bots import BotHost, BotPage, StudyBot
from groundling.web.study_store import read_service_ids

PEOPLE = 30
URL = "https://lab.example.org"
FAITHFUL = BotHabits(
    decline=0, leave=0, fall_silent=0, come_back=0.3, arrive_twice=0.1, be_careless=0, slip=0
)
WAYS = {
    "decline": structs.replace(FAITHFUL, decline=1.0),
    "fail": FAITHFUL,
    "quit": structs.replace(FAITHFUL, leave=1.0, come_back=0.0),
    "close": structs.replace(FAITHFUL, leave=1.0, come_back=0.0),
    "silent": structs.replace(FAITHFUL, fall_silent=1.0, come_back=0.0),
    "erase": FAITHFUL,
    **{f"stay {number}": FAITHFUL for number in range(5)},
}
"""How bots go through the study: one of these after the other. Some leave their first game by the button, and
some close the tab in the middle of it."""
ENDS = {
    "prolific": {
        "finished": {"approved", "timed out"},  # some close the page after their work
        "partner left": {"approved"},
        "no partner": {"approved"},
        "declined": {"returned"},
        "left": {"returned", "timed out"},
        "timed out": {"returned", "timed out"},
        "screened out": {"screened out"},
        "study full": {"returned", "approved"},
    },
    "mturk": {
        "finished": {"approved", "returned"},
        "partner left": {"approved"},
        "no partner": {"approved"},
        "declined": {"returned"},
        "left": {"returned"},
        "timed out": {"returned"},
        "screened out": {"returned"},
        "study full": {"returned", "approved"},
    },
}
"""What each outcome here may be at the service in the end."""


class FakePlatform(Protocol):
    """What people do at a service."""

    name: str

    def accept(self, who: str) -> dict[str, str]:
        """Take a place; returns the parameters of the address."""

    def end(self, who: str, page: BotPage) -> None:
        """Come back with a code, or stay away."""

    def statuses(self) -> dict[str, str]:
        """By person, in the words of the log."""

    def paid(self) -> dict[str, int]: ...


class ProlificPeople:
    name = "prolific"

    def __init__(self, fake: FakeProlific) -> None:
        self.fake, self.sessions = fake, dict[str, str]()

    def accept(self, who: str) -> dict[str, str]:
        with self.fake.lock:
            given = self.fake.take_place(next(iter(self.fake.studies)), who)
        self.sessions[who] = given["SESSION_ID"]
        return given

    def end(self, who: str, page: BotPage) -> None:
        with self.fake.lock:
            if page["page"] == "end":
                self.fake.enter_code(self.sessions[who], page["completion"])
            else:
                self.fake.end_submission(self.sessions[who], "TIMED-OUT")

    def obey(self) -> None:
        """Whoever is asked to return does."""
        for each in self.fake.submissions.values():
            if each["return_requested"]:
                each["status"] = "RETURNED"

    def statuses(self) -> dict[str, str]:
        found = self.fake.submissions.values()
        return {each["participant_id"]: each["status"].replace("-", " ").lower() for each in found}

    def paid(self) -> dict[str, int]:
        return _add(self.fake.rewards, self.fake.bonuses_paid)


class MturkPeople:
    name = "mturk"

    def __init__(self, fake: FakeMturk) -> None:
        self.fake, self.assignments = fake, dict[str, str]()

    def accept(self, who: str) -> dict[str, str]:
        with self.fake.lock:
            given = self.fake.accept(next(iter(self.fake.hits)), who)
        self.assignments[who] = given["assignmentId"]
        return given

    def end(self, who: str, page: BotPage) -> None:
        pays = page["page"] == "end" and page["outcome"] in ("finished", "partner left", "no partner")
        with self.fake.lock:
            if pays:
                self.fake.submit(self.assignments[who], page["completion"])
            else:
                self.fake.give_back(self.assignments[who])

    def obey(self) -> None: ...

    def statuses(self) -> dict[str, str]:
        found = self.fake.assignments
        return {
            who: found[name]["AssignmentStatus"].lower() if name in found else "returned"
            for who, name in self.assignments.items()
        }

    def paid(self) -> dict[str, int]:
        bonuses: dict[str, int] = {}
        for each in self.fake.bonuses:
            bonuses = _add(bonuses, {each["WorkerId"]: round(float(each["BonusAmount"]) * 100)})
        return _add(self.fake.rewards, bonuses)


def _add(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {who: one.get(who, 0) + other.get(who, 0) for who in {**one, **other}}


class ServiceBot(StudyBot):
    """A bot that comes through a service, and goes back there in the end."""

    platform: Any
    way: str
    last: BotPage

    def choose_first_game(self) -> None:
        """Who leaves does it in the first game, which comes after the quiz."""
        self._leaves_at = 2 if self._leaves_at else 0

    async def _leave(self, page: BotPage) -> bool:
        if self.way == "quit":
            await self._act("leave")
        elif page["page"] == "game":
            await self._play(page, 1)
        return True

    async def _act(self, action: str, **fields: Any) -> BotPage:
        self.last = await super()._act(action, **fields)
        return self.last

    async def _arrive(self) -> BotPage:
        if not self._cookie:
            path = await self._find_path(self.platform.accept(self.name))
            answer, _ = await self._send("GET", path)
            self._cookie = (answer.getheader("set-cookie") or "").partition(";")[0]
        return await self._act("open", visit="new")

    async def _find_path(self, given: dict[str, str]) -> str:
        if self.platform.name == "prolific":
            return f"/study/{self._host.study}?{urlencode(given)}"
        _, body = await self._send("GET", f"/study/{self._host.study}/mturk?{urlencode(given)}")
        found = re.search(r'href="(/study/[^"]+)" target="_blank"', body.decode())
        assert found is not None
        return unescape(found[1])

    async def take_part(self) -> None:
        await super().take_part()
        await asyncio.get_running_loop().run_in_executor(None, self.platform.end, self.name, self.last)
        if self.way == "erase":
            await self._act("erase")

    async def _answer_questions(self, page: BotPage) -> BotPage:
        if self.way == "fail":
            return await self._act("submit", task=page["task"], answers=["no"])
        return await super()._answer_questions(page)


def write_recruiting_study(place: Path, service: str) -> tuple[Path, Study]:
    """The study of pairs, so fast that a task takes a quarter of a minute."""
    text = PAIRS.replace("base = 0.5", "base = 2.0\nwaiting_minute = 0.2")
    folder = write_study(place / "given", text, items=12)
    given = read_usable_study(folder).study
    recruiting = StudyRecruiting(service=service, description="Play a game of words.", places=PEOPLE + 10)
    screened_out = 0.25 if service == "prolific" else 0.0
    study = structs.replace(
        given, recruiting=recruiting, pay=structs.replace(given.pay, screened_out=screened_out)
    )
    return place / "pairs", write_fast_study(study, folder, place / "pairs", SPEED)


async def send_bots(server: PilotServer, study: Study, db: str, platform: Any) -> list[ServiceBot]:
    """Let bots take part, then wait until everybody has an outcome."""
    with ThreadPoolExecutor(PEOPLE) as threads:
        host = BotHost(server.port, "pairs", db, threads)
        bots = []
        for number, way in zip(range(PEOPLE), cycle(WAYS), strict=False):
            name = f"5eed{number:020x}"  # occurs in no other text
            bot = ServiceBot(host, study, name, Random(f"{platform.name}/{number}"), WAYS[way])
            bot.platform, bot.way = platform, way
            bot.choose_first_game()
            bots.append(bot)
        walks = []
        for bot in bots:
            walks.append(asyncio.create_task(bot.take_part()))
            await asyncio.sleep(0.3)
        await asyncio.gather(*walks)
        while (await asyncio.to_thread(read_pilot_state, db, "pairs")).active:
            await asyncio.sleep(0.5)
    return bots


@pytest.mark.slow
@pytest.mark.parametrize("service", ["prolific", "mturk"])
def test_everybody_has_one_outcome_on_both_sides_and_is_paid_what_the_log_says(
    service: str, fake: FakeProlific, turk: FakeMturk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, study = write_recruiting_study(tmp_path, service)
    db = str(tmp_path / "games.db")
    platform: Any = ProlificPeople(fake) if service == "prolific" else MturkPeople(turk)

    def run(command: str, *options: str) -> None:
        assert main(["study", command, str(folder), *options, "--db", db]) == 0

    server = PilotServer(folder, db)
    server.start()
    try:
        run("recruit", "create", "--url", URL)
        run("recruit", "publish", "--yes")
        bots = asyncio.run(send_bots(server, study, db, platform))
    finally:
        server.stop()
    for action in ("status", "approve", "screen-out", *(["return"] if service == "prolific" else [])):
        run("recruit", action, "--yes")
    platform.obey()
    run("recruit", "status")
    run("pay", "--send", "all", "--yes")
    run("pay", "--send", "again", "--yes")
    run("export", "-o", str(tmp_path / "export"))

    state = read_pilot_state(db, "pairs")
    check_outcomes(db, state, PEOPLE)
    erased = {name for name, person in state.people.items() if person.erased}
    codes = {bot.name: bot.person for bot in bots}
    check_ends(service, state, codes, platform.statuses())
    check_pay(service, state, codes, platform.paid())
    known = read_service_ids(db, "pairs")
    assert known.keys() == state.people.keys() - erased
    ids = {bot.name for bot in bots} | {value for each in known.values() for value in each.values()}
    told = capsys.readouterr()
    texts = [told.out.encode(), told.err.encode(), *map(encode_study_event, read_log(db))]
    texts += [path.read_bytes() for path in (tmp_path / "export").rglob("*") if path.is_file()]
    assert not [name for name in ids for text in texts if name.encode() in text]
    ways = {person.outcome for person in state.people.values()}
    assert ways >= {"finished", "declined", "left", "timed out", "screened out"}, "every way out was taken"
    assert any(end.why == "partner left" for task in state.tasks.values() for end in task.ends.values())
    gone = {bot.name for bot in bots if bot.person in erased}
    assert gone
    files = [path.read_bytes() for path in tmp_path.glob("games.db*")]
    assert not [name for name in gone for content in files if name.encode() in content]


def check_ends(service: str, state: StudyState, codes: dict[str, str], there: dict[str, str]) -> None:
    assert there.keys() == codes.keys(), "one status for each"
    for who, code in codes.items():
        person = state.people[code]
        if not person.erased:
            assert there[who] in ENDS[service][person.outcome or ""], (
                person.outcome,
                person.reason,
                there[who],
            )


def check_pay(service: str, state: StudyState, codes: dict[str, str], paid: dict[str, int]) -> None:
    for who, code in codes.items():
        person = state.people[code]
        logged = sum(person.owed[key] for key in person.paid)
        if not person.erased:
            assert paid.get(who, 0) == logged, (person.outcome, person.owed, person.paid)
            if service == "prolific" or person.submission == "approved":
                assert logged == sum(person.owed.values()), (person.outcome, person.owed, person.paid)
