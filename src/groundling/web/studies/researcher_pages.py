"""The researcher's pages of the served studies, under /admin/studies. The admin pages guard them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec import structs
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from groundling.studies.researcher_actions import ResearcherAction
from groundling.studies.study_state import StudyState
from groundling.studies.study_summary import PersonSummary, summarize_people
from groundling.studies.study_tables import StoredAnswer
from groundling.web.cluster.cluster_rooms import ClusterRooms
from groundling.web.responses import (
    file_response,
    json_response,
    page_response_endpoint,
    read_request_body,
    static_response_files,
)
from groundling.web.room_manager import RoomManager
from groundling.web.studies.researcher_view import (
    PeopleQuery,
    describe_person,
    describe_study,
    list_open_rooms,
    list_people,
)
from groundling.web.studies.study_agreement import AgreementReader, ItemGames, list_item_games
from groundling.web.studies.study_erasure import erase_study_person, find_study_person
from groundling.web.studies.study_host import StudyHost
from groundling.web.study_store import StudyDatabase

STUDIES, CALLS = "/admin/studies", "/admin/api/studies"
SELECT_PERSON_ANSWERS = (
    "SELECT task, person, body FROM study_answers WHERE study = ? AND person = ? ORDER BY task"
)
Endpoint: TypeAlias = tuple[str, Callable[[Request], Awaitable[Response]], str]


class StudySnapshot(msgspec.Struct, frozen=True):
    """What a page shows of a study, made once for each state of its log."""

    version: str
    """Of the study's log, and of how many games were read to see how far people agree."""
    overview: dict[str, Any]
    people: list[PersonSummary]


class ResearcherPages:
    def __init__(
        self, cluster_rooms: ClusterRooms, hosts: Sequence[StudyHost], db: str, room_manager: RoomManager
    ) -> None:
        self._cluster_rooms, self._db = cluster_rooms, db
        self._hosts = {host.study.name: host for host in hosts}
        self._agreement = {name: AgreementReader(room_manager) for name in self._hosts}
        self._snapshots: dict[str, StudySnapshot] = {}

    def list_endpoints(self) -> list[Endpoint]:
        """Paths with their handlers and methods."""
        return [
            (STUDIES, page_response_endpoint("admin/studies.html"), "GET"),
            (f"{STUDIES}/{{study}}", self.open_study, "GET"),
            (CALLS, self.list_studies, "GET"),
            (f"{CALLS}/{{study}}", self.show_study, "GET"),
            (f"{CALLS}/{{study}}/act", self.act, "POST"),
            (f"{CALLS}/{{study}}/people/{{person}}", self.show_person, "GET"),
        ]

    def _find_host(self, request: Request) -> StudyHost:
        host = self._hosts.get(request.path_params["study"])
        if host is None:
            raise HTTPException(404, "there is no such study here")
        return host

    async def open_study(self, request: Request) -> Response:
        self._find_host(request)
        return file_response(static_response_files(), "admin/studies_overview.html")

    async def list_studies(self, request: Request) -> Response:
        fields = ("name", "title", "paused", "complete", "places", "places_taken", "people", "now", "stages")
        found = [(await self._read_snapshot(host)).overview for host in self._hosts.values()]
        return json_response({"studies": [{name: each[name] for name in fields} for each in found]})

    async def show_study(self, request: Request) -> Response:
        """The open rooms, one page of people, and the overview unless the page has it already."""
        host, given = self._find_host(request), dict(request.query_params)
        try:
            query = msgspec.convert(given, PeopleQuery, strict=False)
        except msgspec.ValidationError as trouble:
            raise HTTPException(400, f"this cannot be understood: {trouble}") from None
        known = await self._cluster_rooms.open_rooms()
        snapshot = await self._read_snapshot(host)
        rooms = await host.read(lambda state, _: list_open_rooms(host.study.name, state, known))
        seen = given.get("seen") == snapshot.version
        return json_response(
            {
                "version": snapshot.version,
                "overview": None if seen else snapshot.overview,
                "people": list_people(snapshot.people, query),
                "rooms": rooms,
            }
        )

    async def _read_snapshot(self, host: StudyHost) -> StudySnapshot:
        name = host.study.name
        before = self._snapshots.get(name)

        def look(state: StudyState, _: StudyDatabase) -> tuple[int, list[ItemGames]]:
            known = before is not None and before.version == f"{state.version}.0"
            return state.version, [] if known else list_item_games(name, state)

        number, items = await host.read(look)
        if before is not None and before.version == f"{number}.0":
            return before
        agreement = await self._agreement[name].measure_items(items)
        version = f"{number}.{agreement.unread}"

        def take(state: StudyState, _: StudyDatabase) -> StudySnapshot:
            people = [
                structs.replace(each, agreement=agreement.people.get(each.person))
                for each in summarize_people(state)
            ]
            return StudySnapshot(version, describe_study(name, state, people, agreement), people)

        self._snapshots[name] = await host.read(take)
        return self._snapshots[name]

    async def show_person(self, request: Request) -> Response:
        host, person = self._find_host(request), request.path_params["person"]

        def describe(state: StudyState, database: StudyDatabase) -> dict[str, Any]:
            rows = database.fetch_rows(SELECT_PERSON_ANSWERS, (host.study.name, person))
            answers = [StoredAnswer(task, who, bytes(body)) for task, who, body in rows]
            return describe_person(host.study.name, state, person, answers)

        before = self._snapshots.get(host.study.name)  # of the page on which the person is opened
        known = before.people if before else []
        agreement = next((each.agreement for each in known if each.person == person), None)
        return json_response({**await host.read(describe), "agreement": agreement})

    async def act(self, request: Request) -> Response:
        action = await read_request_body(request, ResearcherAction)
        return json_response({"told": await self._find_host(request).take_action(action)})

    # For the other admin pages

    async def name_studies(self, rooms: Iterable[str]) -> dict[str, Any]:
        """The served studies, and which of the rooms belong to which of them."""
        names, found = list(rooms), dict[str, str]()
        for name, host in self._hosts.items():
            found |= dict.fromkeys(await host.find_tasks(names), name)
        titles = {name: host.study.files.study.title for name, host in self._hosts.items()}
        return {"titles": titles, "rooms": found}

    async def find_person(self, code: str) -> Response:
        """The studies in which a person with this code takes part."""
        studies = await asyncio.to_thread(find_study_person, self._db, code)
        served = [name for name in studies if name in self._hosts]
        return json_response({"seat": code.strip().lower(), "studies": studies, "served": served})

    async def erase_person(self, code: str) -> str:
        return await asyncio.to_thread(erase_study_person, self._db, code)
