"""The addresses of a study: its page, and the one call by which the page acts."""

from __future__ import annotations

from collections.abc import Sequence
from time import time
from urllib.parse import quote, unquote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from groundling.studies.study_checks import LANGUAGES
from groundling.web.middleware import RateLimits
from groundling.web.replay import COOKIE
from groundling.web.responses import (
    file_response,
    json_response,
    read_request_body,
    set_page_cookie,
    static_response_files,
)
from groundling.web.room_manager import RoomManager
from groundling.web.store import hash_store_secret, new_store_secret
from groundling.web.studies.annotation_tasks import LabelDrafts
from groundling.web.studies.mturk_frame import NOT_ACCEPTED, frame_response
from groundling.web.studies.participant_actions import EraseData, ParticipantAction
from groundling.web.studies.participant_view import load_page_texts
from groundling.web.studies.study_host import ParticipantPage, StudyHost

PARTICIPANT_COOKIE = "participant"
COOKIE_SENT = "cookie"
"""The name in an address that says that the browser was sent the cookie."""
SERVICES = {"PROLIFIC_PID": "prolific", "workerId": "mturk", "person": "invited"}
"""The names in an address that carry a person's id, and the services that give such ids."""
SUBMISSIONS = {
    "prolific": ("prolific submission", "SESSION_ID"),
    "mturk": ("mturk assignment", "assignmentId"),
}
"""Under what the ids of submissions are kept, and the names in an address that carry them."""
BY_LINK = "link"
"""The service of people who come without an id; their browser gets a secret."""
MOST_SERVICE_ID = 100
MOST_ACTION = 512 * 1024
"""Bytes of what a page may send; annotations with corrected boards are the largest."""
COOKIE_SECONDS = 90 * 24 * 3600
SEAT_SECONDS = 7 * 24 * 3600
ARRIVALS_A_SECOND, ARRIVALS_AT_ONCE = 1.0, 60.0
"""People who may come from one address."""
ACTIONS_A_SECOND, ACTIONS_AT_ONCE = 20.0, 400.0
"""What people at one address may do."""


