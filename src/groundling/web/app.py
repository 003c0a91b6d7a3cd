"""The server: pages, a few calls that make rooms and let people in, and a socket a seat."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
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

from ..core.pack import find, load
from ..core.values import Problem
from .guard import Headers, Limits, address, same_origin, told
from .hall import Hall, Order
from .lobby import Lobby
from .sockets import serve_seat
from .store import hashed, new_secret

PAGES = {"/": "index.html", "/join": "join.html", "/wait": "wait.html"}
KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "png": "image/png"}
MOST_BODY = 64 * 1024
ROOMS_A_SECOND, ROOMS_AT_ONCE = 1 / 30, 40.0
"""An address may make so many."""
TRIES_A_SECOND, TRIES_AT_ONCE = 1.0, 60.0
"""And so often try a link, or wait for a partner."""
COOKIE = "seat"


def make_app(hall: Hall) -> Starlette:
    desk = _Reception(hall)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        keeping = asyncio.create_task(hall.keep())
        yield
        keeping.cancel()
        await hall.close()

    return Starlette(
        routes=[
            *(Route(path, _page(name)) for path, name in PAGES.items()),
            Route("/r/{room}/{role}/", _page("play.html")),
            Route("/static/{name:path}", _static),
            Route("/api/games", desk.games),
            Route("/api/picture/{game}", desk.picture),
            Route("/api/rooms", desk.create, methods=["POST"]),
            Route("/api/sit", desk.sit, methods=["POST"]),
            WebSocketRoute("/api/wait/{game}/{role}", desk.wait),
            WebSocketRoute("/r/{room}/{role}/socket", desk.seat),
        ],
        middleware=[Middleware(Headers), Middleware(GZipMiddleware, minimum_size=1000)],
        exception_handlers={HTTPException: _sorry, Problem: _problem},
        lifespan=lifespan,
    )


class _Reception:
    """What can be asked of the server."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._lobby = hall, Lobby(hall)
        self._rooms = Limits(ROOMS_A_SECOND, ROOMS_AT_ONCE)
        self._tries = Limits(TRIES_A_SECOND, TRIES_AT_ONCE)

    async def games(self, request: Request) -> Response:
        waiting = self._lobby.counts()
        offered = [
            {
                "name": name,
                "title": pack.live.title,
                "about": pack.about,
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
        return _json({"games": offered, "partners": list(self._hall.house.partners)})

    async def picture(self, request: Request) -> Response:
        """What the game looks like to the one who sees everything."""
        pack = self._hall.game(request.path_params["game"])
        return Response(_thumbnail(pack.name), media_type="image/svg+xml", headers={"cache-control": "max-age=3600"})

    async def create(self, request: Request) -> Response:
        order = await _body(request, Order)
        if not self._rooms.take(address(request)):
            raise HTTPException(429, "you have opened many rooms: wait a little")
        links = await self._hall.create(order)
        return _json({"links": {role: f"/join#{secret}" for role, secret in links.items()}}, 201)

    async def sit(self, request: Request) -> Response:
        asked = await _body(request, dict[str, str])
        if not self._tries.take(address(request)):
            raise HTTPException(429, "too many tries: wait a little")
        secret = new_secret()
        chair = await self._hall.store.sit(hashed(asked.get("secret", "")), hashed(secret))
        if chair is None:
            raise HTTPException(403, "this link has been used, or never was one: ask for a new one")
        path = f"/r/{chair.room}/{chair.role}/"
        answer = _json({"path": path})
        secure = request.url.scheme == "https"
        answer.set_cookie(COOKIE, secret, max_age=7 * 24 * 3600, path=path, httponly=True, samesite="strict", secure=secure)
        return answer

    async def seat(self, socket: WebSocket) -> None:
        room, role = socket.path_params["room"], socket.path_params["role"]
        chair = await self._hall.store.chair(hashed(socket.cookies.get(COOKIE, "")))
        if not same_origin(socket):
            return await socket.close(4403)
        if chair is None or (chair.room, chair.role) != (room, role):
            await socket.accept()  # a page learns why only of a socket that was open
            return await socket.close(4403)
        found = await self._hall.room(room)
        if found is None:
            return await socket.close(4404)
        return await serve_seat(socket, found, role)

    async def wait(self, socket: WebSocket) -> None:
        if not same_origin(socket) or not self._tries.take(address(socket)):
            return await socket.close(4403)
        await socket.accept()
        looking = asyncio.create_task(self._lobby.find(socket.path_params["game"], socket.path_params["role"]))
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
        except (WebSocketDisconnect, RuntimeError):
            return None
        return await socket.close()


async def _gone(socket: WebSocket) -> None:
    """Returns when the page has been closed."""
    try:
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
    except (WebSocketDisconnect, RuntimeError):
        return


async def _body(request: Request, kind: Any) -> Any:
    """What a page of ours sent, read as that kind."""
    if not same_origin(request):
        raise HTTPException(403, "this was not sent by a page of this server")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BODY:
            raise HTTPException(413, f"at most {MOST_BODY} bytes can be sent")
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
        raise HTTPException(400, f"this cannot be understood: {trouble}") from None


def _json(value: Any, status: int = 200) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(value), status, headers=headers, media_type="application/json")


async def _sorry(request: Request, trouble: Exception) -> Response:
    assert isinstance(trouble, HTTPException)
    return _json(told(trouble.detail), trouble.status_code)


async def _problem(request: Request, trouble: Exception) -> Response:
    return _json(told(str(trouble)), 400)


def _page(name: str) -> Any:
    async def page(request: Request) -> Response:
        return _file(name)

    return page


async def _static(request: Request) -> Response:
    return _file(request.path_params["name"])


def _file(name: str) -> Response:
    body = _files().get(name)
    if body is None:
        raise HTTPException(404, "there is no such page here")
    return Response(body, media_type=KINDS[name.rpartition(".")[2]], headers={"cache-control": "no-cache"})


@cache
def _files() -> dict[str, bytes]:
    """All there is to send, by name: no path is ever made from a request."""
    found: dict[str, bytes] = {}
    folders = [("", files("groundling.web") / "static")]
    for prefix, folder in folders:
        for entry in folder.iterdir():
            if entry.is_dir():
                folders.append((f"{prefix}{entry.name}/", entry))
            elif entry.name.rpartition(".")[2] in KINDS:
                found[f"{prefix}{entry.name}"] = entry.read_bytes()
    return found


@cache
def _thumbnail(name: str) -> str:
    """Of an instance made for it: one that is played here would give its target away."""
    pack = find(name)
    assert pack.live is not None
    game = pack.new(msgspec.convert(dict(pack.live.settings), load(pack.game).Settings))
    instance = load(pack.make)(load(pack.recipe)(n=4, seed=20))[0]
    return load(pack.live.desk)(game.view(game.start(instance), pack.roles[0]), True).panels[0].svg
