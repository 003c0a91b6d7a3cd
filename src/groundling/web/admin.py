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

from groundling.core.pack import choices, installed, load
from groundling.core.pages import GROUP, MakePages, Pages
from groundling.core.values import Problem
from groundling.web.answers import as_json, body, file_answer, files_in
from groundling.web.download import KINDS, download
from groundling.web.everywhere import Everywhere
from groundling.web.far import NoAnswer
from groundling.web.gate import DAY, Gate, good_until, sign_of
from groundling.web.guard import address, same_origin
from groundling.web.hall import Hall, Order
from groundling.web.line import serve_seat
from groundling.web.lobby import Lobby
from groundling.web.names import ROOM
from groundling.web.overview import MANY, overview
from groundling.web.replay import Replays

HOME, LOGIN = "/admin", "/admin/login"
COOKIE = "admin"
MOST_BODY = 4 * 1024 * 1024
"""Bytes that a game's own admin page may send in one call."""
Handler: TypeAlias = Callable[[Request], Awaitable[Response]]


def admin_routes(
    hall: Hall, lobby: Lobby, everywhere: Everywhere, replays: Replays, static: dict[str, bytes]
) -> list[BaseRoute]:
    office = _Office(hall, lobby, everywhere, static)

    def guarded(path: str, handler: Handler, *methods: str) -> Route:
        return Route(path, office.only_admin(handler), methods=list(methods) or ["GET"])

    return [
        Route(LOGIN, office.login_page),
        Route(f"{LOGIN}/trade", office.login, methods=["POST"]),
        guarded(HOME, office.page("admin/index.html")),
        guarded(f"{HOME}/watch/{{room:room}}", office.page("admin/watch.html")),
        guarded(f"{HOME}/logout", office.logout, "POST"),
        guarded(f"{HOME}/api/rooms", office.rooms),
        guarded(f"{HOME}/api/rooms", office.create, "POST"),
        guarded(f"{HOME}/api/rooms/{{room:room}}/end", office.end, "POST"),
        guarded(f"{HOME}/api/games.{{kind}}", office.download),
        *(
            guarded(f"{HOME}/rooms/{{room:room}}/{name}", work)
            for name, work in replays.parts(replays.any_room).items()
        ),
        WebSocketRoute(f"{HOME}/watch/{{room:room}}/socket", office.watch),
        guarded(f"{HOME}/pages/{{name}}/", office.own_page),
        guarded(f"{HOME}/pages/{{name}}/{{file:path}}", office.own_file),
        guarded(f"{HOME}/pages/{{name}}/call/{{call}}", office.own_call, "POST"),
    ]


