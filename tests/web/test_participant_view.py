"""What the page of a participant shows and takes: consent, what comes next, questions, reports, the end."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any, get_args

import msgspec
import pytest
from tests.studies.study_walk import make_stage, make_study
from tests.web.room_helpers import Person, until
from tests.web.study_helpers import (
    PAIRS,
    come,
    come_to_work,
    open_host,
    open_task_room,
    read_log,
    write_study,
)

import groundling.web
from groundling.core.values import Problem
from groundling.studies.study import AnswerKind, FormQuestion
from groundling.studies.study_checks import LANGUAGES, read_checked_study
from groundling.studies.study_events import (
    OUTCOMES,
    Consented,
    PartnerReported,
    PersonEnded,
    TaskAssigned,
    TaskReleased,
)
from groundling.studies.study_state import fold_study
from groundling.web.studies.participant_actions import (
    AnswerConsent,
    EraseData,
    LeaveStudy,
    OpenStudy,
    ReportPartner,
    StartTask,
    SubmitTask,
    TakeMachine,
    find_answer_fault,
)
from groundling.web.studies.participant_view import TOLD_RELEASES, load_page_texts
from groundling.web.study_store import open_study_database

WEB = Path(groundling.web.__file__).parent
HEAD = """
instructions = "instructions.md"
debriefing = "debriefing.md"
languages = ["en", "de"]
minimum_age = 18
"""
RETURNING = """
[recruiting.codes]
finished = "C 1"
[recruiting.redirects]
finished = "https://example.org/?cc={code}"
"""


def write_whole_study(folder: Path, text: str = "") -> Path:
    """With all texts, an age, two languages, codes, and a machine partner."""
    text = text or PAIRS
    pairs = 'follower = "person" }'
    found = write_study(folder, HEAD + text.replace(pairs, f'{pairs}, machine_partner = "gold"') + RETURNING)
    (found / "instructions.md").write_text("Read this.\n")
    (found / "debriefing.md").write_text("What it was about.\n")
    (found / "consent.de.md").write_text("Sie dürfen aufhören.\n")
    return found


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


# Words
# ------------------------------------------------------------------------------------------------------------


def flat(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def test_every_language_has_the_same_texts_with_the_same_values() -> None:
    assert sorted(path.stem for path in (WEB / "studies" / "texts").glob("*.toml")) == sorted(LANGUAGES)
    shapes = [
        {key: sorted(re.findall(r"\{\w+\}", text)) for key, text in flat(load_page_texts(language))}
        for language in LANGUAGES
    ]
    singular = {"quiz.attempts.one", "quiz.again.one"}
    assert all(shape.keys() == shapes[0].keys() for shape in shapes)
    for key in shapes[0].keys() - singular:
        assert all(shape[key] == shapes[0][key] for shape in shapes), key


def test_every_text_that_a_page_names_is_there() -> None:
    texts = load_page_texts("en")
    named = {
        key
        for path in [WEB / "static" / "study.js", *(WEB / "static" / "lib").glob("study_*.js")]
        for key in re.findall(r'(?:say|text)\(\s*"(\w+\.\w+)"', path.read_text())
    }
    assert len(named) > 60
    assert [key for key in sorted(named) if key.partition(".")[2] not in texts[key.partition(".")[0]]] == []
    assert {*OUTCOMES, "asked to return", "erased"} == set(texts["outcome"])
    assert {*TOLD_RELEASES, "too fast", "too few messages"} <= set(texts["notice"])


def test_no_text_teaches_how_to_describe() -> None:
    taught = re.compile(
        r"shape|pattern|repe(at|tit)|loop|symmetr|abstract|muster|wiederhol|abstra|schleife", re.I
    )
    for language in LANGUAGES:
        assert [text for _, text in flat(load_page_texts(language)) if taught.search(text)] == []


# Consent
# ------------------------------------------------------------------------------------------------------------


def test_the_first_page_says_what_taking_part_involves(place: Path, tmp_path: Path) -> None:
    async def go() -> dict[str, Any]:
        async with open_host(place, write_whole_study(tmp_path / "pairs")) as (host, _):
            return (await come(host, "ann")).fields

    page = asyncio.run(go())
    assert page["page"] == "consent"
    assert (page["minimum_age"], page["device"], page["base"]) == (18, "any", 0.5)
    assert [(task["pay"], task["most"]) for task in page["tasks"]] == [(1.0, 2)]
    assert (page["watched"], page["programs"], page["machine"]) == (True, False, True)


def test_nobody_agrees_without_stating_the_age(place: Path, tmp_path: Path) -> None:
    async def go() -> None:
        async with open_host(place, write_whole_study(tmp_path / "pairs")) as (host, _):
            await come(host, "ann")
            with pytest.raises(Problem, match="at least 18 years old"):
                await host.act("ann", AnswerConsent(True))
            assert (await come(host, "ann")).fields["page"] == "consent"
            await host.act("ann", AnswerConsent(True, of_age=True))
            await come(host, "bob")
            assert (await host.act("bob", AnswerConsent(False))).fields["outcome"] == "declined"

    asyncio.run(go())
    (agreed,) = [event for event in read_log(place) if isinstance(event, Consented)]
    assert (agreed.person, agreed.age) == ("ann", 18)


def test_what_a_person_agreed_to_is_recorded_in_their_language(place: Path, tmp_path: Path) -> None:
    async def go() -> None:
        async with open_host(place, write_whole_study(tmp_path / "pairs")) as (host, _):
            page = await host.act("ann", OpenStudy("new"), "de")
            assert page.fields["texts"] == [{"text": "Sie dürfen aufhören.\n", "language": "de"}]
            page = await host.act("ann", AnswerConsent(True, of_age=True), "de")
            assert page.fields["guide"]["texts"] == [{"text": "Read this.\n", "language": "en"}], (
                "the study's own, where there is no other"
            )
            await come(host, "bob")
            await host.act("bob", AnswerConsent(True, of_age=True))

    asyncio.run(go())
    agreed = {event.person: event for event in read_log(place) if isinstance(event, Consented)}
    assert (agreed["ann"].language, agreed["bob"].language) == ("de", "en")
    assert agreed["ann"].consent == sha256("Sie dürfen aufhören.\n".encode()).hexdigest()
    assert agreed["bob"].consent == sha256(b"# Taking part\n\nYou may stop at any time.\n").hexdigest()


# Tasks
# ------------------------------------------------------------------------------------------------------------


def test_a_task_begins_when_the_person_starts_it(place: Path, tmp_path: Path) -> None:
    async def go() -> None:
        async with open_host(place, write_whole_study(tmp_path / "pairs")) as (host, _):
            await come(host, "ann")
            first = await host.act("ann", AnswerConsent(True, of_age=True))
            assert first.fields["page"] == "next", "the instructions come first"
            assert [seat["role"] for seat in first.fields["guide"]["help"]] == ["giver", "follower"]
            quiz = await host.act("ann", StartTask())
            assert quiz.fields["page"] == "quiz"
            page = await host.act("ann", SubmitTask(quiz.fields["task"], ["yes"]))
            assert page.fields["page"] == "next"
            assert (page.fields["pay"], page.fields["partners"], page.fields["machine"]) == (1.0, True, True)
            assert [stage["state"] for stage in page.fields["progress"]] == ["done", "now", "later"]
            assert [stage["most"] for stage in page.fields["progress"]] == [2, 2, 1]
            for visit in ("same", "new"):
                assert (await host.act("ann", OpenStudy(visit))).fields == page.fields
            assert (await host.act("ann", StartTask())).fields["page"] == "wait"

    asyncio.run(go())
    assert [event.stage for event in read_log(place) if isinstance(event, TaskAssigned)] == ["quiz"]


def test_a_quiz_says_which_answers_were_wrong_but_not_what_is_right(place: Path, tmp_path: Path) -> None:
    asked = (
        '[{ text = "One?", choices = ["yes", "no"], answer = "yes" },'
        ' { text = "Two?", choices = ["yes", "no"], answer = "yes" },'
        ' { text = "Blue?", choices = ["yes", "no"], answer = "yes", attention = true }]'
    )
    old = '[{ text = "May you stop?", choices = ["yes", "no"], answer = "yes" }]'

    async def go() -> None:
        async with open_host(place, write_study(tmp_path / "pairs", PAIRS.replace(old, asked))) as (host, _):
            await come(host, "ann")
            first = await host.act("ann", AnswerConsent(True))
            assert (first.fields["wrong"], first.fields["attempts"]) == ((), 2)
            again = await host.act("ann", SubmitTask(first.fields["task"], ["yes", "no", "no"]))
            assert (again.fields["wrong"], again.fields["attempts"]) == ((1,), 1)
            assert all("answer" not in question for question in again.fields["questions"])
            assert (await come(host, "ann", "same")).fields == again.fields, "also after a reload"

    asyncio.run(go())


SCALE = FormQuestion(text="?", kind="scale", points=5)
NUMBER = FormQuestion(text="?", kind="number", least=1, most=9.5)
SEVERAL = FormQuestion(text="?", kind="several", choices=("a", "b"))
CHOICE = FormQuestion(text="?", choices=("a", "b"))


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        (CHOICE, ["a", "b"], ["c", "a\nb"]),
        (SEVERAL, ["a", "a\nb"], ["c", "a\nc", "a\na"]),
        (SCALE, ["1", "5"], ["0", "6", "1.5", "x"]),
        (NUMBER, ["1", "9.5", "3e0"], ["0", "10", "x", "nan", "inf"]),
        (FormQuestion(text="?"), ["any words"], ["x" * 4001]),
    ],
    ids=["choice", "several", "scale", "number", "text"],
)
def test_answers_of_each_kind_are_checked(question: FormQuestion, right: list[str], wrong: list[str]) -> None:
    assert [find_answer_fault(question, answer) for answer in right] == [""] * len(right)
    assert all(find_answer_fault(question, answer) for answer in [*wrong, " "])
    optional = msgspec.structs.replace(question, optional=True)
    assert find_answer_fault(optional, "") == ""
    assert all(find_answer_fault(optional, answer) for answer in wrong)


def test_every_kind_of_answer_has_a_test() -> None:
    asked = (CHOICE, SEVERAL, SCALE, NUMBER, FormQuestion(text="?"))
    assert {question.answer_kind for question in asked} == set(get_args(AnswerKind))


def test_after_practice_the_score_is_told_and_no_work_was_done(place: Path, tmp_path: Path) -> None:
    practice = PAIRS.replace('name = "quiz"', 'name = "quiz"\npractice = true')
    solo = 'seats = { giver = "gold", follower = "person" }'
    practice = practice.replace('seats = { giver = "person", follower = "person" }', solo)

    async def go() -> None:
        async with open_host(place, write_study(tmp_path / "pairs", practice)) as (host, _):
            await come(host, "ann")
            page = await host.act("ann", AnswerConsent(True))
            assert page.fields["stage"]["practice"]
            assert page.fields["stage"]["decides"], "it has a pass mark"
            page = await host.act("ann", SubmitTask(page.fields["task"], ["yes"]))
            assert page.fields["notice"] == {"text": "practice score", "score": 100}
            assert page.fields["programs"], "the partner is a program"
            assert (await host.act("ann", LeaveStudy())).fields["outcome"] == "left"

    asyncio.run(go())


def test_a_practice_game_is_no_work() -> None:
    study = make_study(make_stage("try", practice=True), make_stage("work"))
    assert [study.is_work(stage) for stage in study.stages] == [False, True]


# Partners and the end
# ------------------------------------------------------------------------------------------------------------


def test_who_reports_a_partner_is_paid_and_gets_the_next_task(place: Path, tmp_path: Path) -> None:
    async def go() -> None:
        async with open_host(place, write_study(tmp_path / "pairs")) as (host, manager):
            await come_to_work(host, "ann")
            pages = {"bob": await come_to_work(host, "bob"), "ann": await come(host, "ann", "same")}
            assert pages["ann"].fields["live"]
            room = await open_task_room(manager, pages["ann"])
            people = {name: Person(room, page.role) for name, page in pages.items()}
            for person in people.values():
                await person.come()
            await until(lambda: room.current_turn is not None)
            task = pages["ann"].fields["task"]
            for reason in ("", " \n", "x" * 1001):
                with pytest.raises(Problem, match="say what happened"):
                    await host.act("ann", ReportPartner(task, reason))
            page = await host.act("ann", ReportPartner(task, "They were\nrude."))
            assert (page.fields["page"], page.fields["notice"]) == ("next", {"text": "reported"})
            assert page.fields["owed"] == 1.0
            assert (await host.act("ann", ReportPartner(task, "Again."))).fields == page.fields
            await host.tick_clock(time())
            assert room.over
            assert "report" not in people["bob"].page.shown["ended"]
            page = await host.act("bob", OpenStudy())
            assert (page.fields["page"], page.fields["notice"]) == ("next", {"text": "partner left"})
            assert page.fields["owed"] == 1.0

    asyncio.run(go())
    events = read_log(place)
    (report,) = [event for event in events if isinstance(event, PartnerReported)]
    assert (report.person, report.reason) == ("ann", "They were rude.")
    assert not any(isinstance(event, PersonEnded) for event in events)
    ends = {event.person: event.why for event in events if isinstance(event, TaskReleased)}
    assert ends == {"ann": "reported", "bob": "partner left"}
    state = fold_study(events)
    assert (state.people["bob"].reported, state.people["ann"].reported) == (1, 0)
    assert state.people["ann"].used["games"] == 0, "the game does not count toward the limit"


def test_the_end_has_a_code_for_the_outcome_a_way_back_and_the_debriefing(
    place: Path, tmp_path: Path
) -> None:
    async def go() -> None:
        async with open_host(place, write_whole_study(tmp_path / "pairs")) as (host, manager):
            for name in ("ann", "bob"):
                await come(host, name)
                await host.act(name, AnswerConsent(True, of_age=True))
                page = await host.act(name, StartTask())
                await host.act(name, SubmitTask(page.fields["task"], ["yes"]))
            left = (await host.act("bob", LeaveStudy())).fields
            assert (left["completion"], left["redirect"]) == ("bob", ""), "their own code"
            assert [each["text"] for each in left["debriefing"]] == ["What it was about.\n"]
            assert left["partners"] == []
            await host.act("ann", StartTask())
            page = await host.act("ann", TakeMachine())
            room = await open_task_room(manager, page)
            await room.end_game("time")
            await until(lambda: room.over and not room.recorder.has_unsaved)
            await host.act("ann", OpenStudy())
            end = (await host.act("ann", LeaveStudy())).fields
            assert end["partners"] == [["program"]]

    asyncio.run(go())


def test_the_address_to_return_to_has_the_code(place: Path, tmp_path: Path) -> None:
    folder = write_whole_study(tmp_path / "pairs")
    text = (folder / "study.toml").read_text().replace("finished =", '"study full" =')
    (folder / "study.toml").write_text(
        text.replace("[recruiting.codes]", "[recruiting]\npaused = true\n[recruiting.codes]")
    )

    async def go() -> dict[str, Any]:
        async with open_host(place, folder) as (host, _):
            return (await come(host, "ann")).fields

    page = asyncio.run(go())
    assert (page["outcome"], page["completion"]) == ("study full", "C 1")
    assert page["redirect"] == "https://example.org/?cc=C%201"
    assert (page["debriefing"], page["kept"]) == ([], False), "they have seen nothing"


def test_a_person_is_told_what_leaving_pays_and_gets_it(place: Path, tmp_path: Path) -> None:
    async def go() -> None:
        async with open_host(place, write_study(tmp_path / "pairs")) as (host, _):
            page = await come_to_work(host, "ann")
            told = page.fields["leave"]
            assert (await host.act("ann", LeaveStudy())).fields["owed"] == told

    asyncio.run(go())


def test_who_deletes_their_data_has_left_and_is_not_known_any_more(place: Path, tmp_path: Path) -> None:
    async def go() -> None:
        async with open_host(place, write_study(tmp_path / "pairs")) as (host, _):
            code = await host.find_person("invited", "ann@example.org")
            await come_to_work(host, code)
            page = (await host.act(code, EraseData())).fields
            assert (page["page"], page["outcome"], page["erased"], page["kept"]) == (
                "end",
                "left",
                True,
                False,
            )
            assert not page["again"]
            assert await host.find_person("invited", "ann@example.org") != code

    asyncio.run(go())
    database = open_study_database(str(place))
    try:
        assert database.fetch_rows("SELECT * FROM study_answers", ()) == []
    finally:
        database.close()


# The file
# ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (
            ('"instructions.md"', '"no.md"'),
            "instructions: no.md cannot be read: write the text into that file",
        ),
        (('"debriefing.md"', '"empty.md"'), "debriefing: empty.md is empty: write the text into it"),
        (
            ('name = "end"', 'name = "end"\ninstructions = "no.md"'),
            "stages.end.instructions: no.md cannot be read",
        ),
        (('["en", "de"]', '["en", "xx"]'), "language: there are no words in 'xx': choose from de, en"),
        (('["en", "de"]', '["de"]'), "languages: the language 'en' is not among them: add it"),
        (
            ('finished = "C', 'done = "C'),
            "recruiting.codes: there is no outcome 'done': choose from asked to return",
        ),
        (
            ('"https://', '"example://'),
            "recruiting.redirects.finished: 'example://example.org/?cc={code}' is no",
        ),
        (("optional = true", 'kind = "several"'), "stages.end: “Anything else?” has no choices: add them"),
        (
            ("optional = true", 'kind = "scale", ends = ["x"]'),
            "stages.end: “Anything else?”: ends are the two",
        ),
        (("optional = true", "least = 1"), "stages.end: “Anything else?”: least and most are for numbers"),
        (
            ("optional = true", 'kind = "number", least = 2, most = 1'),
            "stages.end: “Anything else?”: least is more than most: change one of them",
        ),
        (
            ("optional = true", 'kind = "text", choices = ["a"]'),
            "stages.end: “Anything else?” has choices, but its kind is text: remove one of them",
        ),
    ],
)
def test_a_mistake_in_what_people_read_is_named(change: tuple[str, str], line: str, tmp_path: Path) -> None:
    folder = write_whole_study(tmp_path / "pairs")
    (folder / "empty.md").write_text(" \n")
    assert read_checked_study(folder)[1] == []
    (folder / "study.toml").write_text((folder / "study.toml").read_text().replace(*change))
    assert [told for told in read_checked_study(folder)[1] if told.startswith(f"study.toml: {line}")]
