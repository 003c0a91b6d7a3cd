"""The admin pages under /admin: list, watch, end and download rooms, behind one login."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any, TypeAlias

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from groundling.core.pack import choices_hint, installed_entry_points, load
from groundling.core.pages import GROUP, MakePages, Pages
from groundling.core.setting_fields import describe_setting_fields
from groundling.core.values import Problem
from groundling.web.cluster.cluster_rooms import ClusterRooms
from groundling.web.cluster.remote_seats import NoAnswer
from groundling.web.download import KINDS, stream_game_download
from groundling.web.erasure import erase_archived_seat, find_coded_seat
from groundling.web.game_offers import GameSamples, offer_asked_game
from groundling.web.lobby import Lobby
from groundling.web.login import SESSION_SECONDS, AdminLogin, login_cookie_expiry, login_cookie_signature
from groundling.web.middleware import client_address, is_same_origin, people_behind
from groundling.web.replay import ReplayPages
from groundling.web.responses import (
    cookie_response,
    file_response,
    json_response,
    links_response,
    load_response_files,
    page_response_endpoint,
    read_request_body,
)
from groundling.web.room_manager import RoomManager
from groundling.web.room_names import ROOM_NAME
from groundling.web.room_overview import MANY, recorded_overview
from groundling.web.server_settings import RoomRequest
from groundling.web.socket_transport import refuse_socket, serve_seat
from groundling.web.studies.researcher_pages import ResearcherPages
from groundling.web.studies.study_erasure import is_study_code

HOME, LOGIN = "/admin", "/admin/login"
COOKIE = "admin"
MOST_BODY = 4 * 1024 * 1024
"""Bytes that a game's own admin page may send in one call."""
Handler: TypeAlias = Callable[[Request], Awaitable[Response]]


def admin_routes(
    room_manager: RoomManager,
    lobby: Lobby,
    cluster_rooms: ClusterRooms,
    replays: ReplayPages,
    studies: ResearcherPages,
) -> list[BaseRoute]:
    pages = _AdminPages(room_manager, lobby, cluster_rooms, studies)

    def admin_route(path: str, handler: Handler, *methods: str) -> Route:
        return Route(path, pages.require_admin(handler), methods=list(methods) or ["GET"])

    return [
        Route(LOGIN, page_response_endpoint("admin/login.html")),
        Route("/styleguide", page_response_endpoint("admin/styleguide.html")),
        Route(f"{LOGIN}/trade", pages.log_in, methods=["POST"]),
        admin_route(HOME, page_response_endpoint("admin/index.html")),
        admin_route(f"{HOME}/watch/{{room:room}}", page_response_endpoint("admin/watch.html")),
        admin_route(f"{HOME}/logout", pages.log_out, "POST"),
        admin_route(f"{HOME}/api/rooms", pages.list_rooms),
        admin_route(f"{HOME}/api/rooms", pages.create_room, "POST"),
        admin_route(f"{HOME}/api/rooms/{{room:room}}/end", pages.end_room, "POST"),
        admin_route(f"{HOME}/api/rooms/{{room:room}}/follow-up", pages.create_follow_up, "POST"),
        admin_route(f"{HOME}/api/games.{{kind}}", pages.download_games),
        admin_route(f"{HOME}/api/games/{{game}}", pages.offer_game),
        admin_route(f"{HOME}/api/find", pages.find_seat, "POST"),
        admin_route(f"{HOME}/api/erase", pages.erase_seat, "POST"),
        *(admin_route(*endpoint) for endpoint in studies.list_endpoints()),
        *(
            admin_route(f"{HOME}/rooms/{{room:room}}/{name}", work)
            for name, work in replays.episode_endpoints(replays.find_any_room).items()
        ),
        WebSocketRoute(f"{HOME}/watch/{{room:room}}/socket", pages.watch_room),
        admin_route(f"{HOME}/pages/{{name}}/", pages.own_page),
        admin_route(f"{HOME}/pages/{{name}}/{{file:path}}", pages.own_file),
        admin_route(f"{HOME}/pages/{{name}}/call/{{call}}", pages.own_call, "POST"),
    ]


