"""The Starlette application: public pages, the calls that open rooms, and one socket for each seat."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from groundling.core.pack import find, load
from groundling.core.values import Problem
from groundling.web.admin import admin_routes
from groundling.web.answers import as_json, body, file_answer, own_files, page, static
from groundling.web.everywhere import Everywhere
from groundling.web.gallery import Galleries
from groundling.web.guard import Headers, Hosts, Limits, address, same_origin, told
from groundling.web.hall import Hall, Order
from groundling.web.line import serve_seat
from groundling.web.lobby import Lobby
from groundling.web.replay import COOKIE, Replays
from groundling.web.show import opening
from groundling.web.store import hashed, new_secret

PAGES = {"/": "index.html", "/join": "join.html", "/wait": "wait.html"}
ROOMS_A_SECOND, ROOMS_AT_ONCE = 1 / 30, 40.0
"""Rooms that one address may open."""
TRIES_A_SECOND, TRIES_AT_ONCE = 1.0, 60.0
"""Times that one address may try a link or wait for a partner."""
AWAY = "nothing can be kept at the moment: try again a little later"
log = logging.getLogger("groundling.web")


def make_app(hall: Hall) -> Starlette:
    desk, replays = _Reception(hall), Replays(hall)
    everywhere = Everywhere(hall)  # other servers ask about our rooms even without an admin here

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await hall.open()
        keeping = asyncio.create_task(hall.keep())
        keeping.add_done_callback(_stop)
        yield
        keeping.cancel()
        await hall.close()

    app = Starlette(
        routes=[
            *(Route(path, page(name)) for path, name in PAGES.items()),
            Route("/r/{room}/{role}/", page("play.html")),
            Route("/static/{name:path}", static),
            Route("/api/games", desk.games),
            Route("/api/picture/{game}", desk.picture),
            Route("/api/rooms", desk.create, methods=["POST"]),
            Route("/api/sit", desk.sit, methods=["POST"]),
            *replays.routes(),
            *Galleries(hall).routes(),
            WebSocketRoute("/api/wait/{game}/{role}", desk.wait),
            WebSocketRoute("/r/{room}/{role}/socket", desk.seat),
            *(admin_routes(hall, desk.lobby, everywhere, replays, own_files()) if hall.house.admin else ()),
        ],
        middleware=[
            Middleware(Headers),
            *([Middleware(Hosts, names=hall.house.hosts)] if hall.house.hosts else ()),
            Middleware(GZipMiddleware, minimum_size=1000),
        ],
        exception_handlers={
            HTTPException: _sorry,
            Problem: _problem,
            **dict.fromkeys(hall.store.troubles, _away),
        },
        lifespan=lifespan,
    )
    app.state.hall = hall
    return app


def _stop(keeping: asyncio.Task[None]) -> None:
    """Terminate the process when its maintenance task ends, so that the supervisor starts another one."""
    if not keeping.cancelled():
        log.error("this server cannot go on and stops (%s)", keeping.exception())
        signal.raise_signal(signal.SIGTERM)


class _Reception:
    def __init__(self, hall: Hall) -> None:
        self._hall, self.lobby = hall, Lobby(hall)
        share = 1 / hall.house.workers
        self._rooms = Limits(ROOMS_A_SECOND * share, max(1.0, ROOMS_AT_ONCE * share))
        self._tries = Limits(TRIES_A_SECOND * share, max(1.0, TRIES_AT_ONCE * share))

    async def games(self, request: Request) -> Response:
        waiting = await self.lobby.counts()
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
            for name, pack in self._hall.games().items()
            if pack.live
        ]
        house = self._hall.house
        return as_json(
            {
                "games": offered,
                "partners": list(house.partners),
                "runs": bool(house.books),
                "gallery": house.gallery,
            }
        )

    async def picture(self, request: Request) -> Response:
        """Draw the opening of a sample game as its first seat sees it."""
        pack = self._hall.game(request.path_params["game"])
        return Response(
            _thumbnail(pack.name), media_type="image/svg+xml", headers={"cache-control": "max-age=3600"}
        )

    async def create(self, request: Request) -> Response:
        order = await body(request, Order)
        if not self._rooms.take(address(request)):
            raise HTTPException(429, "you have opened many rooms: wait a little")
        links = await self._hall.create(order)
        return as_json({"links": {role: f"/join#{secret}" for role, secret in links.items()}}, 201)

    async def sit(self, request: Request) -> Response:
        asked = await body(request, dict[str, str])
        if not self._tries.take(address(request)):
            raise HTTPException(429, "too many tries: wait a little")
        secret = new_secret()
        chair = await self._hall.store.sit(hashed(asked.get("secret", "")), hashed(secret))
        if chair is None:
            raise HTTPException(403, "this link has been used, or never was one: ask for a new one")
        path = f"/r/{chair.room}/{chair.role}/"
        answer = as_json({"path": path})
        secure = request.url.scheme == "https"
        answer.set_cookie(
            COOKIE, secret, max_age=7 * 24 * 3600, path=path, httponly=True, samesite="strict", secure=secure
        )
        return answer

    async def seat(self, socket: WebSocket) -> None:
        room, role = socket.path_params["room"], socket.path_params["role"]
        chair = await self._hall.store.chair(hashed(socket.cookies.get(COOKIE, "")))
        if not same_origin(socket):
            return await socket.close(4403)
        if chair is None or (chair.room, chair.role) != (room, role):
            await socket.accept()  # only an accepted socket can pass a close code to the page
            return await socket.close(4403)
        found = await self._hall.seat(room, role)
        if found is None:
            return await socket.close(4404)
        return await serve_seat(socket, found)

    async def wait(self, socket: WebSocket) -> None:
        if not same_origin(socket) or not self._tries.take(address(socket)):
            return await socket.close(4403)
        await socket.accept()
        looking = asyncio.create_task(self.lobby.find(socket.path_params["game"], socket.path_params["role"]))
        leaving = asyncio.create_task(_gone(socket))
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
            await socket.send_json({"type": "sorry", "why": AWAY})
        except (WebSocketDisconnect, RuntimeError):
            return None
        return await socket.close()


async def _gone(socket: WebSocket) -> None:
    try:
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
    except (WebSocketDisconnect, RuntimeError):
        return


async def _sorry(request: Request, trouble: Exception) -> Response:
    assert isinstance(trouble, HTTPException)
    if (
        trouble.status_code == 404
        and request.method == "GET"
        and "text/html" in request.headers.get("accept", "")
    ):
        return file_answer(own_files(), "nothing.html", 404)
    answer = as_json(told(trouble.detail), trouble.status_code)
    answer.headers.update(trouble.headers or {})
    return answer


async def _problem(request: Request, trouble: Exception) -> Response:
    return as_json(told(str(trouble)), 400)


async def _away(request: Request, trouble: Exception) -> Response:
    log.error("the store cannot be used: %s", trouble)
    return as_json(told(AWAY), 503)


@cache
def _thumbnail(name: str) -> str:
    """Draw a sample instance: one that is played here would reveal its target."""
    pack = find(name)
    return opening(pack, load(pack.make)(load(pack.recipe)(n=4, seed=20))[0])
