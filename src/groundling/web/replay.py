"""Replay pages: episodes of runs and data, and a finished room for the people who played it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from io import RawIOBase
from threading import Lock
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from groundling.boards.picture import can_png, png
from groundling.core.events import Transcript, encode
from groundling.core.game import AnyGame
from groundling.core.pack import Pack
from groundling.core.values import missing
from groundling.report.episode import pictures_of
from groundling.report.replays import Replayer
from groundling.web.answers import as_json, page
from groundling.web.export import played
from groundling.web.guard import Limits, address
from groundling.web.hall import Hall
from groundling.web.library import Book, reading
from groundling.web.store import hashed, is_erased

COOKIE = "seat"
PAGE = 100
"""Episodes on one page of a list."""
SHOWS_A_SECOND, SHOWS_AT_ONCE = 2.0, 60.0
"""Replays that one address may open, as drawing them takes time."""
PACKS_A_SECOND, PACKS_AT_ONCE = 1 / 10, 10.0
"""Archives of pictures that one address may fetch."""

_PAINTING = Lock()
"""Held while a PNG is drawn, which takes a tenth of a second, so that live games stay responsive."""


class Found(Struct, frozen=True):
    """An episode that the request may see."""

    pack: Pack
    game: AnyGame
    transcript: Transcript
    about: dict[str, Any]


class Replays:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._books: dict[str, Book] = {book.name: book for book in hall.house.books}
        share = hall.house.workers
        self._shows = Limits(SHOWS_A_SECOND / share, max(1.0, SHOWS_AT_ONCE / share))
        self._packs = Limits(PACKS_A_SECOND / share, max(1.0, PACKS_AT_ONCE / share))

    def routes(self) -> list[Route]:
        places = [("/r/{room}/{role}", self._room)]
        lists: list[Route] = []
        if self._books:
            places.append(("/runs/{book}/{episode:path}", self._recorded))
            lists = [
                Route("/runs/", page("runs.html")),
                Route("/runs/books.json", self.books),
                Route("/runs/{book}/", page("run.html")),
                Route("/runs/{book}/episodes.json", self.episodes),
            ]
        return lists + [
            Route(f"{place}/{name}", work)
            for place, found in places
            for name, work in self.parts(found).items()
        ]

    def parts(self, found: Any) -> dict[str, Any]:
        """Endpoints of an episode by name; `found` finds the episode for a request."""
        return {
            "replay": page("replay.html"),
            "replay.json": self._replay(found),
            "events.json": self._events(found),
            "pictures.zip": self._pictures(found),
        }

    # Finding an episode
    # ----------------------------------------------------------------------------------------------------

    async def _room(self, request: Request) -> Found:
        """A room, for the person who sat there, once its game is over."""
        name, role = request.path_params["room"], request.path_params["role"]
        chair = await self._hall.store.chair(hashed(request.cookies.get(COOKIE, "")))
        if chair is None or (chair.room, chair.role) != (name, role):
            raise HTTPException(
                403, "only those who played this game can see it again: open it where you played"
            )
        return await self._kept(name, {"mine": role})

    async def any_room(self, request: Request) -> Found:
        """A room for the admin, with what was played so far."""
        return await self._kept(request.path_params["room"], {"back": "/admin"}, unfinished=True)

    async def _kept(self, name: str, about: dict[str, Any], unfinished: bool = False) -> Found:
        """A room from the store, whichever server runs it."""
        booking = await self._hall.store.booking(name)
        if booking is None:
            raise HTTPException(404, "there is no such room")
        pack, records = self._hall.game(booking.game), await self._hall.store.records(name)
        transcript = played(pack, records)
        if transcript is None:
            raise HTTPException(
                404, "this game was erased" if is_erased(records) else "this game has not begun"
            )
        if transcript.status == "missing" and not unfinished:
            raise HTTPException(404, "this game is not over yet: finish it first")
        return Found(pack, pack.new(transcript.opened.settings), transcript, about)

    async def _recorded(self, request: Request) -> Found:
        book, name = self._book(request), request.path_params["episode"]
        transcript = await reading(book, lambda: book.find(name))
        if transcript is None:
            raise HTTPException(404, f"there is no episode {name!r} in {book.name}")
        rows = await reading(book, book.rows)
        at = next(number for number, row in enumerate(rows) if row.episode == name)
        about = {
            "run": book.name,
            "number": at + 1,
            "of": len(rows),
            "before": rows[at - 1].episode if at else None,
            "after": rows[at + 1].episode if at + 1 < len(rows) else None,
        }
        return Found(book.pack, book.pack.new(transcript.opened.settings), transcript, about)

    def _book(self, request: Request) -> Book:
        name = request.path_params["book"]
        if name not in self._books:
            raise HTTPException(404, "there is no such run here")
        return self._books[name]

    # Lists
    # --------------------------------------------------------------------------------------------------------

    async def books(self, request: Request) -> Response:
        return as_json(
            [{"name": book.name, "kind": book.kind, "game": book.pack.name} for book in self._books.values()]
        )

    async def episodes(self, request: Request) -> Response:
        """One page of the episodes whose row has all words of the query."""
        book = self._book(request)
        rows = await reading(book, book.rows)
        words = request.query_params.get("find", "").lower().split()
        numbered = [
            (number, row)
            for number, row in enumerate(rows, 1)
            if all(word in f"{row.episode} {row.set} {row.status}".lower() for word in words)
        ]
        start = page_start(request.query_params.get("from", ""))
        return as_json(
            {
                "name": book.name,
                "game": book.pack.name,
                "kind": book.kind,
                "total": len(rows),
                "found": len(numbered),
                "page": PAGE,
                "rows": [
                    (number, *(getattr(row, field) for field in row.__struct_fields__))
                    for number, row in numbered
                ][start : start + PAGE],
            }
        )

    # One episode
    # ------------------------------------------------------------------------------------------------------

    def _replay(self, find: Any) -> Any:
        async def replay(request: Request) -> Response:
            self._take(self._shows, request)
            found: Found = await find(request)
            opened = found.transcript.opened
            told = await asyncio.to_thread(lambda: Replayer(found.pack, found.game).replay(found.transcript))
            about = {
                "episode": opened.episode,
                "game": found.pack.name,
                "set": opened.instance.set,
                "png": can_png(),
            }
            return as_json({**about, **found.about, **told})

        return replay

    def _events(self, find: Any) -> Any:
        async def events(request: Request) -> Response:
            self._take(self._shows, request)
            found: Found = await find(request)
            return _download(encode(list(found.transcript.events)), "application/json", found, "json")

        return events

    def _pictures(self, find: Any) -> Any:
        async def pictures(request: Request) -> Response:
            self._take(self._packs, request)
            found: Found = await find(request)
            drawn = request.query_params.get("as", "svg")
            if drawn not in ("svg", "png"):
                raise HTTPException(400, "pictures come as svg or as png")
            if drawn == "png" and not can_png():
                raise missing("picture")
            whole = zipped(_files(found, drawn))
            return _download(whole, "application/zip", found, f"{drawn}.zip")

        return pictures

    def _take(self, limits: Limits, request: Request) -> None:
        if not limits.take(address(request)):
            raise HTTPException(429, "you have asked for many games: wait a little")


def page_start(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _download(content: bytes | Iterator[bytes], kind: str, found: Found, ending: str) -> Response:
    """A download with a file name that is safe on any file system."""
    name = "".join(
        sign if sign.isascii() and (sign.isalnum() or sign in "-_.") else "-"
        for sign in found.transcript.episode
    )
    headers = {
        "content-disposition": f'attachment; filename="{found.pack.name}-{name}.{ending}"',
        "cache-control": "no-store",
    }
    if isinstance(content, bytes):
        return Response(content, headers=headers, media_type=kind)
    return StreamingResponse(content, headers={**headers, "content-encoding": "identity"}, media_type=kind)


def _files(found: Found, kind: str) -> Iterator[tuple[str, bytes]]:
    for name, svg in pictures_of(found.pack, found.game, found.transcript):
        if kind == "svg":
            yield f"{name}.svg", svg.encode()
        else:
            with _PAINTING:
                picture = png(svg)
            yield f"{name}.png", picture


class _Pipe(RawIOBase):
    """A stream from which written bytes can be taken at any time."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


def zipped(files: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    """A zip archive in chunks, one for each file."""
    pipe = _Pipe()
    with ZipFile(pipe, "w") as archive:
        for name, content in files:
            archive.writestr(name, content, ZIP_STORED if name.endswith(".png") else ZIP_DEFLATED)
            yield pipe.take()
    yield pipe.take()
