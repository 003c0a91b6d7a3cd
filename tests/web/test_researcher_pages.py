"""The researcher's pages of a study: what they show, what is decided on them, and who may not see them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from time import time
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.web.room_helpers import until
from tests.web.study_helpers import PAIRS, come_to_work, open_host, open_task_room, read_log, write_study

from groundling.cli.study_people import decide_in_study
from groundling.core.values import Problem
from groundling.studies.researcher_actions import ReleasePerson
from groundling.studies.study_state import fold_study
from groundling.studies.study_summary import PersonSummary
from groundling.web.app import make_app
from groundling.web.room_manager import RoomManager
from groundling.web.server import open_server_files
from groundling.web.server_settings import ServerSettings
from groundling.web.store_url import open_store_url
from groundling.web.studies.participant_actions import AwaitChange
from groundling.web.studies.researcher_pages import SELECT_PERSON_ANSWERS
from groundling.web.studies.researcher_view import PEOPLE_PER_PAGE, PeopleQuery, list_people
from groundling.web.studies.served_study import begin_served_studies

OURS = "http://testserver"
TOKEN = "a token that nobody guesses"
STUDY = (
    PAIRS.replace('name = "quiz"', 'name = "into-best"', 1)
    + """
[groups.best]
stage = "into-best"
by = "administrator"
[recruiting]
places = 5
"""
)
CALLS = "/admin/api/studies/pairs"


def open_server(tmp_path: Path) -> TestClient:
    place = str(tmp_path / "games.db")
    options = open_server_files(
        ServerSettings(studies=(str(write_study(tmp_path / "pairs", STUDY)),), admin=TOKEN)
    )
    begin_served_studies(place, options.served_studies)
    return TestClient(
        make_app(RoomManager(open_store_url(place), options), place), OURS, headers={"origin": OURS}
    )


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    with open_server(tmp_path) as client:
        yield client


class Researcher:
    """A client that is logged in beside participants, whose cookies it does not share."""

    def __init__(self, server: TestClient) -> None:
        self._server = server
        server.cookies.clear()
        self._cookie = server.post("/admin/login/trade", json={"token": TOKEN}).cookies["admin"]
        server.cookies.clear()

    def ask(self, method: str, path: str, **more: Any) -> Any:
        headers = {"cookie": f"admin={self._cookie}"}
        self._server.cookies.clear()
        answer = self._server.request(method, path, headers=headers, **more)
        return answer.json() | {"status": answer.status_code}

    def show(self, **query: Any) -> Any:
        return self.ask("GET", CALLS, params=query)

    def decide(self, what: str, **fields: Any) -> Any:
        return self.ask("POST", f"{CALLS}/act", json={"do": what, **fields})


def act(server: TestClient, name: str, action: str, **fields: Any) -> Any:
    """What the person with this name does, and what their page shows then."""
    server.cookies.clear()
    server.get(f"/study/pairs?person={name}")
    answer = server.post("/study/pairs/act", json={"do": action, **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()


def enter(server: TestClient, name: str) -> Any:
    """Arrive, agree, pass the quiz and begin the first task."""
    act(server, name, "open", visit="new")
    task = act(server, name, "consent", agreed=True)["task"]
    act(server, name, "submit", task=task, answers=["yes"])
    return act(server, name, "start")


@pytest.mark.parametrize("path", [CALLS, f"{CALLS}/people/x", "/admin/api/studies", "/admin/studies/pairs"])
def test_nobody_but_the_administrator_sees_a_study(server: TestClient, path: str) -> None:
    enter(server, "ann")
    server.cookies.clear()
    assert server.get(path).status_code == 401
    page = server.get(path, headers={"accept": "text/html"}, follow_redirects=False)
    assert page.headers["location"] == "/admin/login"
    assert server.post(f"{CALLS}/act", json={"do": "pause"}).status_code == 401


def test_a_study_without_people_is_shown(server: TestClient) -> None:
    shown = Researcher(server).show()
    assert shown["people"] == {"found": 0, "page": 0, "pages": 1, "rows": []}
    assert shown["rooms"] == {"total": 0, "rows": []}
    assert shown["overview"]["plots"] == {"answers": "", "minutes": "", "flow": ""}
    assert shown["overview"]["figures"]["hourly"] is None
    assert shown["overview"]["figures"]["floor"] == 8.0
    assert shown["overview"]["items"]["total"] == 4
    assert Researcher(server).ask("GET", "/admin/api/studies")["studies"][0]["name"] == "pairs"


def test_people_and_their_live_room_are_shown_and_nothing_is_sent_twice(server: TestClient) -> None:
    codes = {enter(server, name)["code"] for name in ("anne-w", "bob")}
    researcher = Researcher(server)
    shown = researcher.show()
    assert {row["person"] for row in shown["people"]["rows"]} == codes
    assert {row["state"] for row in shown["people"]["rows"]} == {"working"}
    (room,) = shown["rooms"]["rows"]
    assert {seat["person"] for seat in room["seats"]} == codes
    assert shown["overview"]["undecided"] == 2
    assert "<svg" in shown["overview"]["plots"]["minutes"]
    assert researcher.show(seen=shown["version"])["overview"] is None
    assert researcher.show(page="first")["status"] == 400
    assert "anne-w" not in str(shown)
    assert "anne-w" not in str([researcher.ask("GET", f"{CALLS}/people/{code}") for code in codes])


def test_a_person_is_shown_with_their_tasks_answers_and_games(server: TestClient) -> None:
    enter(server, "ann")
    code = enter(server, "bob")["code"]
    found = Researcher(server).ask("GET", f"{CALLS}/people/{code}")
    assert [(task["stage"], task["end"]) for task in found["tasks"]] == [
        ("into-best", "submitted"),
        ("games", ""),
    ]
    assert len(found["tasks"][1]["rooms"]) == 1
    assert [(answer["answer"], answer["right"]) for answer in found["answers"]] == [("yes", True)]
    assert found["summary"]["undecided"] == ["best"]
    unknown = Researcher(server).ask("GET", f"{CALLS}/people/x")
    assert unknown["error"].startswith("there is no person 'x' in this study")


def test_each_decision_of_a_researcher_is_done(server: TestClient, tmp_path: Path) -> None:
    ann, bob = (enter(server, name)["code"] for name in ("ann", "bob"))
    researcher = Researcher(server)
    assert researcher.decide("pause")["told"] == "recruiting is paused: nobody new can take part"
    assert act(server, "cay", "open", visit="new")["outcome"] == "study full"
    assert researcher.decide("pause")["error"] == "recruiting is paused already: nothing was changed"
    assert researcher.decide("resume")["told"] == "recruiting is resumed"
    assert researcher.decide("places", number=2)["told"] == "7 people may take part, 2 do or did"
    researcher.decide("message", person=ann, text="Take your time.")
    assert [each["text"] for each in act(server, "ann", "open")["messages"]] == ["Take your time."]
    assert act(server, "bob", "open")["messages"] == []
    researcher.decide("message", text="We are here until six.")
    assert len(act(server, "ann", "open")["messages"]) == 2
    assert researcher.decide("qualify", person=ann, group="best")["told"] == f"{ann} is now in the group best"
    assert researcher.decide("refuse", person=bob, group="best")["status"] == 200
    assert researcher.show()["overview"]["undecided"] == 0
    assert "gets the next task" in researcher.decide("release", person=ann)["told"]
    assert act(server, "ann", "open")["notice"] == {"text": "administrator"}
    assert researcher.decide("exclude", person=bob, reason=" ")["error"] == "there is no reason: write one"
    assert researcher.decide("exclude", person=bob)["status"] == 400
    assert researcher.decide("exclude", person=bob, reason="no English")["status"] == 200
    assert researcher.decide("exclude", person=bob, reason="again")["status"] == 400
    assert researcher.show(show="excluded")["people"]["rows"][0]["reason"] == "no English"
    kinds = {type(event).__struct_config__.tag for event in read_log(tmp_path / "games.db")}
    assert kinds >= {"recruiting_paused", "recruiting_resumed", "places_added", "message_sent", "qualified"}


def test_another_site_cannot_decide_anything(server: TestClient) -> None:
    other = {"origin": "http://evil.example"}
    server.post("/admin/login/trade", json={"token": TOKEN})
    assert server.post(f"{CALLS}/act", json={"do": "pause"}, headers=other).status_code == 403


def test_a_restart_keeps_what_was_decided(tmp_path: Path) -> None:
    with open_server(tmp_path) as server:
        researcher = Researcher(server)
        researcher.decide("pause")
        researcher.decide("places", number=2)
    with open_server(tmp_path) as server:
        overview = Researcher(server).show()["overview"]
    assert (overview["paused"], overview["places"]) == (True, 7)


def test_rooms_of_a_study_are_marked_in_the_list_of_rooms(server: TestClient) -> None:
    enter(server, "ann")
    path = enter(server, "bob")["path"]
    server.cookies.clear()
    server.post("/api/rooms", json={"game": "reference", "seats": {"giver": "person"}})
    listing = Researcher(server).ask("GET", "/admin/api/rooms")
    assert listing["studies"] == {"titles": {"pairs": "Pairs"}, "rooms": {path.split("/")[2]: "pairs"}}
    assert len(listing["rooms"]) == 2


def test_a_person_of_a_study_is_found_and_erased_by_their_code(server: TestClient, tmp_path: Path) -> None:
    code = enter(server, "ann")["code"]
    researcher = Researcher(server)
    found = researcher.ask("POST", "/admin/api/find", json={"seat": code.upper()})
    assert (found["studies"], found["served"], found["seat"]) == (["pairs"], ["pairs"], code)
    told = researcher.ask("POST", "/admin/api/erase", json={"seat": code})["told"]
    assert told.startswith(f"erased {code} in the study pairs")
    assert fold_study(read_log(tmp_path / "games.db")).people[code].erased
    assert researcher.show()["people"]["rows"][0]["state"] == "erased"
    shown = researcher.ask("GET", f"{CALLS}/people/{code}")
    assert (shown["tasks"], shown["answers"], shown["messages"]) == ([], [], [])
    unknown = researcher.ask("POST", "/admin/api/find", json={"seat": "0" * 16})
    assert unknown["error"].startswith("no study has a person with the code")


def make_people(number: int) -> list[PersonSummary]:
    scores = (None, 0.5, 1.0)
    return [
        PersonSummary(person=f"p{n:04d}", state=("left", "working")[n % 2], arrived=n, score=scores[n % 3])
        for n in range(number)
    ]


@pytest.mark.parametrize("sort", PersonSummary.__struct_fields__)
@pytest.mark.parametrize("down", [True, False])
def test_pages_of_people_have_everybody_once_in_order(sort: str, down: bool) -> None:
    people = make_people(2 * PEOPLE_PER_PAGE + 1)
    pages = [list_people(people, PeopleQuery(sort, down, page=page)) for page in range(3)]
    rows = [row for page in pages for row in page["rows"]]
    assert {page["pages"] for page in pages} == {3}
    assert sorted(row.person for row in rows) == [person.person for person in people]
    values = [getattr(row, sort) for row in rows if getattr(row, sort) is not None]
    assert values == sorted(values, reverse=down)
    assert all(getattr(row, sort) is None for row in rows[len(values) :]), "those without a value are last"


def test_people_are_found_by_state_and_by_letters_of_their_code() -> None:
    people = make_people(30)
    assert list_people(people, PeopleQuery(show="left"))["found"] == 15
    assert list_people(people, PeopleQuery(show="now"))["found"] == 15
    assert [row.person for row in list_people(people, PeopleQuery(find=" P0007"))["rows"]] == ["p0007"]
    assert list_people(people, PeopleQuery(page=99))["page"] == 0


def test_a_command_acts_while_a_server_runs_and_a_message_wakes_who_waits(place: str, tmp_path: Path) -> None:
    async def go() -> None:
        folder = write_study(tmp_path / "pairs")
        async with open_host(place, folder) as (host, _):
            assert (await come_to_work(host, "ann")).fields["page"] == "wait"
            waiting = asyncio.create_task(host.act("ann", AwaitChange()))
            await asyncio.sleep(0.05)
            decide_in_study(folder, place, "message", text="A partner comes soon.", person="ann")
            await host.tick_clock(time())
            page = await asyncio.wait_for(waiting, 5)
            assert [each["text"] for each in page.fields["messages"]] == ["A partner comes soon."]
            assert page.fields["page"] == "wait"
            key = (folder.name, "ann")
            answers = await host.read(lambda _, stored: stored.fetch_rows(SELECT_PERSON_ANSWERS, key))
            assert [(who, bytes(body)) for _, who, body in answers] == [("ann", b'["yes"]')]

    asyncio.run(go())


def test_a_released_task_ends_its_game_wherever_it_was_decided(place: str, tmp_path: Path) -> None:
    async def go() -> None:
        folder = write_study(tmp_path / "pairs")
        async with open_host(place, folder) as (host, manager):
            await come_to_work(host, "ann")
            page = await come_to_work(host, "bob")
            room = await open_task_room(manager, page)
            decide_in_study(folder, place, "release", person="ann")
            await host.tick_clock(time())
            await until(lambda: room.over)
            with pytest.raises(Problem, match="nothing to release"):
                await host.take_action(ReleasePerson("ann"))

    asyncio.run(go())