class _Office:
    def __init__(self, hall: Hall, lobby: Lobby, everywhere: Everywhere, static: dict[str, bytes]) -> None:
        self._hall, self._lobby, self._everywhere, self._static = hall, lobby, everywhere, static
        self._gate = Gate(hall.house.admin)
        everywhere.on_guessed = self._gate.failed
        self._pages = own_pages(hall.house.options)
        self._files = {name: files_in(pages.folder) for name, pages in self._pages.items()}

    # Login
    # --------------------------------------------------------------------------------------------------------

    async def _admits(self, connection: HTTPConnection) -> bool:
        """Whether the cookie is valid and was signed out at no server of the cluster."""
        cookie = connection.cookies.get(COOKIE, "")
        return self._gate.admits(cookie) and not await self._hall.store.signed_out(sign_of(cookie))

    def only_admin(self, handler: Handler) -> Handler:
        @wraps(handler)
        async def guarded(request: Request) -> Response:
            if await self._admits(request):
                return await handler(request)
            if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
                return RedirectResponse(LOGIN, 303)
            raise HTTPException(401, "this is only for whoever runs the server: sign in at /admin/login")

        return guarded

    async def login_page(self, request: Request) -> Response:
        return file_answer(self._static, "admin/login.html")

    async def login(self, request: Request) -> Response:
        asked = await body(request, dict[str, str])
        try:
            cookie = self._gate.trade(address(request), asked.get("token", ""))
        except HTTPException as refused:
            if refused.status_code == 403:
                await self._everywhere.guessed(address(request))
            raise
        answer = as_json({"path": HOME})
        secure = request.url.scheme == "https"
        answer.set_cookie(
            COOKIE, cookie, max_age=DAY, path=HOME, httponly=True, samesite="strict", secure=secure
        )
        return answer

    async def logout(self, request: Request) -> Response:
        await body(request, dict[str, str])
        cookie = request.cookies[COOKIE]
        await self._hall.store.sign_out(sign_of(cookie), good_until(cookie))
        answer = as_json({"path": LOGIN})
        answer.delete_cookie(COOKIE, path=HOME, httponly=True, samesite="strict")
        return answer

    def page(self, name: str) -> Handler:
        async def page(request: Request) -> Response:
            return file_answer(self._static, name)

        return page

    # Rooms
    # --------------------------------------------------------------------------------------------------------

    async def rooms(self, request: Request) -> Response:
        """The open rooms of all servers, and one page of all rooms, newest first."""
        before = request.query_params.get("before", "")
        if before and not ROOM.fullmatch(before):
            raise HTTPException(404, "there is no such room")
        bookings = await self._hall.store.bookings(before, MANY)
        known = await self._everywhere.open_rooms()
        store, paged = self._hall.store, {each.id for each in bookings}
        found = [known.get(each.id) or overview(each, await store.records(each.id)) for each in bookings]
        if not before:
            found += [
                room
                for name, room in known.items()
                if name not in paged and room.state in ("waiting", "playing")
            ]
        waiting = [
            {"game": game, "role": role, "people": count}
            for (game, role), count in (await self._lobby.counts()).items()
        ]
        games = {
            name: {"title": pack.live.title, "seats": dict(pack.live.partners)}
            for name, pack in self._hall.games().items()
            if pack.live
        }
        return as_json(
            {
                "rooms": found,
                "next": bookings[-1].id if len(bookings) == MANY else None,
                "waiting": waiting,
                "games": games,
                "partners": list(self._hall.house.partners),
                "pages": [
                    {"name": name, "title": page.title, "about": page.about}
                    for name, page in self._pages.items()
                ],
            }
        )

    async def create(self, request: Request) -> Response:
        links = await self._hall.create(await body(request, Order))
        return as_json({"links": {role: f"/join#{secret}" for role, secret in links.items()}}, 201)

    async def end(self, request: Request) -> Response:
        await body(request, dict[str, str])
        try:
            why = await self._everywhere.end(request.path_params["room"])
        except NoAnswer:
            raise HTTPException(503, "the server that runs this room gives no answer: try again") from None
        if why is None:
            raise HTTPException(404, "there is no such room")
        if why:
            raise HTTPException(409, why)
        return as_json({})

    async def watch(self, socket: WebSocket) -> None:
        if not same_origin(socket):
            return await socket.close(4403)
        if not await self._admits(socket):
            await socket.accept()  # only an accepted socket can pass a close code to the page
            return await socket.close(4403)
        try:
            lookout = await self._hall.seat(socket.path_params["room"], None)
        except Problem:  # the room's game is no longer installed
            lookout = None
        if lookout is None:
            await socket.accept()
            return await socket.close(4404)
        return await serve_seat(socket, lookout)

    async def download(self, request: Request) -> Response:
        kind = request.path_params["kind"]
        if kind not in KINDS:
            raise HTTPException(404, f"games are not written as {kind!r}: {choices(KINDS)}")
        body = await download(kind, self._hall.store)
        headers = {"content-disposition": f'attachment; filename="games.{kind}"', "cache-control": "no-store"}
        return StreamingResponse(body, media_type=KINDS[kind], headers=headers)

    # Pages that games bring
    # ----------------------------------------------------------------------------------------------

    def _own(self, request: Request) -> str:
        name: str = request.path_params["name"]
        if name not in self._pages:
            raise HTTPException(404, "there is no such page here")
        return name

    async def own_page(self, request: Request) -> Response:
        return file_answer(self._files[self._own(request)], "index.html")

    async def own_file(self, request: Request) -> Response:
        return file_answer(self._files[self._own(request)], request.path_params["file"])

    async def own_call(self, request: Request) -> Response:
        name = self._own(request)
        asked = await body(request, Any, MOST_BODY)
        call = self._pages[name].calls.get(request.path_params["call"])
        if call is None:
            raise HTTPException(404, "this cannot be asked here")
        return as_json(await asyncio.to_thread(call, asked))


def own_pages(options: Mapping[str, str]) -> dict[str, Pages]:
    """The admin pages that installed games offer with these options, by name."""
    makers: dict[str, MakePages] = {name: load(point.value) for name, point in installed(GROUP).items()}
    made = {name: maker(options) for name, maker in makers.items()}
    return {name: pages for name, pages in made.items() if pages is not None}