class ParticipantPages:
    def __init__(self, room_manager: RoomManager, hosts: Sequence[StudyHost]) -> None:
        self._room_manager, self._hosts = room_manager, {host.study.name: host for host in hosts}
        self._arrivals = RateLimits(ARRIVALS_A_SECOND, ARRIVALS_AT_ONCE, room_manager.settings)
        self._actions = RateLimits(ACTIONS_A_SECOND, ACTIONS_AT_ONCE, room_manager.settings)
        if hosts:
            room_manager.on_room_over = self._report_room_over

    def make_routes(self) -> list[BaseRoute]:
        if not self._hosts:
            return []
        return [
            Route("/study/{study}", self.open_page),
            Route("/study/{study}/act", self.act, methods=["POST"]),
            Route("/study/{study}/mturk", self.send_frame),
            Route("/study/{study}/texts/{language}", self.send_texts),
            Route("/study/{study}/items", self.send_items, methods=["POST"]),
        ]

    async def _report_room_over(self, room: str) -> None:
        for host in self._hosts.values():
            await host.handle_room_over(room)

    def _find_host(self, request: Request) -> StudyHost:
        host = self._hosts.get(request.path_params["study"])
        if host is None:
            raise HTTPException(404, "there is no such study here")
        return host

    async def open_page(self, request: Request) -> Response:
        """The page. A person who comes with an id, or without a cookie that we know, gets a cookie first. The
        address that they are then sent to tells whether the browser keeps it, so that nobody is sent around
        without end."""
        host = self._find_host(request)
        path = f"/study/{host.study.name}"
        given = next((name for name in SERVICES if request.query_params.get(name)), "")
        if not given and await self._look_up_person(request, host):
            if COOKIE_SENT not in request.query_params:
                return file_response(static_response_files(), "study.html")
            return RedirectResponse(path, 303, headers={"cache-control": "no-store"})
        if COOKIE_SENT in request.query_params:
            raise HTTPException(400, "this study needs cookies: allow them here and open its link again")
        if not self._arrivals.take_token(request):
            raise HTTPException(429, "many people came from this address: wait a little and try again")
        service, who = SERVICES.get(given, BY_LINK), request.query_params.get(given) or new_store_secret()
        kind, name = SUBMISSIONS.get(service, ("", ""))
        submission = request.query_params.get(name, "")
        if not all(len(each) <= MOST_SERVICE_ID and each.isprintable() for each in (who, submission)):
            raise HTTPException(400, "the id in this address cannot be used: open the link again")
        if submission == NOT_ACCEPTED:
            raise HTTPException(400, "accept the task at Mechanical Turk first, then open the study there")
        service_id = hash_store_secret(who) if service == BY_LINK else who
        await host.find_person(service, service_id, (kind, submission))
        answer = RedirectResponse(f"{path}?{COOKIE_SENT}=1", 303, headers={"cache-control": "no-store"})
        value = f"{service}:{quote(who, safe='')}"
        # people come by links from other sites
        set_page_cookie(request, answer, PARTICIPANT_COOKIE, value, path, COOKIE_SECONDS, samesite="lax")
        return answer

    async def send_frame(self, request: Request) -> Response:
        """The page that Mechanical Turk shows in a frame. It records nothing."""
        study = self._find_host(request).study
        return frame_response(study.name, study.files.study, request.query_params)

    async def send_texts(self, request: Request) -> Response:
        """The words of the page in a language."""
        self._find_host(request)
        language = request.path_params["language"]
        if language not in LANGUAGES:
            raise HTTPException(404, "there are no words in this language")
        return json_response(load_page_texts(language))

    async def act(self, request: Request) -> Response:
        """Do what the page asks for, in the language that the person has chosen, if they may choose."""
        host = self._find_host(request)
        action = await read_request_body(request, ParticipantAction, MOST_ACTION)
        person, language = await self._find_person(request, host)
        page = await host.act(person, action, language)
        answer = await self._answer_page(request, host, request.cookies[PARTICIPANT_COOKIE], page)
        if isinstance(action, EraseData):
            answer.delete_cookie(PARTICIPANT_COOKIE, path=f"/study/{host.study.name}")
        return answer

    async def send_items(self, request: Request) -> Response:
        """The items that the person annotates now, with boards as they were painted so far."""
        host = self._find_host(request)
        drafts = await read_request_body(request, LabelDrafts, MOST_ACTION)
        person, language = await self._find_person(request, host)
        return json_response(await host.read_items(person, language, drafts))

    async def _find_person(self, request: Request, host: StudyHost) -> tuple[str, str]:
        """The person whom a request's cookie names, and the language that they chose."""
        if not self._actions.take_token(request):
            raise HTTPException(429, "this is too fast: wait a little and try again")
        person = await self._look_up_person(request, host)
        if not person:
            raise HTTPException(403, "this study does not know your browser: open its link again")
        asked = request.query_params.get("language", "")
        language = asked if asked in host.study.files.study.languages else ""
        return person, language

    async def _look_up_person(self, request: Request, host: StudyHost) -> str:
        """The code of the person whom the cookie names, or ""; who was erased is known no more."""
        service, _, who = request.cookies.get(PARTICIPANT_COOKIE, "").partition(":")
        if service == BY_LINK:
            return await host.look_up_person(service, hash_store_secret(who))
        return await host.look_up_person(service, unquote(who)) if service in SERVICES.values() else ""

    async def _answer_page(
        self, request: Request, host: StudyHost, cookie: str, page: ParticipantPage
    ) -> Response:
        """The page as JSON; with a game, also the cookie of the person's seat in it. It follows from their
        own cookie, so that two requests at the same time get the same one."""
        fields = {**page.fields, "now": time()}
        if not page.room:
            return json_response(fields)
        path = f"/r/{page.room}/{page.role}/"
        secret = hash_store_secret(f"{cookie} {path}")
        if not await self._room_manager.store.seat_person(page.room, page.role, hash_store_secret(secret)):
            raise HTTPException(410, "your seat in this game was deleted: write to the contact of the study")
        answer = json_response({**fields, "path": f"{path}?study={host.study.name}"})
        set_page_cookie(request, answer, COOKIE, secret, path, SEAT_SECONDS)
        return answer
