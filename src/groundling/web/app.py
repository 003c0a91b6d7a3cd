"""The Starlette application: public pages, the calls that open rooms, and one socket for each seat."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from groundling.core.values import Problem
from groundling.web.admin import admin_routes
from groundling.web.cluster.cluster_rooms import ClusterRooms
from groundling.web.gallery import GalleryPages
from groundling.web.game_offers import GameSamples, list_game_partners, list_game_presets, offer_asked_game
from groundling.web.lobby import Lobby, WaitsElsewhere
from groundling.web.made_instances import is_made_in
from groundling.web.middleware import (
    PageNoticeMiddleware,
    RateLimits,
    SecurityHeadersMiddleware,
    TrustedHostsMiddleware,
    is_same_origin,
)
from groundling.web.replay import COOKIE, ReplayPages
from groundling.web.responses import (
    DECODE_ERRORS,
    cookie_response,
    error_response,
    file_response,
    json_response,
    links_response,
    page_response_endpoint,
    read_request_body,
    send_static_response,
    set_page_cookie,
    static_response_files,
)
from groundling.web.room_manager import RoomManager
from groundling.web.room_names import ROOM_NAME
from groundling.web.server_settings import RoomRequest
from groundling.web.socket_transport import refuse_socket, serve_seat
from groundling.web.store import hash_store_secret, new_store_secret
from groundling.web.studies.participant_pages import ParticipantPages
from groundling.web.studies.researcher_pages import ResearcherPages
from groundling.web.studies.study_host import StudyHost

VISIT_PAGES = {"/": "index.html", "/wait": "wait.html"}
"""Pages from which people join the queue; they are given a cookie by which it knows a person."""
PERSON_COOKIE = "person"
ROOMS_A_SECOND, ROOMS_AT_ONCE = 1 / 30, 40.0
"""Rooms that one address may open."""
TRIES_A_SECOND, TRIES_AT_ONCE = 1.0, 60.0
"""Times that one address may try a link or wait for a partner."""
SAT_COOKIE, SAT_PATH = "sat", "/api/sit"
"""The browser's own list of rooms in which it took a seat: nobody carries out what they made themselves."""
MOST_SAT = 60
"""Rooms in that list, the latest ones."""
SEAT_SECONDS = 7 * 24 * 3600
"""Seconds for which the cookie of a seat is valid."""
OWN_WORK = "you have made what is played in this room yourself: somebody else has to play it"
CLOSED = "only the administrator of this server opens rooms: use the link that you were given"
PREVIEW_NOTICE = "Preview: nothing is kept."
STORE_UNAVAILABLE = "the server cannot store anything at the moment: try again later"
log = logging.getLogger("groundling.web")


def make_app(room_manager: RoomManager, db: str = "") -> Starlette:
    """The application of a server. The logs of its studies are in the database `db`."""
    settings = room_manager.settings
    hosts = [StudyHost(study, db, room_manager) for study in settings.served_studies]
    public_pages, replays = _PublicPages(room_manager), ReplayPages(room_manager)
    cluster_rooms = ClusterRooms(room_manager)  # other servers ask about our rooms even without an admin here
    researchers = ResearcherPages(cluster_rooms, hosts, db, room_manager)

    @asynccontextmanager
    async def run_lifespan(app: Starlette) -> AsyncIterator[None]:
        await room_manager.open()
        for host in hosts:
            await host.open()
        chores = [room_manager.run_maintenance(), *(host.run_clock() for host in hosts)]
        tasks = [asyncio.create_task(chore) for chore in chores]
        for task in tasks:
            task.add_done_callback(_stop_process)
        yield
        for task in tasks:
            task.cancel()
        for host in hosts:
            await host.close()
        await room_manager.close()

    middleware = [Middleware(SecurityHeadersMiddleware)]
    if settings.hosts:
        middleware.append(Middleware(TrustedHostsMiddleware, names=settings.hosts))
    middleware.append(Middleware(GZipMiddleware, minimum_size=1000))
    if settings.preview:
        middleware.append(Middleware(PageNoticeMiddleware, text=PREVIEW_NOTICE))
    app = Starlette(
        routes=[
            *(Route(path, _visit_page_endpoint(name)) for path, name in VISIT_PAGES.items()),
            Route("/join", page_response_endpoint("join.html")),
            Route("/r/{room}/{role}/", page_response_endpoint("play.html")),
            Route("/static/{name:path}", send_static_response),
            Route("/api/games", public_pages.list_games),
            Route("/api/games/{game}", public_pages.offer_game),
            Route("/api/picture/{game}", public_pages.game_picture),
            Route("/api/rooms", public_pages.create_room, methods=["POST"]),
            Route(SAT_PATH, public_pages.redeem_link, methods=["POST"]),
            *replays.make_routes(),
            *GalleryPages(room_manager).make_routes(),
            *ParticipantPages(room_manager, hosts).make_routes(),
            WebSocketRoute("/api/wait/{game}/{role}", public_pages.wait_for_partner),
            WebSocketRoute("/r/{room}/{role}/socket", public_pages.connect_seat),
            *(
                admin_routes(room_manager, public_pages.lobby, cluster_rooms, replays, researchers)
                if settings.admin
                else ()
            ),
        ],
        middleware=middleware,
        exception_handlers={
            HTTPException: _handle_http_error,
            Problem: _handle_problem,
            **dict.fromkeys(room_manager.store.troubles, _handle_store_error),
        },
        lifespan=run_lifespan,
    )
    app.state.room_manager = room_manager
    return app


