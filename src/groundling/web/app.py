"""The Starlette application: public pages, the calls that open rooms, and one socket for each seat."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from groundling.core.pack import Pack, load
from groundling.core.values import Problem
from groundling.web.admin import admin_routes
from groundling.web.cluster.cluster_rooms import ClusterRooms
from groundling.web.gallery import GalleryPages
from groundling.web.lobby import Lobby
from groundling.web.middleware import (
    RateLimits,
    SecurityHeadersMiddleware,
    TrustedHostsMiddleware,
    client_address,
    error_body,
    is_same_origin,
)
from groundling.web.replay import COOKIE, ReplayPages
from groundling.web.responses import (
    file_response,
    json_response,
    page_endpoint,
    read_body,
    send_static,
    static_files,
)
from groundling.web.room_manager import RoomManager, RoomRequest
from groundling.web.screen import opening_picture
from groundling.web.socket_transport import serve_seat
from groundling.web.store import hash_secret, new_secret

PAGES = {"/": "index.html", "/join": "join.html", "/wait": "wait.html"}
ROOMS_A_SECOND, ROOMS_AT_ONCE = 1 / 30, 40.0
"""Rooms that one address may open."""
TRIES_A_SECOND, TRIES_AT_ONCE = 1.0, 60.0
"""Times that one address may try a link or wait for a partner."""
STORE_UNAVAILABLE = "nothing can be kept at the moment: try again a little later"
log = logging.getLogger("groundling.web")


def make_app(hall: RoomManager) -> Starlette:
    desk, replays = _PublicPages(hall), ReplayPages(hall)
    everywhere = ClusterRooms(hall)  # other servers ask about our rooms even without an admin here

    @asynccontextmanager
    async def run_lifespan(app: Starlette) -> AsyncIterator[None]:
        await hall.open()
        keeping = asyncio.create_task(hall.run_maintenance())
        keeping.add_done_callback(_stop_process)
        yield
        keeping.cancel()
        await hall.close()

    app = Starlette(
        routes=[
            *(Route(path, page_endpoint(name)) for path, name in PAGES.items()),
            Route("/r/{room}/{role}/", page_endpoint("play.html")),
            Route("/static/{name:path}", send_static),
            Route("/api/games", desk.list_games),
            Route("/api/picture/{game}", desk.game_picture),
            Route("/api/rooms", desk.create_room, methods=["POST"]),
            Route("/api/sit", desk.redeem_link, methods=["POST"]),
            *replays.make_routes(),
            *GalleryPages(hall).make_routes(),
            WebSocketRoute("/api/wait/{game}/{role}", desk.wait_for_partner),
            WebSocketRoute("/r/{room}/{role}/socket", desk.connect_seat),
            *(
                admin_routes(hall, desk.lobby, everywhere, replays, static_files())
                if hall.house.admin
                else ()
            ),
        ],
        middleware=[
            Middleware(SecurityHeadersMiddleware),
            *([Middleware(TrustedHostsMiddleware, names=hall.house.hosts)] if hall.house.hosts else ()),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={
            HTTPException: _handle_http_error,
            Problem: _handle_problem,
            **dict.fromkeys(hall.store.troubles, _handle_store_error),
        },
        lifespan=run_lifespan,
    )
    app.state.hall = hall
    return app


def _stop_process(keeping: asyncio.Task[None]) -> None:
    """Terminate the process when its maintenance task ends, so that the supervisor starts another one."""
    if not keeping.cancelled():
        log.error("this server cannot go on and stops (%s)", keeping.exception())
        signal.raise_signal(signal.SIGTERM)


class _PublicPages:
    def __init__(self, hall: RoomManager) -> None:
        self._hall, self.lobby = hall, Lobby(hall)
        self._thumbnails: dict[str, str] = {}
        share = 1 / hall.house.workers
        self._rooms = RateLimits(ROOMS_A_SECOND * share, max(1.0, ROOMS_AT_ONCE * share))
        self._tries = RateLimits(TRIES_A_SECOND * share, max(1.0, TRIES_AT_ONCE * share))

    async def list_games(self, request: Request) -> Response:
        waiting = await self.lobby.count_waiting()
        offered = [
            {
                "name": name,
                "title": pack.live.title,
                "about": pack.about,
                "gallery": self._hall.house.gallery and pack.live.gallery is not None,
                "seats": {
                    role: {
                        "partner": pack.live.partners[role],
                        "help": list(load(pack.live.help)[role]),
                        "waiting": waiting.get((name, role), 0),
                    }
                    for role in pack.roles
                },
            }
            for name, pack in self._hall.live_games().items()
        ]
        house = self._hall.house
        return json_response(
            {
                "games": offered,
                "partners": list(house.partners),
                "runs": bool(house.books),
                "gallery": house.gallery,
            }
        )

    async def game_picture(self, request: Request) -> Response:
        """Draw the opening of a sample game as its first seat sees it."""
        pack = self._hall.find_game(request.path_params["game"])
        return Response(
            self._thumbnail(pack), media_type="image/svg+xml", headers={"cache-control": "max-age=3600"}
        )

    def _thumbnail(self, pack: Pack) -> str:
        """Draw a sample instance: one that is played here would reveal its target."""
        if pack.name not in self._thumbnails:
            sample = load(pack.make)(load(pack.recipe)(n=4, seed=20))[0]
            self._thumbnails[pack.name] = opening_picture(pack, sample)
        return self._thumbnails[pack.name]

    async def create_room(self, request: Request) -> Response:
        order = await read_body(request, RoomRequest)
        if not self._rooms.take_token(client_address(request)):
            raise HTTPException(429, "you have opened many rooms: wait a little")
        links = await self._hall.create_room(order)
        return json_response({"links": {role: f"/join#{secret}" for role, secret in links.items()}}, 201)

    async def redeem_link(self, request: Request) -> Response:
        asked = await read_body(request, dict[str, str])
        if not self._tries.take_token(client_address(request)):
            raise HTTPException(429, "too many tries: wait a little")
        secret = new_secret()
        chair = await self._hall.store.redeem_invite(
            hash_secret(asked.get("secret", "")), hash_secret(secret)
        )
        if chair is None:
            raise HTTPException(403, "this link has been used, or never was one: ask for a new one")
        path = f"/r/{chair.room}/{chair.role}/"
        answer = json_response({"path": path})
        secure = request.url.scheme == "https"
        answer.set_cookie(
            COOKIE, secret, max_age=7 * 24 * 3600, path=path, httponly=True, samesite="strict", secure=secure
        )
        return answer

    async def connect_seat(self, socket: WebSocket) -> None:
        room, role = socket.path_params["room"], socket.path_params["role"]
        chair = await self._hall.store.find_chair(hash_secret(socket.cookies.get(COOKIE, "")))
        if not is_same_origin(socket):
            return await socket.close(4403)
        if chair is None or (chair.room, chair.role) != (room, role):
            await socket.accept()  # only an accepted socket can pass a close code to the page
            return await socket.close(4403)
        found = await self._hall.open_seat(room, role)
        if found is None:
            return await socket.close(4404)
        return await serve_seat(socket, found)

    async def wait_for_partner(self, socket: WebSocket) -> None:
        if not is_same_origin(socket) or not self._tries.take_token(client_address(socket)):
            return await socket.close(4403)
        await socket.accept()
        looking = asyncio.create_task(
            self.lobby.find_partner(socket.path_params["game"], socket.path_params["role"])
        )
        leaving = asyncio.create_task(_wait_until_closed(socket))
        await asyncio.wait((looking, leaving), return_when=asyncio.FIRST_COMPLETED)
        leaving.cancel()
        if not looking.done():
            looking.cancel()
            return None
        try:
            await socket.send_json({"type": "found", **looking.result()})
        except Problem as trouble:
            await socket.send_json({"type": "sorry", "why": str(trouble)})
        except self._hall.store.troubles:
            await socket.send_json({"type": "sorry", "why": STORE_UNAVAILABLE})
        except (WebSocketDisconnect, RuntimeError):
            return None
        return await socket.close()


async def _wait_until_closed(socket: WebSocket) -> None:
    try:
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
    except (WebSocketDisconnect, RuntimeError):
        return


async def _handle_http_error(request: Request, trouble: Exception) -> Response:
    assert isinstance(trouble, HTTPException)
    if (
        trouble.status_code == 404
        and request.method == "GET"
        and "text/html" in request.headers.get("accept", "")
    ):
        return file_response(static_files(), "nothing.html", 404)
    answer = json_response(error_body(trouble.detail), trouble.status_code)
    answer.headers.update(trouble.headers or {})
    return answer


async def _handle_problem(request: Request, trouble: Exception) -> Response:
    return json_response(error_body(str(trouble)), 400)


async def _handle_store_error(request: Request, trouble: Exception) -> Response:
    log.error("the store cannot be used: %s", trouble)
    return json_response(error_body(STORE_UNAVAILABLE), 503)
