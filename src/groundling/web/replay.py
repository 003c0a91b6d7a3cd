"""Replay pages: episodes of runs and data, and a finished room for the people who played it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from functools import partial
from io import RawIOBase
from threading import Lock
from typing import Any, TypeAlias
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from groundling.boards.picture import can_render_png, render_png
from groundling.core.events import AnyEvent, Transcript, encode_event_json
from groundling.core.game import AnyGame
from groundling.core.pack import Pack
from groundling.core.values import Role, missing_extra
from groundling.report.episode import episode_step_pictures
from groundling.report.replay_data import Replayer, add_clause_shades, add_step_notes
from groundling.runs.blame_file import EpisodeBlame
from groundling.runs.step_notes import StepNote
from groundling.web.episode_filter import NO_LABELS, list_label_choices, read_episode_filter
from groundling.web.episode_library import EpisodeCollection, read_library_in_thread
from groundling.web.erasure import read_remaining_game
from groundling.web.export import read_exported_transcript
from groundling.web.middleware import RateLimits
from groundling.web.responses import json_response, page_response_endpoint
from groundling.web.room_manager import RoomManager
from groundling.web.store import hash_store_secret

COOKIE = "seat"
PAGE = 100
"""Episodes on one page of a list."""
ORDERS = {"lowest": 1, "highest": -1}
"""Orders of a list by score, with the sign for the sort key; episodes without a score are last."""
SHOWS_A_SECOND, SHOWS_AT_ONCE = 2.0, 60.0
"""Replays that one address may open, as drawing them takes time."""
PACKS_A_SECOND, PACKS_AT_ONCE = 1 / 10, 10.0
"""Archives of pictures that one address may fetch."""

_PAINTING = Lock()
"""Held while a PNG is drawn, which takes a tenth of a second, so that live games stay responsive."""


class ReplayEpisode(Struct, frozen=True):
    """An episode that the request may see."""

    pack: Pack
    game: AnyGame
    transcript: Transcript
    about: dict[str, Any]
    rest: tuple[AnyEvent | Role, ...] = ()
    """The events after an erased one; a role stands for an erased event of that seat."""
    notes: Sequence[StepNote] = ()
    blame: EpisodeBlame | None = None


FindEpisode: TypeAlias = Callable[[Request], Awaitable[ReplayEpisode]]


class ReplayPages:
    def __init__(self, room_manager: RoomManager) -> None:
        self._room_manager = room_manager
        self._books: dict[str, EpisodeCollection] = {book.name: book for book in room_manager.settings.books}
        self._shows = RateLimits(SHOWS_A_SECOND, SHOWS_AT_ONCE, room_manager.settings)
        self._packs = RateLimits(PACKS_A_SECOND, PACKS_AT_ONCE, room_manager.settings)

    def make_routes(self) -> list[Route]:
        places = [("/r/{room}/{role}", self._find_own_room)]
        lists: list[Route] = []
        if self._books:
            places.append(("/runs/{book}/{episode:path}", self._find_recorded))
            lists = [
                Route("/runs/", page_response_endpoint("runs.html")),
                Route("/runs/books.json", self.list_collections),
                Route("/runs/{book}/", page_response_endpoint("run.html")),
                Route("/runs/{book}/episodes.json", self.list_episodes),
                Route("/runs/{book}/labels.json", self.list_labels),
            ]
        return lists + [
            Route(f"{place}/{name}", work)
            for place, find in places
            for name, work in self.episode_endpoints(find).items()
        ]

    def episode_endpoints(self, find: FindEpisode) -> dict[str, Any]:
        """Endpoints of an episode by name; `find` finds the episode for a request."""
        return {
            "replay": page_response_endpoint("replay.html"),
            "replay.json": partial(self._send_replay, find),
            "events.json": partial(self._send_events, find),
            "pictures.zip": partial(self._send_pictures, find),
        }

    # Finding an episode

    async def _find_own_room(self, request: Request) -> ReplayEpisode:
        """A room, for the person who sat there, once its game is over."""
        if not await self._own_seat(request):
            raise HTTPException(
                403, "only those who played this game can see it again: open it where you played"
            )
        return await self._find_stored_room(
            request.path_params["room"], {"mine": request.path_params["role"]}
        )

    async def _own_seat(self, request: Request) -> str:
        """The seat that the request names, if its cookie belongs to it, else ""."""
        named = request.path_params.get("room"), request.path_params.get("role")
        secret = request.cookies.get(COOKIE)
        chair = await self._room_manager.store.find_chair(hash_store_secret(secret)) if secret else None
        return f"{chair.room}/{chair.role}" if chair and (chair.room, chair.role) == named else ""

    async def find_any_room(self, request: Request) -> ReplayEpisode:
        """A room for the admin, with what was played so far."""
        return await self._find_stored_room(request.path_params["room"], {"back": "/admin"}, unfinished=True)

    async def _find_stored_room(
        self, name: str, about: dict[str, Any], unfinished: bool = False
    ) -> ReplayEpisode:
        """A room from the store; any server may run it."""
        booking = await self._room_manager.store.find_booking(name)
        if booking is None:
            raise HTTPException(404, "there is no such room")
        pack = self._room_manager.find_game(booking.game)
        records = await self._room_manager.store.read_records(name)
        if remaining := read_remaining_game(pack, records):
            game = pack.new(remaining.begun.opened.settings)
            return ReplayEpisode(pack, game, remaining.begun, about, remaining.rest)
        transcript = read_exported_transcript(pack, records)
        if transcript is None:
            raise HTTPException(404, "this game has not begun")
        if transcript.status == "missing" and not unfinished:
            raise HTTPException(404, "this game is not over yet: finish it first")
        return ReplayEpisode(pack, pack.new(transcript.opened.settings), transcript, about)

    async def _find_recorded(self, request: Request) -> ReplayEpisode:
        book, name = self._find_collection(request), request.path_params["episode"]
        transcript = await read_library_in_thread(book, lambda: book.find_episode(name))
        if transcript is None:
            raise HTTPException(404, f"there is no episode {name!r} in {book.name}")
        rows = await read_library_in_thread(book, book.episode_rows)
        at = next(number for number, row in enumerate(rows) if row.episode == name)
        about = {
            "run": book.name,
            "number": at + 1,
            "of": len(rows),
            "before": rows[at - 1].episode if at else None,
            "after": rows[at + 1].episode if at + 1 < len(rows) else None,
        }
        notes = await read_library_in_thread(book, book.read_notes)
        blame = await read_library_in_thread(book, lambda: book.find_blame(name))
        game = book.pack.new(transcript.opened.settings)
        return ReplayEpisode(book.pack, game, transcript, about, notes=notes.get(name, ()), blame=blame)

    def _find_collection(self, request: Request) -> EpisodeCollection:
        name = request.path_params["book"]
        if name not in self._books:
            raise HTTPException(404, "there is no such run here")
        return self._books[name]

    # Lists

    async def list_collections(self, request: Request) -> Response:
        return json_response(
            [{"name": book.name, "kind": book.kind, "game": book.pack.name} for book in self._books.values()]
        )

    async def list_episodes(self, request: Request) -> Response:
        """One page of the episodes whose row has all words of the query, as played or by score."""
        book = self._find_collection(request)
        rows = await read_library_in_thread(book, book.episode_rows)
        words = request.query_params.get("find", "").lower().split()
        wanted = read_episode_filter(request.query_params)
        known = await read_library_in_thread(book, book.episode_labels) if wanted.labels else {}
        numbered = [
            (number, row, turns)
            for number, row in enumerate(rows, 1)
            if all(word in f"{row.episode} {row.set} {row.status}".lower() for word in words)
            and (turns := wanted.match_episode(row.score, known.get(row.episode, NO_LABELS))) is not None
        ]
        if sign := ORDERS.get(request.query_params.get("order", "")):
            numbered.sort(key=lambda each: (each[1].score is None, sign * (each[1].score or 0.0)))
        start = replay_page_start(request.query_params.get("from", ""))
        return json_response(
            {
                "name": book.name,
                "game": book.pack.name,
                "kind": book.kind,
                "total": len(rows),
                "found": len(numbered),
                "page": PAGE,
                "rows": [
                    (number, *(getattr(row, field) for field in row.__struct_fields__), turns)
                    for number, row, turns in numbered
                ][start : start + PAGE],
            }
        )

    async def list_labels(self, request: Request) -> Response:
        """The labels by which the episodes of a collection, and turns in them, can be found."""
        book = self._find_collection(request)
        known = await read_library_in_thread(book, book.episode_labels)
        return json_response(list_label_choices(known.values()))

    # One episode

    async def _send_replay(self, find: FindEpisode, request: Request) -> Response:
        await self._check_limit(self._shows, request)
        episode = await find(request)
        opened = episode.transcript.opened
        replay = await asyncio.to_thread(
            lambda: Replayer(episode.pack, episode.game).replay_episode(episode.transcript, episode.rest)
        )
        add_step_notes(replay["steps"], episode.notes)
        add_clause_shades(replay["steps"], episode.blame, replay["top"])
        about = {
            "episode": opened.episode,
            "game": episode.pack.name,
            "set": opened.instance.set,
            "png": can_render_png(),
        }
        return json_response({**about, **episode.about, **replay})

    async def _send_events(self, find: FindEpisode, request: Request) -> Response:
        await self._check_limit(self._shows, request)
        episode = await find(request)
        events = [
            {"type": "erased", "role": event} if isinstance(event, str) else event
            for event in (*episode.transcript.events, *episode.rest)
        ]
        return _download_response(encode_event_json(events), "application/json", episode, "json")

    async def _send_pictures(self, find: FindEpisode, request: Request) -> Response:
        await self._check_limit(self._packs, request)
        episode = await find(request)
        drawn = request.query_params.get("as", "svg")
        if drawn not in ("svg", "png"):
            raise HTTPException(400, "pictures come as svg or as png")
        if drawn == "png" and not can_render_png():
            raise missing_extra("picture")
        whole = zip_replay_files(_picture_files(episode, drawn))
        return _download_response(whole, "application/zip", episode, f"{drawn}.zip")

    async def _check_limit(self, limits: RateLimits, request: Request) -> None:
        """Check the limit of the address, or of the seat for those who played the game."""
        if not limits.take_token(request, await self._own_seat(request)):
            raise HTTPException(429, "you have asked for many games: wait a little")


def replay_page_start(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _download_response(
    content: bytes | Iterator[bytes], kind: str, episode: ReplayEpisode, ending: str
) -> Response:
    """A download with a file name that is safe on any file system."""
    name = "".join(
        sign if sign.isascii() and (sign.isalnum() or sign in "-_.") else "-"
        for sign in episode.transcript.episode
    )
    headers = {
        "content-disposition": f'attachment; filename="{episode.pack.name}-{name}.{ending}"',
        "cache-control": "no-store",
    }
    if isinstance(content, bytes):
        return Response(content, headers=headers, media_type=kind)
    return StreamingResponse(content, headers={**headers, "content-encoding": "identity"}, media_type=kind)


def _picture_files(episode: ReplayEpisode, kind: str) -> Iterator[tuple[str, bytes]]:
    for name, svg in episode_step_pictures(episode.pack, episode.game, episode.transcript):
        if kind == "svg":
            yield f"{name}.svg", svg.encode()
        else:
            with _PAINTING:
                picture = render_png(svg)
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

    def take_bytes(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


def zip_replay_files(files: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    """A zip archive in chunks, one for each file."""
    pipe = _Pipe()
    with ZipFile(pipe, "w") as archive:
        for name, content in files:
            archive.writestr(name, content, ZIP_STORED if name.endswith(".png") else ZIP_DEFLATED)
            yield pipe.take_bytes()
    yield pipe.take_bytes()