def _stop_process(maintenance: asyncio.Task[None]) -> None:
    """Terminate the process when its maintenance task ends, so that the supervisor starts another one."""
    if not maintenance.cancelled():
        log.error("this server stops after a failure (%s)", maintenance.exception())
        signal.raise_signal(signal.SIGTERM)


class _PublicPages:
    def __init__(self, room_manager: RoomManager) -> None:
        self._room_manager, self.lobby = room_manager, Lobby(room_manager)
        self._samples = GameSamples(room_manager.stimuli)
        self._rooms = RateLimits(ROOMS_A_SECOND, ROOMS_AT_ONCE, room_manager.settings)
        self._tries = RateLimits(TRIES_A_SECOND, TRIES_AT_ONCE, room_manager.settings)

    async def list_games(self, request: Request) -> Response:
        waiting = await self.lobby.count_waiting()
        packs, settings = self._room_manager.live_games(), self._room_manager.settings
        offered = [
            {
                "name": name,
                "title": pack.live.title,
                "about": pack.about,
                "gallery": settings.gallery and pack.live.gallery is not None,
                "partners": list_game_partners(settings.partners, pack),
                "presets": list_game_presets(
                    self._room_manager, pack, self._samples.find_sample(pack), waiting
                ),
            }
            for name, pack in packs.items()
        ]
        return json_response(
            {
                "games": offered,
                "runs": bool(settings.books),
                "gallery": settings.gallery,
                "closed": settings.closed,
            }
        )

    async def offer_game(self, request: Request) -> Response:
        game, waiting = request.path_params["game"], await self.lobby.count_waiting()
        query = request.query_params
        return json_response(await offer_asked_game(self._room_manager, self._samples, waiting, game, query))

    async def game_picture(self, request: Request) -> Response:
        pack = self._room_manager.find_game(request.path_params["game"])
        svg = await asyncio.to_thread(self._samples.draw_thumbnail, pack)
        return Response(svg, media_type="image/svg+xml", headers={"cache-control": "max-age=3600"})

    async def create_room(self, request: Request) -> Response:
        order = await read_request_body(request, RoomRequest)
        if self._room_manager.settings.closed:
            raise HTTPException(403, CLOSED)
        if not self._rooms.take_token(request):
            raise HTTPException(429, "you have opened many rooms: wait a little")
        links = await self._room_manager.create_room(order)
        return links_response(links)

    async def redeem_link(self, request: Request) -> Response:
        asked = await read_request_body(request, dict[str, str])
        if not self._tries.take_token(request):
            raise HTTPException(429, "too many tries: wait a little")
        store, invite = self._room_manager.store, hash_store_secret(asked.get("secret", ""))
        sat = [*filter(ROOM_NAME.fullmatch, request.cookies.get(SAT_COOKIE, "").split("-"))][-MOST_SAT:]
        offered = await store.find_invited(invite)
        booking = await store.find_booking(offered.room) if offered else None
        if booking and is_made_in(booking, sat):
            raise HTTPException(403, OWN_WORK)
        secret = new_store_secret()
        chair = await store.redeem_invite(invite, hash_store_secret(secret))
        if chair is None:
            raise HTTPException(403, "this link was used already or is not valid: ask for a new one")
        path = f"/r/{chair.room}/{chair.role}/"
        answer = cookie_response(request, path, COOKIE, secret, SEAT_SECONDS)
        set_page_cookie(request, answer, SAT_COOKIE, "-".join([*sat, chair.room]), SAT_PATH, SEAT_SECONDS)
        return answer

    async def connect_seat(self, socket: WebSocket) -> None:
        room, role = socket.path_params["room"], socket.path_params["role"]
        chair = await self._room_manager.store.find_chair(hash_store_secret(socket.cookies.get(COOKIE, "")))
        if not is_same_origin(socket):
            return await socket.close(4403)
        if chair is None or (chair.room, chair.role) != (room, role):
            return await refuse_socket(socket, 4403)
        try:
            seat = await self._room_manager.open_seat(room, role)
        except Problem as trouble:  # such as a game that is not served now; the page tries again
            log.error("room %s cannot be opened: %s", room, trouble)
            return await refuse_socket(socket, 1013)
        if seat is None:
            return await refuse_socket(socket, 4404)
        return await serve_seat(socket, seat)

    async def wait_for_partner(self, socket: WebSocket) -> None:
        if not is_same_origin(socket) or not self._tries.take_token(socket):
            return await socket.close(4403)
        await socket.accept()
        if self._room_manager.settings.closed:
            await socket.send_json({"type": "sorry", "why": CLOSED})
            return await socket.close()
        looking = asyncio.create_task(self._find_partner(socket))
        leaving = asyncio.create_task(_wait_until_closed(socket))
        await asyncio.wait((looking, leaving), return_when=asyncio.FIRST_COMPLETED)
        leaving.cancel()
        if not looking.done():
            looking.cancel()
            return None
        try:
            await socket.send_json({"type": "found", **looking.result()})
        except WaitsElsewhere:
            await socket.send_json({"type": "elsewhere"})
        except Problem as trouble:
            await socket.send_json({"type": "sorry", "why": str(trouble)})
        except self._room_manager.store.troubles:
            await socket.send_json({"type": "sorry", "why": STORE_UNAVAILABLE})
        except (WebSocketDisconnect, RuntimeError):
            return None
        return await socket.close()

    async def _find_partner(self, socket: WebSocket) -> dict[str, Any]:
        try:
            settings = msgspec.json.decode(socket.query_params.get("settings", "{}"), type=dict[str, Any])
        except DECODE_ERRORS as trouble:
            raise Problem(f"the settings cannot be understood: {trouble}") from None
        game, role = socket.path_params["game"], socket.path_params["role"]
        if (seconds := self.lobby.expected_wait(game, role, settings)) is not None:
            await socket.send_json({"type": "waiting", "seconds": round(seconds)})
        return await self.lobby.find_partner(game, role, settings, socket.cookies.get(PERSON_COOKIE, ""))


def _visit_page_endpoint(name: str) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a page that gives a new visitor a cookie, until the browser is closed."""

    async def send_visit_page(request: Request) -> Response:
        answer = file_response(static_response_files(), name)
        if PERSON_COOKIE not in request.cookies:
            set_page_cookie(request, answer, PERSON_COOKIE, new_store_secret())
            answer.headers["cache-control"] = "no-store"
        return answer

    return send_visit_page


async def _wait_until_closed(socket: WebSocket) -> None:
    try:
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
    except (WebSocketDisconnect, RuntimeError):
        return


async def _handle_http_error(request: Request, trouble: Exception) -> Response:
    assert isinstance(trouble, HTTPException)
    answer = error_response(request, trouble.status_code, trouble.detail)
    answer.headers.update(trouble.headers or {})
    return answer


async def _handle_problem(request: Request, trouble: Exception) -> Response:
    return error_response(request, 400, str(trouble))


async def _handle_store_error(request: Request, trouble: Exception) -> Response:
    log.error("the store cannot be used: %s", trouble)
    return error_response(request, 503, STORE_UNAVAILABLE)
