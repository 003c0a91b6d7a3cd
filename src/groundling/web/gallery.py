"""Gallery pages: a game's instances with their targets, and a canvas to draw new ones. Off by default."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from time import time
from typing import Any

import msgspec
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from groundling.core.desk import Canvas, Exhibit, Gallery
from groundling.core.pack import Pack, load
from groundling.core.values import Illegal, Instance
from groundling.web import stimuli
from groundling.web.episode_library import DatasetCollection, read_library_in_thread
from groundling.web.middleware import RateLimits
from groundling.web.replay import replay_page_start
from groundling.web.responses import json_response, page_response_endpoint, read_request_body
from groundling.web.room_manager import RoomManager
from groundling.web.screen import opening_screen_picture
from groundling.web.store import SavedDrawing

PAGE = 12
"""Pictures on one page."""
BUILT_IN, DRAWN = "built in", "drawn here"
MOST_NAME = 60
JOINERS = "\u200c\u200d"
"""Invisible, but some languages and some emoji need them."""
MOST_DRAWING = 512 * 1024
"""Bytes of a drawing, with all its strokes."""
MOST_DRAWN = 1000
"""Drawings of a game that are stored."""
DRAWN_A_SECOND, DRAWN_AT_ONCE = 1 / 60, 10.0
"""Drawings that one address may save."""
LOOKS_A_SECOND, LOOKS_AT_ONCE = 10.0, 120.0
"""Pictures that one address may fetch, as drawing them takes time."""


class SubmittedDrawing(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    moves: msgspec.Raw


class GalleryCard(Struct, frozen=True):
    """An instance or an exhibit in the list."""

    instance: Instance | Exhibit
    name: str
    facts: Mapping[str, str]


class GalleryPages:
    def __init__(self, room_manager: RoomManager) -> None:
        self._room_manager = room_manager
        self._books = {
            book.name: book for book in room_manager.settings.books if isinstance(book, DatasetCollection)
        }
        self._cards: dict[tuple[str, str], list[GalleryCard]] = {}
        self._looks = RateLimits(LOOKS_A_SECOND, LOOKS_AT_ONCE, room_manager.settings)
        self._saves = RateLimits(DRAWN_A_SECOND, DRAWN_AT_ONCE, room_manager.settings)

    def make_routes(self) -> list[Route]:
        if not self._room_manager.settings.gallery:
            return []
        return [
            Route("/gallery/", page_response_endpoint("galleries.html")),
            Route("/gallery/{game}/", page_response_endpoint("gallery.html")),
            Route("/gallery/{game}/cards.json", self.list_cards),
            Route("/gallery/{game}/picture.svg", self.send_picture),
            Route("/gallery/{game}/draw", page_response_endpoint("draw.html")),
            Route("/gallery/{game}/canvas.json", self.describe_canvas),
            Route("/gallery/{game}/drawn", self.save_drawing, methods=["POST"]),
        ]

    def _find_gallery(self, request: Request) -> tuple[Pack, Gallery]:
        pack = self._room_manager.find_game(request.path_params["game"])
        if pack.live.gallery is None:
            raise HTTPException(404, f"{pack.name} has no gallery")
        return pack, pack.live.gallery

    # Lists and pictures

    def _source_names(self, pack: Pack, gallery: Gallery) -> list[str]:
        data = [name for name, book in self._books.items() if book.pack.name == pack.name]
        return [BUILT_IN, *data, *([DRAWN] if gallery.canvas else []), *gallery.also]

    async def _load_cards(self, request: Request) -> list[GalleryCard]:
        """All cards of the source that the request names."""
        pack, gallery = self._find_gallery(request)
        source = request.query_params.get("of", BUILT_IN)
        if source not in self._source_names(pack, gallery):
            raise HTTPException(404, f"{pack.name} has no instances {source!r} here")
        facts = load(gallery.facts)
        if source == DRAWN:
            return [
                GalleryCard(instance, name, facts(instance))
                for name, instance in await self._room_manager.list_drawings(pack)
            ]
        key = pack.name, source
        if key not in self._cards and source in gallery.also:
            exhibits: Sequence[Exhibit] = await asyncio.to_thread(load(gallery.also[source]))
            self._cards[key] = [GalleryCard(exhibit, "", exhibit.facts) for exhibit in exhibits]
        elif key not in self._cards:
            instances: Sequence[Instance]
            if book := self._books.get(source):
                instances = await read_library_in_thread(book, book.gallery_instances)
            else:
                instances = (await asyncio.to_thread(self._room_manager.stimuli.builtin_set, pack)).instances
            self._cards[key] = [GalleryCard(instance, "", facts(instance)) for instance in instances]
        return self._cards[key]

    async def list_cards(self, request: Request) -> Response:
        pack, gallery = self._find_gallery(request)
        there, asked = await self._load_cards(request), request.query_params
        source = asked.get("of", BUILT_IN)
        choices = {"set": _sorted_values(card.instance.set for card in there)}
        choices |= {name: _sorted_values(card.facts.get(name, "") for card in there) for name in gallery.by}
        wanted = {name: asked[name] for name in choices if asked.get(name)}
        words = asked.get("find", "").lower().split()
        matching = [
            card
            for card in there
            if all(
                (card.instance.set if name == "set" else card.facts.get(name)) == value
                for name, value in wanted.items()
            )
            and all(word in f"{card.instance.id} {card.name}".lower() for word in words)
        ]
        plays = {DRAWN: stimuli.DRAWN}
        if self._room_manager.stimuli.offers_builtin(pack):
            plays[BUILT_IN] = stimuli.BUILT_IN
        start = replay_page_start(asked.get("from", ""))
        text = load(gallery.text) if source not in gallery.also else None
        return json_response(
            {
                "game": pack.name,
                "title": pack.live.title,
                "sources": self._source_names(pack, gallery),
                "choices": {name: values for name, values in choices.items() if len(values) > 1},
                "canvas": gallery.canvas is not None,
                "role": pack.speaker if source in plays else "",
                "plays": plays.get(source, ""),
                "book": source if source in self._books and self._books[source].episode_rows() else "",
                "total": len(there),
                "found": len(matching),
                "page": PAGE,
                "cards": [
                    {
                        "id": card.instance.id,
                        "name": card.name,
                        "set": card.instance.set,
                        "facts": card.facts,
                        "text": text(card.instance) if text else "",
                    }
                    for card in matching[start : start + PAGE]
                ],
            }
        )

    async def send_picture(self, request: Request) -> Response:
        pack, gallery = self._find_gallery(request)
        if not self._looks.take_token(request):
            raise HTTPException(429, "you have looked at many pictures: wait a little")
        wanted = request.query_params.get("id", "")
        shown = next(
            (card.instance for card in await self._load_cards(request) if card.instance.id == wanted), None
        )
        if shown is None:
            raise HTTPException(404, "there is no such picture here")
        draw = (
            load(gallery.picture)
            if gallery.picture
            else lambda instance: opening_screen_picture(pack, instance)
        )
        svg = shown.picture if isinstance(shown, Exhibit) else await asyncio.to_thread(draw, shown)
        return Response(svg, media_type="image/svg+xml", headers={"cache-control": "max-age=3600"})

    # Drawing

    def _find_canvas(self, request: Request) -> tuple[Pack, Canvas]:
        pack, gallery = self._find_gallery(request)
        if gallery.canvas is None:
            raise HTTPException(404, f"nothing can be drawn for {pack.name}")
        return pack, gallery.canvas

    async def describe_canvas(self, request: Request) -> Response:
        pack, canvas = self._find_canvas(request)
        desk = load(canvas.desk)()
        return json_response(
            {
                "title": pack.live.title,
                "now": desk.now,
                "tool": desk.tool,
                "facts": desk.facts,
                "panels": desk.panels,
                "most": MOST_NAME,
            }
        )

    async def save_drawing(self, request: Request) -> Response:
        pack, canvas = self._find_canvas(request)
        asked: SubmittedDrawing = await read_request_body(request, SubmittedDrawing, MOST_DRAWING)
        if not self._saves.take_token(request):
            raise HTTPException(429, "you have saved many drawings: wait a little")
        name = " ".join(asked.name.split())
        seen = "".join(sign for sign in name if sign not in JOINERS)
        if not seen.strip() or len(name) > MOST_NAME:
            raise HTTPException(400, f"give it a name of at most {MOST_NAME} characters")
        if not seen.isprintable():
            raise HTTPException(400, "this name has signs that cannot be shown: give it a name without them")
        try:
            moves = msgspec.json.decode(asked.moves, type=tuple[load(pack.game).Move, ...])  # type: ignore[misc]
            instance = load(canvas.made)(f"drawn-{secrets.token_hex(4)}", moves)
        except (msgspec.MsgspecError, Illegal) as trouble:
            raise HTTPException(400, f"this cannot be drawn: {trouble}") from None
        if len(await self._room_manager.store.list_drawings(pack.name)) >= MOST_DRAWN:
            raise HTTPException(
                409, "the gallery is full: ask the administrator of this server to delete some drawings"
            )
        await self._room_manager.store.save_drawing(
            SavedDrawing(pack.name, instance.id, time(), name, msgspec.json.encode(instance))
        )
        return json_response({"id": instance.id}, 201)


def _sorted_values(values: Any) -> list[str]:
    """All values but the empty one, numbers in numeric order."""
    return sorted(
        {value for value in values if value},
        key=lambda value: (len(value) if value.isdecimal() else 0, value),
    )
