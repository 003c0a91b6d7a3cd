"""A study on a server: people arrive, agree, wait, play in pairs, leave and come back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import time

import pytest
from tests.web.room_helpers import SQLITE_QUICK, Person, play_out, until
from tests.web.study_helpers import (
    PAIRS,
    agree,
    come,
    come_to_work,
    end_room,
    moves_of,
    open_host,
    open_task_room,
    read_log,
    write_study,
)

from groundling.core.values import Problem
from groundling.studies import pay_rules
from groundling.studies.study import FormQuestion, QuestionnaireTask
from groundling.studies.study_events import PersonEnded, TaskSubmitted
from groundling.web.server_settings import RoomRequest
from groundling.web.studies.participant_actions import (
    AnswerConsent,
    AwaitChange,
    LeaveStudy,
    SubmitTask,
    TakeMachine,
    read_answer,
)
from groundling.web.studies.study_host import GONE_SECONDS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_study(tmp_path / "pairs")


@SQLITE_QUICK
def test_a_pair_walks_through_the_whole_study(place: str, folder: Path) -> None:
    async def go() -> None:
        async with open_host(place, folder) as (host, manager):
            assert (await come(host, "ann")).fields["page"] == "consent"
            assert (await come_to_work(host, "ann")).fields["page"] == "wait"
            waiting = asyncio.create_task(host.act("ann", AwaitChange()))
            found = {"bob": await come_to_work(host, "bob"), "ann": await waiting}
            assert found["ann"].room == found["bob"].room
            room = await open_task_room(manager, found["ann"])
            people = {page.role: Person(room, page.role) for page in found.values()}
            for person in people.values():
                await person.come()
            await play_out(room, people)
            await end_room(manager, room)
            for name in ("ann", "bob"):
                page = await come(host, name, "same")
                assert page.fields["owed"] == 1.0
            page = await host.act("ann", LeaveStudy())
            assert page.fields["outcome"] == "finished"

    asyncio.run(go())
    submitted = [event for event in read_log(place) if isinstance(event, TaskSubmitted)]
    assert [(event.person, event.score) for event in submitted if event.messages] == [
        ("ann", 1.0),
        ("bob", 1.0),
    ]


def test_who_declines_or_fails_the_quiz_gets_no_task(tmp_path: Path, folder: Path) -> None:
    async def go() -> None:
        async with open_host(tmp_path / "games.db", folder) as (host, _):
            await come(host, "ann")
            assert (await host.act("ann", AnswerConsent(False))).fields["outcome"] == "declined"
            assert not (await come(host, "ann")).fields["again"]
            await come(host, "bob")
            page = await host.act("bob", AnswerConsent(True))
            assert "answer" not in page.fields["questions"][0], "the right answer is not sent"
            again = await host.act("bob", SubmitTask(page.fields["task"], ["no"]))
            assert again.fields["attempts"] == 1
            last = await host.act("bob", SubmitTask(again.fields["task"], ["no"]))
            assert last.fields["outcome"] == "screened out"

    asyncio.run(go())


def test_an_answer_counts_once_and_wrong_ones_are_refused_in_words(tmp_path: Path, folder: Path) -> None:
    async def go() -> None:
        async with open_host(tmp_path / "games.db", folder) as (host, _):
            await come(host, "ann")
            page = await host.act("ann", AnswerConsent(True))
            task = page.fields["task"]
            for answers, why in (
                ([], "answer all"),
                (["maybe"], "choose one"),
                ([""], "no answer"),
                (["x" * 5000], "at most"),
            ):
                with pytest.raises(Problem, match=why):
                    await host.act("ann", SubmitTask(task, answers))
            with pytest.raises(Problem, match="not your task"):
                await host.act("ann", SubmitTask("t99", ["yes"]))
            first = await host.act("ann", SubmitTask(task, ["yes"]))
            assert await host.act("ann", SubmitTask(task, ["no"])) == first

    asyncio.run(go())
    events = read_log(tmp_path / "games.db")
    assert [event.score for event in events if isinstance(event, TaskSubmitted)] == [1.0]


def test_who_comes_back_is_where_they_were_also_after_a_restart(tmp_path: Path, folder: Path) -> None:
    place = tmp_path / "games.db"

    async def leave_in_the_middle() -> None:
        async with open_host(place, folder) as (host, manager):
            await come_to_work(host, "ann")
            page = await come_to_work(host, "bob")
            room = await open_task_room(manager, page)
            pages = {"bob": page, "ann": await come(host, "ann")}
            people = {each.role: Person(room, each.role) for each in pages.values()}
            for person in people.values():
                await person.come()
            await play_out(room, people)
            await until(lambda: not room.recorder.has_unsaved)

    async def come_back() -> None:
        async with open_host(place, folder) as (host, _):
            for name in ("ann", "bob"):
                page = await come(host, name)
                assert page.fields["owed"] == 1.0, "the end of the game is found in the store"

    asyncio.run(leave_in_the_middle())
    assert not any(isinstance(event, TaskSubmitted) and event.messages for event in read_log(place))
    asyncio.run(come_back())


def test_time_limits_end_waits_games_and_visits(tmp_path: Path, folder: Path) -> None:
    async def go() -> None:
        async with open_host(tmp_path / "games.db", folder) as (host, manager):
            await come(host, "idle")
            await come_to_work(host, "ann")
            page = await come_to_work(host, "bob")
            room = await open_task_room(manager, page)
            both = {"bob": page, "ann": await come(host, "ann", "same")}
            for each in both.values():
                await Person(room, each.role).come()
            await until(lambda: room.current_turn is not None)
            await host.tick_clock(time() + 601)
            assert room.over
            assert (await come(host, "ann", "same")).fields["notice"] == {"text": "time up"}
            assert (await come(host, "bob", "same")).fields["page"] == "wait", "never the same two again"
            await host.tick_clock(time() + GONE_SECONDS + 1)
            await host.tick_clock(time() + 1201)

    asyncio.run(go())
    events = read_log(tmp_path / "games.db")
    ended = {event.person: event.outcome for event in events if isinstance(event, PersonEnded)}
    assert ended == {"idle": "left", "ann": "left", "bob": "left"}


def test_an_answer_after_the_time_limit_is_not_taken_and_the_page_says_so(
    tmp_path: Path, folder: Path
) -> None:
    async def go() -> None:
        async with open_host(tmp_path / "games.db", folder) as (host, _):
            await come(host, "ann")
            page = await host.act("ann", AnswerConsent(True))
            await host.tick_clock(time() + 601)
            late = await host.act("ann", SubmitTask(page.fields["task"], ["yes"]))
            assert (late.fields["page"], late.fields["outcome"]) == ("end", "timed out")
            assert late.fields["notice"] == {"text": "timed out"}

    asyncio.run(go())
    assert not any(isinstance(event, TaskSubmitted) for event in read_log(tmp_path / "games.db"))


def test_a_machine_takes_the_partners_seat_where_the_study_allows_it(tmp_path: Path) -> None:
    alone = PAIRS.replace('game = "reference", seats', 'game = "reference", machine_partner = "gold", seats')

    async def go() -> None:
        folder = write_study(tmp_path / "pairs", alone)
        async with open_host(tmp_path / "games.db", folder) as (host, manager):
            page = await come_to_work(host, "ann")
            assert page.fields["machine"]
            page = await host.act("ann", TakeMachine())
            room = await open_task_room(manager, page)
            assert sorted(room.booking.seats.values()) == ["gold", "person"]
            person = Person(room, page.role)
            await person.come()
            await play_out(room, {page.role: person})
            await end_room(manager, room)
            assert (await come(host, "ann", "same")).fields["owed"] == 1.0

    asyncio.run(go())


def test_rooms_of_others_cannot_play_what_a_study_plays(tmp_path: Path, folder: Path) -> None:
    async def go() -> None:
        async with open_host(tmp_path / "games.db", folder) as (host, manager):
            (instances,) = host.study.instances.values()
            for instance in instances.values():
                assert manager.stimuli.is_secret(instance)
                with pytest.raises(Problem, match="no instance"):
                    await manager.create_room(RoomRequest("reference", instance=instance.id))
            with pytest.raises(Problem, match="no set"):
                await manager.create_room(RoomRequest("reference", set="refs"))

    asyncio.run(go())


def test_nobody_in_a_study_is_replaced_by_a_built_in_player(tmp_path: Path, folder: Path) -> None:
    async def go() -> None:
        async with open_host(tmp_path / "games.db", folder) as (host, manager):
            await come_to_work(host, "ann")
            page = await come_to_work(host, "bob")
            room = await open_task_room(manager, page)
            person = Person(room, page.role)
            await person.come()
            await room.replace_absent(page.role)
            assert room.replay is None
            assert person.page.shown["waiting"]["offer"] is False

    asyncio.run(go())


CHECK = '{ text = "Choose no.", choices = ["yes", "no"], answer = "no", attention = true }'


def test_failed_attention_checks_are_no_part_of_the_score_and_one_too_many_screens_out(
    tmp_path: Path,
) -> None:
    pages: list[tuple[str, str]] = []

    async def go() -> None:
        folder = write_study(tmp_path / "pairs", PAIRS.replace("questions = [", f"questions = [{CHECK}, ", 1))
        async with open_host(tmp_path / "games.db", folder) as (host, _):
            for name, answers in (("ann", ["no", "yes"]), ("bob", ["yes", "yes"]), ("eve", ["yes", "no"])):
                await come(host, name)
                page = await host.act(name, AnswerConsent(True))
                assert all(set(each) == {"text", "choices", "kind"} for each in page.fields["questions"])
                while page.fields["page"] == "quiz":
                    page = await host.act(name, SubmitTask(page.fields["task"], answers))
                pages.append((page.fields["page"], page.fields.get("outcome", "")))

    asyncio.run(go())
    assert pages == [("next", ""), ("next", ""), ("end", "screened out")]
    events = [event for event in read_log(tmp_path / "games.db") if isinstance(event, TaskSubmitted)]
    assert [(event.person, event.score, event.attention_failed) for event in events] == [
        ("ann", 1.0, 0),
        ("bob", 1.0, 1),
        ("eve", 0.0, 1),
        ("eve", 0.0, 1),
    ]


def test_who_fails_attention_checks_may_be_asked_to_return(tmp_path: Path) -> None:
    text = 'failed_attention = "ask to return"\nattention_failures = 0\n' + PAIRS

    async def go() -> None:
        folder = write_study(tmp_path / "pairs", text.replace("questions = [", f"questions = [{CHECK}, ", 1))
        async with open_host(tmp_path / "games.db", folder) as (host, _):
            await come(host, "eve")
            page = await host.act("eve", AnswerConsent(True))
            page = await host.act("eve", SubmitTask(page.fields["task"], ["yes", "yes"]))
            assert page.fields["outcome"] == "screened out"
            assert page.fields["told"] == "asked to return"

    asyncio.run(go())


STAYED = PAIRS.replace("partner_left = 1.0", 'partner_left = "stayed"')


@pytest.mark.parametrize("turns", [0, 1])
def test_the_messages_before_somebody_leaves_decide_about_the_partners_pay(
    turns: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pay_rules, "STAYED_MESSAGES", 1)

    async def go() -> None:
        folder = write_study(tmp_path / "pairs", STAYED)
        async with open_host(tmp_path / "games.db", folder) as (host, manager):
            await come_to_work(host, "ann")
            pages = {"bob": await come_to_work(host, "bob"), "ann": await come(host, "ann", "same")}
            room = await open_task_room(manager, pages["ann"])
            people = {name: Person(room, page.role) for name, page in pages.items()}
            for person in people.values():
                await person.come()
            await until(lambda: room.current_turn is not None)
            speaker, other = sorted(people, key=lambda name: people[name].role != "giver")
            await play_out(room, {person.role: person for person in people.values()}, turns)
            await until(lambda: not room.recorder.has_unsaved)
            await host.act(other, LeaveStudy())
            assert (await come(host, speaker, "same")).fields["owed"] == float(turns)

    asyncio.run(go())


@pytest.mark.parametrize(("given", "failed"), [("blue", 0), (" Blue ", 0), ("red", 1)])
def test_an_attention_check_with_free_text_is_read_without_regard_to_capitals(
    given: str, failed: int
) -> None:
    asked = FormQuestion(text="Write: blue", answer="blue", attention=True)
    _, report = read_answer(QuestionnaireTask(questions=(asked,)), SubmitTask("t1", [given]), "")
    assert (report.attention_failed, report.score) == (failed, None)


DRAW_THEN_DESCRIBE = """
title = "Own pictures"
contact = "a@example.org"
consent = "consent.md"
[[stages]]
name = "drawings"
blank_items = 1
task = { kind = "draw", game = "hexagons" }
[[stages]]
name = "descriptions"
items = "drawings"
[stages.task]
kind = "game"
game = "hexagons"
settings = { mode = "describe" }
seats = { instructor = "person", executor = "gold" }
"""


def test_what_one_person_draws_another_one_describes(tmp_path: Path) -> None:
    async def go() -> None:
        folder = write_study(tmp_path / "own", DRAW_THEN_DESCRIBE)
        async with open_host(tmp_path / "games.db", folder) as (host, manager):
            await come(host, "ann")
            page = await agree(host, "ann")
            assert page.fields["page"] == "draw"
            with pytest.raises(Problem, match="cannot be drawn"):
                await host.act("ann", SubmitTask(page.fields["task"], moves=moves_of([{"move": "fly"}])))
            painted = [{"move": "paint", "row": 1, "column": column, "colour": "red"} for column in (1, 2, 3)]
            moves = moves_of(painted)
            page = await host.act("ann", SubmitTask(page.fields["task"], moves=moves))
            assert page.fields["outcome"] == "finished", "nobody describes their own picture"
            await come(host, "bob")
            page = await agree(host, "bob")
            assert page.fields["page"] == "game"
            room = await open_task_room(manager, page)
            assert room.instance.id.startswith("drawn-")

    asyncio.run(go())


LAST_PLACE = """
title = "One place"
contact = "a@example.org"
consent = "consent.md"
[stimuli.refs]
game = "reference"
file = "refs.jsonl"
[[stages]]
name = "games"
items = "refs"
task = { kind = "game", game = "reference", seats = { giver = "person", follower = "gold" } }
[privacy]
programs = true
"""


@pytest.mark.slow
def test_two_workers_never_give_the_last_place_to_two_people(database: str, tmp_path: Path) -> None:
    async def go() -> None:
        folder = write_study(tmp_path / "pairs", LAST_PLACE)
        stimuli = folder / "refs.jsonl"
        stimuli.write_bytes(stimuli.read_bytes().splitlines(keepends=True)[0])
        async with open_host(database, folder) as (one, _), open_host(database, folder) as (other, _):
            for number in range(100):
                hosts = {f"a{number}": one, f"b{number}": other}
                for name, host in hosts.items():
                    assert (await come(host, name)).fields["page"] == "consent"
                agreeing = [agree(host, name) for name, host in hosts.items()]
                pages = dict(zip(hosts, await asyncio.gather(*agreeing), strict=True))
                won = [name for name, page in pages.items() if page.fields["page"] == "game"]
                assert len(won) == 1
                await hosts[won[0]].act(won[0], LeaveStudy())

    asyncio.run(go())