class _AdminPages:
    def __init__(
        self, room_manager: RoomManager, lobby: Lobby, cluster_rooms: ClusterRooms, studies: ResearcherPages
    ) -> None:
        self._room_manager, self._lobby, self._cluster_rooms = room_manager, lobby, cluster_rooms
        self._studies = studies
        self._samples = GameSamples(room_manager.stimuli)
        self._login = AdminLogin(room_manager.settings.admin)
        cluster_rooms.on_failed_login = self._login.record_failure
        self._pages = own_admin_pages(room_manager.settings.options)
        self._files = {name: load_response_files(pages.folder) for name, pages in self._pages.items()}

    # Login

    async def _is_admin(self, connection: HTTPConnection) -> bool:
        """Whether the cookie is valid and was not logged out at any server of the cluster."""
        cookie = connection.cookies.get(COOKIE, "")
        return self._login.is_valid_cookie(cookie) and not await self._room_manager.store.is_revoked(
            login_cookie_signature(cookie)
        )

    def require_admin(self, handler: Handler) -> Handler:
        @wraps(handler)
        async def check_admin(request: Request) -> Response:
            if await self._is_admin(request):
                return await handler(request)
            if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
                return RedirectResponse(LOGIN, 303)
            raise HTTPException(
                401, "only the administrator of this server can do this: log in at /admin/login"
            )

        return check_admin

    async def log_in(self, request: Request) -> Response:
        asked = await read_request_body(request, dict[str, str])
        try:
            people = people_behind(request, self._room_manager.settings.limit_for)
            cookie = self._login.exchange_token(client_address(request), asked.get("token", ""), people)
        except HTTPException as refused:
            if refused.status_code == 403:
                await self._cluster_rooms.report_failed_login(client_address(request))
            raise
        return cookie_response(request, HOME, COOKIE, cookie, SESSION_SECONDS)

    async def log_out(self, request: Request) -> Response:
        await read_request_body(request, dict[str, str])
        cookie = request.cookies[COOKIE]
        await self._room_manager.store.revoke_cookie(
            login_cookie_signature(cookie), login_cookie_expiry(cookie)
        )
        answer = json_response({"path": LOGIN})
        answer.delete_cookie(COOKIE, path=HOME, httponly=True, samesite="strict")
        return answer

    # Rooms

    async def list_rooms(self, request: Request) -> Response:
        """The open rooms of all servers, and one page of all rooms, newest first."""
        before = request.query_params.get("before", "")
        if before and not ROOM_NAME.fullmatch(before):
            raise HTTPException(404, "there is no such room")
        bookings = await self._room_manager.store.list_bookings(before, MANY)
        known = await self._cluster_rooms.open_rooms()
        store, paged = self._room_manager.store, {each.id for each in bookings}
        rooms = [
            known.get(each.id)
            or recorded_overview(each, await store.read_records(each.id), self._room_manager.catalog)
            for each in bookings
        ]
        if not before:
            rooms += [
                room
                for name, room in known.items()
                if name not in paged and room.state in ("waiting", "playing")
            ]
        stimuli = self._room_manager.stimuli
        waiting = [
            {"game": key.game, "role": key.role, "settings": key.settings, "people": count}
            for key, count in (await self._lobby.count_waiting()).items()
        ]
        games = {
            name: {
                "title": pack.live.title,
                "sets": stimuli.count_sets(pack),
                "fields": describe_setting_fields(pack),
                "presets": [
                    {"title": preset.title, "settings": preset.settings, "seats": preset.seats}
                    for preset in pack.live.presets
                ],
            }
            for name, pack in self._room_manager.live_games().items()
        }
        return json_response(
            {
                "rooms": rooms,
                "counts": await store.count_rooms(),
                "next": bookings[-1].id if len(bookings) == MANY else None,
                "waiting": waiting,
                "games": games,
                "partners": list(self._room_manager.settings.partners),
                "studies": await self._studies.name_studies(room.id for room in rooms),
                "pages": [
                    {"name": name, "title": page.title, "about": page.about}
                    for name, page in self._pages.items()
                ],
            }
        )

    async def offer_game(self, request: Request) -> Response:
        game, waiting = request.path_params["game"], await self._lobby.count_waiting()
        offer = await offer_asked_game(
            self._room_manager, self._samples, waiting, game, request.query_params, is_admin=True
        )
        return json_response(offer)

    async def create_room(self, request: Request) -> Response:
        order = await read_request_body(request, RoomRequest)
        links = await self._room_manager.create_room(order, is_admin=True)
        return links_response(links)

    async def create_follow_up(self, request: Request) -> Response:
        await read_request_body(request, dict[str, str])
        links = await self._room_manager.create_follow_up(request.path_params["room"])
        if links is None:
            raise HTTPException(404, "there is no such room")
        return links_response(links)

    async def end_room(self, request: Request) -> Response:
        await read_request_body(request, dict[str, str])
        try:
            why = await self._cluster_rooms.end_room(request.path_params["room"])
        except NoAnswer:
            raise HTTPException(503, "the server that runs this room gives no answer: try again") from None
        if why is None:
            raise HTTPException(404, "there is no such room")
        if why:
            raise HTTPException(409, why)
        return json_response({})

    async def watch_room(self, socket: WebSocket) -> None:
        if not is_same_origin(socket):
            return await socket.close(4403)
        if not await self._is_admin(socket):
            return await refuse_socket(socket, 4403)
        try:
            seat = await self._room_manager.open_seat(socket.path_params["room"], None)
        except Problem:  # the room's game is no longer installed
            seat = None
        if seat is None:
            return await refuse_socket(socket, 4404)
        return await serve_seat(socket, seat)

    async def download_games(self, request: Request) -> Response:
        kind = request.path_params["kind"]
        if kind not in KINDS:
            raise HTTPException(404, f"games are not written as {kind!r}: {choices_hint(KINDS)}")
        body = await stream_game_download(kind, self._room_manager.store, self._room_manager.catalog)
        headers = {"content-disposition": f'attachment; filename="games.{kind}"', "cache-control": "no-store"}
        return StreamingResponse(body, media_type=KINDS[kind], headers=headers)

    async def find_seat(self, request: Request) -> Response:
        """The room and role of the seat with the code that a person quotes."""
        asked = await read_request_body(request, dict[str, str])
        if is_study_code(code := asked.get("seat", "")):
            return await self._studies.find_person(code)
        archive = self._room_manager.store.open_archive
        room, role = await asyncio.to_thread(find_coded_seat, archive, code)
        booking = await self._room_manager.store.find_booking(room) if ROOM_NAME.fullmatch(room) else None
        if booking is None or role not in booking.seats:
            raise HTTPException(404, "there is no such seat")
        records = await self._room_manager.store.read_records(room)
        overview = recorded_overview(booking, records, self._room_manager.catalog)
        return json_response({"seat": f"{room}/{role}", "role": role, "room": overview})

    async def erase_seat(self, request: Request) -> Response:
        asked = await read_request_body(request, dict[str, str])
        archive = self._room_manager.store.open_archive
        if is_study_code(code := asked.get("seat", "")):
            return json_response({"told": await self._studies.erase_person(code)})
        told = await asyncio.to_thread(erase_archived_seat, archive, code)
        return json_response({"told": told})

    # Pages that games bring

    def _own_page_name(self, request: Request) -> str:
        name: str = request.path_params["name"]
        if name not in self._pages:
            raise HTTPException(404, "there is no such page here")
        return name

    async def own_page(self, request: Request) -> Response:
        return file_response(self._files[self._own_page_name(request)], "index.html")

    async def own_file(self, request: Request) -> Response:
        return file_response(self._files[self._own_page_name(request)], request.path_params["file"])

    async def own_call(self, request: Request) -> Response:
        name = self._own_page_name(request)
        asked = await read_request_body(request, Any, MOST_BODY)
        call = self._pages[name].calls.get(request.path_params["call"])
        if call is None:
            raise HTTPException(404, "this cannot be asked here")
        return json_response(await asyncio.to_thread(call, asked))


def own_admin_pages(options: Mapping[str, str]) -> dict[str, Pages]:
    """The admin pages that installed games offer with these options, by name."""
    makers: dict[str, MakePages] = {
        name: load(point.value) for name, point in installed_entry_points(GROUP).items()
    }
    made = {name: maker(options) for name, maker in makers.items()}
    return {name: pages for name, pages in made.items() if pages is not None}
